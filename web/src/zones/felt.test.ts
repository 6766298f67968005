import { describe, expect, it } from "vitest";
import { felt } from "./felt";

describe("felt", () => {
  it("takes the hue of a colour, by name or number, and stays calm", () => {
    expect(felt("#2f5d50").hue).toBeGreaterThan(150);
    expect(felt("#2f5d50").hue).toBeLessThan(190);
    expect(felt("blue")).toEqual({ hue: 250, chroma: 0.06 });
    expect(felt("dark red").hue).toBe(22);
    expect(felt("")).toEqual(felt("green"));
    expect(felt("#ff0000").chroma).toBeLessThanOrEqual(0.08);
  });
});

import { describe, expect, it } from "vitest";
import type { Result } from "../net/wire";
import { hasWon, points, written } from "./outcome";

const result = (winner: string, scores: number[] = []): Result => ({ winner, headline: "", text: "", scores, clause: "", items: [] });

describe("hasWon", () => {
  it("knows whose win it is", () => {
    expect(hasWon(result("player"), 1)).toBe(true);
    expect(hasWon(result("loss"), 1)).toBe(false);
    expect(hasWon(result("2"), 2)).toBe(true);
    expect(hasWon(result("2"), 1)).toBe(false);
    expect(hasWon(result("blue", [1, 0]), 1)).toBe(true);
    expect(hasWon(result("blue", [1, 0]), 2)).toBe(false);
    expect(hasWon(result("draw", [1, 0]), 1)).toBe(false);
  });
});

describe("points", () => {
  it("counts a win, a draw and a loss", () => {
    expect([1, 2].map((seat) => points(result("blue", [1, -1]), seat))).toEqual([1, 0]);
    expect([1, 2].map((seat) => points(result("2"), seat))).toEqual([0, 1]);
    expect([1, 2].map((seat) => points(result("draw", [0, 0]), seat))).toEqual([0.5, 0.5]);
    expect(points(result("draw"), 1)).toBe(0.5);
  });

  it("is written with halves", () => {
    expect([0, 0.5, 1, 2.5].map(written)).toEqual(["0", "½", "1", "2½"]);
  });
});

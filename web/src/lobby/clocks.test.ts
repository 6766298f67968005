import { describe, expect, it } from "vitest";
import { fischerOf, presetFor, PRESETS } from "./clocks";

describe("clocks to choose", () => {
  it("are found again among the offers", () => {
    for (const [, presets] of PRESETS)
      for (const preset of presets) {
        expect(presetFor(preset.rule)).toBe(preset);
        if (preset.rule?.kind === "fischer")
          expect(fischerOf(preset.rule.seconds / 60, preset.rule.increment)).toEqual(preset.rule);
      }
    expect(presetFor(null)?.id).toBe("none");
    expect(presetFor({ kind: "fischer", seconds: 77, increment: 1 })).toBeNull();
  });
  it("may have own figures within what the server takes", () => {
    expect(fischerOf(0.5, 0)).toEqual({ kind: "fischer", seconds: 30, increment: 0 });
    for (const [minutes, increment] of [
      [0.1, 0],
      [181, 0],
      [5, 0.5],
      [5, 181],
      [Number.NaN, 1],
    ] as const)
      expect(fischerOf(minutes, increment)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import type { Analysis, Verdict } from "../net/wire";
import { area, decisionAt, line, losses, points, endText, verdictText } from "./curve";

const verdict = (more: Partial<Verdict>): Verdict => ({
  ply: 1,
  seat: 1,
  move: "end",
  label: "End the turn",
  chances: [0.6, 0.4],
  played: 0.6,
  loss: 0,
  best: "",
  reason: "",
  choices: 3,
  thrown: false,
  ...more,
});
const analysis: Analysis = {
  verdicts: [
    verdict({ loss: 0.25, played: 0.35, reason: "Fire: hits." }),
    verdict({ ply: 2, seat: 2, chances: [0.35, 0.65], loss: 0.5 }),
  ],
  end: [1, 0],
  turning: 2,
  sentence: "",
};
const name = (seat: number): string => ["Blue", "Red"][seat - 1] ?? "";

describe("the curve", () => {
  it("has a point before each decision and one at the end", () => {
    const found = points(analysis);
    expect(found).toEqual([
      [0.6, 0.4],
      [0.35, 0.65],
      [1, 0],
    ]);
    expect(line(found, 1)).toBe("M0 40.0L1 65.0L2 0.0");
    expect(area(found, 2)).toBe("M0 60.0L1 35.0L2 100.0L2 100L0 100Z");
  });

  it("strikes out what was given away: the first seat's downwards, the second's upwards", () => {
    expect(losses(analysis)).toBe("M0 40.0V65.0M1 65.0V15.0");
  });

  it("leaves out losses within the error of the estimate", () => {
    expect(losses({ ...analysis, verdicts: [verdict({ loss: 0.004 })] })).toBe("");
  });

  it("uses the mover's own line with more than two players", () => {
    const three = verdict({ seat: 3, chances: [0.2, 0.3, 0.5], loss: 0.1 });
    expect(losses({ ...analysis, verdicts: [three] })).toBe("M0 50.0V60.0");
  });
});

describe("the table's plies", () => {
  it("lead to the decision that was next, whatever lies between", () => {
    const versions = [0, 3, 4, 6]; // two entries were taken back, one hint was counted, someone resigned
    expect([0, 1, 2, 3, 4, 5, 6, 9].map((version) => decisionAt(versions, version))).toEqual([
      0, 0, 0, 1, 2, 2, 3, 3,
    ]);
    expect(decisionAt([1, 2], 0)).toBe(0); // before the hint that came first
  });
});

describe("decisions in words", () => {
  it("say what would have been better", () => {
    expect(verdictText(analysis.verdicts[0]!, name)).toBe(
      "1. Blue: End the turn. Chance to win 60% before, 35% after. Better: Fire: hits.",
    );
    expect(verdictText(verdict({}), name)).toBe("1. Blue: End the turn. Chance to win 60%.");
    expect(verdictText(verdict({ chances: [0.6], loss: 0.01, reason: "Draw." }), name)).toBe(
      "1. End the turn. Chance to win 60% before, 59% after. Better: Draw.",
    );
  });

  it("do not blame anybody for a throw", () => {
    expect(verdictText(verdict({ thrown: true, played: 0.1 }), name)).toBe(
      "1. Blue: End the turn. Chance to win 60% before the throw, 10% after it.",
    );
  });

  it("tell the end", () => {
    expect(endText([1, 0], name)).toBe("At the end: Blue 100%, Red 0%.");
    expect(endText([0], name)).toBe("At the end: 0%.");
  });
});

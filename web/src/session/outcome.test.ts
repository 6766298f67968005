import { describe, expect, it } from "vitest";
import type { Outcome, Result } from "../net/wire";
import { complete } from "../net/complete";
import { hasWon, headline, roundOf, share } from "./outcome";

const outcome = (winners: number[], returns: number[]): Outcome => ({
  winners,
  returns,
  points: [],
  clause: "",
});
const shares = (one: Outcome): number[] => one.returns.map((_, at) => share(one, at + 1));

describe("hasWon", () => {
  it("depends on the winners alone", () => {
    expect(hasWon(outcome([1], [1]), 1)).toBe(true);
    expect(hasWon(outcome([], [-1]), 1)).toBe(false);
    expect([1, 2, 3].map((seat) => hasWon(outcome([1, 3], [0.5, -1, 0.5]), seat))).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("headline", () => {
  const result = (winners: number[], returns: number[]): Result => ({
    outcome: outcome(winners, returns),
    headline: "Blue wins.",
    text: "",
    items: [],
    reason: "",
  });
  it("speaks to whoever resigned, ran out of time or won with others", () => {
    const resigned: Result = { ...result([2], [-1, 1]), reason: "resignation" };
    expect(headline(resigned, [1])).toBe("You resigned.");
    expect(headline({ ...resigned, reason: "time" }, [1])).toBe("You ran out of time.");
    expect(headline(resigned, [2])).toBe("You win.");
    expect(headline({ ...result([1, 3], [1, -1, 1]), reason: "resignation" }, [1])).toBe("Blue wins.");
    expect(headline({ ...result([], [0, 0]), reason: "agreement" }, [1])).toBe("Blue wins."); // "A draw."
    const by = (winners: number[], returns: number[]): Result => ({
      ...result(winners, returns),
      headline: "Red’s side wins.",
    });
    expect(headline(by([1, 3], [1, -1, 1, -1]), [3])).toBe("Your side wins.");
    expect(headline(by([1, 3], [1, -1, 1, -1]), [2])).toBe("Red’s side wins.");
    expect(headline(by([1, 3], [0, -1, 0]), [3])).toBe("Red’s side wins."); // a shared victory
    expect(headline(by([2], [-1, 1]), [1])).toBe("Red’s side wins.");
  });
  it("speaks to who has won, where one person plays one seat here", () => {
    expect(headline(result([1], [1, -1]), [1])).toBe("You win.");
    expect(headline(result([1], [1, -1]), [2])).toBe("Blue wins.");
    expect(headline(result([1], [1, -1]), [1, 2])).toBe("Blue wins.");
    expect(headline(result([1], [1, -1]), [])).toBe("Blue wins.");
    expect(headline(result([1, 2], [0, 0]), [1])).toBe("Blue wins."); // a victory that is shared
    expect(headline(result([1], [1]), [1])).toBe("Blue wins."); // a game for one tells what became of its tower
  });
});

describe("share", () => {
  it("counts a win, a draw and a loss", () => {
    expect(shares(outcome([1], [1, -1]))).toEqual([1, 0]);
    expect(shares(outcome([2], [-1, 1]))).toEqual([0, 1]);
    expect(shares(outcome([], [0, 0]))).toEqual([0.5, 0.5]);
    expect(shares(outcome([1, 2], [0, 0]))).toEqual([0.5, 0.5]);
    expect(shares(outcome([1, 3], [0, -1, 0]))).toEqual([0.5, 0, 0.5]);
    expect(shares(outcome([1, 3], [1, -1, 1, -1]))).toEqual([1, 0, 1, 0]);
    expect(shares(outcome([], [-1, -1]))).toEqual([0, 0]);
    expect(shares(outcome([1], [1]))).toEqual([1]);
  });
});

describe("rounds", () => {
  it("are counted where the game doesn't count turns", () => {
    const turn = { label: "Turn", value: "4 of 60", note: "" };
    expect(roundOf(complete("Status", { round: 4 }))).toBe(4);
    expect(roundOf(complete("Status", { round: 4, facts: [turn] }))).toBe(0);
  });
});

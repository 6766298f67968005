import { describe, expect, it } from "vitest";
import type { LabExperiment, OptionInfo } from "../net/wire";
import { again, choices, mistake, possible, read, share, stands, varied } from "./lab";

const option = (more: Partial<OptionInfo>): OptionInfo =>
  ({
    key: "one",
    default: 1,
    kind: "int",
    sentence: "",
    values: [],
    refused: [],
    low: null,
    high: null,
    worth_comparing: false,
    proposed: "",
    ...more,
  }) as OptionInfo;

describe("what the Lab varies", () => {
  it("ticks what can be listed", () => {
    expect(choices(option({ kind: "bool" }))).toEqual([false, true]);
    expect(choices(option({ kind: "choice", values: ["any", 2] }))).toEqual(["any", 2]);
    expect(choices(option({ low: 2, high: 4 }))).toEqual([2, 3, 4]);
    expect(choices(option({ low: 0, high: 400 }))).toEqual([]);
    expect(choices(option({ kind: "text" }))).toEqual([]);
    expect(possible(option({ kind: "choice", values: ["a", "b"], refused: ["b"] }))).toEqual(["a"]);
  });

  it("names an option with its group", () => {
    expect(varied("setup.king_file: a, b")).toBe("Setup, king file: a, b");
    expect(varied("add_cost: 1, 2")).toBe("Add cost: 1, 2");
  });

  it("reads what is typed", () => {
    expect(read(" 3, 40,3 ,x, 1.5,", option({}))).toEqual([3, 40, "x", "1.5"]);
    expect(mistake([3, "x"], option({}))).toBe("x isn’t a whole number.");
    expect(mistake([3, "auto"], option({ default: "auto" }))).toBe("");
    expect(mistake(["ab"], option({ kind: "text" }))).toBe("");
    expect(read("ab, cd", option({ kind: "text" }))).toEqual(["ab", "cd"]);
  });
});

describe("what the Lab says of an experiment", () => {
  const experiment = (more: Partial<LabExperiment>): LabExperiment =>
    ({
      phase: "rests",
      games: 4_000,
      checking: 0,
      share: 1,
      finished: true,
      report: true,
      ...more,
    }) as LabExperiment;

  it("offers to resume only what has games left", () => {
    expect(again(experiment({}))).toBe("");
    expect(again(experiment({ share: 0.4 }))).toBe(""); // it stopped early: its figure is known
    expect(again(experiment({ share: 0.4, finished: false }))).toBe("Resume");
    expect(again(experiment({ report: false }))).toBe("Write report");
    expect(again(experiment({ phase: "plays", finished: false }))).toBe("");
  });

  it("says how far it is", () => {
    expect(stands(experiment({ share: 0.4 }))).toBe("4,000 games");
    expect(stands(experiment({ share: 0.4, finished: false }))).toBe("Stopped at 40% of 4,000 games");
    const plays = { phase: "plays", finished: false } as const;
    expect(stands(experiment({ ...plays, share: 0.25, seconds_left: 100 }))).toBe(
      "25% of 4,000 games, about 2 min left",
    );
    expect(stands(experiment({ ...plays, share: 0, games: 120, checking: 60, seconds_left: null }))).toBe(
      "0% of 60 games, and 60 as a check",
    );
    expect(stands(experiment({ phase: "reports" }))).toBe("All games played. Writing the report …");
  });

  it("shows a share with its interval", () => {
    expect(share({ name: "", estimate: 0.504, low: 0.482, high: 0.526 })).toBe("50% (48–53)");
    expect(share({ name: "", estimate: 0.504, low: 0.5, high: 0.508 })).toBe("50.4% (50.0–50.8)");
  });
});

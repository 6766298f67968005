import { describe, expect, it } from "vitest";
import type { Motion } from "../net/wire";
import { HOLD, type Move, schedule } from "./timetable";

const motion = (kind: Motion["kind"], item: string, goal = "", weight = 0): Motion => ({
  kind,
  item,
  origin: "",
  goal,
  weight,
});
const names = (motions: Motion[], moves: Move[]): string[] =>
  schedule(motions, moves).map((step) => `${step.kind} ${step.item}`);

describe("a timetable", () => {
  it("keeps to the order that is told, and shows the rest after it", () => {
    const moves: Move[] = [
      { item: "drawn", kind: "deal" },
      { item: "other", kind: "move" },
      { item: "enemy", kind: "move" },
      { item: "top", kind: "move" },
    ];
    expect(names([motion("fall", "top"), motion("move", "enemy")], moves)).toEqual([
      "fall top",
      "move enemy",
      "move other",
      "deal drawn",
    ]);
  });
  it("lets a ball fly before what it hits falls", () => {
    const [shot, fall] = schedule(
      [motion("shot", "cannon", "f8"), motion("fall", "wall")],
      [{ item: "wall", kind: "vanish" }],
    );
    expect(shot).toMatchObject({ kind: "shot", goal: "f8", at: 0 });
    expect(fall?.at).toBeGreaterThanOrEqual((shot?.at ?? 0) + (shot?.lasts ?? 9));
  });
  it("holds a moment the longer the more it weighs", () => {
    const next = (weight: number): number =>
      schedule(
        [motion("fall", "a", "", weight), motion("fall", "b")],
        [
          { item: "a", kind: "vanish" },
          { item: "b", kind: "vanish" },
        ],
      )[1]?.at ?? 0;
    expect(next(1)).toBeGreaterThan(next(0));
    expect(next(3)).toBeCloseTo(3 * HOLD);
  });
  it("makes room at once, and shows each thing once", () => {
    const moves: Move[] = [
      { item: "a", kind: "move" },
      { item: "b", kind: "shift" },
    ];
    const steps = schedule([motion("strike", "a", "x"), motion("fall", "a")], moves);
    expect(steps.map((step) => [step.item, step.at])).toEqual([
      ["b", 0],
      ["a", 0],
    ]);
  });
  it("ignores motions of things that don't move here", () => {
    expect(schedule([motion("deal", "gone")], [])).toEqual([]);
  });
});

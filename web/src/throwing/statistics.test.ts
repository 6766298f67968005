import { describe, expect, it } from "vitest";
import type { TableLayout } from "../net/wire";
import { stretched } from "./range.svelte";
import { fairInches, heat, level, runs, wilson, hits } from "./statistics";

describe("wilson", () => {
  it("gives the published interval for 10 of 50", () => {
    const rate = wilson(10, 50)!;
    expect(rate.low).toBeCloseTo(0.1124, 3);
    expect(rate.high).toBeCloseTo(0.3304, 3);
  });

  it("stays within 0 and 1, and says nothing of no throws", () => {
    expect(wilson(0, 0)).toBeNull();
    expect(wilson(0, 8)!.low).toBe(0);
    expect(wilson(8, 8)!.high).toBe(1);
    expect(wilson(8, 8)!.low).toBeCloseTo(0.6756, 3);
  });
});

it("counts the longest run of hits, and the one that lasts", () => {
  expect(runs([true, true, false, true])).toEqual({ best: 2, now: 1 });
  expect(runs([])).toEqual({ best: 0, now: 0 });
});

it("is hottest where most came down", () => {
  const cells = heat(
    [
      [0.1, 0.1],
      [0.11, 0.1],
      [0.3, 0.3],
    ],
    { left: 0, near: 0, width: 0.4, depth: 0.4 },
    20,
  );
  const hottest = cells.reduce((most, one) => (one.heat > most.heat ? one : most));
  expect(hottest.heat).toBe(1);
  expect(Math.hypot(hottest.x - 0.105, hottest.y - 0.1)).toBeLessThan(0.02);
  expect(cells).toHaveLength(400);
});

describe("level", () => {
  const unit = { aside: 0.01, ahead: 0.04 };

  it("is 1 for misses such as level 1 makes, and grows with them", () => {
    const misses = [
      [0.01, 0.04],
      [-0.01, -0.04],
      [0.01, -0.04],
      [-0.01, 0.04],
    ] as const;
    expect(level(misses, unit)!.share).toBeCloseTo(1, 9);
    expect(
      level(
        misses.map(([x, y]) => [2 * x, 2 * y] as const),
        unit,
      )!.share,
    ).toBeCloseTo(2, 9);
  });

  it("counts a constant error too: who aims well misses by nothing", () => {
    const fit = level(
      Array.from({ length: 20 }, () => [0, 0.04] as const),
      unit,
    )!;
    expect(fit.share).toBeCloseTo(Math.SQRT1_2, 9);
    expect(fit.aside).toBe(0);
  });

  it("gives chi square's interval: for twenty throws about a fifth either way", () => {
    const fit = level(
      Array.from({ length: 20 }, () => [0.01, 0.04] as const),
      unit,
    )!;
    // 40 degrees of freedom: quantiles 24.433 and 59.342.
    expect(fit.low).toBeCloseTo(Math.sqrt(40 / 59.342), 3);
    expect(fit.high).toBeCloseTo(Math.sqrt(40 / 24.433), 3);
  });

  it("is none without throws", () => {
    expect(level([], unit)).toBeNull();
    expect(level([[1, 1]], { aside: 0, ahead: 1 })).toBeNull();
  });
});

it("moves both sides apart, each half of what there is more between their walls", () => {
  const layout: TableLayout = {
    pieces: [
      {
        name: "2.wall1",
        spot: { x: 0.1, y: 0.2, yaw: Math.PI },
        seat: 2,
        side: 2,
        item: "",
        fixed: false,
        label: "",
      },
      {
        name: "1.castle",
        spot: { x: 0, y: -0.3, yaw: 0 },
        seat: 1,
        side: 1,
        item: "",
        fixed: true,
        label: "",
      },
    ],
    chairs: [
      { seat: 1, side: 1, castle: { x: 0, y: -0.3, yaw: 0 }, line: 0.1 },
      { seat: 2, side: 2, castle: { x: 0, y: 0.3, yaw: Math.PI }, line: 0.1 },
    ],
    width: 1,
    depth: 1,
    stacks: [],
  };
  const far = stretched(layout, 0.4048);
  expect(far.pieces[0]!.spot.y).toBeCloseTo(0.25, 9);
  expect(far.pieces[0]!.spot.x).toBeCloseTo(0.1, 9);
  expect(far.pieces[1]!.spot.y).toBeCloseTo(-0.35, 9);
  expect(far.chairs[1]!.castle.y).toBeCloseTo(0.35, 9);
  expect(far.depth).toBeCloseTo(1.1, 9);
  expect(stretched(layout, 0.2).depth).toBe(1);
});

describe("a handicap", () => {
  const rates = [
    [1, 12, 0.9],
    [2, 12, 0.5],
    [1, 9, 1],
    [2, 9, 0.85],
    [1, 14, 0.8],
    [2, 14, 0.3],
  ].map(([level = 0, inches = 0, share = 0]) => ({ level, inches, share }));

  it("lies between the levels that were measured", () => {
    expect(hits(rates, 1.25, 12)).toBeCloseTo(0.8, 9);
    expect([hits(rates, 0.2, 12), hits(rates, 7, 12), hits(rates, 1, 10)]).toEqual([0.9, 0.5, null]);
  });

  it("brings a weaker hand as near as may be to an expert's", () => {
    expect([fairInches(rates, 1, 12), fairInches(rates, 2, 12), fairInches(rates, 0.5, 12)]).toEqual([
      12, 9, 12,
    ]);
  });
});

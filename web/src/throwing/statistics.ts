/** Count throws: rates with their intervals, where they came down, how steady a hand is. Pure. */

import type { HitRate } from "../net/wire";
import type { Point } from "./geometry";

/** The standard deviations that hold 95 of 100. */
const Z = 1.959964;

export interface Rate {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** A rate with its Wilson score interval at 95%: sound for few throws, and for none or all of them hits. */
export function wilson(hits: number, throws: number): Rate | null {
  if (throws <= 0) return null;
  const share = hits / throws;
  const [scale, square] = [1 + Z ** 2 / throws, Z ** 2];
  const middle = (share + square / (2 * throws)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / throws + square / (4 * throws ** 2))) / scale;
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The most hits in a row, and how many end the list. */
export function runs(hits: readonly boolean[]): { best: number; now: number } {
  let [best, now] = [0, 0];
  for (const hit of hits) {
    now = hit ? now + 1 : 0;
    best = Math.max(best, now);
  }
  return { best, now };
}

export interface Cell {
  readonly x: number;
  readonly y: number;
  /** From 0 to 1, where most came down. */
  readonly heat: number;
}

/**
 * Where throws came down, as a heat on a grid: each throw counts around it as a bell of this width, in
 * metres.
 */
export function heat(
  points: readonly Point[],
  bounds: { left: number; near: number; width: number; depth: number },
  across: number,
  spread = 0.025,
): Cell[] {
  const side = bounds.width / across;
  const cells: Cell[] = [];
  for (let row = 0; row < Math.round(bounds.depth / side); row++)
    for (let column = 0; column < across; column++) {
      const [x, y] = [bounds.left + (column + 0.5) * side, bounds.near + (row + 0.5) * side];
      const sum = points.reduce(
        (all, [a, b]) => all + Math.exp(-((a - x) ** 2 + (b - y) ** 2) / (2 * spread ** 2)),
        0,
      );
      cells.push({ x, y, heat: sum });
    }
  const most = Math.max(...cells.map((cell) => cell.heat), 1e-9);
  return cells.map((cell) => ({ ...cell, heat: cell.heat / most }));
}

/** How far a card comes down from where it should, to the right and ahead, for a hand of level 1. */
export interface Spread {
  readonly aside: number;
  readonly ahead: number;
}

export interface Level extends Rate {
  /** The root mean square of the misses, in metres. */
  readonly aside: number;
  readonly ahead: number;
  readonly throws: number;
}

/**
 * Quantile of chi square by Wilson and Hilferty's approximation; good to a few per mille from 10 degrees of
 * freedom on.
 */
const chiSquare = (degrees: number, z: number): number =>
  degrees * (1 - 2 / (9 * degrees) + z * Math.sqrt(2 / (9 * degrees))) ** 3;

/**
 * Fit a level to how far throws came down from what was aimed at.
 *
 * A hand of level L trembles L times as much as one of level 1, so its misses are L times as far: L is the
 * root mean square of all misses, each in units of what level 1 would miss by in its direction. The interval
 * is chi square's, 95%.
 */
export function level(misses: readonly Point[], unit: Spread): Level | null {
  if (!misses.length || unit.aside <= 0 || unit.ahead <= 0) return null;
  const mean = (of: (miss: Point) => number): number =>
    misses.reduce((sum, miss) => sum + of(miss), 0) / misses.length;
  const [aside, ahead] = [Math.sqrt(mean(([x]) => x * x)), Math.sqrt(mean(([, y]) => y * y))];
  const share = Math.sqrt(((aside / unit.aside) ** 2 + (ahead / unit.ahead) ** 2) / 2);
  const degrees = 2 * misses.length;
  const bound = (z: number): number => share * Math.sqrt(degrees / chiSquare(degrees, z));
  return { share, low: bound(Z), high: bound(-Z), aside, ahead, throws: misses.length };
}

/**
 * How often a hand hits a wall so many inches away, between the levels that were measured; null where none
 * was.
 */
export function hits(rates: readonly HitRate[], level: number, inches: number): number | null {
  const there = rates.filter((rate) => rate.inches === inches).sort((one, other) => one.level - other.level);
  const above = there.findIndex((rate) => rate.level >= level);
  const [one, other] =
    above < 0 ? [there.at(-1), there.at(-1)] : [there[Math.max(0, above - 1)], there[above]];
  if (!one || !other) return null;
  const along = one === other ? 0 : (level - one.level) / (other.level - one.level);
  return one.share + (other.share - one.share) * along;
}

/** At which of the distances a hand hits most nearly as often as an expert's does at the usual one. */
export function fairInches(rates: readonly HitRate[], level: number, usual: number): number {
  const expert = hits(rates, 1, usual) ?? 0;
  const off = (inches: number): number => Math.abs((hits(rates, level, inches) ?? 0) - expert);
  return [...new Set(rates.map((rate) => rate.inches))].reduce(
    (best, inches) => (off(inches) < off(best) ? inches : best),
    usual,
  );
}

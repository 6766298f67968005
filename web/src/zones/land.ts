/** Lay out a map of cells: where they lie, and how large a card may be for all of them to be seen. */

import type { Region } from "../net/wire";
import type { Cell, Pitch } from "./outline";

/** In hundredths of a card's width: a cell with its gap, the gap on one side, and the margin around all. */
export const PITCH: Pitch = { width: 118, height: 158, inset: 4.5, radius: 10 };
export const MARGIN = 24;
export const GAP = 9;

export interface Bounds {
  left: number;
  right: number;
  low: number;
  high: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The place that an id or a text ends with: "x,y", y upwards; null for none. */
export function placeOf(text: string): readonly [x: number, y: number] | null {
  const found = /(-?\d+),(-?\d+)$/.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** The bounds of all places; of a map without any, those of the place in its middle. */
export function boundsOf(places: Iterable<readonly [x: number, y: number]>): Bounds {
  let found: Bounds | null = null;
  for (const [x, y] of places) {
    found = found
      ? {
          left: Math.min(found.left, x),
          right: Math.max(found.right, x),
          low: Math.min(found.low, y),
          high: Math.max(found.high, y),
        }
      : { left: x, right: x, low: y, high: y };
  }
  return found ?? { left: 0, right: 0, low: 0, high: 0 };
}

/** Where a place is drawn: its column from the left and its row from the top. */
export const cellOf = ({ left, high }: Bounds, [x, y]: readonly [x: number, y: number]): Cell => [
  x - left,
  high - y,
];

/** The size of the whole map in hundredths of a card's width. */
export const sizeOf = ({ left, right, low, high }: Bounds): Size => ({
  width: (right - left + 1) * PITCH.width + 2 * MARGIN,
  height: (high - low + 1) * PITCH.height + 2 * MARGIN,
});

/** The width of a card in pixels at which all of the map is seen in a view. */
export function whole(bounds: Bounds, view: Size): number {
  const { width, height } = sizeOf(bounds);
  return 100 * Math.min(view.width / width, view.height / height);
}

/** Where a label may stand: its upper left corner and its size, in pixels. */
export interface Label extends Size {
  spots: readonly (readonly [x: number, y: number])[];
}

/** Choose a spot for each label, the first at which it covers none that was placed before it; else its first. */
export function apart(labels: readonly Label[]): (readonly [x: number, y: number])[] {
  const placed: { x: number; y: number; width: number; height: number }[] = [];
  return labels.map(({ spots, width, height }) => {
    const free = spots.find(([x, y]) =>
      placed.every(
        (other) =>
          x >= other.x + other.width ||
          other.x >= x + width ||
          y >= other.y + other.height ||
          other.y >= y + height,
      ),
    );
    const [x, y] = free ?? spots[0] ?? [0, 0];
    placed.push({ x, y, width, height });
    return [x, y] as const;
  });
}

/**
 * How far a view of a length has to be scrolled so that a stretch of it is seen, moving as little as
 * possible.
 */
export function reveal(scroll: number, length: number, from: number, to: number): number {
  if (from < scroll) return from;
  return to > scroll + length ? to - length : scroll;
}

/** What each owner of a region would score now; one entry for what is no one's. */
export function claimsOf({ owners, value }: Region): { owner: number; score: number }[] {
  const claims = owners.length ? owners : [0];
  return [...new Set(claims)].map((owner) => ({
    owner,
    score: value * claims.filter((other) => other === owner).length,
  }));
}

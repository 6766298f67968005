/** Lay out a board of squares: its shape, and the coordinates at its edge. */

import type { Line, Theme, Zone } from "../net/wire";
import { colourOf } from "../things/colours";

export interface Shape {
  columns: number;
  rows: number;
}

/** The columns and rows of a board; where the scene does not say, as square as its places allow. */
export function shape(zone: Zone): Shape {
  const columns = zone.layout.columns || Math.max(1, Math.round(Math.sqrt(zone.slots.length)));
  return { columns, rows: Math.ceil(zone.slots.length / columns) };
}

function common(labels: readonly string[]): string {
  const [first = "", ...others] = labels;
  let length = first.length;
  while (length && !others.every((other) => other.startsWith(first.slice(0, length)))) length--;
  return first.slice(0, length);
}

const turned = (label: string): string => [...label].reverse().join("");

/**
 * Find the coordinates that the squares' names are made of: what all names of a column begin with, and what
 * all names of a row end with ("a4", "b4": row "4"). A board whose names are made otherwise has none.
 */
export function coordinates(
  labels: readonly string[],
  columns: number,
): { columns: string[]; rows: string[] } {
  const rows = Math.ceil(labels.length / columns);
  const column = Array.from({ length: columns }, (_, x) =>
    common(labels.filter((_label, n) => n % columns === x)),
  );
  const row = Array.from({ length: rows }, (_, y) =>
    turned(common(labels.slice(y * columns, (y + 1) * columns).map(turned))),
  );
  const whole = labels.every((label, n) => label === `${column[n % columns]}${row[Math.floor(n / columns)]}`);
  return whole && rows > 1 && columns > 1 ? { columns: column, rows: row } : { columns: [], rows: [] };
}

/** Where one of several things in a square lies, in shares of its side: its middle, and how wide it is. */
export interface Spot {
  x: number;
  y: number;
  width: number;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const REACH = 0.42; // how far from its middle a square is filled
const PACKED = 0.57; // how near things lie to each other, in shares of their width

/**
 * Heap things in a square so that all are seen, as the seeds of a sunflower lie; they are no larger than in a
 * heap of `least`.
 */
export function heaped(count: number, least = 2): Spot[] {
  const width = REACH / (0.5 + PACKED * Math.sqrt(Math.max(count, least)));
  const spots = Array.from({ length: count }, (_, n) => {
    const far = PACKED * width * Math.sqrt(n + 0.5);
    return { x: far * Math.cos(n * GOLDEN), y: far * Math.sin(n * GOLDEN), width };
  });
  const middle = (of: (spot: Spot) => number): number =>
    spots.reduce((sum, spot) => sum + of(spot), 0) / count;
  const [x, y] = [middle((spot) => spot.x), middle((spot) => spot.y)];
  return spots.map((spot) => ({ x: 0.5 + spot.x - x, y: 0.5 + spot.y - y, width }));
}

/** The kinds of ground that have a texture of their own; the others are told apart by colour alone. */
export const TEXTURES: ReadonlySet<string> = new Set("sand grass river portal".split(" "));

/** The colour of a kind of ground, by the theme. */
export const groundOf = (theme: Theme, kind: string): string => colourOf(theme.grounds[kind] ?? kind);

type Point = [x: number, y: number];

export interface Aim {
  line: Line;
  from: Point;
  to: Point;
  hits: { at: Point; mark: string }[];
}

/** How far from the middle of a square what stands on it ends. */
export const RIM = 40;

const nearer = ([x, y]: Point, [toX, toY]: Point, by: number): Point => {
  const share = by / Math.hypot(toX - x, toY - y);
  return [x + (toX - x) * share, y + (toY - y) * share];
};

/** Where to draw the lines of the things that are looked at, in hundredths of a square's side. */
export function aimed(zone: Zone, shape: Shape, lines: readonly Line[], ids: readonly string[]): Aim[] {
  const slots = new Map(zone.slots.map((slot, n) => [slot.id, n]));
  const items = new Map(zone.items.map((item) => [item.id, item.at]));
  const middle = (id: string): Point[] => {
    const n = slots.get(items.get(id) ?? id);
    return n === undefined
      ? []
      : [[(n % shape.columns) * 100 + 50, Math.floor(n / shape.columns) * 100 + 50]];
  };
  return lines.flatMap((line) => {
    const [[from], [to]] = [middle(line.item), middle(line.to)];
    if (!from || !to || !ids.some((id) => id === line.item || id === items.get(line.item))) return [];
    const hits = Object.entries(line.hits).flatMap(([id, mark]) => middle(id).map((at) => ({ at, mark })));
    const struck = hits.some(({ at }) => at.join() === to.join());
    return [{ line, from: nearer(from, to, RIM), to: struck ? nearer(to, from, RIM) : to, hits }];
  });
}

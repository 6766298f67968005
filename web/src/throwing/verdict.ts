/** Draw the verdict on a throw: the outlines on the table, in metres. Pure. */

import type { Flown, TableLayout } from "../net/wire";
import { decode, type Frames, placed, poseAt } from "./frames";
import { CARD, type Point, pushed, rotated } from "./geometry";

/** A corner index: 8 × 12 mm, 3 mm in from the edges; covered to this share it counts. */
const INDEX = { width: 0.008, height: 0.012, inset: 0.003, enough: 0.6 } as const;
/** Points that are tried in each direction of a corner index. */
const SAMPLES = 8;

export interface CornerBox {
  readonly outline: readonly Point[];
  /** The share that is covered, from 0 to 1. */
  readonly covered: number;
  readonly enough: boolean;
}

export interface Drawing {
  /** The card's lowest point when it touched something first, and whether that was the table. */
  readonly contact: { readonly at: readonly [number, number, number]; readonly clean: boolean } | null;
  readonly overlaps: readonly { readonly target: string; readonly outline: readonly Point[] }[];
  /** The corners of walls that it came to lie on. */
  readonly corners: readonly CornerBox[];
}

/** Whether a point is inside an outline (even-odd). */
export function holds(outline: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  outline.forEach(([ax, ay], n) => {
    const [bx, by] = outline[(n + 1) % outline.length] as Point;
    if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
  });
  return inside;
}

/** The four corner indices of a card at a spot, anticlockwise from its lower left. */
export function indices(spot: { x: number; y: number; yaw: number }): Point[][] {
  const [x, y] = [CARD.width / 2 - INDEX.inset, CARD.height / 2 - INDEX.inset];
  const signs: Point[] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  return signs.map(([a, b]) => {
    const box: Point[] = [
      [x, y],
      [x - INDEX.width, y],
      [x - INDEX.width, y - INDEX.height],
      [x, y - INDEX.height],
    ];
    return box.map(([u, v]) => {
      const [dx, dy] = rotated([a * u, b * v], spot.yaw);
      return [spot.x + dx, spot.y + dy];
    });
  });
}

/** What share of a box (four points) an outline covers. */
export function coverage(box: readonly Point[], outline: readonly Point[]): number {
  const [a, b, , d] = box as [Point, Point, Point, Point];
  let covered = 0;
  for (let i = 0; i < SAMPLES; i++)
    for (let j = 0; j < SAMPLES; j++) {
      const [u, v] = [(i + 0.5) / SAMPLES, (j + 0.5) / SAMPLES];
      if (
        holds(outline, [
          a[0] + u * (b[0] - a[0]) + v * (d[0] - a[0]),
          a[1] + u * (b[1] - a[1]) + v * (d[1] - a[1]),
        ])
      )
        covered++;
    }
  return covered / SAMPLES ** 2;
}

/** The lowest corner of the card at a time of its flight. */
function lowest(frames: Frames, time: number): [number, number, number] {
  const pose = poseAt(frames, time);
  const [w, h] = [CARD.width / 2, CARD.height / 2];
  const points = [
    [-w, -h],
    [w, -h],
    [w, h],
    [-w, h],
  ].map(([a = 0, b = 0]) => placed(pose, [a, b, 0]));
  // Where it lies flat, it has come down with its middle as much as with a corner.
  if (Math.max(...points.map(([, , z]) => z)) - Math.min(...points.map(([, , z]) => z)) < 0.002)
    return [pose.x, pose.y, pose.z];
  return points.reduce((low, one) => (one[2] < low[2] ? one : low));
}

/** What there is to draw of a throw on the table that it was thrown at. */
export function drawing(flown: Flown, layout: TableLayout): Drawing {
  const frames = decode(flown.frames);
  const moved = pushed(flown);
  const overlaps = flown.landings.filter((landing) => landing.outline.length > 2);
  const corners = overlaps.flatMap(({ target, outline }): CornerBox[] => {
    const piece = layout.pieces.find((one) => one.name === target && !one.fixed);
    return (piece ? indices(moved.get(target) ?? piece.spot) : []).map((box) => {
      const covered = coverage(box, outline as readonly Point[]);
      return { outline: box, covered, enough: covered >= INDEX.enough };
    });
  });
  return {
    contact:
      frames && flown.contact_with
        ? { at: lowest(frames, flown.contact_at), clean: flown.contact_with !== "table" }
        : null,
    overlaps: overlaps.map(({ target, outline }) => ({ target, outline: outline as readonly Point[] })),
    corners,
  };
}

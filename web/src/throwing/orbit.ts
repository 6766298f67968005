/** Look at a table from a place above it. Pure: where the eye is for a view, and how far away all can be seen. */

import type { Chair } from "../net/wire";
import type { Point } from "./geometry";

/** A view: what is looked at, from which side, how steeply, how far away. Radians and metres. */
export interface View {
  readonly target: readonly [number, number, number];
  /** Where one looks to: 0 along y, turning anticlockwise. */
  readonly heading: number;
  /** 0 along the table, π/2 straight down. */
  readonly pitch: number;
  readonly distance: number;
}

export type Vector = readonly [number, number, number];
/** A point that a view has to show; on the table, where it does not say how high. */
export type Seen = Point | Vector;

const LOWEST = 0.12;
const STEEPEST = Math.PI / 2 - 0.001;
const NEAREST = 0.18;
const FARTHEST = 4;
/** How steeply one sitting at the table looks at it. */
const SITTING = 0.74;

/** Where the eye is. */
export function eye({ target, heading, pitch, distance }: View): Vector {
  const flat = distance * Math.cos(pitch);
  return [
    target[0] + flat * Math.sin(heading),
    target[1] - flat * Math.cos(heading),
    target[2] + distance * Math.sin(pitch),
  ];
}

/** The axes of the picture in the room: to its right, upwards, and into it. */
export function axes({ heading, pitch }: View): { right: Vector; up: Vector; ahead: Vector } {
  const [s, c, p, q] = [Math.sin(heading), Math.cos(heading), Math.sin(pitch), Math.cos(pitch)];
  return { right: [c, s, 0], up: [-s * p, c * p, q], ahead: [-s * q, c * q, -p] };
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Set the distance and the target so that all points just fit into a picture whose half angles have these
 * tangents, with the share `margin` left free on each side.
 */
export function fitted(
  view: View,
  points: readonly Seen[],
  tangents: { across: number; upright: number },
  margin = 0.05,
): View {
  if (!points.length) return view;
  const { right, up, ahead } = axes(view);
  const [tx, ty] = [tangents.across * (1 - 2 * margin), tangents.upright * (1 - 2 * margin)];
  const all = points.map(([x, y, z = 0]): Vector => [x, y, z]);
  // In the picture's axes a point is inside where |across| ≤ t·depth: the eye's place along each axis follows
  // from the outermost points, and its depth from the pair that asks for most.
  const depthFor = (axis: Vector, t: number): { back: number; at: number } => {
    const highs = all.map((p) => dot(p, axis) - t * dot(p, ahead));
    const lows = all.map((p) => -dot(p, axis) - t * dot(p, ahead));
    const [high, low] = [Math.max(...highs), Math.max(...lows)];
    return { back: (high + low) / (2 * t), at: (high - low) / 2 };
  };
  const [x, y] = [depthFor(right, tx), depthFor(up, ty)];
  const back = Math.max(x.back, y.back);
  const from: Vector = [0, 1, 2].map(
    (n) => right[n]! * x.at + up[n]! * y.at - ahead[n]! * back,
  ) as unknown as Vector;
  // What is looked at lies where the middle of the picture meets the table.
  const distance = Math.min(FARTHEST, Math.max(NEAREST, from[2] / Math.max(0.05, -ahead[2])));
  const target: Vector = [from[0] + ahead[0] * distance, from[1] + ahead[1] * distance, 0];
  return { ...view, target, distance };
}

/** The view from a chair, before it is fitted. */
export const seated = (chair: Chair | null): View => ({
  target: [0, 0, 0],
  heading: chair?.castle.yaw ?? 0,
  pitch: SITTING,
  distance: 1.4,
});

/** The same from straight above. */
export const overhead = (chair: Chair | null): View => ({ ...seated(chair), pitch: STEEPEST });

/** Beside a place, low and near: where one sees whether a card lies above or beneath. */
export const beside = (chair: Chair | null, [x, y]: Point): View => ({
  target: [x, y, 0.01],
  heading: (chair?.castle.yaw ?? 0) + 1.1,
  pitch: 0.5,
  distance: 0.38,
});

/** Player’s view, leaning over to where a card came down. */
export function leaning(chair: Chair | null, [x, y]: Point): View {
  const view = { ...seated(chair), pitch: 0.95, distance: 0.85 };
  const nearer = 0.05; // what is said of it stands at the bottom of the picture
  return { ...view, target: [x + nearer * Math.sin(view.heading), y - nearer * Math.cos(view.heading), 0] };
}

/** Behind a flying card, a little above it. */
export const following = (chair: Chair | null, [x, y, z]: Vector): View => ({
  target: [x, y, Math.max(0.01, z)],
  heading: chair?.castle.yaw ?? 0,
  pitch: 0.45,
  distance: 0.42,
});

export const turnedBy = (view: View, heading: number, pitch: number): View => ({
  ...view,
  heading: view.heading + heading,
  pitch: Math.min(STEEPEST, Math.max(LOWEST, view.pitch + pitch)),
});

export const nearer = (view: View, factor: number): View => ({
  ...view,
  distance: Math.min(FARTHEST, Math.max(NEAREST, view.distance / factor)),
});

/** Go from one view to another, turning the short way round. */
export function between(from: View, to: View, share: number): View {
  const mix = (one: number, other: number): number => one + (other - one) * share;
  const around = ((((to.heading - from.heading) % (2 * Math.PI)) + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  return {
    target: [0, 1, 2].map((n) => mix(from.target[n]!, to.target[n]!)) as unknown as Vector,
    heading: from.heading + around * share,
    pitch: mix(from.pitch, to.pitch),
    distance: mix(from.distance, to.distance),
  };
}

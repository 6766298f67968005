/** Read the key frames of a flight, and say where the card is between them. Pure. */

/** A turn as a unit quaternion: w, x, y, z. */
export type Turn = readonly [number, number, number, number];

/** Where the card is: its middle in metres, and how it is turned. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly turn: Turn;
}

/** Key frames in the order of their times, in seconds after the release. */
export interface Frames {
  readonly times: readonly number[];
  readonly poses: readonly Pose[];
}

/**
 * Eight numbers of 16 bits a frame: milliseconds, x, y, z in tenths of a millimetre, the quaternion times
 * UNIT.
 */
const NUMBERS = 8;
const UNIT = 32767;

/** Read frames as they travel; null for what is none, so that a damaged throw is one that is not shown. */
export function decode(text: string): Frames | null {
  let bytes: string;
  try {
    bytes = atob(text);
  } catch {
    return null;
  }
  const count = bytes.length / (2 * NUMBERS);
  if (!Number.isInteger(count) || count < 1) return null;
  const view = new DataView(new ArrayBuffer(bytes.length));
  for (let at = 0; at < bytes.length; at++) view.setUint8(at, bytes.charCodeAt(at));
  const times: number[] = [];
  const poses: Pose[] = [];
  for (let frame = 0; frame < count; frame++) {
    const number = (n: number): number => view.getInt16(2 * (frame * NUMBERS + n), true);
    const time = number(0) / 1000;
    if (frame && time < (times[frame - 1] ?? 0)) return null;
    times.push(time);
    const turn = unit([number(4) / UNIT, number(5) / UNIT, number(6) / UNIT, number(7) / UNIT]);
    poses.push({ x: number(1) / 1e4, y: number(2) / 1e4, z: number(3) / 1e4, turn });
  }
  return { times, poses };
}

/** Write frames as they travel; for tests and for the make-believe server. */
export function encode({ times, poses }: Frames): string {
  const view = new DataView(new ArrayBuffer(times.length * 2 * NUMBERS));
  poses.forEach(({ x, y, z, turn }, frame) => {
    const numbers = [
      (times[frame] ?? 0) * 1000,
      x * 1e4,
      y * 1e4,
      z * 1e4,
      ...turn.map((part) => part * UNIT),
    ];
    numbers.forEach((one, n) => view.setInt16(2 * (frame * NUMBERS + n), Math.round(one), true));
  });
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}

/** How long the flight takes, in seconds. */
export const duration = (frames: Frames): number => frames.times.at(-1) ?? 0;

const dot = (one: Turn, other: Turn): number =>
  one[0] * other[0] + one[1] * other[1] + one[2] * other[2] + one[3] * other[3];

function unit(turn: Turn): Turn {
  const size = Math.sqrt(dot(turn, turn));
  return size > 0 ? [turn[0] / size, turn[1] / size, turn[2] / size, turn[3] / size] : [1, 0, 0, 0];
}

/** Turn from one attitude to another at an even rate (slerp), the short way round. */
export function between(from: Turn, to: Turn, share: number): Turn {
  const along = dot(from, to);
  const way = along < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(along)));
  const whole = Math.sin(angle);
  // Nearly the same attitude: a straight line is as good, and dividing by the sine is not.
  const [a, b] =
    whole < 1e-6
      ? [1 - share, share]
      : [Math.sin((1 - share) * angle) / whole, Math.sin(share * angle) / whole];
  return unit([0, 1, 2, 3].map((n) => a * (from[n] ?? 0) + way * b * (to[n] ?? 0)) as unknown as Turn);
}

/** Where the card is at a time in seconds; before the first frame and after the last it lies still. */
export function poseAt({ times, poses }: Frames, time: number): Pose {
  const after = times.findIndex((one) => one > time);
  const to = poses[after < 0 ? poses.length - 1 : after] as Pose;
  const from = poses[after < 0 ? poses.length - 1 : Math.max(0, after - 1)] as Pose;
  if (to === from) return to;
  const start = times[after - 1] as number;
  const share = (time - start) / ((times[after] as number) - start);
  const mix = (one: number, other: number): number => one + (other - one) * share;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    z: mix(from.z, to.z),
    turn: between(from.turn, to.turn, share),
  };
}

/**
 * Turn a point of the card from its own frame (x along its short side, y along its long one, z up) into the
 * table's.
 */
export function placed(
  { x, y, z, turn: [w, i, j, k] }: Pose,
  [a, b, c]: readonly [number, number, number],
): [number, number, number] {
  const [u, v, t] = [2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)];
  return [x + a + w * u + j * t - k * v, y + b + w * v + k * u - i * t, z + c + w * t + i * v - j * u];
}

import { describe, expect, it } from "vitest";
import { between, decode, duration, encode, type Frames, placed, poseAt, type Turn } from "./frames";

const LEVEL: Turn = [1, 0, 0, 0];
const quarter = (axis: 1 | 2 | 3): Turn =>
  [0, 1, 2, 3].map((n) => (n === 0 || n === axis ? Math.SQRT1_2 : 0)) as unknown as Turn;
const flight: Frames = {
  times: [0, 0.1, 0.25],
  poses: [
    { x: -0.1234, y: -0.3, z: 0.15, turn: LEVEL },
    { x: 0, y: 0, z: 0.3, turn: quarter(3) },
    { x: 0.02, y: 0.2, z: 0.001, turn: quarter(1) },
  ],
};

describe("decode", () => {
  it("reads little-endian numbers of 16 bits, eight a frame", () => {
    // 100 ms, x 1, y -1, z 256 tenths of a millimetre, and no turn.
    const bytes = [100, 0, 1, 0, 0xff, 0xff, 0, 1, 0xff, 0x7f, 0, 0, 0, 0, 0, 0];
    const frames = decode(btoa(String.fromCharCode(...bytes)));
    expect(frames).toEqual({
      times: [0.1],
      poses: [{ x: 0.0001, y: -0.0001, z: 0.0256, turn: [1, 0, 0, 0] }],
    });
  });

  it("reads what encode writes, to a tenth of a millimetre", () => {
    const read = decode(encode(flight)) as Frames;
    expect(read.times).toEqual(flight.times);
    expect(duration(read)).toBe(0.25);
    read.poses.forEach((pose, n) => {
      const meant = flight.poses[n]!;
      for (const axis of ["x", "y", "z"] as const) expect(pose[axis]).toBeCloseTo(meant[axis], 4);
      pose.turn.forEach((part, m) => expect(part).toBeCloseTo(meant.turn[m]!, 4));
    });
  });

  it("refuses what is cut off, empty, no base64, or runs backwards", () => {
    expect(decode("")).toBeNull();
    expect(decode("*")).toBeNull();
    expect(decode(btoa("seventeen letters"))).toBeNull();
    expect(decode(encode({ times: [0.2, 0.1], poses: flight.poses.slice(0, 2) }))).toBeNull();
  });
});

describe("poseAt", () => {
  it("lies between two frames, and still before and after", () => {
    const half = poseAt(flight, 0.05);
    expect(half.x).toBeCloseTo(-0.0617, 9);
    expect(half.z).toBeCloseTo(0.225, 9);
    expect(half.turn[0]).toBeCloseTo(Math.cos(Math.PI / 8), 9);
    expect(half.turn[3]).toBeCloseTo(Math.sin(Math.PI / 8), 9);
    expect(poseAt(flight, -1)).toBe(flight.poses[0]);
    expect(poseAt(flight, 9)).toBe(flight.poses[2]);
    expect(poseAt(flight, 0.1)).toEqual(flight.poses[1]);
  });
});

describe("between", () => {
  it("goes the short way round: a quaternion and its negative are the same attitude", () => {
    const turn = quarter(3);
    const other = turn.map((part) => -part) as unknown as Turn;
    const [w, , , z] = between(LEVEL, other, 0.5);
    expect(Math.abs(w)).toBeCloseTo(Math.cos(Math.PI / 8), 9);
    expect(Math.abs(z)).toBeCloseTo(Math.sin(Math.PI / 8), 9);
  });

  it("stays a unit quaternion where both are nearly the same", () => {
    const near = between(LEVEL, [1, 1e-9, 0, 0], 0.3);
    expect(Math.hypot(...near)).toBeCloseTo(1, 12);
  });
});

describe("placed", () => {
  it("turns a corner as the card is turned", () => {
    const corner = placed({ x: 1, y: 2, z: 3, turn: quarter(3) }, [0.03, 0.05, 0]);
    expect(corner[0]).toBeCloseTo(0.95, 9);
    expect(corner[1]).toBeCloseTo(2.03, 9);
    expect(corner[2]).toBeCloseTo(3, 9);
    const upright = placed({ x: 0, y: 0, z: 0, turn: quarter(1) }, [0, 0.05, 0]);
    expect(upright[1]).toBeCloseTo(0, 9);
    expect(upright[2]).toBeCloseTo(0.05, 9);
  });
});

import { describe, expect, it } from "vitest";
import {
  axes,
  between,
  eye,
  fitted,
  nearer,
  overhead,
  seated,
  type Seen,
  turnedBy,
  type Vector,
  type View,
} from "./orbit";

const view: View = { target: [0, 0, 0], heading: 0, pitch: Math.PI / 6, distance: 2 };

/** Where a point is seen: across and upright, 1 being the picture's edge. */
function seen(
  from: View,
  [x, y, z = 0]: Seen,
  tangents: { across: number; upright: number },
): [number, number] {
  const at = eye(from);
  const { right, up, ahead } = axes(from);
  const dot = (a: Vector): number => a[0] * (x - at[0]) + a[1] * (y - at[1]) + a[2] * (z - at[2]);
  return [dot(right) / dot(ahead) / tangents.across, dot(up) / dot(ahead) / tangents.upright];
}

describe("a view", () => {
  it("is from behind and above what one looks at", () => {
    const [x, y, z] = eye(view);
    expect(x).toBeCloseTo(0, 9);
    expect(y).toBeCloseTo(-Math.sqrt(3), 9);
    expect(z).toBeCloseTo(1, 9);
    expect(eye({ ...view, heading: Math.PI })[1]).toBeCloseTo(Math.sqrt(3), 9);
  });

  it("never goes beneath the table or over the top", () => {
    expect(turnedBy(view, 0, -9).pitch).toBeGreaterThan(0.1);
    expect(turnedBy(view, 0, 9).pitch).toBeLessThan(Math.PI / 2);
    expect(nearer(view, 1000).distance).toBeGreaterThan(0.1);
    expect(nearer(view, 0.001).distance).toBeLessThan(5);
  });

  it("glides the short way round", () => {
    const half = between({ ...view, heading: 3 }, { ...view, heading: -3 }, 0.5);
    expect(Math.cos(half.heading)).toBeCloseTo(-1, 9);
    expect(between(view, { ...view, distance: 1 }, 1).distance).toBe(1);
  });
});

describe("fitted", () => {
  const points: Seen[] = [
    [-0.35, -0.4],
    [0.35, -0.4],
    [0.35, 0.4],
    [-0.35, 0.4],
    [0, 0.1, 0.3],
  ];
  const chairs = [0, 2.1].map((yaw) => ({ seat: 1, side: 1, castle: { x: 0, y: 0, yaw }, line: 0.1 }));

  for (const [name, tangents] of [
    ["wide", { across: 0.5, upright: 0.21 }],
    ["tall", { across: 0.17, upright: 0.21 }],
  ] as const)
    it(`shows all points in a ${name} picture, and is no farther away than it needs`, () => {
      for (const chair of chairs)
        for (const start of [seated(chair), overhead(chair)]) {
          const fit = fitted(start, points, tangents);
          const places = points.map((point) => seen(fit, point, tangents));
          const most = Math.max(...places.flat().map(Math.abs));
          expect(most).toBeLessThan(0.901);
          expect(most).toBeGreaterThan(0.85);
        }
    });

  it("leaves a view of nothing as it is", () => {
    expect(fitted(view, [], { across: 1, upright: 1 })).toBe(view);
  });
});

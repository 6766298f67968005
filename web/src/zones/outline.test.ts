import { describe, expect, it } from "vitest";
import { type Cell, outline } from "./outline";

const PITCH = { width: 10, height: 20, inset: 1, radius: 0 };
/** The corners of each loop of a path without round corners. */
const corners = (path: string): string[][] =>
  path
    .split("Z")
    .filter(Boolean)
    .map((loop) =>
      loop
        .slice(1)
        .split("L")
        .map((corner) => corner.split("Q")[0] ?? ""),
    );

describe("outline", () => {
  it("runs around a cell, inside its bounds", () => {
    expect(corners(outline([[0, 0]], PITCH))).toEqual([["1 1", "9 1", "9 19", "1 19"]]);
  });

  it("has corners only where it turns", () => {
    expect(
      corners(
        outline(
          [
            [0, 0],
            [1, 0],
            [2, 0],
          ],
          PITCH,
        ),
      ),
    ).toEqual([["1 1", "29 1", "29 19", "1 19"]]);
  });

  it("turns outwards at an inner corner", () => {
    const [loop, ...others] = corners(
      outline(
        [
          [0, 0],
          [0, 1],
          [1, 1],
        ],
        PITCH,
      ),
    );
    expect(others).toEqual([]);
    expect(loop).toEqual(["1 1", "9 1", "9 21", "19 21", "19 39", "1 39"]);
  });

  it("goes around a hole as well, on its outer side", () => {
    const ring: Cell[] = [0, 1, 2]
      .flatMap((x) => [0, 1, 2].map((y): Cell => [x, y]))
      .filter(([x, y]) => x !== 1 || y !== 1);
    const found = corners(outline(ring, PITCH));
    expect(found).toHaveLength(2);
    expect(found[0]).toEqual(["1 1", "29 1", "29 59", "1 59"]);
    expect([...(found[1] ?? [])].sort()).toEqual(["21 19", "21 41", "9 19", "9 41"]);
  });

  it("keeps cells that meet at a corner only apart", () => {
    const found = corners(
      outline(
        [
          [0, 0],
          [1, 1],
        ],
        PITCH,
      ),
    );
    expect(found).toEqual([
      ["1 1", "9 1", "9 19", "1 19"],
      ["11 21", "19 21", "19 39", "11 39"],
    ]);
  });

  it("rounds its corners", () => {
    expect(outline([[0, 0]], { ...PITCH, radius: 3 })).toBe(
      "M1 4Q1 1 4 1L6 1Q9 1 9 4L9 16Q9 19 6 19L4 19Q1 19 1 16Z",
    );
  });
});

import { describe, expect, it } from "vitest";
import { regionName } from "../speech/names";
import { apart, boundsOf, cellOf, claimsOf, MARGIN, PITCH, placeOf, reveal, sizeOf, whole } from "./land";

describe("a map", () => {
  it("reads places, by themselves and at the end of an id", () => {
    expect(placeOf("-3,12")).toEqual([-3, 12]);
    expect(placeOf("token:0,-1")).toEqual([0, -1]);
    expect(placeOf("hand:2")).toBeNull();
  });

  it("has bounds, and rows that count downwards", () => {
    const bounds = boundsOf([
      [-1, 2],
      [3, 0],
      [0, -4],
    ]);
    expect(bounds).toEqual({ left: -1, right: 3, low: -4, high: 2 });
    expect(cellOf(bounds, [-1, 2])).toEqual([0, 0]);
    expect(cellOf(bounds, [3, -4])).toEqual([4, 6]);
    expect(boundsOf([])).toEqual({ left: 0, right: 0, low: 0, high: 0 });
  });

  it("is seen whole when its longer side fits", () => {
    const bounds = boundsOf([
      [0, 0],
      [9, 0],
    ]);
    const { width, height } = sizeOf(bounds);
    expect(width).toBe(10 * PITCH.width + 2 * MARGIN);
    const card = whole(bounds, { width: 500, height: 5_000 });
    expect((card * width) / 100).toBeCloseTo(500);
    expect(whole(bounds, { width: 50_000, height: height })).toBeCloseTo(100);
  });

  it("keeps its labels apart where it can", () => {
    const size = { width: 90, height: 18 };
    const spots = [
      [0, 0],
      [50, 0],
      [100, 0],
    ] as const;
    expect(
      apart([
        { spots: [[0, 0]], ...size },
        { spots, ...size },
      ]),
    ).toEqual([
      [0, 0],
      [100, 0],
    ]);
    expect(
      apart([
        { spots: [[0, 0]], ...size },
        {
          spots: [
            [10, 17],
            [10, 18],
          ],
          ...size,
        },
      ])[1],
    ).toEqual([10, 18]);
    expect(
      apart([
        { spots: [[0, 0]], ...size },
        {
          spots: [
            [10, 0],
            [20, 0],
          ],
          ...size,
        },
      ])[1],
    ).toEqual([10, 0]);
  });

  it("is scrolled no farther than needed", () => {
    expect(reveal(100, 50, 110, 130)).toBe(100);
    expect(reveal(100, 50, 80, 100)).toBe(80);
    expect(reveal(100, 50, 140, 170)).toBe(120);
  });

  it("adds up what each owner of a region would score", () => {
    const region = { id: "", cells: [], value: 8, ready: true, label: "", figures: [] };
    expect(claimsOf({ ...region, owners: [1, 2, 2] })).toEqual([
      { owner: 1, score: 8 },
      { owner: 2, score: 16 },
    ]);
    expect(claimsOf({ ...region, owners: [] })).toEqual([{ owner: 0, score: 8 }]);
  });

  it("names the owners of a region", () => {
    const theme = { liveries: [{ name: "Red", colour: "red", shape: "round" as const }] };
    const region = { id: "", cells: [], value: 8, ready: true, label: "area of 4 cards, worth 12 now" };
    expect(regionName({ ...region, owners: [1, 1], figures: [] }, theme)).toBe(
      "Red’s area of 4 cards, worth 12 now",
    );
    expect(regionName({ ...region, owners: [], figures: [] }, theme)).toBe("area of 4 cards, worth 12 now");
  });
});

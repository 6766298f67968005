import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import { aimed, coordinates, groundOf, heaped, shape } from "./grid";

const board = (rows: string[], columns: string[]): string[] =>
  rows.flatMap((row) => columns.map((column) => column + row));

describe("coordinates", () => {
  it("reads columns and rows from the names of the squares, from whichever side they are told", () => {
    expect(coordinates(board(["3", "2", "1"], ["a", "b"]), 2)).toEqual({
      columns: ["a", "b"],
      rows: ["3", "2", "1"],
    });
    expect(coordinates(board(["1", "2"], ["c", "b", "a"]), 3)).toEqual({
      columns: ["c", "b", "a"],
      rows: ["1", "2"],
    });
  });

  it("takes names of two digits for what they are", () => {
    expect(coordinates(board(["11", "10", "9"], ["a", "b"]), 2).rows).toEqual(["11", "10", "9"]);
  });

  it("has none for names of another make", () => {
    expect(coordinates(["north", "south", "east", "west"], 2)).toEqual({ columns: [], rows: [] });
    expect(coordinates(["a1", "b1"], 2)).toEqual({ columns: [], rows: [] });
  });
});

describe("shape", () => {
  const zone = (layout: object, places: number) =>
    complete("Scene", {
      zones: [
        {
          id: "board",
          kind: "grid",
          label: "Board",
          layout,
          slots: Array.from({ length: places }, (_, n) => ({ id: `${n}`, label: `${n}` })),
        },
      ],
    }).zones[0]!;
  it("is what the scene says, else as square as can be", () => {
    expect(shape(zone({ columns: 7 }, 63))).toEqual({ columns: 7, rows: 9 });
    expect(shape(zone({}, 9))).toEqual({ columns: 3, rows: 3 });
  });
});

describe("groundOf", () => {
  const theme = complete("Theme", { grounds: { grass: "green", lava: "puce" } });
  it("follows the theme, and falls back for grounds that it doesn't know", () => {
    expect(groundOf(theme, "grass")).toBe("green");
    expect(groundOf(theme, "sand")).toBe("sand");
    expect(groundOf(theme, "lava")).toBe("grey");
  });
});

describe("a heap in a square", () => {
  it("stays in the square, and shows every thing of it", () => {
    for (const count of [1, 2, 3, 4, 7, 12, 24, 48]) {
      const spots = heaped(count);
      expect(spots).toHaveLength(count);
      for (const [n, one] of spots.entries()) {
        for (const at of [one.x, one.y]) {
          expect(at - one.width / 2).toBeGreaterThanOrEqual(0);
          expect(at + one.width / 2).toBeLessThanOrEqual(1);
        }
        for (const other of spots.slice(n + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(0.8 * one.width);
      }
    }
    expect(heaped(1, 6)).toEqual([{ x: 0.5, y: 0.5, width: heaped(6)[0]!.width }]);
  });
});

describe("lines", () => {
  const { zones, lines } = complete("Scene", {
    zones: [
      {
        id: "board",
        kind: "grid",
        slots: board(["3", "2", "1"], ["a", "b"]).map((id) => ({ id, label: id })),
        items: [
          { id: "cannon", at: "b1" },
          { id: "king", at: "b3" },
        ],
      },
    ],
    lines: [{ item: "cannon", to: "b3", hits: { king: "game over" }, label: "It can hit the King." }],
  } as never);
  const zone = zones[0]!;
  const shape = { columns: 2, rows: 3 };

  it("are drawn from the thing that is looked at, or its square, to their end", () => {
    const [aim] = aimed(zone, shape, lines, ["cannon"]);
    expect(aim).toMatchObject({
      from: [150, 210],
      to: [150, 90],
      hits: [{ at: [150, 50], mark: "game over" }],
    });
    expect(aimed(zone, shape, lines, ["b1"])).toHaveLength(1);
    expect(aimed(zone, shape, [{ ...lines[0]!, hits: {} }], ["b1"])[0]?.to).toEqual([150, 50]);
  });

  it("are drawn for nothing else, and not where their places are missing", () => {
    expect(aimed(zone, shape, lines, ["king", ""])).toEqual([]);
    expect(aimed({ ...zone, items: [] }, shape, lines, ["cannon"])).toEqual([]);
    expect(aimed(zone, shape, [], ["cannon"])).toEqual([]);
  });
});

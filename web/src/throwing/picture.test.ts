import { describe, expect, it } from "vitest";
import type { Chair, Item, TableLayout, Theme, Zone } from "../net/wire";
import { placed } from "./frames";
import { inHand, picture, standingZones } from "./picture";
import { strip } from "./strip";

const item = (id: string, more: Partial<Item> = {}): Item => ({
  id,
  face: "",
  back: "",
  peek: "",
  label: "",
  at: "",
  owner: 0,
  flags: [],
  badge: "",
  note: "",
  course: null,
  ...more,
});
const zone = (id: string, kind: Zone["kind"], area: string, ...items: Item[]): Zone => ({
  id,
  kind,
  label: id,
  brief: "",
  owner: 0,
  layout: { area, direction: "row", size: "normal", columns: 0, rows: 0 },
  items,
  slots: [],
  regions: [],
  edge: [],
  count: items.length,
  limit: 0,
  note: "",
  backdrop: "",
});
const theme = {
  liveries: [
    { name: "", colour: "red", shape: "round" },
    { name: "", colour: "blue", shape: "square" },
  ],
} as unknown as Theme;
const layout: TableLayout = {
  pieces: [
    {
      name: "3.wall1",
      spot: { x: 0, y: 0.2, yaw: 0 },
      seat: 3,
      side: 1,
      item: "6v",
      fixed: false,
      label: "",
    },
    {
      name: "3.castle",
      spot: { x: 0, y: 0.35, yaw: 0 },
      seat: 3,
      side: 1,
      item: "3.castle",
      fixed: true,
      label: "",
    },
  ],
  chairs: [{ seat: 3, side: 1, castle: { x: 0, y: 0.35, yaw: Math.PI }, line: 0.09 }],
  width: 1,
  depth: 1,
  stacks: [],
};
const zones = [
  zone(
    "fort",
    "slots",
    "own",
    item("6v", { face: "6v", owner: 2 }),
    item("3.castle", { back: "castle", owner: 2 }),
  ),
  zone("hand", "fan", "hand", item("2k")),
  zone("deck", "pile", "left"),
  zone("discard", "pile", "right"),
];

describe("a picture", () => {
  it("has the faces of the scene, castles face down, and whoever owns a seat's walls", () => {
    const { standing, colours, names } = picture(layout, zones, theme, (seat) => `Seat ${seat}`);
    expect(standing.map(({ id, face, colour }) => [id, face, colour])).toEqual([
      ["6v", "6v", "blue"],
      ["3.castle", "", "blue"],
    ]);
    expect(colours.get(3)).toBe("blue");
    expect(names.get(3)).toBe("Seat 3");
  });

  it("numbers targets that belong to no scene", () => {
    const bare = { ...layout, pieces: layout.pieces.map((piece) => ({ ...piece, item: "" })) };
    expect(picture(bare, [], theme, String).standing.map(({ id, face }) => [id, face])).toEqual([
      ["3.wall1", "1"],
      ["3.castle", ""],
    ]);
  });

  it("has the piles that lie beside, and none where there are no cards", () => {
    const deck = { ...zone("deck", "pile", "left", item("deck:0", { back: "card" })), owner: 2, count: 21 };
    const stacks = ["deck", "discard", "elsewhere"].map((one) => ({
      zone: one,
      spot: { x: 0, y: 0.5, yaw: 0 },
    }));
    const { piles } = picture({ ...layout, stacks }, zones, theme, String, [deck, zones[3]!]);
    expect(piles).toEqual([{ id: "deck", spot: stacks[0]!.spot, face: "", colour: "blue", count: 21 }]);
  });

  it("knows which zones stand on it", () => {
    expect(standingZones(layout, zones).map((one) => one.id)).toEqual(["fort"]);
  });
});

describe("the card in the hand", () => {
  const chair: Chair = { seat: 1, side: 1, castle: { x: 0.1, y: -0.35, yaw: 0 }, line: 0.09 };

  it("is held where it will leave the hand, turned to where it is aimed", () => {
    const pose = inHand(chair, { height: 0.15, offset: 0.02, azimuth: 90 });
    expect([pose.x, pose.y, pose.z].map((one) => Number(one.toFixed(6)))).toEqual([0.12, -0.26, 0.15]);
    // Its front points to the right.
    expect(placed(pose, [0, 1, 0])[0] - pose.x).toBeCloseTo(1, 9);
  });

  it("has its front up by its nose", () => {
    const pose = inHand(chair, { height: 0.15, nose: 30 });
    expect(placed(pose, [0, 1, 0])[2] - pose.z).toBeCloseTo(0.5, 9);
  });

  it("is drawn back with the pull", () => {
    expect(inHand(chair, {}, 1).y).toBeLessThan(inHand(chair, {}, 0).y);
  });
});

describe("the strip beside the table", () => {
  const rows = ["own", "left right", "hand"];
  const others = zones.slice(1);

  it("has what is held between the piles, or above them", () => {
    expect(strip(rows, others, true)).toEqual(["left hand right"]);
    expect(strip(rows, others, false)).toEqual(["hand hand", "left right"]);
  });

  it("leaves out areas in which nothing lies", () => {
    expect(strip(rows, others.slice(0, 1), true)).toEqual(["hand"]);
    expect(strip(rows, [], false)).toEqual([]);
  });
});

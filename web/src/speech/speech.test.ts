import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import type { Choice, Item, LogLine, Zone } from "../net/wire";
import { happened, mergeLog, narrate } from "./log";
import { full, outlook, place, square, where } from "./names";
import { prompt, options, reachable, timeLeft } from "./sentences";

const scene = complete("Scene", {
  seat: 1,
  status: { ply: 2, seat: 1, phase: "p", prompt: "What now?" },
  zones: [
    {
      id: "lane",
      kind: "slots",
      label: "Left army",
      slots: [
        { id: "lane.front", label: "left front" },
        { id: "lane.rear", label: "behind" },
      ],
      items: [
        {
          id: "8s",
          face: "8s",
          label: "eight of spades",
          at: "lane.front",
          badge: "9",
          flags: ["Warlord"],
          note: "It counts more.",
        },
        { id: "lane:0", back: "card", peek: "2c", at: "lane.rear" },
      ],
    },
  ],
});
const solo = complete("Setting", { game: "g", title: "G", seats: 1, seat_names: ["You"] });
const spades = { name: "spades", shape: "spade", colour: "black" };
const theme = complete("Theme", { suits: { s: spades }, ranks: { T: "10" } });
const zone = scene.zones[0] as Zone;
const [foe, hidden] = zone.items as [Item, Item];
const move = (text: string, label = ""): Choice => ({
  action: 1,
  text,
  verb: "Do",
  label,
  items: ["a"],
  target: "",
  marks: {},
  contests: {},
  note: "",
  instead: {},
  careful: false,
  confirm: "",
  extras: [],
  throw: false,
});

const line = (ply: number, move = String(ply), events: string[] = []): LogLine => ({
  ply,
  seat: 1,
  move,
  who: "",
  label: "",
  items: [],
  events,
  motions: [],
});

describe("speak", () => {
  it("names a place once", () => {
    expect(where(zone, zone.slots[0]!)).toBe("left front");
    expect(where(zone, zone.slots[1]!)).toBe("Left army behind");
    expect(place(zone, foe)).toBe("eight of spades, left front");
  });

  it("says all that is drawn on a thing", () => {
    const said = full(zone, foe, "beaten", true, zone.slots[0]);
    for (const part of [
      "eight of spades",
      "counts 9",
      "Warlord",
      "left front",
      "beaten",
      "playable",
      "It counts more.",
    ])
      expect(said).toContain(part);
    expect(full(zone, hidden, "", false, zone.slots[1])).toContain("face-down card (2c)");
  });

  it("reads out numbered buttons first, then moves that can be typed", () => {
    const said = options(
      [move("x", "Do x")],
      [move("end", "End it")],
      Array.from({ length: 9 }, (_, n) => move(`m${n}`)),
    );
    expect(said).toBe("Keys: 1: Do x; 2: End it. Moves: m0; m1; m2; m3; m4; m5 and 3 more.");
  });

  it("tells what happened since, and what is asked", () => {
    const log: LogLine[] = [line(1, "a", ["Old."]), line(2, "b", ["New"]), line(3, "c")];
    expect(happened(log, 1, theme)).toBe("B. New. C.");
    const extra = { ...line(4, "end"), label: "ends its turn" };
    expect(happened([extra], 3, theme, ["Seat 1"])).toBe("Seat 1: ends its turn.");
    expect(happened([{ ...extra, who: "Seat 4" }], 3, theme, ["Seat 1"])).toBe("Seat 4: ends its turn.");
    expect(prompt(scene, solo)).toBe("What now?");
  });

  it("keeps earlier lines when a scene tells the last ones only, and drops what was taken back", () => {
    expect(mergeLog([line(1), line(2)], [line(2), line(3)], 3).map((one) => one.ply)).toEqual([1, 2, 3]);
    expect(mergeLog([line(1), line(2), line(3)], [line(1)], 1).map((one) => one.ply)).toEqual([1]);
    expect(mergeLog([line(1)], [], 0)).toEqual([]);
  });
});

describe("a board in words", () => {
  const { zones } = complete("Scene", {
    zones: [
      {
        id: "board",
        kind: "grid",
        label: "Board",
        layout: { columns: 2 },
        slots: [
          { id: "a1", label: "a1", kind: "sand" },
          { id: "b1", label: "b1" },
        ],
        items: [
          {
            id: "K",
            face: "K",
            label: "Blue's King",
            at: "b1",
            owner: 1,
            flags: ["tired"],
            note: "He rules.",
          },
        ],
      },
    ],
  });
  const [board] = zones as [Zone];
  const [empty, held] = board.slots as [Zone["slots"][0], Zone["slots"][0]];

  it("names squares as one speaks of them", () => {
    expect(where(board, empty)).toBe("a1");
    expect(place(board, board.items[0]!)).toBe("Blue's King, b1");
  });

  it("says what is on a square and what touching it would do", () => {
    expect(square(empty, [], outlook("go", 0))).toBe("a1, sand, empty, can go here");
    expect(square(held, board.items, outlook("destroyed", 0))).toBe(
      "b1, Blue's King, tired, would be: destroyed, He rules.",
    );
    const seeds = ["seed-1", "seed-2"].map((id) => ({
      ...board.items[0]!,
      id,
      face: "o",
      label: "seed",
      flags: [],
      note: "It is sown.",
    }));
    expect(square(held, [...seeds, ...board.items], "")).toBe(
      "b1, 2 × seed, Blue's King, tired, It is sown., He rules.",
    );
    expect(outlook("", 3)).toBe("3 moves away");
    expect(outlook("", 0)).toBe("");
  });

  it("tells a move with its player, then its result", () => {
    const shot = { ...line(4, "fire a1 b1", ["The wall is destroyed."]), seat: 2, label: "Fire at b1" };
    expect(narrate(shot, theme, ["Blue", "Red"])).toBe("Red: Fire at b1. The wall is destroyed.");
    expect(narrate(shot, theme)).toBe("Fire at b1. The wall is destroyed.");
    expect(narrate(line(4, "end", ["It ends."]), theme, ["Blue", "Red"])).toBe("Blue: End. It ends.");
    expect(narrate(line(4, "end"), theme)).toBe("End.");
    const beaten = line(4, "defend left.front with 8s Ts");
    expect(narrate(beaten, theme)).toBe("Defend left front with 8 of spades 10 of spades.");
  });

  it("lists what is farther off, the nearest first", () => {
    expect(reachable({ c3: [1, 2, 3], a2: [1, 2], b2: [4, 5] }, (id) => id)).toBe(
      "Farther: in 2 moves a2, b2; in 3 moves c3.",
    );
    expect(reachable({}, (id) => id)).toBe("");
  });
});

describe("timeLeft", () => {
  it("tells what can be told", () => {
    expect(timeLeft({ done: 0, total: 0, seconds: null })).toBe("Starting …");
    expect(timeLeft({ done: 1, total: 150, seconds: null })).toBe("0%");
    expect(timeLeft({ done: 149, total: 150, seconds: 1 })).toBe("99%, about 1 s left");
  });
});

import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import type { Scene } from "../net/wire";
import { seatName } from "../speech/names";
import { type Company, differ, reseated, seatViews, spoken, told } from "./seats";

const table = (seat: number, toMove: number, more: object = {}): Scene =>
  complete("Scene", {
    seat,
    zones: [],
    status: { ply: 4, seat: toMove, phase: "", prompt: "?" },
    ...more,
  });
const setting = complete("Setting", { game: "g", title: "G", seats: 3, seat_names: ["Blue", "Red"] });
const company = (more: Partial<Company> = {}): Company => ({
  setting,
  scene: table(1, 2),
  players: ["person", "person", "greedy"],
  own: [1],
  here: [1],
  arrivals: new Set(),
  thinking: 0,
  ...more,
});

describe("seatName", () => {
  it("is the game's own name, or the seat's number", () => {
    expect([1, 2, 3].map((seat) => seatName(setting, seat))).toEqual(["Blue", "Red", "Seat 3"]);
    expect(seatName(undefined, 2)).toBe("Seat 2");
  });
});

describe("seatViews", () => {
  const said = (more?: Partial<Company>): string[] => seatViews(company(more)).map(spoken);

  it("tells who sits there and what they do", () => {
    expect(said()).toEqual(["Blue, you", "Red, not here yet", "Seat 3, Greedy"]);
    expect(said({ here: [1, 2] })[1]).toBe("Red, thinking");
    expect(said({ arrivals: new Set([2]) })[1]).toBe("Red, away");
    expect(said({ scene: table(1, 1), here: [1, 2] })).toEqual([
      "Blue, you, to move",
      "Red, at the table",
      "Seat 3, Greedy",
    ]);
    expect(said({ scene: table(1, 3) })[2]).toBe("Seat 3, Greedy, to move");
    expect(said({ scene: table(1, 3), thinking: 3 })[2]).toBe("Seat 3, Greedy, thinking");
    expect(said({ scene: table(1, 2), thinking: 3 })[2]).toBe("Seat 3, Greedy"); // it has moved meanwhile
    expect(said({ own: [3] })[2]).toBe("Seat 3, you · Greedy"); // who has resigned
    expect(said({ own: [1, 2] })).toEqual(["Blue, here", "Red, here, to move", "Seat 3, Greedy"]);
  });

  it("waits for no one once the game is over", () => {
    const over = table(1, 0, { result: { outcome: { winners: [], returns: [0, 0] }, headline: "Over." } });
    expect(seatViews(company({ scene: over })).some((view) => view.waiting || view.toMove)).toBe(false);
  });
});

describe("differ", () => {
  const hand = (items: object[]): Scene =>
    table(1, 1, { zones: [{ id: "hand", kind: "fan", label: "Hand", items }] });

  it("minds what is seen, not its order or the words", () => {
    const [a, b] = [
      { id: "a", face: "7s", label: "your seven" },
      { id: "b", face: "8s" },
    ];
    expect(differ([hand([a, b]), hand([b, { ...a, label: "Blue's seven" }])])).toBe(false);
    expect(differ([hand([a]), hand([{ id: "hand:0", back: "b" }])])).toBe(true);
    expect(differ([hand([{ id: "x", back: "b" }]), hand([{ id: "x", back: "b", peek: "7s" }])])).toBe(true);
    expect(differ([hand([a])])).toBe(false);
  });
});

describe("reseated", () => {
  it("lays things in the order of the next table's seats", () => {
    expect(reseated(["a", "b"], [2, 1])).toEqual(["b", "a"]);
    expect(reseated(["a", "b", "c"], [2, 3, 1])).toEqual(["c", "a", "b"]);
    expect(reseated([], [2, 1])).toEqual([]);
  });
});

describe("what is said of seats", () => {
  const name = (seat: number): string => ["", "ada", "Red"][seat] ?? "";
  it("has the names of people, and you for one's own", () => {
    const declined = "@2 declined @1's draw offer.";
    expect(told(declined, [], name)).toBe("Red declined ada’s draw offer.");
    expect(told(declined, [1], name)).toBe("Red declined your draw offer.");
    expect(told(declined, [2], name)).toBe("You declined ada’s draw offer.");
    expect(told("@1 took a move back. @2 agreed.", [2], name)).toBe("ada took a move back. You agreed.");
    expect(told("@2 asked @1.", [1], name)).toBe("Red asked you.");
    expect(told("The rematch is starting.", [1], name)).toBe("The rematch is starting.");
  });
});

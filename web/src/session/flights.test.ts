import { describe, expect, it } from "vitest";
import type { Choice, Flown, Item, Scene, TableLayout, Zone } from "../net/wire";
import { type Flight, flightBetween, Flights, leftAfter } from "./flights.svelte";

const layout = {
  pieces: [{ name: "2.wall1", item: "a" }],
  clients: [],
  width: 1,
  depth: 1,
  stacks: [],
} as unknown as TableLayout;
const zone = (id: string, ...items: string[]): Zone =>
  ({ id, items: items.map((one) => ({ id: one }) as Item) }) as unknown as Zone;
const scene = (ply: number, more: Partial<Scene>): Scene =>
  ({ status: { ply }, zones: [], layout: null, flown: null, ...more }) as unknown as Scene;
const flown = { card: "6v" } as Flown;

describe("flightBetween", () => {
  const before = scene(3, { layout, zones: [zone("fort", "a", "b"), zone("hand", "c")] });

  it("is the throw on the table that it was thrown at", () => {
    const flight = flightBetween(before, scene(4, { flown, layout }), true)!;
    expect(flight.layout).toBe(layout);
    expect(flight.zones.map((one) => one.id)).toEqual(["fort"]);
    expect(flight.held).toBe(before);
    expect(flightBetween(before, scene(4, { flown, layout }), false)!.held).toBeNull();
  });

  it("is none without a throw, without a table before it, or back in time", () => {
    expect(flightBetween(before, scene(4, {}), true)).toBeNull();
    expect(flightBetween(null, scene(4, { flown }), true)).toBeNull();
    expect(flightBetween(scene(3, {}), scene(4, { flown }), true)).toBeNull();
    expect(flightBetween(before, scene(2, { flown }), true)).toBeNull();
  });
});

describe("leftAfter", () => {
  const choice = (more: Partial<Choice> = {}): Choice =>
    ({ items: [], extras: [], confirm: "", ...more }) as unknown as Choice;
  const at = (ply: number, choices: Choice[], more: Partial<Scene> = {}): Scene =>
    ({ ...scene(ply, { choices, ...more }), seat: 1, status: { ply, seat: 1 } }) as unknown as Scene;

  it("is the only move, where it needs nothing touched and gives nothing up", () => {
    const end = choice();
    expect(leftAfter(at(3, []), at(4, [end], { flown }))).toBe(end);
    expect(leftAfter(at(3, []), at(4, [end, choice()], { flown }))).toBeNull();
    expect(leftAfter(at(3, []), at(4, [choice({ items: ["a"] })], { flown }))).toBeNull();
    expect(leftAfter(at(3, []), at(4, [choice({ confirm: "You may still throw." })], { flown }))).toBeNull();
  });

  it("is none after another's throw, after another move, or back in time", () => {
    const theirs = { ...at(3, []), status: { ply: 3, seat: 2 } } as unknown as Scene;
    expect(leftAfter(theirs, at(4, [choice()], { flown }))).toBeNull();
    expect(leftAfter(at(3, []), at(4, [choice()]))).toBeNull();
    expect(leftAfter(at(5, []), at(4, [choice()], { flown }))).toBeNull();
    expect(leftAfter(null, at(4, [choice()], { flown }))).toBeNull();
  });
});

describe("Flights", () => {
  const flight = (name: string): Flight => ({
    flown: { card: name } as Flown,
    layout,
    zones: [],
    held: null,
  });

  it("shows one after the other, and updates the table before it announces the results", () => {
    const told: string[] = [];
    const flights = new Flights(() => told.push(`lay ${flights.now?.flown.card ?? "present"}`));
    flights.show(flight("one"));
    flights.then(() => told.push("said one"));
    flights.show(flight("two"));
    flights.then(() => told.push("said two"));
    expect(told).toEqual(["lay one"]);
    flights.end();
    expect(told).toEqual(["lay one", "said one", "lay two"]);
    expect(flights.last?.flown.card).toBe("one");
    flights.end();
    expect(told.slice(3)).toEqual(["lay present", "said two"]);
    flights.end();
    expect(told).toHaveLength(5);
  });

  it("says at once what no throw came before", () => {
    const told: string[] = [];
    new Flights(() => undefined).then(() => told.push("said"));
    expect(told).toEqual(["said"]);
  });

  it("keeps the latest throw to be seen again when something else is looked at", () => {
    const flights = new Flights(() => undefined);
    flights.show(flight("one"));
    flights.show(flight("two"));
    flights.rest();
    expect([flights.now, flights.last?.flown.card]).toEqual([null, "two"]);
    flights.forget();
    expect(flights.last).toBeNull();
  });

  it("loses nothing that was to be said when throws are taken back", () => {
    const told: string[] = [];
    const flights = new Flights(() => undefined);
    flights.show(flight("one"));
    flights.then(() => told.push("said"));
    flights.forget();
    expect(flights.now).toBeNull();
    expect(told).toEqual(["said"]);
  });
});

import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import type { Theme } from "../net/wire";
import { withDeck, isPrinted } from "./deck";

describe("a deck", () => {
  const diamonds = { name: "diamonds", shape: "diamond", colour: "orange", printed: "red" };
  const gears = { name: "technology", shape: "gear", colour: "orange", printed: "" };
  const theme = (two_colours: boolean): Theme =>
    complete("Theme", { suits: { d: diamonds, t: gears }, two_colours });
  const colours = (of: Theme): string[] => Object.values(of.suits).map((suit) => suit.colour);

  it("has the colours that the game has it in, unless someone wants others", () => {
    expect(colours(withDeck(theme(false), "usual"))).toEqual(["orange", "orange"]);
    expect(colours(withDeck(theme(true), "usual"))).toEqual(["red", "orange"]);
    expect(colours(withDeck(theme(false), "two"))).toEqual(["red", "orange"]);
    expect(colours(withDeck(theme(true), "four"))).toEqual(["orange", "orange"]);
  });
  it("can be had in two colours where a suit is printed in one of them", () => {
    expect(isPrinted(theme(false))).toBe(true);
    expect(isPrinted(complete("Theme", { suits: { t: gears } }))).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import type { Theme } from "../net/wire";
import { pips, readFace } from "./faces";

describe("faces", () => {
  const suit = { name: "spades", shape: "spade", colour: "black", printed: "" };
  const theme: Theme = complete("Theme", { suits: { s: suit }, ranks: { T: "10" } });
  it("knows cards, jokers and tiles", () => {
    expect(readFace("Ts", theme)).toMatchObject({ kind: "card", rank: "10", letter: "T" });
    expect(readFace("13s", theme)).toMatchObject({ kind: "card", rank: "13" });
    expect(readFace("*", theme)).toEqual({ kind: "joker", suit: null });
    expect(readFace("*s", theme)).toEqual({ kind: "joker", suit });
    for (const face of ["W", "king", "s", "7x"])
      expect(readFace(face, theme)).toEqual({ kind: "tile", text: face });
  });
  it("draws as many pips as a rank has", () => {
    for (let rank = 2; rank <= 10; rank++) expect(pips(String(rank))).toHaveLength(rank);
    expect(pips("K")).toEqual([]);
  });
});

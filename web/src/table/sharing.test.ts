import { describe, expect, it } from "vitest";
import { dealOf } from "../lobby/known";
import { store } from "../net/store";
import type { OptionInfo } from "../net/wire";
import { parse } from "../ui/route";
import { dealLink, lines, seedOf } from "./sharing";

const infos = [
  { key: "havoc", default: false },
  { key: "round_cap", default: 200 },
  { key: "setup.king_file", default: "b" },
] as OptionInfo[];
const entry = {
  ...store.entry("t", "k"),
  game: "duel",
  options: { havoc: true, round_cap: 90, "setup.king_file": "c" },
};

describe("a deal that is passed on", () => {
  it("comes out as it went in", () => {
    const resigned = ["greedy", "squire"]; // who resigned keeps the seat
    const url = new URL(dealLink(entry, resigned, "0abc", "https://games.example.org"));
    const route = parse(url.pathname, url.hash);
    expect(route).toMatchObject({ page: "play", game: "duel" });
    expect(dealOf((route as { deal: string }).deal, infos)).toEqual({
      date: "",
      seed: "0abc",
      options: entry.options,
      sitters: ["me", "squire"],
    });
  });

  it("is a day's where it was", () => {
    const url = new URL(
      dealLink({ ...entry, date: "2026-11-23" }, ["person"], "0abc", "https://games.example.org"),
    );
    expect(dealOf(url.hash.slice(1), infos)).toEqual({
      date: "2026-11-23",
      seed: "",
      options: {},
      sitters: [],
    });
  });

  it("is not passed on where two people sat, or no one knows it", () => {
    expect(dealLink(entry, ["person", "person"], "0abc", "")).toBe("");
    expect(dealLink(entry, ["person"], "", "")).toBe("");
  });

  it("is none where a link is damaged", () => {
    expect(dealOf("", infos)).toBeNull();
    expect(dealOf("seed=xyz", infos)).toBeNull();
    expect(dealOf("day=tomorrow", infos)).toBeNull();
    expect(dealOf("seed=ab&o.evil=1&o.havoc=yes", infos)).toEqual({
      date: "",
      seed: "ab",
      options: { havoc: false },
      sitters: [],
    });
  });

  it("finds the seed in a record", () => {
    expect(seedOf('game = "duel"\nseed = "0abc"\n')).toBe("0abc");
    expect(seedOf('game = "duel"\nseed_hash = "0abc"\n')).toBe("");
  });

  it("is told in a few lines", () => {
    expect(
      lines({ title: "Duel", headline: "The duel is won.", facts: ["12 rounds", "no hints"], link: "" }),
    ).toBe("Bartizan · Duel\nThe duel is won.\n12 rounds · no hints");
  });
});

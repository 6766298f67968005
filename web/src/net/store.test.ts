import { beforeEach, describe, expect, it } from "vitest";
import { type Keep, memory, type KeptResult, resultsKey, Store, streaks } from "./store";

let keep: Keep;
let store: Store;
beforeEach(() => {
  keep = memory();
  store = new Store(keep);
});

const kept = (table: string, won: boolean): KeptResult => ({
  table,
  won,
  headline: "",
  score: null,
  deal: "new",
  date: "",
  hints: 0,
  undos: 0,
  plies: 9,
  when: 0,
});

describe("Store", () => {
  it("draws one key for an invitation, and keeps it", () => {
    const key = store.accept("t", "join-AAAAAAAAAAAAAAAAAAAAAA");
    expect(new Store(keep).accept("t", "join-AAAAAAAAAAAAAAAAAAAAAA")).toBe(key);
    expect(store.accept("t", "join-BBBBBBBBBBBBBBBBBBBBBB")).not.toBe(key);
    expect(store.entry("t", key).invitation).toBe("join-AAAAAAAAAAAAAAAAAAAAAA");
    store.forget("t", key);
    expect(store.table("t", key)).toBeUndefined();
    expect(store.tables()).toHaveLength(1);
  });

  it("has one name for the browser", () => {
    expect(store.browser()).toBe(new Store(keep).browser());
  });

  it("keeps settings over a new start", () => {
    expect(store.settings()).toEqual({
      scheme: "auto",
      muted: false,
      volume: 0.7,
      deck: "usual",
      pace: "usual",
      confirm: true,
      options: {},
      seating: {},
      turning: false,
      flat: false,
      path: true,
      advanced: false,
    });
    store.set({ muted: true });
    store.set({ scheme: "dark" });
    expect(new Store(keep).settings()).toMatchObject({ muted: true, scheme: "dark" });
  });

  it("keeps the latest throws of the range", () => {
    expect(store.range()).toEqual({ throws: [], best: {}, levels: [] });
    const one = {
      method: "lob",
      distance: 0.305,
      hand: "human" as const,
      hit: true,
      aside: 0,
      ahead: 0.5,
      when: 1,
    };
    const throws = Array.from({ length: 500 }, (_, when) => ({ ...one, when }));
    store.keepRange({ throws, best: { "lob 0.305": 4 }, levels: [] });
    const kept = new Store(keep).range();
    expect(kept.best).toEqual({ "lob 0.305": 4 });
    expect([kept.throws.length, kept.throws[0]?.when]).toEqual([400, 100]);
    keep.setItem("bartizan.range", '{"throws": "many"}');
    expect(store.range().throws).toEqual([]);
  });

  it("starts again when what is kept is damaged", () => {
    keep.setItem("bartizan.settings", "{broken");
    keep.setItem("bartizan.tables", '"text"');
    keep.setItem("bartizan.results", "null");
    expect(store.settings().scheme).toBe("auto");
    expect(store.tables()).toEqual([]);
    expect(store.results("g", {})).toEqual([]);
  });

  it("plays on when nothing can be kept", () => {
    const full = new Store({
      getItem: () => null,
      setItem: () => {
        throw new Error("full");
      },
    });
    expect(() => full.set({ muted: true })).not.toThrow();
  });

  it("lists tables latest first, and adds to what it knows of one", () => {
    store.remember({ table: "a", token: "x", game: "g", used: 1, options: { hard: true } });
    store.remember({ table: "b", token: "y", game: "g", used: 2 });
    store.remember({ table: "a", token: "x", used: 3, ply: 7 });
    expect(store.tables().map((known) => known.table)).toEqual(["a", "b"]);
    expect(store.table("a")).toMatchObject({ ply: 7, game: "g", options: { hard: true } });
    store.forget("a");
    expect(store.table("a")).toBeUndefined();
  });

  it("keeps two seats of one table apart", () => {
    store.remember({ table: "a", token: "x", seat: 1 });
    store.remember({ table: "a", token: "y", seat: 2 });
    expect(store.table("a", "y")?.seat).toBe(2);
    expect(store.tables()).toHaveLength(2);
  });

  it("does not keep tables without end", () => {
    for (let n = 0; n < 50; n++) store.remember({ table: `t${n}`, token: "x", used: n });
    expect(store.tables()).toHaveLength(30);
    expect(store.tables()[0]?.table).toBe("t49");
  });

  it("counts a table once, and other options apart", () => {
    expect(store.finish("g", {}, kept("a", false))).toBe(true);
    expect(store.finish("g", {}, kept("a", true))).toBe(false);
    expect(store.finish("g", { hard: true }, kept("b", true))).toBe(true);
    expect(streaks(store.results("g", {}))).toMatchObject({ played: 1, won: 0 });
    expect(streaks(store.results("g", { hard: true }))).toMatchObject({ played: 1, won: 1 });
  });
});

describe("results", () => {
  it("names options in one order", () => {
    expect(resultsKey("g", { b: 1, a: true })).toBe(resultsKey("g", { a: true, b: 1 }));
  });

  it("counts wins in a row", () => {
    const row = [true, true, false, true].map((won, n) => kept(String(n), won));
    expect(streaks(row)).toEqual({ played: 4, won: 3, aided: 0, streak: 1, best: 2 });
    expect(streaks([])).toEqual({ played: 0, won: 0, aided: 0, streak: 0, best: 0 });
  });
});

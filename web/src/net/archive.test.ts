import { describe, expect, it } from "vitest";
import { unwritten, written } from "./archive";
import { memory, type KeptRecord, type KeptResult, Store } from "./store";

const result: KeptResult = {
  table: "a",
  won: true,
  headline: "The duel is won.",
  score: null,
  deal: "day",
  date: "2026-11-23",
  hints: 0,
  undos: 1,
  plies: 30,
  when: 5,
};
const record: KeptRecord = {
  table: "a",
  game: "duel",
  headline: "The duel is won.",
  when: 5,
  text: "1. draw",
};
const whole = {
  results: { duel: [result, { ...result, table: "b", seat: 2, against: ["squire"], drawn: false }] },
  records: [record],
};

describe("archive", () => {
  it("is read as it was written", () => {
    expect(unwritten(written(whole))).toEqual(whole);
  });

  it.each([
    ["", "export of Bartizan games"],
    ["[]", "export of Bartizan games"],
    ['{"bartizan": 2}', "another version"],
    ['{"bartizan": 1, "results": [], "records": []}', "results can’t be read"],
    ['{"bartizan": 1, "results": {"a": 3}, "records": []}', "results are no list"],
    ['{"bartizan": 1, "results": {"a": [null]}, "records": []}', "a result that is none"],
    [written({ ...whole, results: { a: [{ ...result, plies: -1 }] } }), "a result whose plies"],
    [written({ ...whole, records: [{ ...record, text: "x".repeat(400_001) }] }), "a record whose text"],
    [" ".repeat(8_000_001), "too large"],
  ])("refuses what is none: %.40s", (file, said) => {
    expect(() => unwritten(file)).toThrow(said);
  });

  it("keeps of a result what a result has", () => {
    const more = written({ ...whole, results: { a: [{ ...result, evil: "yes" } as KeptResult] } });
    expect(unwritten(more).results.a).toEqual([result]);
  });

  it("is taken in once", () => {
    const store = new Store(memory());
    store.finish("duel", {}, { ...result, won: false });
    expect(store.merge(whole.results, whole.records)).toBe(2);
    expect(store.merge(whole.results, whole.records)).toBe(0);
    expect(store.results("duel", {}).map((one) => [one.table, one.won])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(store.records()).toEqual([record]);
  });

  it("lets the oldest records go", () => {
    const store = new Store(memory());
    for (let n = 0; n < 5; n++) store.keepRecord({ ...record, table: String(n), text: "x".repeat(390_000) });
    expect(store.records().map((one) => one.table)).toEqual(["4", "3", "2"]);
    store.forgetRecord("3");
    expect(store.records().map((one) => one.table)).toEqual(["4", "2"]);
  });
});

import { describe, expect, it } from "vitest";
import { plain, spans } from "./prose";

describe("prose", () => {
  it("tells code from words", () => {
    expect(spans("As written. `overpay` = minimal forbids it (`win_timing`).")).toEqual([
      { text: "As written. ", code: false },
      { text: "overpay", code: true },
      { text: " = minimal forbids it (", code: false },
      { text: "win timing", code: true },
      { text: ").", code: false },
    ]);
    expect(spans("`havoc`")).toEqual([{ text: "havoc", code: true }]);
    expect(spans("")).toEqual([]);
  });
  it("leaves a lone backtick and markup as they are", () => {
    expect(spans("a ` b")).toEqual([{ text: "a ` b", code: false }]);
    expect(spans("`a` ` <b>")).toEqual([
      { text: "a", code: true },
      { text: " ` <b>", code: false },
    ]);
    expect(spans("``")).toEqual([{ text: "``", code: false }]);
  });
  it("can be searched as it is read", () => {
    expect(plain("With `both_empty` = both, a ` stays")).toBe("With both empty = both, a ` stays");
  });
});

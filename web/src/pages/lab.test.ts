import { describe, expect, it } from "vitest";
import type { OptionInfo } from "../net/wire";
import { choices, read } from "./lab";

const option = (more: Partial<OptionInfo>): OptionInfo =>
  ({
    key: "one",
    default: 1,
    kind: "int",
    sentence: "",
    values: [],
    low: null,
    high: null,
    worth_comparing: false,
    proposed: "",
    ...more,
  }) as OptionInfo;

describe("what the Lab varies", () => {
  it("ticks what can be listed", () => {
    expect(choices(option({ kind: "bool" }))).toEqual([false, true]);
    expect(choices(option({ kind: "choice", values: ["any", 2] }))).toEqual(["any", 2]);
    expect(choices(option({ low: 2, high: 4 }))).toEqual([2, 3, 4]);
    expect(choices(option({ low: 0, high: 400 }))).toEqual([]);
    expect(choices(option({ kind: "text" }))).toEqual([]);
  });

  it("reads what is typed", () => {
    expect(read(" 3, 40,3 ,x, 1.5,", option({}))).toEqual([3, 40]);
    expect(read("ab, cd", option({ kind: "text" }))).toEqual(["ab", "cd"]);
  });
});

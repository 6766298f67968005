import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import type { Item } from "../net/wire";
import { answersOf, focusOf, threats, commonMarks } from "./course";

const table = complete("Scene", {
  zones: [
    {
      id: "tower",
      kind: "levels",
      label: "tower",
      slots: [{ id: "1.top", label: "top" }],
      items: [
        { id: "9p", face: "9p" },
        { id: "Kl", face: "Kl" },
      ],
    },
    {
      id: "flight",
      kind: "lanes",
      label: "flight",
      items: [
        {
          id: "Ts",
          face: "Ts",
          owner: 2,
          course: { goal: 1, turns: 1, marks: { "9p": "destroyed" }, answers: ["Jr", "Kw"] },
        },
        { id: "3l", face: "3l", owner: 2, course: { goal: 1, marks: { "9p": "damaged" }, answers: ["Jr"] } },
      ],
    },
    {
      id: "hand",
      kind: "fan",
      label: "hand",
      items: [
        { id: "Jr", face: "Jr" },
        { id: "Kw", face: "Kw" },
      ],
    },
  ],
  choices: [
    { action: 1, text: "a", verb: "A", items: ["Jr", "tower"], marks: { "9p": "destroyed", Kl: "damaged" } },
    { action: 2, text: "b", verb: "B", items: ["Jr", "Ts"], marks: { Ts: "deflected", Jr: "spent" } },
    {
      action: 3,
      text: "c",
      verb: "C",
      items: ["Jr", "1.top"],
      marks: { "1.top": "rebuilt", Kl: "destroyed" },
    },
  ],
});
const courses: Item[] = table.zones.flatMap((zone) => zone.items.filter((item) => item.course));

describe("the focus", () => {
  it("is the thing in flight that is pointed at, before everything touched", () => {
    expect(focusOf(courses, ["Jr"], "Ts")).toEqual(["Ts"]);
    expect(focusOf(courses, ["Jr"], "Kl")).toEqual(["Jr"]);
    expect(focusOf(courses, [], "Kl")).toEqual(["Kl"]);
  });

  it("is by itself the one thing that is arriving", () => {
    expect(focusOf(courses, [], "")).toEqual(["3l"]);
    expect(focusOf(courses.slice(0, 1), [], "")).toEqual([]);
    expect(focusOf([courses[1]!, courses[1]!], [], "")).toEqual([]);
  });
});

describe("a thing in flight and its answers", () => {
  it("mark each other", () => {
    expect([...answersOf(courses, ["Ts"])]).toEqual(["Jr", "Kw"]);
    expect([...answersOf(courses, ["Jr"])]).toEqual(["Ts", "3l"]);
    expect([...answersOf(courses, ["9p"])]).toEqual([]);
  });

  it("threaten what stands where it arrives", () => {
    expect(threats(courses, ["Ts"])).toEqual({ "9p": "destroyed" });
    expect(threats(courses, ["Jr"])).toEqual({});
  });
});

describe("the common marks", () => {
  it("are those on which the moves agree, for levels and things in flight only", () => {
    expect(commonMarks(table.choices, table.zones)).toEqual({
      "9p": "destroyed",
      Ts: "deflected",
      "1.top": "rebuilt",
    });
    expect(commonMarks(table.choices.slice(0, 1), table.zones)).toEqual({ "9p": "destroyed", Kl: "damaged" });
    expect(commonMarks([], table.zones)).toEqual({});
  });
});

import { describe, expect, it } from "vitest";
import type { Choice } from "../net/wire";
import { ahead, buttons, drop, likely, lacking, meaning, narrow, touch, usable } from "./narrow";

let next = 0;
const choice = (items: string[], more: Partial<Choice> = {}): Choice => ({
  action: next++,
  text: items.join(" "),
  verb: "Do",
  label: "",
  items,
  target: "",
  marks: {},
  contests: {},
  note: "",
  instead: {},
  careful: false,
  confirm: "",
  extras: [],
  throw: false,
  ...more,
});

const one = choice(["foe", "8d"], { target: "foe" });
const two = choice(["foe", "5h", "4d"], { target: "foe" });
const both = choice(["foe", "8d", "4d"], { target: "foe" });
const mend = choice(["6c", "keep"], { target: "keep" });
const end = choice([]);
const all = [one, two, both, mend, end];

describe("narrow", () => {
  it("starts with every choice that has items, and their ids live", () => {
    const start = narrow(all, []);
    expect(start.candidates).toEqual([one, two, both, mend]);
    expect([...start.live].sort()).toEqual(["4d", "5h", "6c", "8d", "foe", "keep"]);
    expect(start.exact).toEqual([]);
    expect(start.play).toBeNull();
  });

  it("takes touches in any order", () => {
    expect(narrow(all, ["5h", "foe"]).candidates).toEqual([two]);
    expect(narrow(all, ["foe", "5h"]).candidates).toEqual([two]);
  });

  it("plays only what is complete and cannot become more", () => {
    expect(narrow(all, ["keep", "6c"]).play).toBe(mend);
    const short = narrow(all, ["foe", "8d"]);
    expect(short.exact).toEqual([one]);
    expect(short.play).toBeNull();
    expect([...short.live]).toEqual(["4d"]);
    expect(narrow(all, ["foe", "8d", "4d"]).play).toBe(both);
  });

  it("offers every exact candidate when several moves touch the same things", () => {
    const twins = [choice(["a", "b"]), choice(["b", "a"])];
    const left = narrow(twins, ["a", "b"]);
    expect(left.exact).toEqual(twins);
    expect(left.play).toBeNull();
  });

  it("plays a one-thing move at once, but not while another move needs it too", () => {
    const alone = choice(["x"]);
    expect(narrow([alone], ["x"]).play).toBe(alone);
    expect(narrow([alone, choice(["x", "y"])], ["x"]).play).toBeNull();
  });

  it("never takes a choice without items for a candidate", () => {
    expect(narrow([end], []).candidates).toEqual([]);
    expect(buttons(all)).toEqual([end]);
  });

  it("is quick with fifteen hundred choices", () => {
    const many = Array.from({ length: 1500 }, (_, n) => choice([`d${n % 40}`, `h${n % 3}`, "jack", `k${n}`]));
    const begun = performance.now();
    for (let n = 0; n < 20; n++) narrow(many, ["jack", "d7"]);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe("touch", () => {
  it("adds, and lets go of what is touched again", () => {
    expect(touch(all, [], "foe").selection).toEqual(["foe"]);
    expect(touch(all, ["foe"], "foe")).toEqual({ selection: [], refused: null });
  });

  it("asks for the reason when nothing fits, and keeps a selection of several", () => {
    expect(touch(all, ["foe", "5h"], "6c")).toEqual({
      selection: ["foe", "5h"],
      refused: ["foe", "5h", "6c"],
    });
    expect(touch(all, [], "9s")).toEqual({ selection: [], refused: ["9s"] });
  });

  it("starts again when a single thing was touched and the next makes sense alone", () => {
    expect(touch(all, ["foe"], "6c")).toEqual({ selection: ["6c"], refused: ["foe", "6c"] });
  });
});

describe("meant", () => {
  it("prefers what fits now, then what is in any move, then the thing itself", () => {
    expect(meaning(all, ["6c"], ["7c", "keep.1", "keep"])).toBe("keep");
    expect(meaning(all, [], ["8d", "hand"])).toBe("8d");
    expect(meaning(all, [], ["2s", "hand"])).toBe("2s");
  });

  it("lets go of a touched zone when its top is touched again", () => {
    expect(meaning(all, ["keep"], ["7c", "keep"])).toBe("keep");
  });
});

describe("drop", () => {
  it("touches both, and prefers the target", () => {
    expect(drop(all, [], "8d", ["foe", "lane"])).toEqual({ selection: ["8d", "foe"], refused: null });
  });

  it("takes what was selected along", () => {
    expect(drop(all, ["5h", "4d"], "4d", ["foe"]).selection).toEqual(["5h", "4d", "foe"]);
    expect(drop(all, ["5h"], "4d", ["foe"]).selection).toEqual(["5h", "4d", "foe"]);
  });

  it("says what does not go together", () => {
    expect(drop(all, [], "6c", ["foe", "lane"])).toEqual({ selection: ["6c"], refused: ["6c", "foe"] });
  });
});

describe("likely", () => {
  it("is the only candidate, or the only complete one", () => {
    expect(likely(narrow(all, ["5h"]))).toBe(two);
    expect(likely(narrow(all, ["foe", "8d"]))).toBe(one);
    expect(likely(narrow(all, ["foe"]))).toBeNull();
  });
});

describe("things that stand in for others", () => {
  const wall = choice(["b1", "c2"], { instead: { b1: ["b2", "b3"] } });
  const step = choice(["b2", "c3"]);

  it("can be touched in the place of the first", () => {
    expect(usable(wall)).toEqual(["b1", "c2", "b2", "b3"]);
    expect(narrow([wall, step], ["b2"]).candidates).toEqual([wall, step]);
    expect([...narrow([wall, step], ["c2"]).live].sort()).toEqual(["b1", "b2", "b3"]);
    expect(narrow([wall, step], ["b3", "c2"]).play).toBe(wall);
  });

  it("stand in once: two of them are one too many", () => {
    expect(lacking(wall, ["b2"])).toEqual(["c2"]);
    expect(lacking(wall, ["b2", "b3"])).toBeNull();
    expect(lacking(wall, ["b1", "b2"])).toBeNull();
    expect(touch([wall, step], ["b2"], "b3")).toEqual({ selection: ["b3"], refused: ["b2", "b3"] });
  });
});

describe("a careful choice", () => {
  it("is offered, and never played by touching alone", () => {
    const harm = choice(["cannon", "own"], { careful: true });
    const left = narrow([harm], ["cannon", "own"]);
    expect(left.exact).toEqual([harm]);
    expect(left.play).toBeNull();
  });
});

describe("ahead", () => {
  const go = choice(["piece", "near"]);
  const hit = choice(["piece", "foe"], { marks: { foe: "destroyed" } });
  const build = choice(["piece", "near"], { marks: { near: "joined" } });
  const three = choice(["piece", "x", "y"]);

  it("says of each thing that completes a move what would become of it", () => {
    expect([...ahead([go, hit, three], ["piece"])]).toEqual([
      ["near", "go"],
      ["foe", "destroyed"],
    ]);
  });

  it("says when moves differ, and nothing before anything is touched", () => {
    expect(ahead([go, build], ["piece"]).get("near")).toBe("several");
    expect(ahead([go, choice(["piece", "near"])], ["piece"]).get("near")).toBe("go");
    expect(ahead([go, hit], []).size).toBe(0);
  });

  it("holds for what stands in as well", () => {
    const wall = choice(["b1", "c2"], { marks: { c2: "joined" }, instead: { b1: ["b2"] } });
    expect([...ahead([wall], ["b2"])]).toEqual([["c2", "joined"]]);
    expect([...ahead([wall], ["c2"]).keys()]).toEqual(["b1", "b2"]);
  });
});

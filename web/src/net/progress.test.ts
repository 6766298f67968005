import { describe, expect, it } from "vitest";
import { memory } from "./store";
import { Progress } from "./progress";

describe("progress", () => {
  it("remembers lessons by game, each once", () => {
    const keep = memory();
    new Progress(keep).finish("a", "one");
    new Progress(keep).finish("a", "two");
    expect(new Progress(keep).finish("a", "one").lessons).toEqual(["two", "one"]);
    expect(new Progress(keep).of("b").lessons).toEqual([]);
    expect(new Progress(keep).forget("a").lessons).toEqual([]);
  });
  it("counts puzzles in a row that were found alone, each the first time only", () => {
    const progress = new Progress(memory());
    for (const id of ["p1", "p2", "p3"]) progress.solve("a", id, true);
    expect(progress.solve("a", "p4", false)).toMatchObject({ streak: 0, best: 3 });
    expect(progress.solve("a", "p4", true)).toMatchObject({ streak: 0, best: 3, puzzles: { p4: "helped" } });
    expect(progress.solve("a", "p5", true).streak).toBe(1);
  });
  it("begins again where what is kept is damaged", () => {
    for (const text of ["", "{", "[1]", "null", "3"]) {
      const keep = memory();
      keep.setItem("bartizan.learning", text);
      expect(new Progress(keep).of("a")).toEqual({ lessons: [], puzzles: {}, streak: 0, best: 0 });
    }
  });
});

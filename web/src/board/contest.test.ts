import { describe, expect, it } from "vitest";
import type { Choice, Contest } from "../net/wire";
import { drawn, foreseen, meant } from "./contest";

const choice = (items: string[], target: string, attack: number[] | null): Choice => ({
  action: 0,
  text: items.join(" "),
  verb: "Do",
  label: "",
  items,
  target,
  marks: {},
  contests: attack ? { attack: [attack, [7]] } : {},
  note: "",
  instead: {},
  careful: false,
  confirm: "",
  extras: [],
  throw: false,
});
const army = (
  label: string,
  value: number,
  hidden = false,
): Contest["sides"][number]["segments"][number] => ({
  label,
  value,
  hidden,
});
const contest: Contest = {
  id: "attack",
  zone: "tower",
  label: "Attack on the tower",
  sides: [
    {
      label: "Attack",
      value: 14,
      owner: 0,
      colour: "red",
      segments: [army("Left army", 8), army("Right army", 6, true)],
      outcome: "the top falls",
    },
    { label: "Tower", value: 7, owner: 0, colour: "sand", segments: [], outcome: "the top holds" },
  ],
};
const one = choice(["8d", "foe"], "foe", [0, 6]);
const two = choice(["5h", "4d", "foe"], "foe", [0, 6]);
const swap = choice(["Kd", "foe", "other"], "", [3, 6]);
const mend = choice(["8d", "keep"], "keep", null);
const all = [one, two, swap, mend];

describe("a contest", () => {
  it("is what it is while nothing is touched", () => {
    expect(meant(all, [])).toEqual([]);
    expect(foreseen("attack", [])).toBeNull();
    const shown = drawn(contest, null);
    expect(shown.spoken).toBe("Attack 14 against tower 7: the top falls");
    expect(shown.sides.map((side) => side.loses)).toEqual([false, true]);
    expect(shown.sides[1]?.segments).toEqual([army("Tower", 7)]);
  });

  it("changes as soon as what is aimed at is touched, by whatever card", () => {
    const values = foreseen("attack", meant(all, ["foe"]));
    expect(values).toEqual([[0, 6], [7]]);
    const shown = drawn(contest, values);
    expect(shown.spoken).toBe("Attack 6 against tower 7: the top holds");
    expect(shown.sides.map(({ now, value }) => [now, value])).toEqual([
      [14, 6],
      [7, 7],
    ]);
    expect(shown.sides[0]?.segments.map((segment) => segment.value)).toEqual([0, 6]);
  });

  it("stays while the moves that could be meant differ", () => {
    expect(foreseen("attack", meant(all, ["8d"]))).toBeNull();
    expect(foreseen("attack", meant(all, ["Kd"]))).toEqual([[3, 6], [7]]);
  });

  it("goes to the first side where both are equal", () => {
    expect(drawn(contest, [[1, 6], [7]]).outcome).toBe("the top falls");
  });
});

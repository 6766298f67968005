import { describe, expect, it } from "vitest";
import { complete } from "../net/complete";
import { threatsOf } from "./threats";

describe("threats", () => {
  it("stand on what is in flight could hit, the next to land first", () => {
    const { zones } = complete("Scene", {
      zones: [
        { id: "tower", kind: "levels", items: [{ id: "9p" }, { id: "Kl" }, { id: "2r" }] },
        {
          id: "flight",
          kind: "lanes",
          items: [
            {
              id: "Ts",
              owner: 3,
              course: { goal: 1, turns: 2, marks: { "9p": "destroyed", Kl: "damaged" } },
            },
            { id: "3l", owner: 2, course: { goal: 1, turns: 1, marks: { "9p": "damaged" } } },
          ],
        },
      ],
    } as never);
    const threats = threatsOf(zones);
    expect(threats.get("9p")).toEqual([
      { owner: 2, turns: 1, mark: "damaged" },
      { owner: 3, turns: 2, mark: "destroyed" },
    ]);
    expect(threats.get("Kl")).toEqual([{ owner: 3, turns: 2, mark: "damaged" }]);
    expect(threats.has("2r")).toBe(false);
  });

  it("are none where nothing flies", () => {
    expect(threatsOf([]).size).toBe(0);
  });
});

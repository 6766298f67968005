import { describe, expect, it } from "vitest";
import type { KeptResult } from "../net/store";
import { rulesOf, tallies } from "./yours";

const kept = (table: string, won: boolean, more: Partial<KeptResult> = {}): KeptResult => ({
  table,
  won,
  headline: "",
  score: null,
  deal: "new",
  date: "",
  hints: 0,
  undos: 0,
  plies: 40,
  when: Number(table),
  ...more,
});

describe("tallies", () => {
  it("parts games by opponent and rules, the latest first", () => {
    const all = {
      trio: [
        kept("1", true, { against: ["squire"] }),
        kept("2", false, { against: ["knight"] }),
        kept("3", false, { against: ["squire"], drawn: true }),
      ],
      "trio deck.jokers=2": [kept("4", true, { against: ["squire", "squire"] })],
      duel: [kept("9", true), kept("5", false)],
    };
    const [duel, trio] = tallies(all);
    expect(duel).toMatchObject({ game: "duel", played: 2, won: 1, streak: 1, latest: ["lost", "won"] });
    expect(trio).toMatchObject({
      game: "trio",
      played: 4,
      won: 2,
      drawn: 1,
      streak: 1,
      latest: ["won", "lost", "drawn", "won"],
    });
    expect(
      trio?.lines.map(({ against, rules, won, drawn, lost }) => [against, rules, won, drawn, lost]),
    ).toEqual([
      ["2 × Easy", "jokers 2", 1, 0, 0],
      ["Easy", "", 1, 1, 0],
      ["Medium", "", 0, 0, 1],
    ]);
  });

  it("counts a win with a hint at every fourth decision, but in no row", () => {
    const [sum] = tallies({
      duel: [
        kept("1", true),
        kept("2", true, { hints: 10 }),
        kept("3", true, { hints: 9 }),
        kept("4", true, { hints: 4, against: ["squire"] }),
      ],
    });
    expect(sum).toMatchObject({ won: 4, aided: 1, streak: 3, latest: ["won", "aided", "won", "won"] });
  });

  it("reads options out of a name", () => {
    expect(rulesOf("big-duel setup.king_file=b turn_limit=20")).toEqual({
      game: "big-duel",
      rules: "king file b, turn limit 20",
    });
  });
});

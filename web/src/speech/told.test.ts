import { expect, it } from "vitest";
import type { Theme } from "../net/wire";
import { told } from "./told";

const suit = (name: string) => ({ name, shape: name, colour: "black" }) as Theme["suits"][string];
const theme = { suits: { c: suit("clubs"), s: suit("spades") }, ranks: { T: "10" } } as unknown as Theme;
const plain = (move: string): string =>
  told({ move, label: "" }, theme)
    .map((part) => (part.card ? `[${part.card.rank} ${part.card.suit.name}]` : part.text))
    .join("");

it("writes a move for people, with its cards", () => {
  expect(plain("defend left.rear with 7c Ts")).toBe("Defend left rear with [7 clubs] [10 spades]");
  expect(plain("end")).toBe("End");
  expect(plain("play 7c at -1,2")).toBe("Play [7 clubs] at -1,2");
  expect(plain("report 8s hit 2.3")).toBe("Report [8 spades] hit 2.3");
});

it("prefers the game's own sentence", () => {
  expect(told({ move: "a1-a2", label: "King from a1 to a2" }, theme)).toEqual([
    { text: "King from a1 to a2", card: null },
  ]);
});

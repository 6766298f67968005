/** Read faces: rank and suit where the theme has that suit, else a tile with its text. */

import type { Suit, Theme } from "../net/wire";

export type Face =
  | { kind: "card"; rank: string; letter: string; suit: Suit }
  | { kind: "joker"; suit: Suit | null }
  | { kind: "tile"; text: string };

export function readFace(face: string, theme: Theme): Face {
  const suit = theme.suits[face.slice(-1)];
  const letter = face.slice(0, -1);
  if (face === "*") return { kind: "joker", suit: null };
  if (suit && letter === "*") return { kind: "joker", suit };
  if (suit && (letter in theme.ranks || /^(\d{1,2}|[A-Z])$/.test(letter)))
    return { kind: "card", rank: theme.ranks[letter] ?? letter, letter, suit };
  return { kind: "tile", text: face };
}

/** Where the pips of a number card stand, in the units of a card 100 wide and 140 high. */
export function pips(rank: string): [number, number][] {
  const count = /^\d+$/.test(rank) ? Number(rank) : 0;
  const [left, middle, right] = [35, 50, 65];
  const pairs = (...heights: number[]): [number, number][] =>
    heights.flatMap((y): [number, number][] => [
      [left, y],
      [right, y],
    ]);
  const single = (...heights: number[]): [number, number][] => heights.map((y) => [middle, y]);
  switch (count) {
    case 2:
      return single(36, 104);
    case 3:
      return single(36, 70, 104);
    case 4:
      return pairs(36, 104);
    case 5:
      return [...pairs(36, 104), ...single(70)];
    case 6:
      return pairs(36, 70, 104);
    case 7:
      return [...pairs(36, 70, 104), ...single(53)];
    case 8:
      return [...pairs(36, 70, 104), ...single(53, 87)];
    case 9:
      return [...pairs(32, 57, 83, 108), ...single(70)];
    case 10:
      return [...pairs(32, 57, 83, 108), ...single(45, 95)];
    default:
      return [];
  }
}

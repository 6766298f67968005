/** Write a move for people: the sentence that the game has for it, or its text with cards as they look. */

import type { LogLine, Theme } from "../net/wire";
import { readFace } from "./faces";

export interface Part {
  text: string;
  /** The card that the text is the code of. */
  card: { rank: string; suit: Theme["suits"][string] } | null;
}

/** The move in parts: words, and cards that can be drawn. */
export function told(line: Pick<LogLine, "label" | "move">, theme: Theme): Part[] {
  if (line.label) return [{ text: line.label, card: null }];
  const words = line.move.split(" ").map((word, n): Part => {
    const face = readFace(word, theme);
    if (face.kind === "card") return { text: word, card: { rank: face.rank, suit: face.suit } };
    const plain = /^[a-z]+(\.[a-z]+)+$/.test(word) ? word.replaceAll(".", " ") : word;
    return { text: n ? plain : plain.replace(/^./, (first) => first.toUpperCase()), card: null };
  });
  return words.flatMap((part, n) => (n ? [{ text: " ", card: null }, part] : [part]));
}

/** What people at a table show one another: emotes, arms, names and clocks. */

import * as t from "../speech/people";
import type { Emote } from "../net/wire";

export const EMOTES: Record<Emote, string> = {
  hello: t.hello,
  luck: t.goodLuck,
  thinking: t.hm,
  "well-played": t.wellPlayed,
  oops: t.oops,
  wow: t.wow,
  thanks: t.thanks,
  "good-game": t.goodGame,
};

export const CHARGES = [
  "tower",
  "castle",
  "wall",
  "cannon",
  "sword",
  "axe",
  "lion",
  "raven",
  "tree",
  "sun",
  "moon",
  "crown",
] as const;
export const TINCTURES = {
  gules: "red",
  azure: "blue",
  vert: "green",
  purpure: "purple",
  sable: "black",
  argent: "silver",
  or: "gold",
  tenne: "tawny",
} as const;

/** A text in which seats are called as their people are; only whole words that are a seat's name give way. */
export function named(text: string, seats: readonly string[], people: readonly string[]): string {
  const known = seats.flatMap((seat, at) => (seat && people[at] ? [[seat, people[at]] as const] : []));
  if (!known.length) return text;
  const by = new Map(known);
  const words = known
    .map(([seat]) => seat.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .sort((one, other) => other.length - one.length);
  return text.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "gu"),
    (seat) => by.get(seat) ?? seat,
  );
}

/** Time as a clock shows it: "2 d 4 h", "1:05:09", "4:05", and tenths below ten seconds. */
export function clockFace(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  const two = (figure: number): string => String(Math.floor(figure)).padStart(2, "0");
  if (seconds >= 86_400)
    return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
  if (seconds >= 3600)
    return `${Math.floor(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** Write points as one does over the board: 1½. */
export const written = (sum: number): string =>
  `${Math.floor(sum) || (sum % 1 ? "" : 0)}${sum % 1 ? "½" : ""}`;

/** Put into words what people at a table ask, answer and show one another. */

import * as t from "../speech/people";
import type { Answer, Emote, ProposalKind, Proposal } from "../net/wire";

type Name = (seat: number) => string;

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

const PROPOSALS: Record<ProposalKind, string> = {
  takeback: t.toTakeTheLastMoveBack,
  adjourn: t.toAdjournTheGame,
  hints: t.toAllowHints,
};

export const proposalWords = ({ seat, what }: Proposal, name: Name): string =>
  t.seatAsksProposals(name(seat), PROPOSALS[what]);

/** How something was answered, to those who have these seats; nothing where the table says it by itself. */
export function answerWords({ by, granted, seat, what }: Answer, own: readonly number[], name: Name): string {
  const who = (one: number): string => (own.includes(one) ? t.you : name(one));
  const whose = own.includes(seat) ? "your" : t.seatS(name(seat));
  if (what === "draw") return granted ? "" : t.declinedDrawOffer(who(by), whose);
  if (what === "rematch") return t.declinedAnotherGame(who(by));
  const thing = { takeback: t.takeback, adjourn: t.requestToAdjourn, hints: t.requestToAllowHints }[what];
  if (!granted) return t.byDeclinedWhoseThing(who(by), whose, thing);
  if (what === "hints") return t.hintsAreAllowed;
  return what === "takeback" ? t.tookAMoveBackAgreed(who(seat), who(by)) : t.theGameIsAdjourned;
}

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

/** Decide in the lobby who sits where, before there is a table. */

import { joinKeys } from "../net/tokens";
import type { GameInfo, TableLinks } from "../net/wire";
import { PERSON } from "../session/seats";

type Programs = Pick<GameInfo, "opponent">;

/** Me, somebody else at this screen, somebody who gets a link, or a program by its name. */
export const ME = "me";
export const HERE = "here";
export const LINK = "link";
const PEOPLE = [ME, HERE, LINK];

const filled = (seats: number, others: string): string[] => [ME, ...Array.from({ length: seats - 1 }, () => others)];

export const hotSeat = (seats: number): string[] => filled(seats, HERE);
export const invitation = (seats: number): string[] => filled(seats, LINK);
/** Against the program that the game would have one begin with. */
export const usual = (seats: number, game: Programs): string[] => filled(seats, game.opponent || LINK);

/** Give a seat to somebody; I am in one place only, so who sat where I go takes mine. */
export function seated(sitters: readonly string[], at: number, who: string): string[] {
  const next = [...sitters];
  const mine = sitters.indexOf(ME);
  if (who === ME && mine >= 0) next[mine] = sitters[at] ?? LINK;
  next[at] = who;
  return next;
}

/** Keep who sits where while the number of seats changes. */
export function resized(sitters: readonly string[], seats: number, game: Programs): string[] {
  const next = Array.from({ length: seats }, (_, at) => sitters[at] ?? (game.opponent || LINK));
  return next.includes(ME) || !sitters.includes(ME) ? next : seated(next, 0, ME);
}

/** What was set last time, as far as the game still allows it. */
export function allowed(sitters: readonly string[] | undefined, game: GameInfo): string[] {
  const { min_seats: least, max_seats: most } = game;
  const known = [...PEOPLE, ...game.players];
  const fits = sitters && sitters.length >= least && sitters.length <= most && sitters.every((one) => known.includes(one));
  return fits ? [...sitters] : usual(Math.max(2, least), game);
}

/** What a program is called where one is chosen: with a few words on how it plays, where the game has some. */
export function programName(player: string, { levels }: GameInfo): string {
  const about = levels.find((level) => level.name === player.split(":")[0])?.about;
  return about ? `${player}: ${about}` : `Program: ${player}`;
}

export const players = (sitters: readonly string[]): string[] => sitters.map((one) => (PEOPLE.includes(one) ? PERSON : one));

/** The keys that the page of who made the table holds: those of the seats at this screen. */
export function ownKeys(sitters: readonly string[], links: TableLinks): string {
  const mine = sitters.flatMap((one, at) => (one === ME || one === HERE ? [links.seats[at] ?? ""] : [])).filter(Boolean);
  if (mine.length) return joinKeys(mine);
  return sitters.includes(LINK) ? links.spectator : (links.seats[0] ?? links.spectator);
}

const LEADS: Record<string, string> = { [HERE]: "at this screen", [LINK]: "somebody by link" };

/** Say against whom, on the button that begins: "Play against greedy". */
export function against(sitters: readonly string[]): string {
  if (!sitters.includes(ME) && !sitters.includes(HERE)) return sitters.includes(LINK) ? "Open the table" : "Watch them play";
  const others = [...new Set(sitters.filter((one) => one !== ME))];
  if (!others.length) return "Play";
  if (others.length === 1 && others[0] === HERE) return "Play at this screen";
  return `Play against ${others.map((one) => LEADS[one] ?? one).join(" and ")}`;
}

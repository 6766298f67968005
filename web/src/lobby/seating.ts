/** Decide in the lobby the players, before there is a table. */

import * as t from "../speech/lobby";
import { joinKeys } from "../net/tokens";
import type { GameInfo, TableLinks } from "../net/wire";
import { PERSON } from "../session/seats";
import { playerTitle } from "../speech/players";

type Programs = Pick<GameInfo, "opponent">;

/** Me, someone else at this screen, someone who gets a link, or a program by its name. */
export const ME = "me";
export const HERE = "here";
export const LINK = "link";
const PEOPLE = [ME, HERE, LINK];

const filled = (seats: number, others: string): string[] => [
  ME,
  ...Array.from({ length: seats - 1 }, () => others),
];

export const hotSeat = (seats: number): string[] => filled(seats, HERE);
export const invitation = (seats: number): string[] => filled(seats, LINK);
/** Against the program that the game would have one begin with. */
export const usual = (seats: number, game: Programs): string[] => filled(seats, game.opponent || LINK);

/** Give a seat to someone; I am in one place only, so who sat where I go takes mine. */
export function seated(sitters: readonly string[], at: number, who: string): string[] {
  const next = [...sitters];
  const mine = sitters.indexOf(ME);
  if (who === ME && mine >= 0) next[mine] = sitters[at] ?? LINK;
  next[at] = who;
  return next;
}

/** Keep the players while the number of seats changes. */
export function resized(sitters: readonly string[], seats: number, game: Programs): string[] {
  const next = Array.from({ length: seats }, (_, at) => sitters[at] ?? (game.opponent || LINK));
  return next.includes(ME) || !sitters.includes(ME) ? next : seated(next, 0, ME);
}

/** What was set last time, as far as the game still allows it. */
export function allowed(sitters: readonly string[] | undefined, game: GameInfo): string[] {
  const { min_seats: least, max_seats: most } = game;
  const known = [...PEOPLE, ...game.players];
  const fits =
    sitters &&
    sitters.length >= least &&
    sitters.length <= most &&
    sitters.every((one) => known.includes(one));
  return fits ? [...sitters] : usual(Math.max(2, least), game);
}

const PLAIN: Record<string, string> = { random: t.playsAnyLegalMove, greedy: t.looksOneMoveAhead };

/** Name a computer player in the list of opponents, with a few words on how it plays. */
export function programName(player: string, { levels }: Pick<GameInfo, "levels">): string {
  const about = levels.find((level) => level.name === player)?.about ?? PLAIN[player];
  return about ? `${playerTitle(player)}: ${about}` : playerTitle(player);
}

/**
 * Programs as they are offered: the levels of the game, others, and where cards are thrown those of a set
 * skill.
 */
export function programs({
  levels,
  players,
}: Pick<GameInfo, "levels" | "players">): [string, readonly string[]][] {
  const names = levels.map((level) => level.name);
  const ranked = players.filter((player) => names.includes(player));
  const skilled = players.filter((player) => player.includes(":"));
  const others = players.filter((player) => !ranked.includes(player) && !skilled.includes(player));
  const groups: [string, readonly string[]][] = [
    [t.computerWeakestFirst, ranked],
    [t.otherComputerPlayers, others],
    [t.computerByThrowingSkill, skilled],
  ];
  return groups.filter(([, inside]) => inside.length);
}

export const players = (sitters: readonly string[]): string[] =>
  sitters.map((one) => (PEOPLE.includes(one) ? PERSON : one));

/** The seats that are played at this screen. */
export const seatsHere = (sitters: readonly string[]): number[] =>
  sitters.flatMap((one, at) => (one === ME || one === HERE ? [at + 1] : []));

/** The keys that the page of who made the table holds: those of the seats at this screen. */
export function ownKeys(sitters: readonly string[], links: TableLinks): string {
  const mine = seatsHere(sitters)
    .map((seat) => links.seats[seat - 1] ?? "")
    .filter(Boolean);
  if (mine.length) return joinKeys(mine);
  return sitters.includes(LINK) ? links.spectator : (links.seats[0] ?? links.spectator);
}

const LEADS: Record<string, readonly [string, string]> = {
  [HERE]: [t.someoneOnThisDevice, t.othersOnThisDevice],
  [LINK]: [t.aFriendByLink, t.friendsByLink],
};

/** Say who the opponents are: "against the computer (easy)"; empty if no one here plays. */
export function opposition(sitters: readonly string[]): string {
  if (!sitters.includes(ME) && !sitters.includes(HERE)) return "";
  const others = [...new Set(sitters.filter((one) => one !== ME))];
  if (!others.length) return "alone";
  if (others.length === 1 && others[0] === HERE) return t.onThisDevice;
  const lead = (one: string): string =>
    LEADS[one]?.[sitters.indexOf(one) < sitters.lastIndexOf(one) ? 1 : 0] ??
    t.theComputer(playerTitle(one).toLowerCase());
  return t.againstOthers(others.map(lead).join(" and "));
}

/** Label the button that starts: "Play against the computer (easy)". */
export function against(sitters: readonly string[]): string {
  if (!sitters.includes(ME) && !sitters.includes(HERE))
    return sitters.includes(LINK) ? t.openTheTable : t.watchThemPlay;
  return t.playSitters(opposition(sitters));
}

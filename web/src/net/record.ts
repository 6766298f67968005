/** Read a record: its head, its moves, and the log that binds how the game went and ended. */

import { parse } from "smol-toml";
import { courseOf, firstHead, type GameLog, headsOf, LOG_PROTOCOL, type Settled } from "./chain";
import type { OptionValue } from "./wire";

export type Head = Record<string, unknown>;

export const isTable = (value: unknown): value is Head =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The head of a record and its moves; throws where it can't be read. */
export function readRecord(text: string): { head: Head; moves: string[] } {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => /^\s*\d+\./.test(line));
  const moves =
    first < 0 ? [] : lines.slice(first).flatMap((line) => /^\s*\d+\.\s*([^#]*)/.exec(line)?.[1] ?? []);
  return {
    head: parse(lines.slice(0, first < 0 ? lines.length : first).join("\n")),
    moves: moves.map((move) => move.trim()),
  };
}

/** Options of a group beside the others, as `group.key`. */
export function flat(options: Head): Record<string, OptionValue> {
  const pairs = Object.entries(options).flatMap(([key, value]) =>
    isTable(value)
      ? Object.entries(value).map(([name, one]) => [`${key}.${name}`, one] as const)
      : [[key, value] as const],
  );
  return Object.fromEntries(pairs) as Record<string, OptionValue>;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** What a record's log shows: what is wrong with it, or every head, the last one last. */
export type Followed =
  | { fault: "none" | "malformed" | "hashes" | "moves" | "ending"; heads: string[] }
  | { fault: ""; heads: string[] };

/** Follow a record's log. */
export async function follow(head: Head, moves: readonly string[]): Promise<Followed> {
  const no = (fault: "none" | "malformed" | "hashes" | "moves" | "ending"): Followed => ({
    fault,
    heads: [],
  });
  if (head.log === undefined) return no("none");
  const { fairness: fair, game, options = {}, rules, seats, seed_hash, settled } = head;
  if (!isTable(head.log) || !isTable(options) || (fair !== undefined && !isTable(fair)))
    return no("malformed");
  const log = { entries: [], ...head.log } as unknown as GameLog;
  const { commitment = seed_hash, commitments = {}, persons = [], secret = "", shares = {} } = fair ?? {};
  const formed =
    Array.isArray(persons) &&
    isTable(commitments) &&
    isTable(shares) &&
    log.protocol === LOG_PROTOCOL &&
    typeof log.head === "string" &&
    isTexts(log.players) &&
    isTexts(log.entries) &&
    log.players.length === seats &&
    (!fair || fair.table === log.table) &&
    persons.every((seat) => log.players[Number(seat) - 1] === "person") &&
    !("position" in head);
  const course = formed && courseOf(log.entries, seats as number);
  if (!course || typeof course === "number") return no("malformed");
  const begins = await firstHead({
    table: log.table,
    game: game as string,
    rules: rules as number,
    options: flat(options),
    players: log.players,
    commitment: String(commitment),
    persons: persons as number[],
    commitments: commitments as Record<string, string>,
    shares: shares as Record<string, string>,
  });
  const heads = await headsOf(begins, String(secret), log.entries);
  if (heads.at(-1) !== log.head) return { fault: "hashes", heads };
  if (moves.length !== course.moves.length || moves.some((move, at) => move !== course.moves[at]))
    return { fault: "moves", heads };
  const said = settled === undefined ? null : ({ loser: 0, ...(settled as object) } as Settled);
  const same = said?.reason === course.settled?.reason && said?.loser === course.settled?.loser;
  return { fault: same ? "" : "ending", heads };
}

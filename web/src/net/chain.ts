/**
 * Chain a table's log by hashes: what bartizan/engine/chain.py does, in the browser.  A record has the log, so
 * the head after each entry can be computed again; the first digits of a head are its check value.
 */

import { sha256 } from "./fairness";
import type { OptionValue } from "./wire";

export const LOG_PROTOCOL = 1;
/** Digits of a head that people see. */
export const CHECK_DIGITS = 20;

/** A log as a record has it. */
export interface GameLog {
  protocol: number;
  table: string;
  /** By seat: "person", or a program's name. */
  players: string[];
  head: string;
  entries: string[];
}

/** How a game was ended, where its rules did not end it. */
export interface Settled {
  reason: string;
  loser: number;
}

const hash = (purpose: string, ...lines: string[]): Promise<string> =>
  sha256([`bartizan log ${LOG_PROTOCOL} ${purpose}`, ...lines].join("\n"));

export interface Beginning {
  table: string;
  game: string;
  rules: number;
  /** By their flat keys. */
  options: Readonly<Record<string, OptionValue>>;
  players: readonly string[];
  /** What the table published about the deal. */
  commitment: string;
  persons: readonly number[];
  /** By seat. */
  commitments: Readonly<Record<string, string>>;
  shares: Readonly<Record<string, string>>;
}

/** The head of a table whose cards have just been dealt. */
export const firstHead = (of: Beginning): Promise<string> =>
  hash(
    "begin",
    of.table,
    of.game,
    String(of.rules),
    JSON.stringify(Object.entries(of.options).sort(([one], [other]) => (one < other ? -1 : 1))),
    JSON.stringify(of.players),
    of.commitment,
    ...of.persons.map((seat) => `${seat} ${of.commitments[seat] ?? ""} ${of.shares[seat] ?? ""}`),
  );

/** The head before each entry, and the last one; `secret` is the server's for the deal, or "". */
export async function headsOf(begins: string, secret: string, entries: readonly string[]): Promise<string[]> {
  const heads = [begins];
  let head = begins;
  for (const entry of entries) heads.push((head = await hash("entry", head, secret, entry)));
  return heads;
}

/** The digits of a head that people compare, in groups of four. */
export const checkValue = (head: string): string =>
  head.slice(0, CHECK_DIGITS).replace(/(.{4})(?=.)/g, "$1 ");

/** The digits of a check value that someone noted; "" where it is none. */
export function readCheckValue(text: string): string {
  const digits = text.replace(/\s/g, "").toLowerCase();
  return /^[0-9a-f]{20,64}$/.test(digits) ? digits : "";
}

/** How a game went and ended, as the entries of its log say; the number of an entry that can't be there. */
export function courseOf(
  entries: readonly string[],
  seats: number,
): { moves: string[]; settled: Settled | null } | number {
  const moves: string[] = [];
  let ply = 0;
  let settled: Settled | null = null;
  for (const [at, entry] of entries.entries()) {
    const [, count, kind = "", player, text = ""] =
      /^(0|[1-9][0-9]{0,8}) ([a-z]{1,20}) (0|[1-9][0-9]{0,2})(?: ([^\n]+))?$/.exec(entry) ?? [];
    const [now, seat] = [Number(count), Number(player)];
    if (!kind || seat > seats) return at + 1;
    if (settled && (seats === 2 || settled.reason !== "time")) return at + 1;
    settled = null; // a program has taken over
    const back = kind === "undo" || kind === "grant";
    if (kind === "move") moves.splice(ply, Infinity, text);
    if (kind === "agree") settled = { reason: "agreement", loser: 0 };
    if (kind === "flag") settled = { reason: "time", loser: seat };
    if (kind === "resign" && seats === 2) settled = { reason: "resignation", loser: seat };
    let due = now === ply || (back && now < ply);
    if (kind === "move") due = now === ply + 1;
    if (kind === "redo") due = now > ply && now <= moves.length;
    if (!due) return at + 1;
    ply = now;
  }
  return { moves: moves.slice(0, ply), settled };
}

/**
 * Check hashes of a record in this browser alone: what bartizan/match/verify.py does before it plays the
 * game again.
 */

import { parse } from "smol-toml";
import { commitSecret, commitShare, dealSeed, PROTOCOL } from "../net/fairness";
import type { OptionValue } from "../net/wire";

export interface Finding {
  part: string;
  holds: boolean;
  says: string;
  /** Who could have chosen the deal, as far as this check shows. */
  chooser?: string;
}

export type Verdict = "fair" | "open" | "forged";

/** Fair if no one could have chosen the deal, open if someone could, forged if a check fails. */
export function verdictOf(found: readonly Finding[]): Verdict {
  if (!found.every((one) => one.holds)) return "forged";
  return found.some((one) => one.chooser) ? "open" : "fair";
}

interface Fairness {
  protocol: number;
  table: string;
  commitment: string;
  secret: string;
  chosen: boolean;
  persons: number[];
  commitments: Record<string, string>;
  shares: Record<string, string>;
  left_out: number[];
}

const BLANK = { secret: "", chosen: false, persons: [], commitments: {}, shares: {}, left_out: [] };
const HASH = /^[0-9a-f]{64}$/;
const SHARE = /^[0-9a-f]{32}$/;

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean =>
  isTable(value) && Object.values(value).every((one) => typeof one === "string");
const isSeats = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => Number.isInteger(one));

/** Options of a group beside the others, as `group.key`. */
function flat(options: Record<string, unknown>): Record<string, OptionValue> {
  const pairs = Object.entries(options).flatMap(([key, value]) =>
    isTable(value)
      ? Object.entries(value).map(([name, one]) => [`${key}.${name}`, one] as const)
      : [[key, value] as const],
  );
  return Object.fromEntries(pairs) as Record<string, OptionValue>;
}

/** Say what cannot be in a record of any deal, or "". */
function faultOf(fair: Fairness, seats: number): string {
  const { chosen, commitment, commitments, left_out, persons, protocol, secret, shares, table } = fair;
  const texts =
    [table, commitment, secret].every((one) => typeof one === "string") &&
    isTexts(commitments) &&
    isTexts(shares);
  if (!texts || !isSeats(persons) || !isSeats(left_out)) return "It’s malformed.";
  const asked = persons.map(String);
  const silent = persons.filter((seat) => !Object.hasOwn(shares, String(seat)));
  const checks: [boolean, string][] = [
    [protocol === PROTOCOL, `Protocol ${protocol} is unknown.`],
    [/^[0-9a-z-]{1,64}$/.test(table), "It doesn’t name a table."],
    [HASH.test(commitment), "The commitment isn’t a SHA-256 hash."],
    [!secret || HASH.test(secret), "The secret is malformed."],
    [
      persons.every((seat, at) => seat >= 1 && seat <= seats && (at === 0 || seat > (persons[at - 1] ?? 0))),
      "It lists seats this game doesn’t have.",
    ],
    [
      Object.keys(commitments).every((seat) => asked.includes(seat)),
      "It has a commitment from a seat that wasn’t asked.",
    ],
    [
      Object.keys(shares).every((seat) => Object.hasOwn(commitments, seat)),
      "It has a share without a commitment.",
    ],
    [Object.values(commitments).every((one) => HASH.test(one)), "A commitment isn’t a SHA-256 hash."],
    [Object.values(shares).every((one) => SHARE.test(one)), "A share is malformed."],
    [left_out.join() === silent.join(), "The seats listed as left out aren’t the ones without a share."],
    [!(chosen && persons.length), "A chosen seed can’t have shares."],
  ];
  return checks.find(([holds]) => !holds)?.[1] ?? "";
}

/**
 * Check a record; `own` are the shares that this browser gave at a table, by seat. Throws a sentence for what
 * is no record.
 */
export async function verify(
  text: string,
  own: (table: string) => ReadonlyMap<number, string>,
): Promise<Finding[]> {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => /^\s*\d+\./.test(line));
  let head: Record<string, unknown>;
  try {
    head = parse(lines.slice(0, first < 0 ? lines.length : first).join("\n"));
  } catch {
    throw new Error("This isn’t a readable record.");
  }
  const { game, options = {}, rules, seats, seed } = head;
  if (typeof game !== "string" || !Number.isInteger(rules) || !Number.isInteger(seats) || !isTable(options))
    throw new Error("This isn’t a record: the game, rules, seats or options are missing.");
  if (!isTable(head.fairness))
    return [
      {
        part: "fairness",
        holds: true,
        says: "The record has no commitment, so nothing shows where its deal came from.",
        chooser: "whoever created the game",
      },
    ];
  const fair = { ...BLANK, ...head.fairness } as unknown as Fairness;
  const fault =
    faultOf(fair, seats as number) ||
    ("position" in head ? "It started from a position, not from a deal." : "");
  if (fault) return [{ part: "fairness", holds: false, says: fault }];
  if (!fair.secret || typeof seed !== "string")
    return [
      {
        part: "secret",
        holds: false,
        says: "The server’s secret or the seed is missing because the game wasn’t over.",
      },
    ];
  const found: Finding[] = [];
  const note = (part: string, holds: boolean, yes: string, no: string): void =>
    void found.push({ part, holds, says: holds ? yes : no });
  const opened = await commitSecret(fair.table, fair.secret, fair.chosen ? seed : "");
  note(
    "secret",
    opened === fair.commitment,
    "The server’s secret matches its commitment from before the deal.",
    "The server’s secret doesn’t match its commitment.",
  );
  const mine = own(fair.table);
  const shares = new Map<number, string>();
  for (const seat of fair.persons) {
    const share = fair.shares[seat];
    const part = `share of seat ${seat}`;
    if (share === undefined) {
      found.push({
        part,
        holds: !mine.has(seat) || !fair.commitments[seat],
        says: mine.has(seat)
          ? "Missing, although this browser committed to one. It was left out."
          : "Missing. None was given, and the seat was left out.",
        chooser: `seat ${seat} and the host together`,
      });
      continue;
    }
    shares.set(seat, share);
    const kept = mine.get(seat);
    const fits = (await commitShare(fair.table, seat, share)) === fair.commitments[seat];
    if (fits && kept !== undefined)
      note(part, kept === share, "This browser drew it.", "This browser drew a different one.");
    else note(part, fits, "It matches the commitment.", "It doesn’t match the commitment.");
  }
  if (fair.chosen)
    return [
      ...found,
      {
        part: "seed",
        holds: true,
        says: "It was chosen, and it matches the commitment.",
        chooser: "whoever created the table",
      },
    ];
  const made = await dealSeed({
    table: fair.table,
    game,
    rules: rules as number,
    options: flat(options),
    seats: seats as number,
    secret: fair.secret,
    shares,
  });
  note(
    "seed",
    made === seed,
    fair.persons.length
      ? "It follows from the secret and all the shares."
      : "It follows from the server’s secret alone.",
    "It doesn’t follow from the secret and the shares.",
  );
  if (!fair.persons.length)
    found.push({
      part: "shares",
      holds: true,
      says: "Only one person played, so no shares were used.",
      chooser: "the host",
    });
  return found;
}

/**
 * Check the hashes of a record in this browser alone: what bartizan/match/verify.py does before it plays the
 * game anew.
 */

import { parse } from "smol-toml";
import { commitSecret, commitShare, dealSeed, PROTOCOL } from "../net/fairness";
import type { OptionValue } from "../net/wire";

export interface Finding {
  part: string;
  holds: boolean;
  says: string;
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
  if (!texts || !isSeats(persons) || !isSeats(left_out)) return "It has not the form of one.";
  const asked = persons.map(String);
  const silent = persons.filter((seat) => !Object.hasOwn(shares, String(seat)));
  const checks: [boolean, string][] = [
    [protocol === PROTOCOL, `Protocol ${protocol} is not known here.`],
    [/^[0-9a-z-]{1,64}$/.test(table), "It names no table."],
    [HASH.test(commitment), "The commitment is no SHA-256."],
    [!secret || HASH.test(secret), "The secret has not the form of one."],
    [
      persons.every((seat, at) => seat >= 1 && seat <= seats && (at === 0 || seat > (persons[at - 1] ?? 0))),
      "The seats that were asked for a share are not seats of this game.",
    ],
    [
      Object.keys(commitments).every((seat) => asked.includes(seat)),
      "There is a commitment of a seat that was not asked.",
    ],
    [
      Object.keys(shares).every((seat) => Object.hasOwn(commitments, seat)),
      "There is a share without a commitment.",
    ],
    [Object.values(commitments).every((one) => HASH.test(one)), "A commitment to a share is no SHA-256."],
    [Object.values(shares).every((one) => SHARE.test(one)), "A share has not the form of one."],
    [
      left_out.join() === silent.join(),
      "The seats that are said to be left out are not those without a share.",
    ],
    [!(chosen && persons.length), "A seed that was chosen does not go with shares."],
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
    throw new Error("This is no record that can be read.");
  }
  const { game, options = {}, rules, seats, seed } = head;
  if (typeof game !== "string" || !Number.isInteger(rules) || !Number.isInteger(seats) || !isTable(options))
    throw new Error("This is no record: its game, rules, seats or options are missing.");
  if (!isTable(head.fairness))
    return [
      {
        part: "fairness",
        holds: false,
        says: "The record has no commitment: nothing shows how its deal came about.",
      },
    ];
  const fair = { ...BLANK, ...head.fairness } as unknown as Fairness;
  const fault =
    faultOf(fair, seats as number) ||
    ("position" in head ? "It began with a position, not with a deal." : "");
  if (fault) return [{ part: "fairness", holds: false, says: fault }];
  if (!fair.secret || typeof seed !== "string")
    return [
      {
        part: "secret",
        holds: false,
        says: "The server’s secret or the seed is missing: the game was not over.",
      },
    ];
  const found: Finding[] = [];
  const note = (part: string, holds: boolean, yes: string, no: string): void =>
    void found.push({ part, holds, says: holds ? yes : no });
  const opened = await commitSecret(fair.table, fair.secret, fair.chosen ? seed : "");
  note(
    "secret",
    opened === fair.commitment,
    "The server’s secret is the one it was committed to before the deal.",
    "The server’s secret is not the one it was committed to.",
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
          ? "Missing, though this browser committed to one: it was left out."
          : "Missing: none was given, and the seat was left out.",
      });
      continue;
    }
    shares.set(seat, share);
    const kept = mine.get(seat);
    const fits = (await commitShare(fair.table, seat, share)) === fair.commitments[seat];
    if (fits && kept !== undefined)
      note(
        part,
        kept === share,
        "It is the one that this browser drew.",
        "It is not the one that this browser drew.",
      );
    else note(part, fits, "It is the one that was committed to.", "It is not the one that was committed to.");
  }
  if (fair.chosen)
    return [
      ...found,
      { part: "seed", holds: true, says: "It was chosen by whoever made the table, and committed to." },
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
      ? "It follows from the secret and all shares that were given."
      : "It follows from the server’s secret alone.",
    "It does not follow from the secret and the shares.",
  );
  return found;
}

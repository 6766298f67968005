/**
 * Check hashes of a record in this browser alone: what bartizan/match/verify.py does before it plays the
 * game again.
 */

import { dealsElsewhereCameToNothing } from "../speech/dialogs";
import * as t from "../speech/verify";
import { checkValue } from "../net/chain";
import { commitSecret, commitShare, dealSeed, PROTOCOL } from "../net/fairness";
import { flat, follow, type Head, isTable, readRecord } from "../net/record";
import type { VoidRound } from "../net/wire";

export interface Finding {
  part: string;
  holds: boolean;
  says: string;
  /** Who could have chosen the deal, as far as this check shows. */
  chooser?: string;
  /** Who could have changed what happened after it. */
  changer?: string;
}

export type Verdict = "fair" | "open" | "forged";

/** Fair if all is bound, open if someone could have chosen or changed it, forged if a check fails. */
export function verdictOf(found: readonly Finding[]): Verdict {
  if (!found.every((one) => one.holds)) return "forged";
  return found.some((one) => one.chooser ?? one.changer) ? "open" : "fair";
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
  void: VoidRound[];
}

const BLANK = { secret: "", chosen: false, persons: [], commitments: {}, shares: {}, left_out: [], void: [] };
/** Rounds that may be void at one table. */
const MOST_VOID = 50;
const HASH = /^[0-9a-f]{64}$/;
const SHARE = /^[0-9a-f]{32}$/;

const isTexts = (value: unknown): boolean =>
  isTable(value) && Object.values(value).every((one) => typeof one === "string");
const isSeats = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => Number.isInteger(one));

/** The void rounds of a record, with what it leaves out; null where one is malformed. */
function roundsOf(written: unknown): VoidRound[] | null {
  if (!Array.isArray(written) || written.length > MOST_VOID) return null;
  const rounds = written.map((one: unknown) =>
    isTable(one) ? { withheld: [], given_up: [], ...one } : null,
  ) as (VoidRound | null)[];
  const isRound = (one: VoidRound | null): one is VoidRound =>
    one !== null &&
    typeof one.commitment === "string" &&
    HASH.test(one.commitment) &&
    isSeats(one.withheld) &&
    isSeats(one.given_up);
  return rounds.every(isRound) ? rounds : null;
}

const givenUp = (fair: Fairness): number[] => fair.void.flatMap((one) => one.given_up);

/** Whether each void round has a reason, and names only seats that were asked in it, in their order. */
function areDue({ persons, void: rounds }: Fairness): boolean {
  const gone = new Set<number>();
  return rounds.every(({ given_up, withheld }) => {
    const asked = persons.filter((seat) => !gone.has(seat));
    const ordered = [given_up, withheld].every(
      (seats) => seats.join() === asked.filter((seat) => seats.includes(seat)).join(),
    );
    given_up.forEach((seat) => gone.add(seat));
    return ordered && given_up.length + withheld.length > 0;
  });
}

/** Say what cannot be in a record of any deal, or "". */
function faultOf(fair: Fairness, seats: number): string {
  const { chosen, commitment, commitments, left_out, persons, protocol, secret, shares, table } = fair;
  const texts =
    [table, commitment, secret].every((one) => typeof one === "string") &&
    isTexts(commitments) &&
    isTexts(shares);
  if (!texts || !isSeats(persons) || !isSeats(left_out)) return t.itsMalformed;
  const asked = persons.map(String);
  const silent = persons.filter((seat) => !Object.hasOwn(shares, String(seat)));
  const checks: [boolean, string][] = [
    [protocol === PROTOCOL, t.protocolIsUnknown(protocol)],
    [/^[0-9a-z-]{1,64}$/.test(table), t.itDoesntNameATable],
    [HASH.test(commitment), t.theCommitmentIsntASha256],
    [!secret || HASH.test(secret), t.theSecretIsMalformed],
    [
      persons.every((seat, at) => seat >= 1 && seat <= seats && (at === 0 || seat > (persons[at - 1] ?? 0))),
      t.itListsSeatsThisGameDoesnt,
    ],
    [Object.keys(commitments).every((seat) => asked.includes(seat)), t.itHasACommitmentFromA],
    [Object.keys(shares).every((seat) => Object.hasOwn(commitments, seat)), t.itHasAShareWithoutA],
    [Object.values(commitments).every((one) => HASH.test(one)), t.aCommitmentIsntASha256],
    [Object.values(shares).every((one) => SHARE.test(one)), t.aShareIsMalformed],
    [
      [...left_out, ...givenUp(fair)].sort((one, other) => one - other).join() === silent.join(),
      t.theSeatsListedAsLeftOut,
    ],
    [areDue(fair) && !(fair.void.length && left_out.length), t.aVoidDealIsMalformed],
    [!(chosen && persons.length), t.aChosenSeedCantHaveShares],
  ];
  return checks.find(([holds]) => !holds)?.[1] ?? "";
}

/** Name who did not show a share: with the host, they could have seen that deal and turned it down. */
const failures = (fair: Fairness): Finding[] =>
  fair.void.flatMap(({ withheld }, at) =>
    withheld.length
      ? [
          {
            part: t.dealNumber(at + 1),
            holds: true,
            says: t.itWasVoid(withheld),
            chooser: t.couldHaveTurnedItDown(withheld, at + 1),
          },
        ]
      : [],
  );

/** What this browser knows of tables, and what someone noted. */
export interface Known {
  /** How many deals at other tables came to nothing before that of a table. */
  undealt: (table: string) => number;
  /** The shares that it gave at a table, by seat. */
  shares: (table: string) => ReadonlyMap<number, string>;
  /** The check value that it was shown last at a table, or "". */
  head: (table: string) => string;
  /** The digits of a check value that someone noted, or "". */
  noted: string;
}

/** Check a record. Throws a sentence for what is no record. */
export async function verify(text: string, known: Known): Promise<Finding[]> {
  let head: Head;
  let moves: string[];
  try {
    ({ head, moves } = readRecord(text));
  } catch {
    throw new Error(t.thisIsntAReadableRecord);
  }
  const { game, options = {}, rules, seats } = head;
  if (typeof game !== "string" || !Number.isInteger(rules) || !Number.isInteger(seats) || !isTable(options))
    throw new Error(t.thisIsntARecordTheGame);
  if (!("seed" in head) && isTable(head.fairness) && !head.fairness.secret)
    throw new Error(t.thisGameWasntOverYet);
  return [...(await dealOf(head, known)), ...(await endOf(head, moves, known))];
}

/** Check a record's log, and that the check values which were seen occur in it. */
async function endOf(head: Head, moves: readonly string[], known: Known): Promise<Finding[]> {
  const { fault, heads } = await follow(head, moves);
  const table = isTable(head.log) && typeof head.log.table === "string" ? head.log.table : "";
  const seen = [
    { digits: known.noted, part: t.checkValueYouNoted },
    { digits: table && known.head(table), part: t.checkValueOfThisBrowser },
  ].filter(({ digits }) => digits);
  const occurs = seen.map(({ digits, part }): Finding => {
    const at = heads.findIndex((one) => one.startsWith(digits));
    const says =
      at < 0 ? t.itDoesntOccur : at === heads.length - 1 ? t.itCoversAll : t.itCovers(at, heads.length - 1);
    return { part, holds: at >= 0, says };
  });
  if (fault === "none")
    return [{ part: "log", holds: true, says: t.theRecordHasNoLog, changer: t.whoeverPassedItOn }, ...occurs];
  const says = fault ? t.faultsOfLogs[fault] : t.theLogLeadsTo(checkValue(heads.at(-1) ?? ""));
  return [{ part: "log", holds: !fault, says }, ...occurs];
}

/** Check what a record says of its deal. */
async function dealOf(head: Head, { shares: own, undealt }: Known): Promise<Finding[]> {
  const { game, options = {}, rules, seats, seed } = head;
  if (!isTable(head.fairness))
    return [
      {
        part: "fairness",
        holds: true,
        says: t.theRecordHasNoCommitmentSo,
        chooser: t.whoeverCreatedTheGame,
      },
    ];
  const written = { ...BLANK, ...head.fairness };
  const rounds = roundsOf(written.void);
  const fair = { ...written, void: rounds ?? [] } as unknown as Fairness;
  const fault =
    (rounds ? faultOf(fair, seats as number) : t.aVoidDealIsMalformed) ||
    ("position" in head ? t.itStartedFromAPositionNot : "");
  if (fault) return [{ part: "fairness", holds: false, says: fault }];
  if (!fair.secret || typeof seed !== "string")
    return [
      {
        part: "secret",
        holds: false,
        says: t.theServersSecretOrTheSeed,
      },
    ];
  const found: Finding[] = [];
  const note = (part: string, holds: boolean, yes: string, no: string): void =>
    void found.push({ part, holds, says: holds ? yes : no });
  const opened = await commitSecret(fair.table, fair.secret, fair.chosen ? seed : "", fair.void);
  note(
    "secret",
    opened === fair.commitment,
    t.theServersSecretMatchesItsCommitment,
    t.theServersSecretDoesntMatchIts,
  );
  found.push(...failures(fair));
  const mine = own(fair.table);
  const shares = new Map<number, string>();
  for (const seat of fair.persons) {
    const share = fair.shares[seat];
    const part = t.shareOfSeat(seat);
    if (share === undefined && givenUp(fair).includes(seat)) {
      found.push({ part, holds: true, says: t.theOthersGaveItUp, chooser: t.allOthersAndTheHost(seat) });
      continue;
    }
    if (share === undefined) {
      found.push({
        part,
        holds: !mine.has(seat) || !fair.commitments[seat],
        says: mine.has(seat) ? t.missingAlthoughThisBrowserCommittedTo : t.missingNoneWasGivenAndThe,
        chooser: t.seatAndTheHostTogether(seat),
      });
      continue;
    }
    shares.set(seat, share);
    const kept = mine.get(seat);
    const fits = (await commitShare(fair.table, seat, share)) === fair.commitments[seat];
    if (fits && kept !== undefined)
      note(part, kept === share, t.thisBrowserDrewIt, t.thisBrowserDrewADifferentOne);
    else note(part, fits, t.itMatchesTheCommitment, t.itDoesntMatchTheCommitment);
  }
  if (fair.chosen)
    return [
      ...found,
      {
        part: "seed",
        holds: true,
        says: t.itWasChosenAndItMatches,
        chooser: t.whoeverCreatedTheTable,
      },
    ];
  const made = await dealSeed({
    table: fair.table,
    game: game as string,
    rules: rules as number,
    options: flat(options as Head),
    seats: seats as number,
    secret: fair.secret,
    shares,
    void: fair.void,
  });
  note(
    "seed",
    made === seed,
    fair.persons.length ? t.itFollowsFromTheSecretAnd : t.itFollowsFromTheServersSecret,
    t.itDoesntFollowFromTheSecret,
  );
  if (!fair.persons.length)
    found.push({
      part: "shares",
      holds: true,
      says: t.onlyOnePersonPlayedSoNo,
      chooser: t.theHost,
    });
  const others = fair.persons.length > 1 ? undealt(fair.table) : 0;
  if (others) found.push({ part: "other deals", holds: true, says: dealsElsewhereCameToNothing(others) });
  return found;
}

/** Keep what belongs to this browser: settings, known tables, results and streaks. */

import { BASE } from "./base";
import { drawKey } from "./tokens";
import type { OptionValue } from "./wire";

/** A browser keeps things by host: what lies in other folders of it keeps its own. */
const PREFIX = `bartizan${BASE.slice(0, -1)}.`;

export type Scheme = "auto" | "light" | "dark";

/** The colours of suits: as the game has them, red and black, or one for each. */
export type Deck = "usual" | "two" | "four";
/** How fast events are shown one after the other; off: all at once. */
export type Pace = "slow" | "usual" | "quick" | "off";

export interface Settings {
  scheme: Scheme;
  muted: boolean;
  /** How loud, from 0 to 1. */
  volume: number;
  deck: Deck;
  pace: Pace;
  /** Ask once more before a move that gives something up. */
  confirm: boolean;
  /** Options last dealt with, by game. */
  options: Record<string, Record<string, OptionValue>>;
  /** Who sat where last, by game. */
  seating: Record<string, string[]>;
  /** Turn the board to the player whose turn it is, where several play at one screen. */
  turning: boolean;
  /** Draw the throwing table flat, though it could be drawn in space. */
  flat: boolean;
  /** Show where a card would fly before it is thrown. */
  path: boolean;
  /** Show the figures of a throw, under *Advanced*. */
  advanced: boolean;
  /** What one is called at tables, and the arms one bears. */
  person?: { name: string; arms: string };
  /** Whose talk is not shown here. */
  silenced?: string[];
  /** Whether the browser calls when it is one's turn. */
  calls?: boolean;
}

export type Deal = "new" | "day" | "same";

export interface TableEntry {
  table: string;
  token: string;
  game: string;
  title: string;
  options: Record<string, OptionValue>;
  deal: Deal;
  date: string;
  seat: number;
  /** For who made the table: keys of the seats at this screen, invitations to the others. */
  seats: string[];
  /** The invitation that gave the key its seat. */
  invitation: string;
  /** How many other browsers had opened the seat when that was last read; -1 before it was. */
  elsewhere: number;
  /** What the seats are called. */
  names: string[];
  spectator: string;
  /** Milliseconds since 1970. */
  used: number;
  round: number;
  ply: number;
  headline: string;
  /** The check value that the table showed last; "" for none. */
  head: string;
}

export interface KeptResult {
  table: string;
  won: boolean;
  headline: string;
  score: number | null;
  deal: Deal;
  date: string;
  hints: number;
  undos: number;
  plies: number;
  when: number;
  /** At a table of several: the seat, who sat at the others, and whether no one won. */
  seat?: number;
  against?: string[];
  drawn?: boolean;
}

/** The record of a finished game, as it can be replayed. */
export interface KeptRecord {
  table: string;
  game: string;
  headline: string;
  when: number;
  text: string;
}

/** A throw at the range. */
export interface KeptThrow {
  method: string;
  /** Metres between the walls of the two sides. */
  distance: number;
  hand: "steady" | "human";
  hit: boolean;
  /** Where it first came down: metres to the right and ahead of your own castle. */
  aside: number;
  ahead: number;
  when: number;
}

/** How well someone throws, as twenty throws told. */
export interface KeptLevel {
  level: number;
  low: number;
  high: number;
  method: string;
  when: number;
}

export interface RangeRecord {
  throws: KeptThrow[];
  /** The most hits in a row, by method and distance. */
  best: Record<string, number>;
  levels: KeptLevel[];
}

export interface Streaks {
  played: number;
  won: number;
  /** Wins in which hints did much of the work. */
  aided: number;
  /** Current streak up to the latest result; one with so many hints makes no row longer. */
  streak: number;
  best: number;
}

const BLANK: TableEntry = {
  table: "",
  token: "",
  game: "",
  title: "",
  options: {},
  deal: "new",
  date: "",
  seat: 1,
  seats: [],
  invitation: "",
  elsewhere: -1,
  names: [],
  spectator: "",
  used: 0,
  round: 0,
  ply: 0,
  headline: "",
  head: "",
};

const KEPT_TABLES = 30;
const KEPT_RESULTS = 500;
const KEPT_RECORDS = 200;
/** Letters of all records together: browsers keep about five million. */
const KEPT_LETTERS = 1_500_000;
/** A win with a hint at every so many plies, or more, was the hints' as well. */
const AIDED_PLIES = 4;
const KEPT_SHARES = 200;
const shareKey = (table: string, seat: number, round: number): string =>
  `${table} ${seat}${round ? ` ${round}` : ""}`;
const KEPT_THROWS = 400;
const KEPT_LEVELS = 20;

export type Keep = Pick<Storage, "getItem" | "setItem">;

/** Storage that forgets, for a browser that allows none. */
export function memory(): Keep {
  const held = new Map<string, string>();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => void held.set(key, value) };
}

/** Name a game with those options that differ from their defaults. */
export function resultsKey(game: string, options: Record<string, OptionValue>): string {
  const parts = Object.keys(options)
    .sort()
    .map((key) => `${key}=${String(options[key])}`);
  return [game, ...parts].join(" ");
}

/** Whether hints did much of the work: of your own decisions, where others sat at the table as well. */
export const aided = ({ hints, plies, against = [] }: KeptResult): boolean =>
  hints > 0 && hints * AIDED_PLIES * (against.length + 1) >= plies;

export function streaks(results: readonly KeptResult[]): Streaks {
  let streak = 0;
  let best = 0;
  for (const result of results) {
    if (!result.won) streak = 0;
    else if (!aided(result)) streak += 1;
    best = Math.max(best, streak);
  }
  const wins = results.filter((one) => one.won);
  return { played: results.length, won: wins.length, aided: wins.filter(aided).length, streak, best };
}

export class Store {
  constructor(private readonly keep: Keep) {}

  settings(): Settings {
    const kept = this.read<Partial<Settings>>("settings", {});
    return {
      scheme: "auto",
      muted: false,
      volume: 0.7,
      deck: "usual",
      pace: "usual",
      confirm: true,
      options: {},
      seating: {},
      turning: false,
      flat: false,
      path: true,
      advanced: false,
      ...kept,
    };
  }

  set(change: Partial<Settings>): Settings {
    const settings = { ...this.settings(), ...change };
    this.write("settings", settings);
    return settings;
  }

  /** The tables known here, latest first. */
  tables(): TableEntry[] {
    const kept = this.read<TableEntry[]>("tables", []).map((known) => ({ ...BLANK, ...known }));
    return kept.sort((one, other) => other.used - one.used);
  }

  /** What is known of a table, or all that need be known of one that is not kept. */
  entry(table: string, token: string): TableEntry {
    return this.table(table, token) ?? { ...BLANK, table, token };
  }

  table(id: string, token?: string): TableEntry | undefined {
    return this.tables().find(
      (known) => known.table === id && (token === undefined || known.token === token),
    );
  }

  /** Remember a table, or what is new about it. */
  remember(change: Partial<TableEntry> & { table: string; token: string }): void {
    const fresh = { ...BLANK, ...this.table(change.table, change.token), ...change };
    const others = this.tables().filter(
      (known) => known.table !== change.table || known.token !== change.token,
    );
    this.write("tables", [fresh, ...others].slice(0, KEPT_TABLES));
  }

  /** Forget a table, or only what is known by one token. */
  forget(id: string, token = ""): void {
    this.write(
      "tables",
      this.tables().filter((known) => known.table !== id || (token && known.token !== token)),
    );
  }

  /** The key that this browser uses with an invitation: drawn once, and kept before anyone hears of it. */
  accept(table: string, invitation: string): string {
    const known = this.tables().find((one) => one.table === table && one.invitation === invitation);
    const token = known?.token ?? drawKey();
    if (!known) this.remember({ table, token, invitation, used: Date.now() });
    return token;
  }

  /** The name by which tables know this browser; each sees another hash of it. */
  browser(): string {
    const { id = drawKey() } = this.read<{ id?: string }>("browser", {});
    this.write("browser", { id });
    return id;
  }

  /** The share that this browser gave, or will give, to a round of a table's deal from a seat; "" for none. */
  share(table: string, seat: number, round: number): string {
    return this.read<Record<string, string>>("shares", {})[shareKey(table, seat, round)] ?? "";
  }

  /** The shares that this browser gave to the last round of a table's deal, by seat. */
  shares(table: string): Map<number, string> {
    const kept = Object.entries(this.read<Record<string, string>>("shares", {}));
    return new Map(
      kept
        .filter(([key]) => key.startsWith(`${table} `))
        .map(([key, share]) => [Number(key.split(" ")[1]), share]), // of several rounds the last stays
    );
  }

  keepShare(table: string, seat: number, round: number, share: string): void {
    const others = Object.entries(this.read<Record<string, string>>("shares", {}));
    const own = [shareKey(table, seat, round), share];
    this.write("shares", Object.fromEntries([...others, own].slice(-KEPT_SHARES)));
  }

  results(game: string, options: Record<string, OptionValue>): KeptResult[] {
    return this.read<Record<string, KeptResult[]>>("results", {})[resultsKey(game, options)] ?? [];
  }

  /** All results by game and options, as kept. */
  allResults(): Record<string, KeptResult[]> {
    return this.read<Record<string, KeptResult[]>>("results", {});
  }

  /** Count a finished table once: taking the last move back and winning later does not mend a loss. */
  finish(game: string, options: Record<string, OptionValue>, result: KeptResult): boolean {
    const all = this.allResults();
    const key = resultsKey(game, options);
    const kept = all[key] ?? [];
    if (kept.some((other) => other.table === result.table)) return false;
    this.write("results", { ...all, [key]: [...kept, result].slice(-KEPT_RESULTS) });
    return true;
  }

  /** The records of finished games, latest first. */
  records(): KeptRecord[] {
    return this.read<KeptRecord[]>("records", []);
  }

  /** Keep a record; the oldest ones go where there are too many. */
  keepRecord(record: KeptRecord): void {
    this.keepRecords([record, ...this.records().filter((one) => one.table !== record.table)]);
  }

  forgetRecord(table: string): void {
    this.keepRecords(this.records().filter((one) => one.table !== table));
  }

  /**
   * Take results and records in beside those that are here; what is known already stays. Returns the number
   * of games of which something is new.
   */
  merge(results: Record<string, KeptResult[]>, records: readonly KeptRecord[]): number {
    const own = this.records();
    const known = new Set(own.map((one) => one.table));
    const more = records.filter((one) => !known.has(one.table));
    this.keepRecords([...own, ...more].sort((one, other) => other.when - one.when));
    const all = this.allResults();
    const counted = new Set(Object.values(all).flatMap((some) => some.map((one) => one.table)));
    const fresh = new Set(more.map((one) => one.table));
    for (const [key, some] of Object.entries(results)) {
      const added = some.filter((one) => !counted.has(one.table));
      for (const { table } of added) fresh.add(table);
      all[key] = [...(all[key] ?? []), ...added]
        .sort((one, other) => one.when - other.when)
        .slice(-KEPT_RESULTS);
    }
    this.write("results", all);
    return fresh.size;
  }

  private keepRecords(records: readonly KeptRecord[]): void {
    let letters = 0;
    this.write(
      "records",
      records.slice(0, KEPT_RECORDS).filter((one) => (letters += one.text.length) <= KEPT_LETTERS),
    );
  }

  /** What was thrown at the range. */
  range(): RangeRecord {
    const { throws, best, levels } = this.read<Partial<RangeRecord>>("range", {});
    return {
      throws: Array.isArray(throws) ? throws : [],
      best: best ?? {},
      levels: Array.isArray(levels) ? levels : [],
    };
  }

  keepRange(record: RangeRecord): void {
    this.write("range", {
      ...record,
      throws: record.throws.slice(-KEPT_THROWS),
      levels: record.levels.slice(-KEPT_LEVELS),
    });
  }

  read<T>(key: string, otherwise: T): T {
    try {
      const text = this.keep.getItem(PREFIX + key);
      const value: unknown = text === null ? otherwise : JSON.parse(text);
      return Array.isArray(value) === Array.isArray(otherwise) && typeof value === "object" && value !== null
        ? (value as T)
        : otherwise;
    } catch {
      return otherwise; // someone else's or damaged: start again
    }
  }

  write(key: string, value: unknown): void {
    try {
      this.keep.setItem(PREFIX + key, JSON.stringify(value));
    } catch {
      // Full or forbidden: play on without keeping.
    }
  }
}

function browserStorage(): Keep {
  try {
    return window.localStorage;
  } catch {
    return memory();
  }
}

export const store = new Store(typeof window === "undefined" ? memory() : browserStorage());

/** Keep what belongs to this browser: settings, known tables, results and streaks. */

import type { OptionValue } from "./wire";

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
  /** Turn the board to whoever moves, where several play at one screen. */
  turning: boolean;
  /** Draw the throwing table flat, though it could be drawn in space. */
  flat: boolean;
  /** Show where a card would fly before it is thrown. */
  path: boolean;
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
  /** Keys of all seats, for who made the table. */
  seats: string[];
  /** What the seats are called. */
  names: string[];
  /** Points from the games before this one: ours, or the first at this screen's, and the other's. */
  series: [number, number];
  spectator: string;
  /** Milliseconds since 1970. */
  used: number;
  round: number;
  ply: number;
  headline: string;
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
}

/** A throw at the range. */
export interface KeptThrow {
  method: string;
  /** Metres between the walls of the two sides. */
  distance: number;
  hand: "steady" | "human";
  hit: boolean;
  /** Where it first came down: metres to the right and ahead of the own castle. */
  aside: number;
  ahead: number;
  when: number;
}

/** How well somebody throws, as twenty throws told. */
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
  /** Wins in a row up to the latest result. */
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
  names: [],
  series: [0, 0],
  spectator: "",
  used: 0,
  round: 0,
  ply: 0,
  headline: "",
};

const KEPT_TABLES = 30;
const KEPT_RESULTS = 500;
const KEPT_SHARES = 200;
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

export function streaks(results: readonly KeptResult[]): Streaks {
  let streak = 0;
  let best = 0;
  let won = 0;
  for (const result of results) {
    streak = result.won ? streak + 1 : 0;
    best = Math.max(best, streak);
    won += result.won ? 1 : 0;
  }
  return { played: results.length, won, streak, best };
}

export class Store {
  constructor(private readonly keep: Keep) {}

  settings(): Settings {
    const kept = this.read<Partial<Settings>>("settings", {});
    return { scheme: "auto", muted: false, volume: 0.7, deck: "usual", pace: "usual", confirm: true, options: {}, seating: {}, turning: false, flat: false, path: true, ...kept };
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
    return this.tables().find((known) => known.table === id && (token === undefined || known.token === token));
  }

  /** Remember a table, or what is new about it. */
  remember(change: Partial<TableEntry> & { table: string; token: string }): void {
    const fresh = { ...BLANK, ...this.table(change.table, change.token), ...change };
    const others = this.tables().filter((known) => known.table !== change.table || known.token !== change.token);
    this.write("tables", [fresh, ...others].slice(0, KEPT_TABLES));
  }

  forget(id: string): void {
    this.write(
      "tables",
      this.tables().filter((known) => known.table !== id),
    );
  }

  /** The share that this browser gave, or will give, to the deal of a table from a seat; "" for none. */
  share(table: string, seat: number): string {
    return this.read<Record<string, string>>("shares", {})[`${table} ${seat}`] ?? "";
  }

  /** The shares that this browser gave to the deal of a table, by seat. */
  shares(table: string): Map<number, string> {
    const kept = Object.entries(this.read<Record<string, string>>("shares", {}));
    return new Map(kept.filter(([key]) => key.startsWith(`${table} `)).map(([key, share]) => [Number(key.slice(table.length + 1)), share]));
  }

  keepShare(table: string, seat: number, share: string): void {
    const others = Object.entries(this.read<Record<string, string>>("shares", {}));
    this.write("shares", Object.fromEntries([...others, [`${table} ${seat}`, share]].slice(-KEPT_SHARES)));
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

  /** What was thrown at the range. */
  range(): RangeRecord {
    const { throws, best, levels } = this.read<Partial<RangeRecord>>("range", {});
    return { throws: Array.isArray(throws) ? throws : [], best: best ?? {}, levels: Array.isArray(levels) ? levels : [] };
  }

  keepRange(record: RangeRecord): void {
    this.write("range", { ...record, throws: record.throws.slice(-KEPT_THROWS), levels: record.levels.slice(-KEPT_LEVELS) });
  }

  private read<T>(key: string, otherwise: T): T {
    try {
      const text = this.keep.getItem(`bartizan.${key}`);
      const value: unknown = text === null ? otherwise : JSON.parse(text);
      return Array.isArray(value) === Array.isArray(otherwise) && typeof value === "object" && value !== null
        ? (value as T)
        : otherwise;
    } catch {
      return otherwise; // somebody else's or damaged: start anew
    }
  }

  private write(key: string, value: unknown): void {
    try {
      this.keep.setItem(`bartizan.${key}`, JSON.stringify(value));
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

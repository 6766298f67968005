/**
 * What travels between server and client, as the client uses it: every field present.
 *
 * The server leaves out fields that have their default; `complete` in complete.ts puts them back.
 */

export type ZoneKind = "pile" | "row" | "fan" | "slots" | "grid" | "map" | "table" | "counter";

export interface Slot {
  id: string;
  label: string;
  kind: string;
}

export interface Item {
  id: string;
  face: string;
  back: string;
  peek: string;
  label: string;
  at: string;
  flags: string[];
  badge: string;
  note: string;
}

export interface Layout {
  area: string;
  direction: "row" | "column";
  size: "small" | "normal" | "large";
  columns: number;
  rows: number;
}

export interface Zone {
  id: string;
  kind: ZoneKind;
  label: string;
  owner: number;
  layout: Layout;
  items: Item[];
  slots: Slot[];
  count: number;
  limit: number;
  note: string;
}

export interface Choice {
  action: number;
  text: string;
  verb: string;
  label: string;
  items: string[];
  target: string;
  marks: Record<string, string>;
  note: string;
}

export interface Fact {
  label: string;
  value: string;
  note: string;
}

export interface Status {
  ply: number;
  seat: number;
  phase: string;
  prompt: string;
  round: number;
  facts: Fact[];
}

export interface LogLine {
  ply: number;
  seat: number;
  move: string;
  events: string[];
}

export interface Result {
  winner: string;
  headline: string;
  text: string;
  scores: number[];
  clause: string;
}

export interface Suit {
  name: string;
  shape: string;
  colour: string;
}

export interface Theme {
  accent: string;
  table: string;
  suits: Record<string, Suit>;
  ranks: Record<string, string>;
  back: string;
}

export interface Scene {
  game: string;
  title: string;
  seat: number;
  seats: number;
  status: Status;
  zones: Zone[];
  choices: Choice[];
  log: LogLine[];
  result: Result | null;
  theme: Theme;
  areas: Record<string, string[]>;
}

export interface Refusal {
  clause: string;
  sentence: string;
  rule: string;
  blockers: string[];
}

export interface Hint {
  action: number;
  text: string;
  reason: string;
  worth: number | null;
}

export type OptionValue = boolean | number | string;

export interface OptionInfo {
  key: string;
  default: OptionValue;
  kind: "bool" | "choice" | "int" | "text";
  sentence: string;
  values: (number | string)[];
  low: number | null;
  high: number | null;
  worth_comparing: boolean;
}

export interface GameInfo {
  name: string;
  title: string;
  author: string;
  summary: string;
  min_seats: number;
  max_seats: number;
  options: OptionInfo[];
  players: string[];
}

export interface ClauseInfo {
  id: string;
  title: string;
  text: string;
  section: string;
  ruling: string;
}

export interface Rules {
  title: string;
  author: string;
  clauses: ClauseInfo[];
}

export interface NewTable {
  game: string;
  options: Record<string, OptionValue>;
  seats?: number;
  players?: string[];
  deal: "new" | "day" | "same";
  seed?: string;
  date?: string;
  same_as?: string;
}

export interface TableLinks {
  table: string;
  seats: string[];
  spectator: string;
  seed_hash: string;
}

export interface Replay {
  plies: number;
  scenes: Scene[];
}

export interface Sync {
  type: "sync";
  table: string;
  ply: number;
  scene: Scene;
  can_undo: boolean;
  can_redo: boolean;
  seed_hash: string;
  hints_used: number;
  undos_used: number;
}

export type ServerMessage =
  | Sync
  | { type: "tick"; ply: number }
  | { type: "ack"; id: string; ply: number }
  | { type: "refused"; id: string; refusal: Refusal }
  | { type: "error"; id?: string; code: string; sentence: string }
  | { type: "hint"; id: string; hints: Hint[] }
  | { type: "view"; id: string; ply: number; scene: Scene }
  | { type: "pong"; id: string };

/** A message that waits for an answer; the socket gives it its id. */
export type Request =
  | { type: "move"; ply: number; move: string | number }
  | { type: "undo" | "redo" | "resign"; ply: number }
  | { type: "why"; items?: string[]; move?: string }
  | { type: "hint" }
  | { type: "at"; ply: number };

export type ClientMessage = (Request & { id: string }) | { type: "hello"; last?: number } | { type: "ping"; id: string };

/** Results and records as one file: written, read, and checked whole before anything of it is kept. */

import type { KeptRecord, KeptResult } from "./store";

const FORM = 1;
/** Letters of a file that is read at all. */
export const LARGEST_ARCHIVE = 8_000_000;
const LONGEST_RECORD = 400_000;
const MOST = 20_000;

export interface Archive {
  results: Record<string, KeptResult[]>;
  records: KeptRecord[];
}

type Shape<T> = { readonly [Key in keyof Required<T>]: (value: unknown) => boolean };

const text = (value: unknown): boolean => typeof value === "string" && value.length <= 2_000;
const flag = (value: unknown): boolean => typeof value === "boolean";
const count = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const optional = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || check(value);

const RESULT: Shape<KeptResult> = {
  table: text,
  won: flag,
  headline: text,
  score: (value) => value === null || Number.isFinite(value),
  deal: (value) => value === "new" || value === "day" || value === "same",
  date: text,
  hints: count,
  undos: count,
  plies: count,
  when: count,
  seat: optional(count),
  against: optional((value) => Array.isArray(value) && value.length <= 64 && value.every(text)),
  drawn: optional(flag),
};
const RECORD: Shape<KeptRecord> = {
  table: text,
  game: text,
  headline: text,
  when: count,
  text: (value) => typeof value === "string" && value.length <= LONGEST_RECORD,
};

/**
 * Return what of a value has the shape, and nothing else of it; it throws where a part is missing or is
 * something else.
 */
function shaped<T>(value: unknown, shape: Shape<T>, what: string): T {
  if (typeof value !== "object" || value === null) throw new Error(`The file holds ${what} that is none.`);
  const given = value as Record<string, unknown>;
  const found: Record<string, unknown> = {};
  for (const [key, check] of Object.entries(shape) as [string, (value: unknown) => boolean][]) {
    if (!check(given[key])) throw new Error(`The file holds ${what} whose ${key} cannot be read.`);
    if (given[key] !== undefined) found[key] = given[key];
  }
  return found as T;
}

const NONE = "This file isn’t an export of Bartizan games. A single record opens under “Replay a record”.";

const some = (value: unknown, what: string): unknown[] => {
  if (!Array.isArray(value) || value.length > MOST) throw new Error(`The file's ${what} are no list.`);
  return value;
};

export const written = ({ results, records }: Archive): string =>
  JSON.stringify({ bartizan: FORM, results, records });

/** Read a file; it throws an Error with a sentence for what is none of these files. */
export function unwritten(file: string): Archive {
  if (file.length > LARGEST_ARCHIVE) throw new Error("This file is too large to be an export from Bartizan.");
  let value: unknown;
  try {
    value = JSON.parse(file);
  } catch {
    throw new Error(NONE);
  }
  const {
    bartizan: form,
    results,
    records,
  } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (form !== FORM)
    throw new Error(
      typeof form === "number" ? "This file was written by another version of Bartizan." : NONE,
    );
  if (typeof results !== "object" || results === null || Array.isArray(results))
    throw new Error("The file’s results can’t be read.");
  const kept = Object.entries(results).map(
    ([key, all]) => [key, some(all, "results").map((one) => shaped(one, RESULT, "a result"))] as const,
  );
  return {
    results: Object.fromEntries(kept.filter(([key]) => text(key) && key !== "__proto__")),
    records: some(records, "records").map((one) => shaped(one, RECORD, "a record")),
  };
}

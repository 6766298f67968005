/**
 * Find the move that the touched things mean.
 *
 * Pure: choices and touched ids in, what may be touched next and what may be played out.
 */

import type { Choice } from "../net/wire";

export interface Narrowed {
  /** Choices with items that contain every touched id. */
  candidates: Choice[];
  /** Ids that occur in a candidate and are not touched yet. */
  live: Set<string>;
  /** Candidates all of whose items are touched. */
  exact: Choice[];
  /** The move that is meant beyond doubt: the only candidate, and wholly touched. */
  play: Choice | null;
}

/** All ids that may be touched for a choice: its items, and what may stand in for one of them. */
export const usable = (choice: Choice): string[] => [
  ...choice.items,
  ...Object.values(choice.instead).flat(),
];

/** The items of a choice that the touched things leave open; null if one of them is not part of it. */
export function lacking(choice: Choice, touched: readonly string[]): string[] | null {
  const open = [...choice.items];
  const others: string[] = [];
  for (const id of touched) {
    const at = open.indexOf(id);
    if (at >= 0) open.splice(at, 1);
    else others.push(id);
  }
  for (const id of others) {
    const at = open.findIndex((item) => choice.instead[item]?.includes(id));
    if (at < 0) return null;
    open.splice(at, 1);
  }
  return open;
}

export const fits = (choice: Choice, touched: readonly string[]): boolean =>
  choice.items.length > 0 && lacking(choice, touched) !== null;

/** Choices that need nothing touched: always buttons. */
export const buttons = (choices: readonly Choice[]): Choice[] => choices.filter((c) => c.items.length === 0);

export function narrow(choices: readonly Choice[], touched: readonly string[]): Narrowed {
  const candidates = choices.filter((choice) => fits(choice, touched));
  const live = new Set<string>();
  const exact: Choice[] = [];
  for (const choice of candidates) {
    const open = lacking(choice, touched) ?? [];
    for (const id of open) {
      live.add(id);
      for (const other of choice.instead[id] ?? []) live.add(other);
    }
    if (touched.length && open.length === 0) exact.push(choice);
  }
  for (const id of touched) live.delete(id);
  const [only] = exact;
  const play = only && exact.length === 1 && candidates.length === 1 && !only.careful ? only : null;
  return { candidates, live, exact, play };
}

export interface Touch {
  selection: string[];
  /** The ids that fit no choice, for which a reason should be asked; null when all is well. */
  refused: string[] | null;
}

/**
 * Select one more thing, or deselect it if it is already selected.
 *
 * A thing that fits no move is refused. Then the earlier selection stays, unless it was a single thing
 * and the new one makes sense by itself: the player has changed their mind.
 */
export function touch(choices: readonly Choice[], touched: readonly string[], id: string): Touch {
  if (touched.includes(id)) return { selection: touched.filter((other) => other !== id), refused: null };
  const next = [...touched, id];
  if (choices.some((choice) => fits(choice, next))) return { selection: next, refused: null };
  const alone = touched.length <= 1 && choices.some((choice) => fits(choice, [id]));
  return { selection: alone ? [id] : [...touched], refused: next };
}

/**
 * Say which of nested ids (item, its slot, its zone; innermost first) a touch means:
 * the first that fits what is touched already, else the first that is part of any move, else the innermost.
 */
export function meaning(
  choices: readonly Choice[],
  touched: readonly string[],
  nested: readonly string[],
): string {
  const held = nested.find((id) => touched.includes(id));
  const { live } = narrow(choices, touched);
  return (
    nested.find((id) => live.has(id)) ??
    held ??
    nested.find((id) => choices.some((choice) => usable(choice).includes(id))) ??
    nested[0] ??
    ""
  );
}

/**
 * Find what dropping `dragged` on `onto` (nested ids) means: both are touched, whatever was before is kept
 * when it fits.
 */
export function drop(
  choices: readonly Choice[],
  touched: readonly string[],
  dragged: string,
  onto: readonly string[],
): Touch {
  const held = touched.includes(dragged) ? [...touched] : touch(choices, touched, dragged).selection;
  const from = held.includes(dragged) && choices.some((choice) => fits(choice, held)) ? held : [dragged];
  const fitting = onto.filter(
    (id) => !from.includes(id) && choices.some((choice) => fits(choice, [...from, id])),
  );
  const target =
    fitting.find((id) => choices.some((c) => c.target === id && fits(c, [...from, id]))) ?? fitting[0];
  if (target !== undefined) return { selection: [...from, target], refused: null };
  const place = onto.find((id) => !from.includes(id));
  return { selection: from, refused: place === undefined ? null : [...from, place] };
}

/**
 * Say what touching one thing more would do, for every thing that completes a move: the mark that the move
 * sets on it, "go" for a move that sets none, "several" where moves differ.
 */
export function ahead(choices: readonly Choice[], touched: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  if (!touched.length) return found;
  for (const choice of choices) {
    const [last, second] = fits(choice, touched) ? (lacking(choice, touched) ?? []) : [];
    if (last === undefined || second !== undefined) continue;
    for (const id of [last, ...(choice.instead[last] ?? [])]) {
      const mark = choice.marks[id] ?? "go";
      found.set(id, [undefined, mark].includes(found.get(id)) ? mark : "several");
    }
  }
  return found;
}

/** The single candidate left, whose marks are worth showing before it is played. */
export const likely = (narrowed: Narrowed): Choice | null =>
  narrowed.candidates.length === 1
    ? (narrowed.candidates[0] ?? null)
    : narrowed.exact.length === 1
      ? (narrowed.exact[0] ?? null)
      : null;

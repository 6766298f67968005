/** Inspect the things in flight between seats: what they would do on arrival, and what could stop them. */

import type { Choice, Item, Zone } from "../net/wire";

type Marks = Record<string, string>;

/** The ids that are looked at: what is touched, else what is pointed at, else the one thing that is arriving. */
export function focusOf(
  courses: readonly Item[],
  inHand: readonly string[],
  pointed: string,
): readonly string[] {
  if (courses.some((item) => item.id === pointed)) return [pointed];
  if (inHand.length) return inHand;
  if (pointed) return [pointed];
  const [only, second] = courses.filter((item) => item.course?.turns === 0);
  return only && !second ? [only.id] : [];
}

/** What could stop a thing that is looked at, and the things that what is looked at could stop. */
export function answersOf(courses: readonly Item[], ids: readonly string[]): Set<string> {
  const answers = new Set<string>();
  for (const { id, course } of courses)
    for (const answer of course?.answers ?? []) {
      if (ids.includes(id)) answers.add(answer);
      if (ids.includes(answer)) answers.add(id);
    }
  return answers;
}

/** What those that are looked at could do where they arrive. */
export const threats = (courses: readonly Item[], ids: readonly string[]): Marks =>
  Object.assign({}, ...courses.filter((item) => ids.includes(item.id)).map((item) => item.course?.marks));

/**
 * Return the marks of levels and things in flight that are the same for all of these moves.
 */
export function commonMarks(candidates: readonly Choice[], zones: readonly Zone[]): Marks {
  const places = zones.filter((zone) => zone.kind === "levels" || zone.kind === "lanes");
  const ids = new Set(places.flatMap((zone) => [zone, ...zone.items, ...zone.slots].map((one) => one.id)));
  const marks: Marks = {};
  const several = new Set<string>();
  for (const choice of candidates)
    for (const [id, mark] of Object.entries(choice.marks)) {
      if (!ids.has(id)) continue;
      if (marks[id] !== undefined && marks[id] !== mark) several.add(id);
      marks[id] = mark;
    }
  for (const id of several) delete marks[id];
  return marks;
}

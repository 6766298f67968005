/**
 * Count the deals to which this browser showed its share, and whose cards were never dealt: whoever doesn't like a
 * deal can leave for a new table. Only the browser knows that, as no table is told about another.
 */

import { store } from "./store";

/** When the share was shown, and how many others of the day before had not been dealt; by table. */
type Shown = Record<string, { at: number; others: number; dealt?: boolean }>;

const DAY_MS = 86_400_000;
const KEPT = 60;

const shown = (): Shown => store.read<Shown>("deals", {});

/** How many deals of a day before a table's own were never dealt. */
export function undealt(table: string): number {
  const recent = Date.now() - DAY_MS;
  const all = shown();
  return all[table]?.others ?? Object.values(all).filter(({ at, dealt }) => !dealt && at > recent).length;
}

/** Remember that this browser showed its share, so that whoever saw it can know the deal. */
export function shareShown(table: string): void {
  const all = Object.entries(shown()).filter(([other]) => other !== table);
  const now = [table, { at: Date.now(), others: undealt(table) }];
  store.write("deals", Object.fromEntries([...all, now].slice(-KEPT)));
}

/** Remember that the cards were dealt. */
export function cardsDealt(table: string): void {
  const all = shown();
  if (all[table]) store.write("deals", { ...all, [table]: { ...all[table], dealt: true } });
}

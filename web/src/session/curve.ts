/** Draw and tell the chances over a finished game. Pure: an analysis in, paths and sentences out. */

import * as t from "../speech/session";
import type { Analysis, Verdict } from "../net/wire";
import { percent } from "../speech/sentences";

/** A smaller loss is within what an estimate may be wrong by. */
const TOLD_FROM = 0.01;

/** The chances of all seats before each decision, and at the end. */
export const points = (analysis: Analysis): number[][] => [
  ...analysis.verdicts.map((one) => one.chances),
  analysis.end,
];

const height = (chance: number): string => (100 * (1 - chance)).toFixed(1);

/** A seat's chances as a line: a unit to the right for each decision, 0 at the top for a certain win. */
export const line = (chances: readonly number[][], seat: number): string =>
  chances.map((one, at) => `${at ? "L" : "M"}${at} ${height(one[seat - 1] ?? 0)}`).join("");

/** What lies under that line. */
export const area = (chances: readonly number[][], seat: number): string =>
  `${line(chances, seat)}L${chances.length - 1} 100L0 100Z`;

/**
 * What each decision gave away, as strokes from the first seat's line; with more than two seats from the
 * mover's.
 */
export function losses(analysis: Analysis): string {
  return analysis.verdicts
    .filter((verdict) => verdict.loss >= TOLD_FROM)
    .map(({ ply, seat, chances, loss }) => {
      const mirrored = chances.length === 2 && seat === 2;
      const from = chances[(mirrored ? 1 : seat) - 1] ?? 0;
      return `M${ply - 1} ${height(from)}V${height(mirrored ? from + loss : from - loss)}`;
    })
    .join("");
}

/**
 * How many decisions had been taken at a version of the table; `versions` are the table's before each and at
 * the end.
 */
export const decisionAt = (versions: readonly number[], version: number): number =>
  Math.max(
    0,
    versions.findLastIndex((one) => one <= version),
  );

/** One decision in words: who did what, how it stood, and what would have been better. */
export function verdictText(verdict: Verdict, name: (seat: number) => string): string {
  const { ply, seat, label, chances, played, loss, reason, thrown } = verdict;
  const who = chances.length > 1 ? `${name(seat)}: ` : "";
  const before = percent(chances[seat - 1] ?? 0);
  const said = [`${ply}. ${who}${label}.`];
  if (thrown) said.push(t.chanceToWinBeforeTheThrow(before, percent(played)));
  else if (loss < TOLD_FROM) said.push(t.chanceToWin(before));
  else said.push(t.fromTo(before, percent((chances[seat - 1] ?? 0) - loss), reason));
  return said.join(" ");
}

/** How it stood in the end. */
export const endText = (end: readonly number[], name: (seat: number) => string): string =>
  end.length > 1
    ? t.theEnd(end.map((chance, at) => `${name(at + 1)} ${percent(chance)}`).join(", "))
    : t.theEndPercent(percent(end[0] ?? 0));

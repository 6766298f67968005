/** Work out what a contest would become by the move that is meant. Pure. */

import type { Choice, Contest } from "../net/wire";
import { narrow } from "./narrow";

type Values = Choice["contests"][string];

/** A side of a contest as it is drawn: what its segments are worth now, or would be. */
export interface DrawnSide {
  label: string;
  value: number;
  /** What it is worth now, where `value` is what it would be. */
  now: number;
  segments: { label: string; value: number; hidden: boolean }[];
  loses: boolean;
}

export interface DrawnContest {
  sides: DrawnSide[];
  /** What would happen. */
  outcome: string;
  /** The whole as a sentence. */
  spoken: string;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * The moves that could be meant by what is in hand: those aimed at something in hand, if there are any, for
 * touching what a move is aimed at means that move.
 */
export function meant(choices: readonly Choice[], inHand: readonly string[]): readonly Choice[] {
  if (!inHand.length) return [];
  const { candidates } = narrow(choices, inHand);
  const aimed = candidates.filter((choice) => inHand.includes(choice.target));
  return aimed.length ? aimed : candidates;
}

/** What a contest's segments would be worth, if all these moves agree on it; null where nothing changes. */
export function foreseen(id: string, choices: readonly Choice[]): Values | null {
  const [first, ...others] = choices.map((choice) => choice.contests[id] ?? null);
  const wanted = JSON.stringify(first);
  return first && others.every((values) => JSON.stringify(values) === wanted) ? first : null;
}

/** Put a contest into words and numbers for drawing. */
export function drawn(contest: Contest, values: Values | null): DrawnContest {
  const sides = contest.sides.map((side, at) => {
    const after = values?.[at] ?? null;
    const segments = side.segments.length ? side.segments : [{ ...side, hidden: false }];
    return {
      label: side.label,
      value: after ? total(after) : side.value,
      now: side.value,
      segments: segments.map(({ label, value, hidden }, n) => ({
        label,
        value: after?.[n] ?? value,
        hidden,
      })),
    };
  });
  const [one = 0, two = 0] = sides.map((side) => side.value);
  const winner = one >= two ? 0 : 1;
  const outcome = contest.sides[winner]?.outcome ?? "";
  const says = sides.map(({ label, value }, at) => `${at ? label.toLowerCase() : label} ${value}`);
  return {
    sides: sides.map((side, at) => ({ ...side, loses: at !== winner })),
    outcome,
    spoken: `${says.join(" against ")}${outcome && `: ${outcome}`}`,
  };
}

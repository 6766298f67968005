/** Read what a finished game came to. */

import * as t from "../speech/session";
import type { Outcome, Result, Status } from "../net/wire";

export const hasWon = ({ winners }: Outcome, seat: number): boolean => winners.includes(seat);

/** How a game ended, for who plays one of its seats here: "You win." instead of a name. */
export function headline({ headline, outcome }: Result, own: readonly number[]): string {
  const { clause, returns, winners } = outcome;
  const [only = 0] = own;
  if (own.length !== 1 || returns.length < 2) return headline;
  // With several winners, a value of 1 is a side's victory, and less is a shared one.
  if (hasWon(outcome, only))
    return winners.length === 1 ? t.youWin : clause && returns[only - 1] === 1 ? t.yourSideWins : headline;
  if (clause || !winners.length) return headline;
  return / resigns/.test(headline) ? t.youResigned : / time/.test(headline) ? t.youRanOutOfTime : headline;
}

/** What a game is worth to a seat in a series: 1 for a win, a half where all are equal, else nothing. */
export function share({ winners, returns }: Outcome, seat: number): number {
  const even = winners.length
    ? winners.length > 1 && winners.length === returns.length
    : returns.every((one) => one === 0);
  return even ? 0.5 : +winners.includes(seat);
}

/** The number of the round; 0 in a game that counts turns instead. */
export const roundOf = ({ facts, round }: Status): number =>
  facts.some((fact) => fact.label === "Turn") ? 0 : round;

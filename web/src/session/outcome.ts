/** Read what a finished game came to. */

import * as t from "../speech/session";
import type { Outcome, Result, Status } from "../net/wire";

export const hasWon = ({ winners }: Outcome, seat: number): boolean => winners.includes(seat);

/** How a game ended, for who plays one of its seats here: "You win." instead of a name. */
export function headline({ headline, outcome, reason }: Result, own: readonly number[]): string {
  const { returns, winners } = outcome;
  const [only = 0] = own;
  if (own.length !== 1 || returns.length < 2) return headline;
  if (hasWon(outcome, only))
    return winners.length === 1
      ? t.youWin
      : !reason && share(outcome, only) === 1
        ? t.yourSideWins
        : headline;
  return reason === "resignation" ? t.youResigned : reason === "time" ? t.youRanOutOfTime : headline;
}

/** What a game is worth to a seat: 1 for a win, its side's too, a half for a shared one or a draw, else 0. */
export function share({ winners, returns }: Outcome, seat: number): number {
  if (!winners.length) return returns.some(Boolean) ? 0 : 0.5;
  return !winners.includes(seat) ? 0 : winners.length === 1 || returns[seat - 1] === 1 ? 1 : 0.5;
}

/** The number of the round; 0 in a game that counts turns instead. */
export const roundOf = ({ facts, round }: Status): number =>
  facts.some((fact) => fact.label === "Turn") ? 0 : round;

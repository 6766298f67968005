/** Read what a finished game came to. */

import * as t from "../speech/session";
import type { Outcome, Result } from "../net/wire";

export const hasWon = ({ winners }: Outcome, seat: number): boolean => winners.includes(seat);

/** How a game ended, for who plays one of its seats here: "You win." instead of a name. */
export function headline({ headline, outcome }: Result, own: readonly number[]): string {
  const [only, second] = own;
  const alone = only !== undefined && second === undefined && outcome.returns.length > 1;
  return alone && outcome.winners.length === 1 && hasWon(outcome, only) ? t.youWin : headline;
}

/** What a game is worth to a seat in a series: 1 for a win, a half where all are equal, else nothing. */
export function share({ winners, returns }: Outcome, seat: number): number {
  const even = winners.length
    ? winners.length > 1 && winners.length === returns.length
    : returns.every((one) => one === 0);
  return even ? 0.5 : winners.includes(seat) ? 1 : 0;
}

/** Write points as one does over the board: 1½. */
export const written = (sum: number): string =>
  `${Math.floor(sum) || (sum % 1 ? "" : 0)}${sum % 1 ? "½" : ""}`;

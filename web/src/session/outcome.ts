/** Read what a finished game came to. */

import type { Result } from "../net/wire";

/** Tell whether a seat has won: by its name or number, or by a score that nobody else reaches. */
export function hasWon(result: Result, seat: number): boolean {
  if (["player", `seat ${seat}`].includes(result.winner) || result.winner.split(", ").includes(String(seat))) return true;
  if (["loss", "draw", "none", ""].includes(result.winner) || /\d/.test(result.winner)) return false;
  const own = result.scores[seat - 1];
  return own !== undefined && result.scores.every((score, other) => other === seat - 1 || score < own);
}

/** What a game was worth to a seat: 1, a half or nothing. */
export function points(result: Result, seat: number): number {
  if (hasWon(result, seat)) return 1;
  const best = Math.max(...result.scores);
  return result.winner === "draw" || (result.scores.length > 0 && result.scores.every((one) => one === best)) ? 0.5 : 0;
}

/** Write points as one does over the board: 1½. */
export const written = (sum: number): string => `${Math.floor(sum) || (sum % 1 ? "" : 0)}${sum % 1 ? "½" : ""}`;

/** Say the facts about a game in a lobby's few words. */

import * as t from "../speech/lobby";
import type { GameInfo } from "../net/wire";

export function people({
  min_seats: least,
  max_seats: most,
}: Pick<GameInfo, "min_seats" | "max_seats">): string {
  if (most === 1) return "1 player";
  return least === most ? t.playersAtMost(most) : t.toPlayers(least, most);
}

export const minutes = ({ minutes: span }: Pick<GameInfo, "minutes">): string =>
  span ? t.toMinutes(span[0], span[1]) : "";

const DIFFICULTY = ["", t.learnItInAMinute, t.easyToLearn, t.aBitHarderToLearn];
export const difficulty = ({ difficulty: step }: Pick<GameInfo, "difficulty">): string =>
  DIFFICULTY[step] ?? "";

/** How long ago, from a minute to days, in the words of the browser's language for English. */
export function ago(time: number, now: number): string {
  const words = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
  const minutes = Math.round((time - now) / 60_000);
  if (minutes > -1) return t.justNow;
  if (minutes > -60) return words.format(minutes, "minute");
  if (minutes > -60 * 24) return words.format(Math.round(minutes / 60), "hour");
  return words.format(Math.round(minutes / 60 / 24), "day");
}

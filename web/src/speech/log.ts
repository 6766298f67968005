/** Put the log into words: the moves and their results. */

import type { LogLine, Theme } from "../net/wire";
import { ofName } from "./board";
import { sentence } from "./sentences";
import { told } from "./told";

/** A scene tells its last plies only: keep the earlier ones that came before. */
export function mergeLog(before: readonly LogLine[], now: readonly LogLine[], ply: number): LogLine[] {
  const first = now[0]?.ply ?? ply + 1;
  return [...before.filter((line) => line.ply < first), ...now];
}

/** One ply in words: the player, the move and the result. */
export function narrate(line: LogLine, theme: Theme, movers: readonly string[] = []): string {
  const who = line.who || movers[line.seat - 1];
  const move = told(line, theme)
    .map(({ text, card }) => (card ? `${card.rank} ${ofName(card.suit.name)}` : text))
    .join("");
  return [[who, move].filter(Boolean).join(": "), ...line.events].map(sentence).join(" ");
}

/** What happened after a given ply, as this seat saw it. */
export function happened(
  log: readonly LogLine[],
  after: number,
  theme: Theme,
  movers: readonly string[] = [],
): string {
  return log
    .filter((line) => line.ply > after)
    .map((line) => narrate(line, theme, movers))
    .join(" ");
}

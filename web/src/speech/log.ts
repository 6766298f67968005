/** Put the log into words: the moves and their results. */

import type { LogLine } from "../net/wire";
import { sentence } from "./sentences";

/** A scene tells its last plies only: keep the earlier ones that came before. */
export function mergeLog(before: readonly LogLine[], now: readonly LogLine[], ply: number): LogLine[] {
  const first = now[0]?.ply ?? ply + 1;
  return [...before.filter((line) => line.ply < first), ...now];
}

/** One ply in words: the player, the move if the scene has a sentence for it, and the result. */
export function narrate(line: LogLine, movers: readonly string[]): string {
  const who = line.who || movers[line.seat - 1];
  const move = line.label
    ? [who && `${who}: `, line.label].filter(Boolean).join("")
    : line.events.length
      ? ""
      : line.move;
  return [move, ...line.events].filter(Boolean).map(sentence).join(" ");
}

/** What happened after a given ply, as this seat saw it. */
export function happened(log: readonly LogLine[], after: number, movers: readonly string[] = []): string {
  return log
    .filter((line) => line.ply > after)
    .map((line) => narrate(line, movers))
    .join(" ");
}

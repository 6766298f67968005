/** Say what is asked, what may be done, and what is waited for. */

import type { Choice, Preparation, Preparing, ResultLine, Scene, Setting } from "../net/wire";
import { seatName, title } from "./names";

/** As many moves as are read out. */
const READ_OUT = 6;

/** What stands where something could not be fetched. */
export const AWAY = "The server isn’t responding. Try again in a moment.";

export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A share as one says it. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** What may be done: numbered buttons, then moves in notation, which can be typed. */
export function options(
  offered: readonly Choice[],
  always: readonly Choice[],
  others: readonly Choice[],
): string {
  const said: string[] = [];
  const numbered = [...offered, ...always].slice(0, 9).map((choice, n) => `${n + 1}: ${title(choice)}`);
  if (numbered.length) said.push(`Keys: ${numbered.join("; ")}.`);
  const rest = others.filter((choice) => !offered.includes(choice));
  if (rest.length) {
    const read = rest.slice(0, READ_OUT).map((choice) => choice.text);
    const more = rest.length > READ_OUT ? ` and ${rest.length - READ_OUT} more` : "";
    said.push(`Moves: ${read.join("; ")}${more}.`);
  }
  return said.join(" ");
}

/** Where a thing can get with several moves, nearest first: "a2 in 2 moves, a3 and b3 in 3". */
export function reachable(
  reach: Readonly<Record<string, readonly number[]>>,
  label: (id: string) => string,
): string {
  const by = new Map<number, string[]>();
  for (const [id, way] of Object.entries(reach))
    by.set(way.length, [...(by.get(way.length) ?? []), label(id)]);
  const parts = [...by]
    .sort(([one], [other]) => one - other)
    .map(([steps, names]) => `in ${steps} moves ${names.join(", ")}`);
  return parts.length ? `Farther: ${parts.join("; ")}.` : "";
}

/** What a seat got points for, one thing after another: "Token on the king of hearts at 2,1: 3 for Blue". */
const line =
  (setting: Setting) =>
  ({ label, points, seat }: ResultLine): string =>
    points ? `${label}: ${points} for ${seatName(setting, seat)}` : "";

/** What the table asks of its players, or how the game ended. */
export function prompt({ result, status }: Scene, setting: Setting): string {
  if (result)
    return [result.headline, result.text, ...result.items.map(line(setting))]
      .filter(Boolean)
      .map(sentence)
      .join(" ");
  return sentence(status.prompt);
}

/** What is waited for while something is compiled. */
export const preparingFor = (what: Preparing["what"]): string =>
  what === "game"
    ? "Compiling the rules. This happens once on this machine."
    : "Compiling the computer player. This happens once on this machine.";

/** How far that is: "43%, about 12 s left". */
export function timeLeft({ done, total, seconds }: Preparation): string {
  if (!total) return "Starting …";
  return `${Math.floor((100 * done) / total)}%${seconds === null ? "" : `, about ${seconds} s left`}`;
}

/** Put the table into words: the names of things for who cannot see them, and what the live region says. */

import { seatName } from "./seats";
import type { Choice, Item, Livery, LogLine, Preparation, Preparing, ResultLine, Scene, Slot, Zone } from "./wire";

/** As many moves as are read out. */
const READ_OUT = 6;

/** What stands where something could not be fetched. */
export const AWAY = "The server does not answer; try again in a moment.";

export const amount = (zone: Zone): number => zone.count || zone.items.length;

/** What a thing is, without its place. */
export function name(item: Item): string {
  if (item.face) return item.label || item.face;
  const known = item.peek ? ` (${item.peek})` : "";
  return `${item.label || "face-down card"}${item.label ? "" : known}`;
}

/** A place by its name, with its zone's unless it says so itself: "board d1", but "left front". */
export function where(zone: Zone, slot: Slot): string {
  if (zone.kind === "grid" || zone.kind === "map") return slot.label; // as one speaks of squares: "d1"
  const said = slot.label.toLowerCase();
  const words = zone.label.toLowerCase().split(/\s+/);
  return words.some((word) => word.length > 2 && said.includes(word)) ? slot.label : `${zone.label} ${slot.label}`;
}

/** A thing with its place, as one speaks of it. */
export function place(zone: Zone, item: Item): string {
  const slot = zone.slots.find((one) => one.id === item.at);
  const at = slot ? where(zone, slot) : [zone.label, zone.kind === "map" && item.at].filter(Boolean).join(" ");
  return `${name(item)}, ${at}`;
}

/** What a square's button says: its name, what is on it and what that does, what touching it would do. */
export function square(slot: Slot, items: readonly Item[], hint: string): string {
  const held = items.flatMap((item) => [name(item), ...item.flags.filter((flag) => !item.label.includes(flag)), item.badge]);
  const notes = items.map((item) => item.note);
  return [slot.label, ...(items.length ? held : [slot.kind, "empty"]), hint, ...notes].filter(Boolean).join(", ");
}

/** What touching a square would do, in words. */
export function outlook(mark: string, steps: number): string {
  if (mark === "go") return "can go here";
  if (mark === "several") return "several moves";
  if (mark) return `would be: ${mark}`;
  return steps ? `${steps} moves away` : "";
}

/** All that a thing's button says. */
export function full(zone: Zone, item: Item, mark: string, live: boolean, slot?: Slot): string {
  const parts = [
    name(item),
    item.badge && `counts ${item.badge}`,
    ...item.flags,
    slot ? where(zone, slot) : zone.kind === "map" && item.at ? `at ${item.at}` : "",
    mark && `would be: ${mark}`,
    live && "playable",
    item.note,
  ];
  return parts.filter(Boolean).join(", ");
}

export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A share as one says it. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const title = (choice: Choice): string => choice.label || choice.text;

/** What may be done: numbered buttons, then moves in notation, which can be typed. */
export function options(offered: readonly Choice[], always: readonly Choice[], others: readonly Choice[]): string {
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

/** A scene tells its last plies only: keep the earlier ones that were told before. */
export function mergeLog(before: readonly LogLine[], now: readonly LogLine[], ply: number): LogLine[] {
  const first = now[0]?.ply ?? ply + 1;
  return [...before.filter((line) => line.ply < first), ...now];
}

/** One ply in words: who moved and what, where the scene has the move as a sentence, and what came of it. */
export function told(line: LogLine, liveries: readonly Livery[]): string {
  const who = line.who || liveries[line.seat - 1]?.name;
  const move = line.label ? [who && `${who}: `, line.label].filter(Boolean).join("") : line.events.length ? "" : line.move;
  return [move, ...line.events].filter(Boolean).map(sentence).join(" ");
}

/** What happened after a given ply, as this seat saw it. */
export function happened(log: readonly LogLine[], after: number, liveries: readonly Livery[] = []): string {
  return log
    .filter((line) => line.ply > after)
    .map((line) => told(line, liveries))
    .join(" ");
}

/** Where a thing can get with several moves, nearest first: "a2 in 2 moves, a3 and b3 in 3". */
export function reachable(reach: Readonly<Record<string, readonly number[]>>, label: (id: string) => string): string {
  const by = new Map<number, string[]>();
  for (const [id, way] of Object.entries(reach)) by.set(way.length, [...(by.get(way.length) ?? []), label(id)]);
  const parts = [...by].sort(([one], [other]) => one - other).map(([steps, names]) => `in ${steps} moves ${names.join(", ")}`);
  return parts.length ? `Farther: ${parts.join("; ")}.` : "";
}

/** What a seat got points for, one thing after another: "Token on the king of hearts at 2,1: 3 for Blue". */
const line = ({ theme }: Scene) => (one: ResultLine): string => (one.points ? `${one.label}: ${one.points} for ${seatName(theme, one.seat)}` : "");

export function asked(scene: Scene): string {
  const { result, status } = scene;
  if (result) return [result.headline, result.text, ...result.items.map(line(scene))].filter(Boolean).map(sentence).join(" ");
  return sentence(status.prompt);
}

/** What is waited for while something is compiled. */
export const preparingFor = (what: Preparing["what"]): string =>
  what === "game" ? "Getting the game ready: its rules become machine code, once on this machine." : "The player is getting ready, once on this machine.";

/** How far that is: "43 %, about 12 s left". */
export function timeLeft({ done, total, seconds }: Preparation): string {
  if (!total) return "It will begin in a moment.";
  return `${Math.floor((100 * done) / total)} %${seconds === null ? "" : `, about ${seconds} s left`}`;
}

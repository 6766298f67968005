/** Put the table into words: the names of things for who cannot see them, and what the live region says. */

import type { Choice, Item, LogLine, Scene, Slot, Zone } from "./wire";

/** As many moves as are read out. */
const READ_OUT = 6;

export const amount = (zone: Zone): number => zone.count || zone.items.length;

/** What a thing is, without its place. */
export function name(item: Item): string {
  if (item.face) return item.label || item.face;
  const known = item.peek ? ` (${item.peek})` : "";
  return `${item.label || "face-down card"}${item.label ? "" : known}`;
}

/** A place by its name, with its zone's unless it says so itself: "board d1", but "left front". */
export function where(zone: Zone, slot: Slot): string {
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

/** What happened after a given ply, as this seat saw it. */
export function happened(log: readonly LogLine[], after: number): string {
  return log
    .filter((line) => line.ply > after)
    .flatMap((line) => (line.events.length ? line.events : [line.move]))
    .map(sentence)
    .join(" ");
}

export function asked(scene: Scene): string {
  const { result, status } = scene;
  if (result) return [result.headline, result.text].filter(Boolean).map(sentence).join(" ");
  return sentence(status.prompt);
}

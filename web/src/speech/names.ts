/** Name what lies on the table, with its place and what it does, for who cannot see it. */

import type { Choice, Item, Region, Setting, Slot, Theme, Zone } from "../net/wire";

type Names = Pick<Setting, "seat_names"> | null | undefined;

export const seatName = (setting: Names, seat: number): string =>
  setting?.seat_names[seat - 1] || `Seat ${seat}`;

/** The names by seat where it has to be said who moved; none for a game that one plays alone. */
export const movers = (setting: Names): readonly string[] =>
  setting && setting.seat_names.length > 1 ? setting.seat_names : [];

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
  return words.some((word) => word.length > 2 && said.includes(word))
    ? slot.label
    : `${zone.label} ${slot.label}`;
}

/** A thing with its place, as one speaks of it. */
export function place(zone: Zone, item: Item): string {
  const slot = zone.slots.find((one) => one.id === item.at);
  const at = slot
    ? where(zone, slot)
    : [zone.label, zone.kind === "map" && item.at].filter(Boolean).join(" ");
  return `${name(item)}, ${at}`;
}

/** What a square's button says: its name, what is on it and what that does, what touching it would do. */
export function square(slot: Slot, items: readonly Item[], hint: string): string {
  const held = items.map((item) =>
    [name(item), ...item.flags.filter((flag) => !item.label.includes(flag)), item.badge]
      .filter(Boolean)
      .join(", "),
  );
  const alike = [...new Set(held)].map((one) => [one, held.filter((other) => other === one).length] as const);
  const said = alike.map(([one, count]) => (count > 1 ? `${count} × ${one}` : one));
  const notes = new Set(items.map((item) => item.note));
  return [slot.label, ...(items.length ? said : [slot.kind, "empty"]), hint, ...notes]
    .filter(Boolean)
    .join(", ");
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

export const title = (choice: Choice): string => choice.label || choice.text;

/** A region with its owners: "Red's area of 4 cards, worth 12 now". */
export function regionName({ owners, label }: Region, { liveries }: Pick<Theme, "liveries">): string {
  const names = [...new Set(owners)].map((seat) => liveries[seat - 1]?.name ?? `Seat ${seat}`);
  return names.length ? `${names.join(" and ")}’s ${label}` : label;
}

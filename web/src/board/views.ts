/** Work out what a board shows of its choices, zones and log. Pure. */

import type { Choice, Item, LogLine, Zone } from "../net/wire";
import { place, where } from "../speech/names";
import { narrow, type Narrowed } from "./narrow";

/** Where a thing can get with several moves, and the moves. */
export type Reach = Readonly<Record<string, readonly number[]>>;
export const NOWHERE: Reach = {};

/** As many candidates as are worth a button each. */
export const OFFERED = 9;

/** What an id stands for; `item` is null for a zone, a slot or a region. */
export interface Thing {
  zone: Zone;
  item: Item | null;
  label: string;
}

/** Find everything that has an id. */
export function labelled(zones: readonly Zone[]): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const zone of zones) {
    things.set(zone.id, { zone, item: null, label: zone.label });
    for (const slot of zone.slots) things.set(slot.id, { zone, item: null, label: where(zone, slot) });
    for (const region of zone.regions) things.set(region.id, { zone, item: null, label: region.label });
    for (const item of zone.items) things.set(item.id, { zone, item, label: place(zone, item) });
  }
  return things;
}

/** What moves can begin with: things that go somewhere rather than what they go to. */
export function startsOf(choices: readonly Choice[]): Set<string> {
  const begin = ({ items, target }: Choice): readonly string[] =>
    items.length > 1 ? items.filter((id) => id !== (target || items.at(-1))) : items;
  return new Set(
    choices.flatMap((choice) => begin(choice).flatMap((id) => [id, ...(choice.instead[id] ?? [])])),
  );
}

/** The moves to offer as buttons for what is touched: complete candidates, and all once they are few. */
export function offeredOf({ candidates, exact }: Narrowed, spatial: boolean): Choice[] {
  const rest = candidates.filter((choice) => !exact.includes(choice));
  // On a board the squares show where to go; what would be hit or built is worth reading.
  const telling = spatial ? rest.filter((choice) => Object.keys(choice.marks).length > 0) : [];
  if (candidates.length > OFFERED) return [...exact, ...telling].slice(0, OFFERED);
  return [...exact, ...telling, ...rest.filter((choice) => !telling.includes(choice))];
}

/** What a dragged thing may be dropped on. */
export function targetsOf(
  choices: readonly Choice[],
  selection: readonly string[],
  dragged: string,
  reach: Reach,
): Set<string> {
  const held = selection.includes(dragged) ? selection : [...selection, dragged];
  const { live } = narrow(choices, held);
  const near = live.size ? live : narrow(choices, [dragged]).live;
  return new Set([...near, ...Object.keys(reach)]);
}

/** The ids that the latest move touched. */
export function lastMove(log: readonly LogLine[]): Set<string> {
  const at = log.findLastIndex((line) => line.items.length > 0);
  return new Set(log[at]?.items);
}

/** The ids that all moves of the latest turn touched. */
export function lastTurn(log: readonly LogLine[]): Set<string> {
  const before = log.findLastIndex((line) => line.seat !== log.at(-1)?.seat);
  return new Set(log.slice(before + 1).flatMap((line) => line.items));
}

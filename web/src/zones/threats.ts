/** Find what is about to hit the places of a table. Pure. */

import type { Item, Zone } from "../net/wire";

export interface Threat {
  /** The seat that sent it. */
  owner: number;
  /** How many turns end before it lands; 0: it is landing. */
  turns: number;
  /** What it could do: "destroyed". */
  mark: string;
}

/** The threats to each thing by its id, the next to land first, from what is in flight. */
export function threatsOf(zones: readonly Zone[]): Map<string, Threat[]> {
  const found = new Map<string, Threat[]>();
  const flying = zones.flatMap((zone) => zone.items).filter((item): item is Item => item.course !== null);
  for (const { owner, course } of flying.toSorted((one, other) => turns(one) - turns(other)))
    for (const [id, mark] of Object.entries(course?.marks ?? {}))
      found.set(id, [...(found.get(id) ?? []), { owner, turns: course?.turns ?? 0, mark }]);
  return found;
}

const turns = (item: Item): number => item.course?.turns ?? 0;

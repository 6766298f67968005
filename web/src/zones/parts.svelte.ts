/** Load what draws the zones that only some tables have, once, and tell when it is there. */

import type { Component } from "svelte";
import type { DrawnContest } from "../board/contest";
import type { Contest, Theme, Zone } from "../net/wire";

type Drawn = Component<{ zone: Zone }>;
type Plate = Component<{ zones: readonly Zone[] }>;
type Bars = Component<{ contest: Contest; drawn: DrawnContest; theme: Theme }>;

const LOADERS: Partial<Record<Zone["kind"], () => Promise<{ default: Drawn }>>> = {
  grid: () => import("./Grid.svelte"),
  map: () => import("./MapZone.svelte"),
  levels: () => import("./Levels.svelte"),
  lanes: () => import("./Lanes.svelte"),
};

/** Whether a zone stands on the plate of the seat that it belongs to. */
export const isPlated = (zone: Zone): boolean => zone.brief !== "" && zone.owner > 0;

/** Zones in groups: what stands on one plate for its owner together, any other by itself. */
export function grouped(zones: readonly Zone[]): [Zone, ...Zone[]][] {
  const groups: [Zone, ...Zone[]][] = [];
  for (const zone of zones) {
    const last = groups.at(-1);
    if (last && isPlated(zone) && isPlated(last[0]) && last[0].owner === zone.owner) last.push(zone);
    else groups.push([zone]);
  }
  return groups;
}

class Parts {
  private loaded = $state.raw<Partial<Record<Zone["kind"], Drawn>>>({});
  private readonly asked = new Set<Zone["kind"]>();

  /** What draws all that a seat holds on one plate; null while it is on its way. */
  plate = $state.raw<Plate | null>(null);
  private plateAsked = false;
  /** What draws a contest; null while it is on its way. */
  contest = $state.raw<Bars | null>(null);
  private contestAsked = false;

  /** Return what draws a kind of zone; null while it is on its way. */
  of(kind: Zone["kind"]): Drawn | null {
    return this.loaded[kind] ?? null;
  }

  /** Whether what draws a zone is there. */
  has(zone: Zone): boolean {
    return (!(zone.kind in LOADERS) || !!this.loaded[zone.kind]) && (!isPlated(zone) || !!this.plate);
  }

  /** Send for what draws these zones, where it is not there at once. */
  want(zones: readonly Zone[], contests: readonly Contest[]): void {
    if (!this.contestAsked && contests.length) {
      this.contestAsked = true;
      import("./Contest.svelte").then(
        (part) => (this.contest = part.default),
        () => (this.contestAsked = false),
      );
    }
    if (!this.plateAsked && zones.some(isPlated)) {
      this.plateAsked = true;
      import("./Plate.svelte").then(
        (part) => (this.plate = part.default),
        () => (this.plateAsked = false),
      );
    }
    for (const { kind } of zones) {
      const load = LOADERS[kind];
      if (!load || this.asked.has(kind)) continue;
      this.asked.add(kind);
      load().then(
        (part) => (this.loaded = { ...this.loaded, [kind]: part.default }),
        () => this.asked.delete(kind), // the server is away: asked again with the next scene
      );
    }
  }
}

export const parts = new Parts();

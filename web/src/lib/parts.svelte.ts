/** Load what only some tables need, once, and tell when it is there. */

import type { Component } from "svelte";
import type { Zone } from "./wire";

type Drawn = Component<{ zone: Zone }>;

const LOADERS: Partial<Record<Zone["kind"], () => Promise<{ default: Drawn }>>> = {
  grid: () => import("../components/Grid.svelte"),
  map: () => import("../components/MapZone.svelte"),
};

class Parts {
  private loaded = $state.raw<Partial<Record<Zone["kind"], Drawn>>>({});
  private readonly asked = new Set<Zone["kind"]>();

  /** Return what draws a kind of zone; null while it is on its way. */
  of(kind: Zone["kind"]): Drawn | null {
    return this.loaded[kind] ?? null;
  }

  /** Send for what draws these kinds, where it is not there at once. */
  want(kinds: Iterable<Zone["kind"]>): void {
    for (const kind of kinds) {
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

/** Show throws one after the other, each before its result appears on the table. */

import type { Choice, Flown, Scene, TableLayout, Zone } from "../net/wire";

/** A throw, and the table that it was thrown at. */
export interface Flight {
  readonly flown: Flown;
  readonly layout: TableLayout;
  /** The zones whose things stand there: with the faces of what is hit. */
  readonly zones: readonly Zone[];
  /** What is shown of everything else meanwhile; null where others' eyes saw it. */
  readonly held: Scene | null;
}

/** A throw out of the scene before it and the one after it; null where none led from the one to the other. */
export function flightBetween(before: Scene | null, after: Scene, held: boolean): Flight | null {
  if (!before?.layout || !after.flown || after.status.ply <= before.status.ply) return null;
  const standing = new Set(before.layout.pieces.map((piece) => piece.item));
  const zones = before.zones.filter((zone) => zone.items.some((item) => standing.has(item.id)));
  return { flown: after.flown, layout: before.layout, zones, held: held ? before : null };
}

/**
 * The one move that is left after a throw of one's own and needs nothing touched, such as ending the turn;
 * null where there is anything to decide.
 */
export function leftAfter(before: Scene | null, after: Scene): Choice | null {
  const own = before && before.seat > 0 && before.status.seat === before.seat && after.seat === before.seat;
  if (!own || !after.flown || after.status.ply <= before.status.ply) return null;
  const [only, second] = after.choices;
  const free = only && !second && !only.items.length && !only.extras.length;
  return free && !only.confirm && !only.throw ? only : null;
}

export class Flights {
  /** The throw that is shown now. */
  now = $state.raw<Flight | null>(null);
  /** The one that was shown last, to be seen again. */
  last = $state.raw<Flight | null>(null);
  private queue: (Flight | (() => void))[] = [];

  /** `lay` lays the table as it is, or as it is while a throw is shown. */
  constructor(private readonly lay: () => void) {}

  /** Show a throw, once those before it have come down. */
  show(flight: Flight): void {
    this.queue.push(flight);
    if (!this.now) this.go();
  }

  /** Run an action once all current throws have landed, such as announcing their results. */
  then(action: () => void): void {
    if (this.now) this.queue.push(action);
    else action();
  }

  /** The throw has come down, and was looked at. */
  end(): void {
    if (!this.now) return;
    this.last = this.now;
    this.now = null;
    this.go();
  }

  /** Let all throws be over, the last to be seen again: something else is looked at. */
  rest(): void {
    const last = this.queue.findLast((one) => typeof one !== "function") ?? this.now ?? this.last;
    this.forget();
    this.last = last;
  }

  /** Let all throws be over and gone: they were taken back. */
  forget(): void {
    const actions = this.queue.filter((one) => typeof one === "function");
    this.queue = [];
    this.now = null;
    this.last = null;
    for (const action of actions) action();
  }

  private go(): void {
    if (!this.queue.some((one) => typeof one !== "function")) this.lay();
    while (this.queue.length && !this.now) {
      const next = this.queue.shift();
      if (typeof next === "function") next();
      else if (next) this.now = next;
    }
    if (this.now) this.lay();
  }
}

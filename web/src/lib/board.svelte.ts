/** Hold what one player sees of a scene and has touched in it; decides nothing but which choice is meant. */

import { getContext, setContext } from "svelte";
import { buttons, drop, foreseen, meant, narrow, touch, type Touch } from "./narrow";
import { place, where } from "./speak";
import type { Choice, Item, Refusal, Scene, Zone } from "./wire";

/** As many candidates as are worth a button each. */
export const OFFERED = 9;

export interface Thing {
  zone: Zone;
  item: Item | null;
  label: string;
}

export class Board {
  scene = $state.raw<Scene | null>(null);
  /** True where there is nothing to play: a replay, an earlier ply, a spectator. */
  still = $state(false);
  touched = $state.raw<readonly string[]>([]);
  /** The candidate that is pointed at. */
  preview = $state.raw<Choice | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  hinted = $state.raw<ReadonlySet<string>>(new Set());
  /** The pile that lies spread out. */
  open = $state("");
  /** What is being dragged, and the id under it that it could be dropped on. */
  dragged = $state("");
  over = $state("");
  /** While true, touching asks for reasons instead of playing. */
  asking = $state(false);

  readonly choices = $derived<readonly Choice[]>(this.still ? [] : (this.scene?.choices ?? []));
  readonly narrowed = $derived(narrow(this.choices, this.touched));
  readonly involved = $derived(new Set(this.choices.flatMap((choice) => choice.items)));
  readonly always = $derived(buttons(this.choices));
  readonly blockers = $derived(new Set(this.refusal?.blockers ?? []));
  readonly marks = $derived((this.preview ?? foreseen(this.narrowed))?.marks ?? {});
  /** Buttons for what is touched: complete candidates, and all of them once they are few. */
  readonly offered = $derived.by(() => {
    if (!this.touched.length) return [];
    const { candidates, exact } = this.narrowed;
    if (candidates.length > OFFERED) return exact.slice(0, OFFERED);
    return [...exact, ...candidates.filter((choice) => !exact.includes(choice))];
  });
  /** The buttons in the order of their numbers. */
  readonly pickable = $derived([...this.offered, ...this.always]);
  /** What a drag may be dropped on. */
  readonly targets = $derived.by(() => {
    if (!this.dragged) return new Set<string>();
    const held = this.touched.includes(this.dragged) ? this.touched : [...this.touched, this.dragged];
    const { live } = narrow(this.choices, held);
    return live.size ? live : narrow(this.choices, [this.dragged]).live;
  });
  /** Everything that has an id, by it. */
  readonly things = $derived.by(() => {
    const things = new Map<string, Thing>();
    for (const zone of this.scene?.zones ?? []) {
      things.set(zone.id, { zone, item: null, label: zone.label });
      for (const slot of zone.slots) things.set(slot.id, { zone, item: null, label: where(zone, slot) });
      for (const item of zone.items) things.set(item.id, { zone, item, label: place(zone, item) });
    }
    return things;
  });

  constructor(
    private readonly onplay: (choice: Choice) => void = () => undefined,
    private readonly onwhy: (ids: string[]) => void = () => undefined,
    private readonly ontouch: () => void = () => undefined,
  ) {}

  /** Show another scene; a selection that means nothing any more is let go. */
  show(scene: Scene, still: boolean): void {
    const moved = scene.status.ply !== this.scene?.status.ply || scene.choices.length !== this.scene.choices.length;
    this.scene = scene;
    this.still = still;
    if (!moved) return;
    this.touched = [];
    this.preview = null;
    this.refusal = null;
    this.hinted = new Set();
    this.asking = false;
    const spread = scene.zones.find((zone) => zone.id === this.open);
    if (!spread || spread.items.length < 2) this.open = "";
  }

  /** Touch nested ids, innermost first. */
  touch(nested: readonly string[]): void {
    if (!nested.length || !this.scene || this.still) return;
    const id = this.asking ? (nested[0] ?? "") : meant(this.choices, this.touched, nested);
    if (this.asking) {
      const held = this.touched.includes(id);
      this.touched = held ? this.touched.filter((other) => other !== id) : [...this.touched, id];
      if (this.touched.length) this.onwhy([...this.touched]);
      return;
    }
    this.take(touch(this.choices, this.touched, id));
  }

  /** Drop one thing on nested ids, innermost first. */
  drop(dragged: string, nested: readonly string[]): void {
    if (!nested.length || this.still) return;
    this.take(drop(this.choices, this.touched, dragged, nested));
  }

  play(choice: Choice): void {
    this.preview = null;
    this.onplay(choice);
  }

  /** Play the one complete candidate, if there is exactly one. */
  playExact(): boolean {
    const [only, second] = this.narrowed.exact;
    if (!only || second) return false;
    this.play(only);
    return true;
  }

  /** Close an opened pile that would cover what a hint or a refusal marks. */
  uncover(marked: readonly string[]): void {
    const inside = new Set(this.scene?.zones.find((zone) => zone.id === this.open)?.items.map((item) => item.id));
    if (!marked.every((id) => inside.has(id))) this.open = "";
  }

  /** Let go of one thing after another: the spread, then questions, then the selection. */
  clear(): void {
    if (this.open) this.open = "";
    else if (this.refusal) this.refusal = null;
    else {
      this.touched = [];
      this.asking = false;
      this.hinted = new Set();
    }
    this.preview = null;
    this.ontouch();
  }

  /** Show what touching an id would leave, while the pointer is over it. */
  point(nested: readonly string[]): void {
    const { live } = this.narrowed;
    const id = nested.find((one) => live.has(one));
    const left = id && this.touched.length ? narrow(this.choices, [...this.touched, id]) : null;
    this.preview = left ? foreseen(left) : null;
  }

  private take(result: Touch): void {
    this.touched = result.touched;
    this.preview = null;
    this.hinted = new Set();
    this.refusal = null;
    if (result.refused) {
      this.onwhy(result.refused);
      return;
    }
    const spread = this.open && this.scene?.zones.find((zone) => zone.id === this.open);
    if (spread && this.touched.length && !spread.items.some((item) => this.narrowed.live.has(item.id))) this.open = "";
    this.ontouch();
    if (this.narrowed.play) this.play(this.narrowed.play);
  }
}

const KEY = Symbol("board");
export const provideBoard = (board: Board): Board => setContext(KEY, board);
export const useBoard = (): Board => getContext<Board>(KEY);

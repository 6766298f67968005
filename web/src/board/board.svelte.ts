/** Hold the scene of one player and what is touched in it; decides nothing but which choice is meant. */

import { getContext, setContext } from "svelte";
import type { Choice, Extras, Item, Refusal, Scene, Setting, Theme, Zone } from "../net/wire";
import { place, where } from "../speech/names";
import { taste } from "../ui/taste.svelte";
import { beat } from "./anim";
import { answersOf, focusOf, threats, commonMarks } from "./course";
import { withDeck } from "./deck";
import { ahead, buttons, drop, likely, meaning, narrow, touch, type Touch, usable } from "./narrow";

/** Where a thing can get with several moves, and the moves. */
export type Reach = Readonly<Record<string, readonly number[]>>;
const NOWHERE: Reach = {};

/** As many candidates as are worth a button each. */
export const OFFERED = 9;

export interface Thing {
  zone: Zone;
  item: Item | null;
  label: string;
}

export class Board {
  /** What stays the same through the whole table; it is set before a scene is shown. */
  setting = $state.raw<Setting | null>(null);
  scene = $state.raw<Scene | null>(null);
  private readonly painted = $derived(this.setting && withDeck(this.setting.theme, taste.deck));
  /** True where there is nothing to play: a replay, an earlier ply, a spectator. */
  readOnly = $state(false);
  selection = $state.raw<readonly string[]>([]);
  /** The candidate that is pointed at. */
  preview = $state.raw<Choice | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  hinted = $state.raw<ReadonlySet<string>>(new Set());
  /** The pile that lies spread out. */
  open = $state("");
  /**
   * The move that was touched with a finger, which cannot point: shown first, played when it is touched
   * again.
   */
  tapped = $state.raw<Choice | null>(null);
  /** The thing under the pointer, or that has the focus. */
  pointed = $state("");
  /** What is being dragged, and the id under it that it could be dropped on. */
  dragged = $state("");
  over = $state("");
  /** While true, touching asks for reasons instead of playing. */
  asking = $state(false);

  /** True while a throw is shown: what goes on by itself waits for its end. */
  flying = $state(false);
  /** Ends what is shown of the latest ply at once; null while nothing is. */
  performing = $state.raw<(() => void) | null>(null);
  /** Called once all of it has been shown. */
  onrest: () => void = () => undefined;
  /** Called where somebody wants to see the end of it. */
  onskip: () => void = () => this.performing?.();

  /** What is to be added to the text of the next move, by the group that offers it. */
  added = $state.raw<Readonly<Record<string, readonly string[]>>>({});

  /** The move that waits for its button to be pressed once more. */
  confirming = $state.raw<Choice | null>(null);

  readonly choices = $derived<readonly Choice[]>(this.readOnly ? [] : (this.scene?.choices ?? []));
  readonly narrowed = $derived(narrow(this.choices, this.selection));
  readonly involved = $derived(new Set(this.choices.flatMap(usable)));
  /** Whether this is a game on a board of squares, where moves are seen rather than read. */
  readonly spatial = $derived(this.scene?.zones.some((zone) => zone.kind === "grid") ?? false);
  /** What is touched, or dragged at this moment. */
  readonly inHand = $derived(
    this.dragged && !this.selection.includes(this.dragged) ? [this.dragged] : this.selection,
  );
  /** What touching one thing more would do. */
  readonly ahead = $derived(this.spatial ? ahead(this.choices, this.inHand) : new Map<string, string>());
  /**
   * Things that are under way, and those that are looked at: touched, pointed at, or else what is just
   * arriving.
   */
  readonly courses = $derived(
    this.scene?.zones.flatMap((zone) => zone.items.filter((item) => item.course)) ?? [],
  );
  readonly focus = $derived(focusOf(this.courses, this.inHand, this.pointed));
  /** What could stop a thing under way that is looked at, and the other way round. */
  readonly answers = $derived(answersOf(this.courses, this.focus));
  /** What could become of what stands, before it is certain which move is meant. */
  private readonly outlook = $derived({
    ...(this.inHand.length
      ? commonMarks(narrow(this.choices, this.inHand).candidates, this.scene?.zones ?? [])
      : {}),
    ...threats(this.courses, this.focus),
  });
  /** Where the one thing held can get within this turn, beyond a single move. */
  readonly reach = $derived.by(() => {
    const [only, second] = this.inHand;
    return (only && second === undefined && this.choices.length && this.scene?.paths[only]) || NOWHERE;
  });
  /** The places of the latest move, and of the turn that it is part of. */
  readonly last = $derived.by(() => {
    const lines = this.scene?.log ?? [];
    const at = lines.findLastIndex((line) => line.items.length > 0);
    return new Set(lines[at]?.items);
  });
  readonly recent = $derived.by(() => {
    const lines = this.scene?.log ?? [];
    const own = lines.findLastIndex((line) => line.seat !== lines.at(-1)?.seat);
    return new Set(lines.slice(own + 1).flatMap((line) => line.items));
  });
  readonly always = $derived(buttons(this.choices));
  /**
   * What a move can begin with, while nothing is touched: a thing that goes somewhere rather than what it
   * goes to.
   */
  readonly starts = $derived.by(() => {
    if (this.inHand.length || this.readOnly || this.asking || this.performing) return new Set<string>();
    const begin = (choice: Choice): string[] =>
      choice.items.length > 1
        ? choice.items.filter((id) => id !== (choice.target || choice.items.at(-1)))
        : [...choice.items];
    return new Set(
      this.choices.flatMap((choice) => begin(choice).flatMap((id) => [id, ...(choice.instead[id] ?? [])])),
    );
  });
  readonly blockers = $derived(new Set(this.refusal?.blockers ?? []));
  readonly marks = $derived((this.preview ?? this.tapped ?? likely(this.narrowed))?.marks ?? this.outlook);
  /** Buttons for what is touched: complete candidates, and all of them once they are few. */
  readonly offered = $derived.by(() => {
    if (this.tapped) return [this.tapped];
    if (!this.selection.length) return [];
    const { candidates, exact } = this.narrowed;
    const rest = candidates.filter((choice) => !exact.includes(choice));
    // On a board the squares show where to go; what would be hit or built is worth reading.
    const telling = this.spatial ? rest.filter((choice) => Object.keys(choice.marks).length > 0) : [];
    if (candidates.length > OFFERED) return [...exact, ...telling].slice(0, OFFERED);
    return [...exact, ...telling, ...rest.filter((choice) => !telling.includes(choice))];
  });
  /** The buttons in the order of their numbers. */
  readonly pickable = $derived([...this.offered, ...this.always]);
  /** What may be added to the moves that are ready. */
  readonly extras = $derived.by(() => {
    const ready = [...this.narrowed.exact, ...this.always];
    return this.readOnly
      ? []
      : (this.scene?.extras ?? []).filter((one) => ready.some((choice) => choice.extras.includes(one.id)));
  });
  /** What a drag may be dropped on. */
  readonly targets = $derived.by(() => {
    if (!this.dragged) return new Set<string>();
    const held = this.selection.includes(this.dragged) ? this.selection : [...this.selection, this.dragged];
    const { live } = narrow(this.choices, held);
    const near = live.size ? live : narrow(this.choices, [this.dragged]).live;
    return new Set([...near, ...Object.keys(this.reach)]);
  });
  /** Everything that has an id, by it. */
  readonly things = $derived.by(() => {
    const things = new Map<string, Thing>();
    for (const zone of this.scene?.zones ?? []) {
      things.set(zone.id, { zone, item: null, label: zone.label });
      for (const slot of zone.slots) things.set(slot.id, { zone, item: null, label: where(zone, slot) });
      for (const region of zone.regions) things.set(region.id, { zone, item: null, label: region.label });
      for (const item of zone.items) things.set(item.id, { zone, item, label: place(zone, item) });
    }
    return things;
  });

  /** Whether events are shown one after the other, and heard as they are. */
  get animated(): boolean {
    return beat() > 0;
  }

  constructor(
    private readonly onplay: (choice: Choice) => void = () => undefined,
    private readonly onwhy: (ids: string[]) => void = () => undefined,
    private readonly ontouch: () => void = () => undefined,
    private readonly onwalk: (actions: readonly number[]) => void = () => undefined,
    /** Says that a move waits for a second press; false where the player does not want to be asked. */
    private readonly onconfirm: (choice: Choice) => boolean = () => false,
  ) {}

  /** The look of the game, for what is drawn of a scene. */
  get theme(): Theme {
    return this.painted!;
  }

  /** Show another scene; a selection that means nothing any more is let go. */
  show(scene: Scene, readOnly: boolean): void {
    const moved =
      scene.status.ply !== this.scene?.status.ply || scene.choices.length !== this.scene.choices.length;
    this.scene = scene;
    this.readOnly = readOnly;
    if (!moved) return;
    this.selection = [];
    this.preview = null;
    this.tapped = null;
    this.refusal = null;
    this.hinted = new Set();
    this.asking = false;
    this.confirming = null;
    this.added = {};
    this.pointed = "";
    const spread = scene.zones.find((zone) => zone.id === this.open);
    if (!spread || spread.items.length < 2) this.open = "";
  }

  /** Touch nested ids, innermost first; with a finger, a move on a map is shown before it is made. */
  touch(nested: readonly string[], finger = false): void {
    if (!nested.length || !this.scene || this.readOnly) return;
    this.confirming = null;
    if (!this.asking && this.walk(nested)) return;
    const id = this.asking ? (nested[0] ?? "") : meaning(this.choices, this.selection, nested);
    if (this.asking) {
      const held = this.selection.includes(id);
      this.selection = held ? this.selection.filter((other) => other !== id) : [...this.selection, id];
      if (this.selection.length) this.onwhy([...this.selection]);
      return;
    }
    const before = this.selection;
    const result = touch(this.choices, before, id);
    // Another piece taken up instead of the first is a change of mind, not a move that was meant.
    const piece = this.things.get(id);
    const other = before.length === 1 && result.selection.length === 1 && result.selection[0] === id;
    if (other && piece?.item && piece.zone.kind === "grid") result.refused = null;
    // A place on a map that is not possible says why; what was picked for it stays picked.
    else if (other && result.refused && piece?.zone.kind === "map" && !piece.item)
      result.selection = [...before];
    if (!(finger && this.previewTap(result))) this.take(result);
  }

  /** Show a move on a map that a touch would make; false where it makes none, or one that is shown already. */
  private previewTap(result: Touch): boolean {
    const { play } = narrow(this.choices, result.selection);
    if (!play || play === this.tapped || this.things.get(play.target)?.zone.kind !== "map") return false;
    this.tapped = play;
    this.refusal = null;
    this.hinted = new Set();
    this.ontouch();
    return true;
  }

  /** Play all moves of the way to a place that is out of reach of one; false where there is none. */
  private walk(nested: readonly string[]): boolean {
    const { live } = this.narrowed;
    const way = nested.some((id) => live.has(id))
      ? undefined
      : nested.map((id) => this.reach[id]).find(Boolean);
    if (!way) return false;
    this.preview = null;
    this.refusal = null;
    this.onwalk(way);
    return true;
  }

  /** Drop one thing on nested ids, innermost first. */
  drop(dragged: string, nested: readonly string[]): void {
    if (!nested.length || this.readOnly) return;
    this.confirming = null;
    const ways = this.scene?.paths[dragged] ?? NOWHERE;
    const way = nested.map((id) => ways[id]).find(Boolean);
    const { live } = narrow(this.choices, [dragged]);
    if (way && !nested.some((id) => live.has(id))) return this.onwalk(way);
    this.take(drop(this.choices, this.selection, dragged, nested));
  }

  /** Play a choice; one that gives something up asks once more, unless it was `sure` already. */
  play(choice: Choice, sure = false): void {
    if (choice.confirm && !sure && this.confirming?.action !== choice.action && this.onconfirm(choice)) {
      this.confirming = choice;
      return;
    }
    this.confirming = null;
    this.preview = null;
    this.onplay(choice);
  }

  /** Add something to the next move, or leave it out again. */
  add(group: Extras, text: string): void {
    const held = this.added[group.id] ?? [];
    const others = group.one ? [] : held.filter((one) => one !== text);
    this.added = {
      ...this.added,
      [group.id]: held.includes(text) ? held.filter((one) => one !== text) : [...others, text],
    };
  }

  /** What is sent for a choice: its number, or its text with what is added to it. */
  textOf(choice: Choice): number | string {
    const words = (this.scene?.extras ?? []).flatMap((group) => {
      const texts = choice.extras.includes(group.id) ? (this.added[group.id] ?? []) : [];
      return texts.length && group.before ? [group.before, ...texts] : texts;
    });
    return words.length ? [choice.text, ...words].join(" ") : choice.action;
  }

  /** Play the one complete candidate, if there is exactly one. */
  playExact(): boolean {
    const [only, second] = this.narrowed.exact;
    if (!only || second || only.careful) return false;
    this.play(only);
    return true;
  }

  /** Show why something is not possible. */
  refuse(refusal: Refusal): void {
    this.refusal = refusal;
    this.uncover(refusal.blockers);
    this.hinted = new Set();
  }

  /** Close an opened pile that would cover what a hint or a refusal marks. */
  uncover(marked: readonly string[]): void {
    const inside = new Set(
      this.scene?.zones.find((zone) => zone.id === this.open)?.items.map((item) => item.id),
    );
    if (!marked.every((id) => inside.has(id))) this.open = "";
  }

  /** Let go of one thing after another: the spread, then questions, then the selection. */
  clear(): void {
    if (this.open) this.open = "";
    else if (this.refusal) this.refusal = null;
    else {
      this.selection = [];
      this.asking = false;
      this.hinted = new Set();
    }
    this.confirming = null;
    this.preview = null;
    this.tapped = null;
    this.ontouch();
  }

  /** Show what touching an id would leave, while the pointer is over it. */
  point(nested: readonly string[], dragged = ""): void {
    const held = dragged && !this.selection.includes(dragged) ? [dragged] : this.selection;
    const { live } = narrow(this.choices, held);
    const id = nested.find((one) => live.has(one));
    const left =
      id && (held.length || this.things.get(id)?.zone.kind === "map")
        ? narrow(this.choices, [...held, id])
        : null;
    this.preview = left ? likely(left) : null;
  }

  private take(result: Touch): void {
    this.selection = result.selection;
    this.preview = null;
    this.tapped = null;
    this.hinted = new Set();
    this.refusal = null;
    if (result.refused) {
      this.onwhy(result.refused);
      return;
    }
    const spread = this.open && this.scene?.zones.find((zone) => zone.id === this.open);
    if (spread && this.selection.length && !spread.items.some((item) => this.narrowed.live.has(item.id)))
      this.open = "";
    this.ontouch();
    if (this.narrowed.play) this.play(this.narrowed.play);
  }
}

const KEY = Symbol("board");
export const provideBoard = (board: Board): Board => setContext(KEY, board);
export const useBoard = (): Board => getContext<Board>(KEY);

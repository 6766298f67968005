/** Aim a card that is in the hand: its release, the path that it would take, the words for both. */

import * as t from "../speech/throwing";
import { Problem, throwPath, throws } from "../net/http";
import type { Hint, TableLayout, ThrowField, ThrowingAids, ThrowMethod } from "../net/wire";
import { allowed, carried, keyStep, moveText, type Release, standard, stepped } from "./form";
import { chairOf } from "./geometry";
import { type Pull, released } from "./gesture";
import { aimed, whereabouts } from "./landing";

export type PathPoint = readonly [time: number, x: number, y: number, z: number];

/** Milliseconds without a change before the aim is said. */
const SAID_AFTER_MS = 450;

/** Milliseconds between two questions for the path, and where the server had too much to do. */
const PACE_MS = 80;
const PAUSE_MS = 400;

const OPEN: ThrowingAids = { path: true, honest: false };

/** What was set last, so that the next card is taken up as the last one was thrown. */
const kept: { method: string; releases: Map<string, Release> } = { method: "", releases: new Map() };

export interface Aiming {
  /** What helps: the path, unless it is hidden; figures while one pulls, unless a pull counts honestly. */
  readonly aids?: () => ThrowingAids;
  /** How it is aimed at first, instead of as the last one. */
  readonly start?: Hint["aim"];
  /** What the move's text begins with: "throw 6v". */
  readonly text: string;
  /** The face of the card. */
  readonly card: string;
  /** Its id at the table; none at the range. */
  readonly item: string;
  readonly seat: number;
  /** The table that is aimed at. */
  readonly layout: TableLayout;
  owner(seat: number): string;
  say(text: string): void;
  throwIt(text: string, method: ThrowMethod, release: Release, isPulled: boolean): Promise<void>;
}

export class Aim {
  methods = $state.raw<readonly ThrowMethod[]>([]);
  method = $state.raw<ThrowMethod | null>(null);
  release = $state.raw<Release>({});
  path = $state.raw<readonly PathPoint[]>([]);
  /** Why there is no path: the server's sentence. */
  fault = $state("");
  /** A card that is on its way cannot be thrown again. */
  busy = $state(false);
  /** How a pull stands at this moment; null while nothing is pulled. */
  pull = $state.raw<Pull | null>(null);
  readonly words = $derived.by(() => this.told());
  private readonly opened: Promise<void>;
  private asking = false;
  private stale = false;
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly of: Aiming) {
    this.opened = this.open();
  }

  /** Whether the path may be seen: not where it is hidden, nor while an honest hand pulls. */
  get showsPath(): boolean {
    return this.aids.path && !(this.aids.honest && this.pull);
  }

  get aids(): ThrowingAids {
    return this.of.aids?.() ?? OPEN;
  }

  get chair() {
    return chairOf(this.of.layout, this.of.seat);
  }

  /** Take another way of throwing. */
  choose(name: string): void {
    const method = this.methods.find((one) => one.name === name);
    if (!method || method === this.method) return;
    const release = kept.releases.get(name) ?? standard(method);
    this.release = this.method
      ? { ...release, ...pick(carried(this.release, method), ["azimuth", "offset"]) }
      : release;
    this.method = method;
    kept.method = name;
    this.changed();
  }

  set(field: ThrowField, value: number): void {
    this.release = { ...this.release, [field.name]: allowed(field, value) };
    this.changed();
  }

  step(field: ThrowField, steps: number): void {
    this.set(field, stepped(field, this.release[field.name] ?? field.default, steps));
  }

  /** Do what a key means; false for one that means nothing here. */
  press(key: string, large: boolean): boolean {
    const wish = this.method && keyStep(this.method, key, large);
    if (wish) this.step(wish.field, wish.steps);
    return !!wish;
  }

  /** Aim as a pull means it; an honest one changes no figure, by which it could be corrected. */
  draw(pull: Pull | null): void {
    this.pull = pull;
    if (!pull || !this.method || this.aids.honest) return;
    this.release = released(this.method, this.release, pull);
    this.changed();
  }

  /** Let a pull go. */
  async loose(pull: Pull): Promise<void> {
    this.draw(pull);
    if (this.method && this.aids.honest) await this.throw(released(this.method, this.release, pull), true);
    else await this.throw();
  }

  /** Throw the card as it was flung, once it is known how cards are thrown. */
  async fling(pull: Pull): Promise<void> {
    await this.opened;
    if (!this.closed) await this.loose(pull);
  }

  async throw(release = this.release, isPulled = false): Promise<void> {
    const { method } = this;
    if (!method || this.busy) return;
    clearTimeout(this.timer);
    this.busy = true;
    try {
      await this.of.throwIt(moveText(this.of.text, method, release, isPulled), method, release, isPulled);
    } finally {
      this.busy = false;
      this.pull = null;
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private async open(): Promise<void> {
    try {
      this.methods = (await throws()).methods;
      if (this.closed) return;
      const { start } = this.of;
      const wanted = start?.method ?? kept.method;
      const method = this.methods.find((one) => one.name === wanted) ?? this.methods[0];
      if (start && method) {
        const figures = method.fields.map((field) => [
          field.name,
          allowed(field, start.release[field.name] ?? field.default),
        ]);
        kept.releases.set(method.name, Object.fromEntries(figures) as Release);
      }
      this.choose(method?.name ?? "");
    } catch (error) {
      this.fault = (error as Error).message;
      this.of.say(this.fault);
    }
  }

  private changed(): void {
    const { method, release } = this;
    if (!method) return;
    kept.releases.set(method.name, release);
    this.stale = true;
    this.saySoon();
    if (!this.asking) void this.ask();
  }

  /** Say the aim once nothing changes any more, and where it leads is known. */
  private saySoon(): void {
    clearTimeout(this.timer);
    if (!this.closed)
      this.timer = setTimeout(() => (this.asking ? this.saySoon() : this.of.say(this.words)), SAID_AFTER_MS);
  }

  /** Ask for the path; while the answer is on its way whatever changes waits for the next question. */
  private async ask(): Promise<void> {
    this.asking = true;
    while (this.stale && !this.closed && this.method) {
      this.stale = false;
      try {
        this.path = await throwPath({ method: this.method.name, release: this.release, chair: this.chair });
        this.fault = "";
        await pause(PACE_MS);
      } catch (error) {
        if (error instanceof Problem && error.later) {
          await pause(PAUSE_MS);
          this.stale = true;
          continue;
        }
        this.path = [];
        this.fault = (error as Error).message;
      }
    }
    this.asking = false;
  }

  private told(): string {
    const { method, release, path, chair } = this;
    if (!method || !chair) return "";
    if (this.aids.honest && this.pull) return t.pulledBackLetGoToThrow;
    if (this.fault) return this.fault;
    const end = path.at(-1);
    const where =
      end && this.aids.path
        ? whereabouts(this.of.layout, chair, [end[1], end[2]], (seat) => this.of.owner(seat))
        : "";
    return `${aimed(method, release)}${where && t.comesDown(where)}`;
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

const pick = (release: Release, fields: readonly string[]): Release =>
  Object.fromEntries(fields.flatMap((field) => (field in release ? [[field, release[field]!]] : [])));

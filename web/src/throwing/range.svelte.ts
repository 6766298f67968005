/** Practise throws: targets at chosen distances, results, and the steadiness of the hand. */

import { hitRates, Problem, throwCard, throwPath, throws } from "../net/http";
import { type KeptThrow, type RangeRecord, store } from "../net/store";
import type { Flown, HitRates, TableLayout, ThrowMethod } from "../net/wire";
import { decode, poseAt } from "./frames";
import type { Release } from "./form";
import { chairOf, fromChair, type Point, rotated, targetsOf } from "./geometry";
import { level, type Level, runs, type Spread } from "./statistics";

/**
 * Metres between the walls of two sides, as tables offer them: 9, 10, 12 (as the rules have it) and 14
 * inches.
 */
export const DISTANCES = [0.2286, 0.254, 0.3048, 0.3556] as const;
export const USUAL = 0.3048;
/** So many throws tell how good one is. */
export const TRIAL = 20;
/** How much a hand of level 1 trembles (docs/throwing.md). */
const TREMBLE: Readonly<Record<string, (value: number) => number>> = {
  speed: (value) => value * 1.03,
  elevation: (value) => value + 2,
  azimuth: (value) => value + 1.5,
};

interface Trial {
  readonly method: string;
  readonly misses: readonly Point[];
  readonly releases: readonly Release[];
}

/**
 * Throwing range's table with so many metres between the rows of walls: each side sits half of what is more
 * farther back.
 */
export function stretched(layout: TableLayout, distance: number): TableLayout {
  const further = (distance - USUAL) / 2;
  const moved = <S extends { x: number; y: number }>(spot: S, side: number): S => {
    const yaw = layout.chairs.find((one) => one.side === side)?.castle.yaw ?? 0;
    const [dx, dy] = rotated([0, -further], yaw);
    return { ...spot, x: spot.x + dx, y: spot.y + dy };
  };
  return {
    ...layout,
    depth: layout.depth + 2 * Math.max(0, further),
    pieces: layout.pieces.map((piece) => ({ ...piece, spot: moved(piece.spot, piece.side) })),
    chairs: layout.chairs.map((chair) => ({ ...chair, castle: moved(chair.castle, chair.side) })),
  };
}

/** Ask again a moment later where the server had too much to do, a few times. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = 8; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem && error.later && left > 0)) throw error;
      await new Promise((resume) => setTimeout(resume, 500));
    }
  }
}

export class Range {
  methods = $state.raw<readonly ThrowMethod[]>([]);
  private base = $state.raw<TableLayout | null>(null);
  distance = $state<number>(USUAL);
  hand = $state<"steady" | "human">("human");
  record = $state.raw<RangeRecord>(store.range());
  trial = $state.raw<Trial | null>(null);
  /** What the last twenty throws told. */
  level = $state.raw<(Level & { unit: Spread }) | null>(null);
  /** How often hands hit; asked for once a level is known. */
  rates = $state.raw<HitRates | null>(null);
  fault = $state("");
  readonly seat = 1;
  readonly layout = $derived(this.base ? stretched(this.base, this.distance) : null);
  readonly chair = $derived(this.layout ? chairOf(this.layout, this.seat) : null);
  /** What is aimed at in a trial: the wall in the middle of those that stand. */
  readonly target = $derived.by(() => {
    const walls =
      this.layout && this.chair ? targetsOf(this.layout, this.chair).filter((piece) => !piece.fixed) : [];
    return walls[walls.length >> 1] ?? null;
  });
  readonly here = $derived(this.record.throws.filter((one) => Math.abs(one.distance - this.distance) < 1e-6));

  constructor() {
    void this.open();
  }

  async open(): Promise<void> {
    this.fault = "";
    try {
      const { methods, layout } = await throws();
      this.methods = methods;
      this.base = layout;
    } catch (error) {
      this.fault = (error as Error).message;
    }
  }

  /** Throw and keep the result; in a trial pulls count as they are, and parameters set by hand tremble. */
  async throw(method: ThrowMethod, release: Release, isPulled: boolean): Promise<Flown> {
    const hand = !this.trial ? this.hand : isPulled ? "steady" : "human";
    const flown = await throwCard({ method: method.name, release, hand, distance: this.distance });
    this.keep(flown, method, release);
    return flown;
  }

  begin(method: string): void {
    this.level = null;
    this.trial = { method, misses: [], releases: [] };
  }

  giveUp(): void {
    this.trial = null;
  }

  forget(): void {
    this.record = { throws: [], best: {}, levels: [] };
    store.keepRange(this.record);
  }

  best(method: string): number {
    return this.record.best[this.key(method)] ?? 0;
  }

  private key(method: string): string {
    return `${method} ${this.distance}`;
  }

  private keep(flown: Flown, method: ThrowMethod, release: Release): void {
    const frames = decode(flown.frames);
    if (!frames || !this.chair) return;
    const { x, y } = poseAt(frames, flown.contact_at);
    const [aside, ahead] = fromChair(this.chair, [x, y]);
    const one: KeptThrow = {
      method: method.name,
      distance: this.distance,
      hand: this.trial ? "steady" : this.hand,
      hit: flown.verdict !== "miss",
      aside,
      ahead,
      when: Date.now(),
    };
    const all = [...this.record.throws, one];
    const row = runs(
      all
        .filter((other) => other.method === one.method && other.distance === one.distance)
        .map((other) => other.hit),
    ).now;
    this.record = {
      ...this.record,
      throws: all,
      best: { ...this.record.best, [this.key(one.method)]: Math.max(this.best(one.method), row) },
    };
    store.keepRange(this.record);
    if (!this.trial || !this.target) return;
    const [x0, y0] = fromChair(this.chair, [this.target.spot.x, this.target.spot.y]);
    this.trial = {
      ...this.trial,
      misses: [...this.trial.misses, [aside - x0, ahead - y0]],
      releases: [...this.trial.releases, release],
    };
    if (this.trial.misses.length >= TRIAL) void this.judge(this.trial, method);
  }

  /** Fit a level to a whole trial. */
  private async judge(trial: Trial, method: ThrowMethod): Promise<void> {
    try {
      const unit = await this.unit(method, trial.releases);
      const fit = level(trial.misses, unit);
      if (fit) {
        this.level = { ...fit, unit };
        this.rates ??= await hitRates().catch(() => null);
        const kept = {
          level: fit.share,
          low: fit.low,
          high: fit.high,
          method: method.name,
          when: Date.now(),
        };
        this.record = { ...this.record, levels: [...this.record.levels, kept] };
        store.keepRange(this.record);
      }
    } catch (error) {
      this.fault = (error as Error).message;
    }
    this.trial = null;
  }

  /**
   * How far throws like these come down from where they should with a hand of level 1: each of its tremblings
   * is tried by itself, and their squares are added.
   */
  private async unit(method: ThrowMethod, releases: readonly Release[]): Promise<Spread> {
    const mean: Record<string, number> = {};
    for (const { name } of method.fields)
      mean[name] = releases.reduce((sum, one) => sum + (one[name] ?? 0), 0) / releases.length;
    const end = async (release: Release): Promise<Point> => {
      const last = (await patiently(() => throwPath({ method: method.name, release, chair: this.chair }))).at(
        -1,
      );
      return last && this.chair ? fromChair(this.chair, [last[1], last[2]]) : [0, 0];
    };
    const [x, y] = await end(mean);
    let [aside, ahead] = [0, 0];
    for (const [name, shake] of Object.entries(TREMBLE)) {
      const field = method.fields.find((one) => one.name === name);
      if (!field) continue;
      const shaken = shake(mean[name] ?? 0);
      // At the end of its range the other way is as good.
      const value = shaken > field.high ? 2 * (mean[name] ?? 0) - shaken : shaken;
      const [a, b] = await end({ ...mean, [name]: value });
      aside += (a - x) ** 2;
      ahead += (b - y) ** 2;
    }
    return { aside: Math.sqrt(aside), ahead: Math.sqrt(ahead) };
  }
}

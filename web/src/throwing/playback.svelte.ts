/** Play a throw: in real time or slower, then its verdict for a while. */

import { calm } from "../board/anim";
import type { Flown, Spot } from "../net/wire";
import type { Flight } from "../session/flights.svelte";
import { decode, duration, type Frames, type Pose, poseAt } from "./frames";
import { pushed } from "./geometry";
import { drawing } from "./verdict";

/** Seconds for which the verdict stands before the game goes on. */
const VERDICT_S = { miss: 1.5, hit: 2.4 };
/** A card that has come to rest is looked at no longer than this before the verdict, in seconds. */
const REST_S = 0.12;

type Phase = "none" | "flight" | "verdict";

export class Playback {
  flight = $state.raw<Flight | null>(null);
  phase = $state<Phase>("none");
  /** Seconds since the release. */
  time = $state(0);
  rate = $state(1);
  readonly frames = $derived<Frames | null>(this.flight ? decode(this.flight.flown.frames) : null);
  readonly pose = $derived.by<Pose | null>(() =>
    this.frames && this.phase !== "none" ? poseAt(this.frames, this.time) : null,
  );
  readonly drawing = $derived(
    this.flight && this.phase === "verdict" ? drawing(this.flight.flown, this.flight.layout) : null,
  );
  /** The way that the card took, for who sees no flight and for the verdict. */
  readonly way = $derived((this.frames?.poses ?? []).map(({ x, y, z }) => [x, y, z] as const));
  /** Where what it pushed is now. */
  readonly spots = $derived.by(() =>
    this.flight && this.phase !== "none" ? this.pushedBy(this.flight) : new Map<string, Spot>(),
  );
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private onend: () => void = () => undefined;
  private began = 0;

  /** `oncontact` is called when the card first touches something, `onverdict` when it has come to rest. */
  constructor(
    private readonly oncontact: (flown: Flown) => void = () => undefined,
    private readonly onverdict: (flown: Flown) => void = () => undefined,
  ) {}

  /** Play a flight; `end` is called once, when it is over or left. */
  start(flight: Flight, rate: number, end: () => void): void {
    this.stop();
    this.flight = flight;
    this.rate = rate;
    this.onend = end;
    this.time = 0;
    if (calm() || document.hidden || !this.frames) return this.judge();
    this.phase = "flight";
    this.began = performance.now();
    this.asked = requestAnimationFrame(this.step);
  }

  /** Be done with the flight at once, then with the verdict. */
  skip(): void {
    if (this.phase === "flight") this.judge();
    else if (this.phase === "verdict") this.stop();
  }

  /** Show nothing any more. */
  stop(): void {
    cancelAnimationFrame(this.asked);
    clearTimeout(this.timer);
    this.phase = "none";
    this.flight = null;
    const end = this.onend;
    this.onend = () => undefined;
    end();
  }

  private readonly step = (now: number): void => {
    const { frames, flight } = this;
    if (!frames || !flight) return;
    const before = this.time;
    this.time = Math.max(0, ((now - this.began) / 1000) * this.rate);
    const { contact_at, contact_with } = flight.flown;
    if (contact_with && before < contact_at && this.time >= contact_at) this.oncontact(flight.flown);
    if (this.time >= duration(frames) + REST_S) this.judge();
    else this.asked = requestAnimationFrame(this.step);
  };

  private judge(): void {
    cancelAnimationFrame(this.asked);
    const { flight } = this;
    if (!flight) return;
    this.time = this.frames ? duration(this.frames) : 0;
    this.phase = "verdict";
    this.onverdict(flight.flown);
    const seconds = flight.flown.verdict === "miss" ? VERDICT_S.miss : VERDICT_S.hit;
    // A flight that was asked for again is looked at longer.
    this.timer = setTimeout(() => this.stop(), 1000 * seconds * (this.rate < 1 ? 2 : 1));
  }

  private pushedBy({ flown, layout }: Flight): Map<string, Spot> {
    const end = this.frames ? duration(this.frames) : 0;
    const along =
      this.phase === "verdict" || end <= flown.contact_at
        ? 1
        : Math.min(1, Math.max(0, (this.time - flown.contact_at) / Math.min(0.25, end - flown.contact_at)));
    const share = 1 - (1 - along) ** 2;
    return new Map(
      [...pushed(flown)].map(([name, to]) => {
        const from = layout.pieces.find((piece) => piece.name === name)?.spot ?? to;
        const mix = (one: number, other: number): number => one + (other - one) * share;
        return [name, { x: mix(from.x, to.x), y: mix(from.y, to.y), yaw: mix(from.yaw, to.yaw) }];
      }),
    );
  }
}

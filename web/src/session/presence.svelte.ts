/** Know who is at the table, and what it waits for. */

import type { Preparation, Preparing, ServerMessage } from "../net/wire";
import { preparingFor } from "../speech/sentences";
import type { Voice } from "./voice.svelte";

export class Presence {
  /** Seats that someone looks from, as the server says. */
  here = $state.raw<readonly number[]>([]);
  /** Seats whose people have ever come. */
  arrivals = $state.raw<ReadonlySet<number>>(new Set());
  /** What the table waits for before it can go on, and the seat whose program takes its time. */
  preparing = $state.raw<{ what: Preparing["what"]; preparation: Preparation } | null>(null);
  thinking = $state(0);

  constructor(private readonly voice: Voice) {}

  hear(message: ServerMessage): void {
    if (message.type === "present") {
      this.here = message.seats;
      this.arrive(message.seats);
    } else if (message.type === "thinking") this.thinking = message.seat;
    else if (message.type === "preparing") this.wait(message);
  }

  arrive(seats: readonly number[]): void {
    this.arrivals = new Set([...this.arrivals, ...seats]);
  }

  private wait({ what, preparation }: Preparing): void {
    if (!this.preparing && preparation) this.voice.say(preparingFor(what));
    this.preparing = preparation ? { what, preparation } : null;
  }
}

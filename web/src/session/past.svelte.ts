/** Look back at a table: at any version of it, or at the last turn. */

import * as t from "../speech/session";
import { showScene } from "../board/actions";
import type { Board } from "../board/board.svelte";
import type { LogLine, Scene } from "../net/wire";
import { happened } from "../speech/log";
import type { TableClient } from "./client.svelte";
import { type Flight, flightBetween } from "./flights.svelte";
import type { Voice } from "./voice.svelte";

/** The table as it is now. */
interface Present {
  readonly version: number;
  readonly scene: Scene | null;
  readonly log: readonly LogLine[];
  /** What moves are said to be of. */
  readonly movers: readonly string[];
  eyes(): TableClient | null;
  lay(): void;
  /** Show no throw of the present any more. */
  rest(): void;
}

export class Past {
  /** The earlier version that is looked at. */
  view = $state.raw<{ version: number; scene: Scene } | null>(null);
  /** The throw that led to it, if one did. */
  flight = $state.raw<Flight | null>(null);

  constructor(
    private readonly present: Present,
    private readonly board: Board,
    private readonly voice: Voice,
  ) {}

  /** Whether others have moved since this seat's last move, so that there is a turn to see again. */
  get canReplayTurn(): boolean {
    return (this.present.scene?.seat ?? 0) > 0 && this.othersMoves() > 0;
  }

  /** Look at the table as it was after this seat's own last move; the scrubber goes on from there. */
  async lookAtLastTurn(): Promise<void> {
    const others = this.othersMoves();
    if (!others) return;
    await this.lookAtPly(this.present.scene!.status.ply - others);
  }

  /** Look at the table as it was after a ply of the game that stands. */
  async lookAtPly(ply: number): Promise<void> {
    const now = this.present.scene?.status.ply ?? 0;
    if (ply >= now) return this.leave();
    let at = Math.max(0, this.present.version - (now - ply));
    await this.look(at);
    // Moves taken back, hints and the like have entries of their own in the table's log: go back over them.
    for (let over = 1; over > 0 && at > 0;) {
      over = (this.view?.scene.status.ply ?? 0) - ply;
      if (over <= 0) break;
      at = Math.max(0, at - over);
      await this.look(at);
    }
  }

  /** Look at an earlier version of this table, or, at its last, be back at the table. */
  async look(version: number): Promise<void> {
    if (version >= this.present.version) return this.leave();
    this.present.rest();
    const eyes = this.present.eyes();
    const scene = await eyes?.view(version);
    if (typeof scene === "string") return this.voice.fail(scene);
    if (!scene) return;
    const before = scene.flown && version > 0 ? await eyes?.view(version - 1) : null;
    this.flight = before && typeof before !== "string" ? flightBetween(before, scene, false) : null;
    this.show(version, scene);
  }

  /** Be back at the table. */
  leave(): void {
    this.view = null;
    this.flight = null;
    this.present.lay();
  }

  private show(version: number, scene: Scene): void {
    this.view = { version, scene };
    showScene(this.board, scene, true);
    const { ply } = scene.status;
    this.voice.say(
      `${this.placed(ply)} ${happened(scene.log, ply - 1, this.board.theme, this.present.movers)}`,
    );
  }

  /** Where a ply stands, as it is said: a table's versions count undos too, so they are not spoken of. */
  private placed(ply: number): string {
    const now = this.present.scene?.status.ply ?? ply;
    return ply > now ? t.moveTakenBackSince(ply) : t.moveOf(ply, now);
  }

  /** How many moves of other seats end the log. */
  private othersMoves(): number {
    const { log, scene } = this.present;
    return log.length - 1 - log.findLastIndex((line) => line.seat === scene?.seat);
  }
}

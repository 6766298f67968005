/** Lay one ply after the other: what comes while the ply before is still shown waits for its turn. */

import { tick } from "svelte";
import type { Board } from "../board/board.svelte";
import type { Scene } from "../net/wire";

/** As many plies may wait; with more of them all but the last are passed over. */
const MOST = 24;
/** Milliseconds in which the last move is looked at before the result. */
export const BREATH_MS = 900;

interface Laid {
  scene: Scene;
  still: boolean;
}

export class Stage {
  /** The scene that is shown while a later one waits; null where the latest is shown. */
  held = $state.raw<Scene | null>(null);
  private waiting: Laid[] = [];
  private actions: (() => void)[] = [];

  constructor(private readonly board: Board) {
    board.onrest = () => this.rest();
    board.onskip = () => this.skip();
  }

  /** Lay a scene, once what led to the one before it has been seen. */
  show(scene: Scene, still: boolean): void {
    const { board } = this;
    const last = this.waiting.at(-1) ?? (board.scene && { scene: board.scene, still });
    const follows = last && scene.seat === last.scene.seat && scene.status.ply >= last.scene.status.ply;
    if (!board.performing || !follows) {
      this.waiting = [];
      this.held = null;
      board.show(scene, still);
      return;
    }
    if (scene.status.ply === last.scene.status.ply) {
      if (this.waiting.length) this.waiting[this.waiting.length - 1] = { scene, still };
      else board.show(scene, still);
      return;
    }
    this.waiting.push({ scene, still });
    if (this.waiting.length > MOST) return this.skip();
    this.held ??= board.scene;
    if (board.scene && !board.still) board.show(board.scene, true); // its moves are over
  }

  /** Do something once all has been seen that is known now. */
  then(action: () => void): void {
    // Whether there is anything to see is known once the page has been drawn.
    void tick().then(() => {
      if (this.board.performing) this.actions.push(action);
      else action();
    });
  }

  /** Lay nothing more that waits: something else is looked at. */
  forget(): void {
    this.waiting = [];
    this.held = null;
    this.board.performing?.();
  }

  private rest(): void {
    const next = this.waiting.shift();
    if (next) {
      const more = this.waiting.length > 0;
      this.held = more ? next.scene : null;
      this.board.show(next.scene, more || next.still);
      // Nothing may be to see of it.
      void tick().then(() => !this.board.performing && this.rest());
      return;
    }
    this.held = null;
    for (const action of this.actions.splice(0)) action();
  }

  private skip(): void {
    const last = this.waiting.at(-1);
    this.waiting = [];
    this.board.performing?.();
    if (!last) return;
    this.held = null;
    this.board.show(last.scene, last.still);
    void tick().then(() => this.board.performing?.());
  }
}

/** Show scenes one after the other: each waits until the moves before it have been shown. */

import { showScene } from "../board/actions";
import { tick } from "svelte";
import type { Board } from "../board/board.svelte";
import type { Scene } from "../net/wire";

/** As many plies may wait; with more of them all but the last are passed over. */
const MOST = 24;
/** Milliseconds between the last move and the result, so that the move can be seen. */
export const RESULT_DELAY_MS = 900;

interface Queued {
  scene: Scene;
  readOnly: boolean;
}

export class SceneQueue {
  /** The scene that is shown while a later one waits; null where the latest is shown. */
  held = $state.raw<Scene | null>(null);
  private waiting: Queued[] = [];
  private actions: (() => void)[] = [];

  constructor(private readonly board: Board) {
    board.events.rest = () => this.rest();
    board.events.skip = () => this.skip();
  }

  /** Lay a scene, once what led to the one before it has been seen. */
  show(scene: Scene, readOnly: boolean): void {
    const { board } = this;
    const last = this.waiting.at(-1) ?? (board.scene && { scene: board.scene, readOnly });
    const follows = last && scene.seat === last.scene.seat && scene.status.ply >= last.scene.status.ply;
    if (!board.performing || !follows) {
      this.waiting = [];
      this.held = null;
      showScene(board, scene, readOnly);
      return;
    }
    if (scene.status.ply === last.scene.status.ply) {
      if (this.waiting.length) this.waiting[this.waiting.length - 1] = { scene, readOnly };
      else showScene(board, scene, readOnly);
      return;
    }
    this.waiting.push({ scene, readOnly });
    if (this.waiting.length > MOST) return this.skip();
    this.held ??= board.scene;
    if (board.scene && !board.readOnly) showScene(board, board.scene, true); // its moves are over
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
      showScene(this.board, next.scene, more || next.readOnly);
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
    showScene(this.board, last.scene, last.readOnly);
    void tick().then(() => this.board.performing?.());
  }
}

/** Ask for hints, and show one after the other on the table. */

import * as t from "../speech/session";
import { uncover } from "../board/actions";
import type { Board } from "../board/board.svelte";
import type { Choice, Hint } from "../net/wire";
import { percent, sentence } from "../speech/sentences";
import type { TableClient } from "./client.svelte";
import type { Voice } from "./voice.svelte";

export class Hints {
  /** The moves that were recommended, the best first, and the one of them that is shown. */
  list = $state.raw<readonly Hint[]>([]);
  current = $state.raw<Hint | null>(null);

  constructor(
    private readonly board: Board,
    private readonly voice: Voice,
  ) {}

  /** Show the next hint; they are asked for once a position. */
  async ask(client: TableClient): Promise<void> {
    if (!this.list.length) {
      const answer = await client.ask({ type: "hint" });
      if (answer.type === "error") return this.voice.fail(answer.sentence);
      this.list = answer.type === "hint" ? answer.hints : [];
      this.current = null;
    }
    const next = this.list[(this.current ? this.list.indexOf(this.current) + 1 : 0) % this.list.length];
    if (next) this.show(next);
  }

  /** Mark on the table what a hint means. */
  show(hint: Hint): void {
    const { board } = this;
    const choice = this.choiceOf(hint);
    this.current = hint;
    board.refusal = null;
    board.selection = [];
    board.hinted = new Set([...(choice?.items ?? []), hint.aim?.item ?? ""]);
    board.preview = choice ?? null;
    uncover(board, choice?.items ?? []);
    const chance = hint.chance === null ? "" : t.toWin(percent(hint.chance));
    this.voice.say(t.hintTextChanceReason(hint.text, chance, hint.reason ? sentence(hint.reason) : ""));
  }

  choiceOf(hint: Hint): Choice | undefined {
    return this.board.scene?.choices.find((choice) => choice.action === hint.action);
  }

  /** Take the shown one off the table. */
  hide(): void {
    this.current = null;
    this.board.hinted = new Set();
    this.board.preview = null;
  }

  /** They were meant for another position. */
  forget(): void {
    this.list = [];
    this.current = null;
  }
}

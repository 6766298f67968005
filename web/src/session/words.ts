/** Say in one go what happened at a table and what may be done there. */

import * as t from "../speech/session";
import type { Board } from "../board/board.svelte";
import type { Refusal, Scene, Setting } from "../net/wire";
import { happened } from "../speech/log";
import { movers, seatName, title } from "../speech/names";
import { options, prompt, reachable, sentence } from "../speech/sentences";

const labelOf =
  (board: Board) =>
  (id: string): string =>
    board.things.get(id)?.label ?? id;

/** What was played between two scenes, whose turn it is, and the moves. */
export function turnWords(before: Scene | null, scene: Scene, setting: Setting, board: Board): string {
  const { ply } = scene.status;
  const back = before !== null && ply < before.status.ply;
  const news = back
    ? t.takenBack
    : happened(scene.log, before ? before.status.ply : ply - 1, board.theme, movers(setting));
  const yours = scene.seat > 0 && scene.choices.length > 0;
  const can = yours
    ? options(
        [],
        board.always,
        scene.choices.filter((choice) => choice.items.length > 0),
      )
    : "";
  const who = !before && setting.seats > 1 && scene.seat ? t.youPlay(seatName(setting, scene.seat)) : "";
  return [who, news, prompt(scene, setting), can].filter(Boolean).join(" ");
}

/** What is touched, and what can be done with it. */
export function selectionWords(board: Board): string {
  const { tapped, scene, setting } = board;
  if (tapped) return t.tapAgainToPlay(title(tapped), tapped.note && `: ${tapped.note}`);
  if (!board.selection.length) return t.nothingSelected(scene && setting ? prompt(scene, setting) : "");
  const { exact, candidates } = board.narrowed;
  const [only, second] = exact;
  const ready = only && !second && !only.careful ? t.enterPlays(title(only)) : "";
  const far = reachable(board.reach, labelOf(board));
  const can = options(board.offered, board.always, candidates);
  return [t.selectedSelectionReady(board.selection.map(labelOf(board)).join("; "), ready), far, can]
    .filter(Boolean)
    .join(" ");
}

/** Why something is not possible; who has touched things knows that it is not. */
export function refusalWords(refusal: Refusal, touched: boolean, board: Board): string {
  const names = refusal.blockers.map((id) => board.things.get(id)?.label).filter(Boolean);
  const blockers = names.length ? t.inTheWay(names.join("; ")) : "";
  const clause = refusal.clause ? t.clauseClause(refusal.clause) : "";
  return `${touched ? "" : t.notPossible}${sentence(refusal.sentence)}${clause}${blockers}`;
}

/** Say in one go what happened at a table and what may be done there. */

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
    ? "Taken back."
    : happened(scene.log, before ? before.status.ply : ply - 1, movers(setting));
  const yours = scene.seat > 0 && scene.choices.length > 0;
  const can = yours
    ? options(
        [],
        board.always,
        scene.choices.filter((choice) => choice.items.length > 0),
      )
    : "";
  const who = !before && setting.seats > 1 && scene.seat ? `You play ${seatName(setting, scene.seat)}.` : "";
  return [who, news, prompt(scene, setting), can].filter(Boolean).join(" ");
}

/** What is touched, and what can be done with it. */
export function selectionWords(board: Board): string {
  const { tapped, scene, setting } = board;
  if (tapped) return `${title(tapped)}${tapped.note && `: ${tapped.note}`}. Tap again to play.`;
  if (!board.selection.length) return `Nothing selected. ${scene && setting ? prompt(scene, setting) : ""}`;
  const { exact, candidates } = board.narrowed;
  const [only, second] = exact;
  const ready = only && !second && !only.careful ? ` Enter plays: ${title(only)}.` : "";
  const far = reachable(board.reach, labelOf(board));
  const can = options(board.offered, board.always, candidates);
  return [`Selected: ${board.selection.map(labelOf(board)).join("; ")}.${ready}`, far, can]
    .filter(Boolean)
    .join(" ");
}

/** Why something is not possible; who has touched things knows that it is not. */
export function refusalWords(refusal: Refusal, touched: boolean, board: Board): string {
  const names = refusal.blockers.map((id) => board.things.get(id)?.label).filter(Boolean);
  const blockers = names.length ? ` In the way: ${names.join("; ")}.` : "";
  const clause = refusal.clause ? ` Clause ${refusal.clause}.` : "";
  return `${touched ? "" : "Not possible. "}${sentence(refusal.sentence)}${clause}${blockers}`;
}

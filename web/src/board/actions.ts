/** Act on a board: show a scene, touch and drop things, play a move, explain why not. */

import * as t from "../speech/board";
import type { Choice, Extras, Refusal, Scene } from "../net/wire";
import type { Board } from "./board.svelte";
import { drop, likely, meaning, narrow, touch, type Touch } from "./narrow";
import { NOWHERE } from "./views";

/** Show another scene; after a move, or with other choices, nothing stays touched. */
export function showScene(board: Board, scene: Scene, readOnly: boolean): void {
  const before = board.scene;
  const moved = scene.status.ply !== before?.status.ply || scene.choices.length !== before.choices.length;
  board.scene = scene;
  board.readOnly = readOnly;
  if (!moved) return;
  board.selection = [];
  board.preview = null;
  board.tapped = null;
  board.refusal = null;
  board.hinted = new Set();
  board.asking = false;
  board.confirming = null;
  board.added = {};
  board.pointed = "";
  const spread = scene.zones.find((zone) => zone.id === board.open);
  if (!spread || spread.items.length < 2) board.open = "";
}

/** Touch nested ids, innermost first; with a finger, a move on a map is shown before it is made. */
export function touchThings(board: Board, nested: readonly string[], finger = false): void {
  if (!nested.length || !board.scene || board.readOnly) return;
  board.confirming = null;
  if (board.asking) return askAbout(board, nested[0] ?? "");
  if (walkTo(board, nested)) return;
  const id = meaning(board.choices, board.selection, nested);
  const before = board.selection;
  const result = touch(board.choices, before, id);
  // Another piece taken up instead of the first is a change of mind, not a move that was meant.
  const piece = board.things.get(id);
  const other = before.length === 1 && result.selection.length === 1 && result.selection[0] === id;
  if (other && piece?.item && piece.zone.kind === "grid") result.refused = null;
  // A place on a map that is not possible says why; what was picked for it stays picked.
  else if (other && result.refused && piece?.zone.kind === "map" && !piece.item)
    result.selection = [...before];
  if (!(finger && showTapped(board, result))) take(board, result);
}

/** Add a thing to those that are asked about, or leave it out again. */
function askAbout(board: Board, id: string): void {
  const held = board.selection.includes(id);
  board.selection = held ? board.selection.filter((other) => other !== id) : [...board.selection, id];
  if (board.selection.length) board.events.why(board.selection);
}

/** Show the move on a map that a tap would make; false where it makes none, or one that is shown already. */
function showTapped(board: Board, result: Touch): boolean {
  const { play } = narrow(board.choices, result.selection);
  if (!play || play === board.tapped || board.things.get(play.target)?.zone.kind !== "map") return false;
  board.tapped = play;
  board.refusal = null;
  board.hinted = new Set();
  board.events.touch();
  return true;
}

/** Play all moves of the way to a place that is out of reach of one; false where there is none. */
function walkTo(board: Board, nested: readonly string[]): boolean {
  const { live } = board.narrowed;
  const way = nested.some((id) => live.has(id))
    ? undefined
    : nested.map((id) => board.reach[id]).find(Boolean);
  if (!way) return false;
  board.preview = null;
  board.refusal = null;
  board.events.walk(way);
  return true;
}

/** Take over what a touch means: select, refuse or play. */
function take(board: Board, result: Touch): void {
  board.selection = result.selection;
  board.preview = null;
  board.tapped = null;
  board.hinted = new Set();
  board.refusal = null;
  if (result.refused) {
    board.events.why(result.refused);
    return;
  }
  const { live, play } = board.narrowed;
  const spread = board.open && board.scene?.zones.find((zone) => zone.id === board.open);
  if (spread && board.selection.length && !spread.items.some((item) => live.has(item.id))) board.open = "";
  board.events.touch();
  if (play) playChoice(board, play);
}

/** Drop one thing on nested ids, innermost first. */
export function dropThing(board: Board, dragged: string, nested: readonly string[]): void {
  if (!nested.length || board.readOnly) return;
  board.confirming = null;
  const ways = board.scene?.paths[dragged] ?? NOWHERE;
  const way = nested.map((id) => ways[id]).find(Boolean);
  const { live } = narrow(board.choices, [dragged]);
  if (way && !nested.some((id) => live.has(id))) return board.events.walk(way);
  take(board, drop(board.choices, board.selection, dragged, nested));
}

/** Show what touching an id would leave, while the pointer is over it. */
export function previewTouch(board: Board, nested: readonly string[], dragged = ""): void {
  const held = dragged && !board.selection.includes(dragged) ? [dragged] : board.selection;
  const { live } = narrow(board.choices, held);
  const id = nested.find((one) => live.has(one));
  const telling = id && (held.length || board.things.get(id)?.zone.kind === "map");
  board.preview = telling ? likely(narrow(board.choices, [...held, id])) : null;
}

/** What a move would give up, as a sentence: what it says itself, or what was chosen and isn't played. */
export const givenUp = (board: Board, { confirm, items }: Choice): string =>
  confirm || (board.selection.length && !items.length && !board.asking ? t.notPlayedYet : "");

/** Play a choice; one that gives something up asks once more, unless it was `sure` already. */
export function playChoice(board: Board, choice: Choice, sure = false): void {
  const why = sure || board.confirming?.action === choice.action ? "" : givenUp(board, choice);
  if (why && board.events.confirm(choice, why)) {
    board.confirming = choice;
    return;
  }
  board.confirming = null;
  board.preview = null;
  board.events.play(choice);
}

/** Play the one complete candidate; false unless there is exactly one. */
export function playReady(board: Board): boolean {
  const [only, second] = board.narrowed.exact;
  if (!only || second || only.careful) return false;
  playChoice(board, only);
  return true;
}

/** Add something to the next move, or leave it out again. */
export function toggleExtra(board: Board, group: Extras, text: string): void {
  const held = board.added[group.id] ?? [];
  const rest = held.filter((one) => one !== text);
  const added = held.includes(text) ? rest : [...(group.one ? [] : held), text];
  board.added = { ...board.added, [group.id]: added };
}

/** What is sent for a choice: its number, or its text with what is added to it. */
export function moveOf(board: Board, choice: Choice): number | string {
  const words = (board.scene?.extras ?? []).flatMap((group) => {
    const texts = choice.extras.includes(group.id) ? (board.added[group.id] ?? []) : [];
    return texts.length && group.before ? [group.before, ...texts] : texts;
  });
  return words.length ? [choice.text, ...words].join(" ") : choice.action;
}

/** Show why something is not possible. */
export function showRefusal(board: Board, refusal: Refusal): void {
  board.refusal = refusal;
  uncover(board, refusal.blockers);
  board.hinted = new Set();
}

/** Close an open pile that would cover what a hint or a refusal marks. */
export function uncover(board: Board, marked: readonly string[]): void {
  const spread = board.scene?.zones.find((zone) => zone.id === board.open);
  const inside = new Set(spread?.items.map((item) => item.id));
  if (!marked.every((id) => inside.has(id))) board.open = "";
}

/** Cancel one thing after another: the spread pile, then the refusal, then what is touched. */
export function cancel(board: Board): void {
  if (board.open) board.open = "";
  else if (board.refusal) board.refusal = null;
  else {
    board.selection = [];
    board.asking = false;
    board.hinted = new Set();
  }
  board.confirming = null;
  board.preview = null;
  board.tapped = null;
  board.events.touch();
}

/** Whether a dialog or an explanation lies over the page and has the keys. Falling pennants have none. */
export const covered = (): boolean => !!document.querySelector(":modal, :popover-open:not(canvas)");

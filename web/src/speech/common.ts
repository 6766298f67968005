/** What is said in several places. */

import { form } from "./plural";

export const rules = "Rules";
export const you = "You";
export const tryAgain = "Try again";
export const allGames = "All games";
export const chat = "Chat";
export const table = "Table";
export const players = "Players";
export const log = "Log";
export const close = "Close";
export const decline = "Decline";
export const neverMind = "Never mind";
export const cancel = "Cancel";
export const cancelEscape = "Cancel (Escape)";
export const anotherGame = (names: readonly string[]): string =>
  `${names.join(" and ")} ${form(names.length, "wants", "want")} another game.`;

/** What is said of the game as it goes on, aloud too. */

import type { Said } from "./said";

// calls
export const yourTurnInTitle = "● Your turn · ";
export const yourTurn = "Your turn";

// curve
export const chanceToWinBeforeTheThrow = (before: Said, played: Said): string =>
  `Chance to win ${before} before the throw, ${played} after it.`;
export const chanceToWin = (before: Said): string => `Chance to win ${before}.`;
export const fromTo = (before: Said, after: Said, better: Said): string =>
  `Chance to win ${before} before, ${after} after. Better: ${better}`;
export const theEnd = (end: Said): string => `At the end: ${end}.`;
export const theEndPercent = (percent: Said): string => `At the end: ${percent}.`;

// hints
export const toWin = (chance: Said): string => `${chance} to win. `;
export const hintTextChanceReason = (text: Said, chance: Said, reason: Said): string =>
  `Hint: ${text}. ${chance}${reason}`;

// outcome
export const youWin = "You win.";
export const yourSideWins = "Your side wins.";
export const youResigned = "You resigned.";
export const youRanOutOfTime = "You ran out of time.";

// past
export const moveTakenBackSince = (ply: Said): string => `Move ${ply}, since taken back.`;
export const moveOf = (ply: Said, now: Said): string => `Move ${ply} of ${now}.`;

// requests
export const stoppedAfterOfMoves = (done: Said, actions: Said, text: Said): string =>
  `Stopped after ${done} of ${actions} moves. ${text}`;
export const settingSTurn = (setting: Said): string => `${setting}’s turn.`;

// seats
export const toMove = "to move";
export const notHereYet = "not here yet";
export const atTheTable = "at the table";

// session
export const pressAgain = (confirm: Said, choice: Said): string => `${confirm} Press again: ${choice}.`;
export const theCommitmentWasChanged =
  "The server’s commitment to this deal was changed. Don’t trust the deal, and tell the others.";
export const yourBrowsersShareIsMissingFrom =
  "Your browser’s share is missing from this deal. Don’t trust it, and tell the others.";
export const theRecordIsOfAnotherGame =
  "The record of this game doesn’t match what your browser saw. Compare the check value with the others.";
export const thisBrowserCouldNotAddIts = "This browser couldn’t add its share to the deal. Reload the page.";
export const passTheDeviceToTheTable = (setting: Said): string =>
  `Pass the device to ${setting}. The table is hidden until they are ready.`;

// words
export const takenBack = "Taken back.";
export const youPlay = (setting: Said): string => `You play ${setting}.`;
export const tapAgainToPlay = (tapped: Said, note: Said): string => `${tapped}${note}. Tap again to play.`;
export const nothingSelected = (scene: Said): string => `Nothing selected. ${scene}`;
export const enterPlays = (only: Said): string => ` Enter plays: ${only}.`;
export const selectedSelectionReady = (selection: Said, ready: Said): string =>
  `Selected: ${selection}.${ready}`;
export const inTheWay = (names: Said): string => ` In the way: ${names}.`;
export const clauseClause = (clause: Said): string => ` Clause ${clause}.`;
export const notPossible = "Not possible. ";
export { you } from "./common";

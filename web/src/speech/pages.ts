/** What is said on the pages for replays and for your games. */

import { counted } from "./plural";
import type { Said } from "./said";

// ReplayPage
export const moveOf = (ply: Said, plies: Said, events: Said, result: Said): string =>
  `Move ${ply} of ${plies}. ${events} ${result}`;
export const thisLinkDoesntContainAReadable = "This link doesn’t contain a readable record.";
export const replayBartizan = "Replay · Bartizan";
export const whoseHand = "Whose hand to show";
export const noHands = "As spectators saw it";
export const handOf = (name: Said): string => `As ${name} saw it`;
export const anotherRecord = "Another record";
export const replay = "Replay";
export const pasteARecordOrOpenIts = "Paste a record or open its file to step through the game.";
export const record = "Record";
export const showGame = "Show game";
export const openFile = "Open file";

// YourPage
export const wonWithManyHints = "won with many hints";
export const newGames = (fresh: number): string => `${counted(fresh, "new game", "new games")}.`;
export const everythingInItIsAlreadyHere = "Everything in it is already here.";
export const yourGamesBartizan = "Your games · Bartizan";
export const replayARecord = "Replay a record";
export const yourGames = "Your games";
export const savedInThisBrowserOnlyWins =
  "Saved in this browser only. " +
  "Wins with hints on a quarter of your moves or more don’t extend your streak.";
export const played = "Played";
export const won = "Won";
export const ofThemWithManyHints = "of them with many hints";
export const drawn = "Drawn";
export const currentStreak = "Current streak";
export const bestStreak = "Best streak";
export const theLatestOldestFirst = (latest: Said): string => `The latest ${latest}, oldest first`;
export const byOpponentAndRules = (game: Said): string => `${game} by opponent and rules`;
export const against = "Against";
export const lost = "Lost";
export const youHaventFinishedAGameYet = "You haven’t finished a game yet.";
export const chooseOne = "Choose one";
export const records = "Records";
/** A button's name with the game that it is for: "Replay Tower, You win." */
export const forGame = (button: Said, game: Said, headline: Said): string => `${button} ${game}, ${headline}`;
export const download = "Download";
export const deleteRecord = "Delete record";
export const deleteForGood = "Delete for good";
export const playedAgainst = (others: Said): string => `against ${others}`;
export const yourLast200FinishedGamesWill = "Your last 200 finished games will appear here.";
export const exportAll = "Export all";
export const importIt = "Import";

// carried
export const tooLong = "too long";
export { log, rules } from "./common";

/** What is said around the table. */

import type { Said } from "./said";

// Choices
export const pressAgain = (confirm: Said): string => `${confirm} Press again`;

// CommandLine
export const typeAMove = "Type a move";
export const play = "Play";
export const whyNotThisMove = "Why not this move?";

// Messages
export const offersADraw = (drawOffer: Said): string => `${drawOffer} offers a draw.`;
export const accept = "Accept";
export const youOfferADrawItsOpen = "You offer a draw. It’s open until your opponent moves.";
export const thereIsARematch = "There’s a rematch.";
export const see = "See";
export const someSeatsAreOpen = "Some seats are open.";
export const tapAgainToPlay = "Tap again to play";
export const playIt = "Play it";
export const takeAim = "Take aim";

// PlayBar
export const moves = (count: number): string =>
  count === 1 ? "One possible move" : `${count} possible moves`;
export const backToTheGame = "Back to the game";
export const backToTheGameEscape = "Back to the game (Escape)";
export const replayTheLastTurnT = "Replay the last turn (t)";
export const replayLastTurn = "Replay last turn";
export const availableMoves = "Available moves";
export const whyNotSelectWhatYoudLike = "Why not? Select what you’d like to use.";
export const chooseATarget = (candidates: Said): string => `${candidates}: choose a target`;

// StatusLine
export const passTheDeviceOn = "Pass the device on.";
export const waitingForTheDeal = "Waiting for the deal …";
export const gettingReady = "Getting ready …";
export const settingUp = "Setting up …";
export const reviewingPhase = (phase: Said): string => `Reviewing${phase}`;
export const result = "Result";
export const theComputerIsGettingReady = (preparation: Said): string =>
  `The computer is getting ready: ${preparation}`;
export const everyoneKnowsTheSeed = (seed: Said): string => `Everyone knows this deal’s seed: ${seed}`;
export const openDeal = "open deal";
export const watching = "watching";
export const numbers = "Numbers";
export const round = "Round";
export const turn = "Turn";
export const theConnectionIsGoneTryingAgain = "Connection lost. Reconnecting …";
export const yourMoveWaits = "Connection lost. Keep this page open: your move will be sent.";
export const tryNow = "Try now";
export const cantReachThisTable = "Can’t reach this table.";

// TableBar
export const connectionConnection = (connection: Said): string => `Connection: ${connection}`;
export const undo = "Undo";
export const undoLastU = (last: Said): string => `Undo: ${last} (u)`;
export const undoU = "Undo (u)";
export const redo = "Redo";
export const redoR = "Redo (r)";
export const hint = "Hint";
export const hintH = "Hint (h)";
export const whyNot = "Why not?";
export const whyNotW = "Why not? (w)";
export const rulesL = "Rules (l)";
export const menu = "Menu";
export const menuN = "Menu (n)";

// TablePage
export const titleBartizan = (title: Said): string => `${title} · Bartizan`;
export const agreeToADraw = "Agree to a draw";
export const offerADraw = "Offer a draw";
export const resign = "Resign";
export const passTheDeviceTo = (who: Said): string => `Pass the device to ${who}`;
export const theTableIsHiddenSoThat = "The table is hidden so that no one sees another player’s cards.";
export const iAmShowTheTable = (who: Said): string => `I am ${who}: show the table`;
export const movesAndLog = "Moves and log";
export const matchingMoves = "Matching moves";

// controls
export const soundOff = "Sound off.";
export const soundOn = "Sound on.";
export const whyNotSelectWhatYouWant = "Why not? Select what you want to use, or type a move.";
export const backToTheGame2 = "Back to the game.";
export {
  anotherGame,
  close,
  cancel,
  cancelEscape,
  players,
  allGames,
  table,
  rules,
  log,
  chat,
  decline,
} from "./common";

/** What is said on the board. */

import { counted } from "./plural";
import type { Said } from "./said";

// Log
export const ofName = (name: Said): string => `of ${name}`;
export const gameLog = "Game log";
export const showTheTableAfterThisMove = "Show the table after this move";
export const noMovesYet = "No moves yet.";

// Lanes
const inTurns = (turns: number): string => `in ${counted(turns, "turn")}`;
const nextTurn = "next turn";
/** When what is in flight lands: 0 turns is now. */
export const landing = (turns: number): string => (turns > 1 ? inTurns(turns) : turns ? nextTurn : "now");
export const couldBe = (mark: Said, who: Said, turns: number): string =>
  `could be ${mark} by ${who}, ${landing(turns)}`;
export const noAttacksInFlight = "No attacks in flight.";

// MapZone
export const labelMap = (label: Said): string => `${label}, map`;
export const smaller = "Smaller";
export const smallerKey = "Smaller (−)";
export const fit = "Fit";
export const showAllKey = "Show all (0)";
export const larger = "Larger";
export const largerKey = "Larger (+)";

// Pile
export const topOfInAll = (label: Said, count: Said): string => `top of ${label}, ${count} in all`;
export const opensPlayableInside = "opens, playable inside";
export const faceDown = (label: Said, count: Said): string => `${label}, ${count} face-down`;
export const labelEmpty = (label: Said): string => `${label}, empty`;

// Place
export const wouldBe = (mark: Said): string => `would be: ${mark}`;

// Plate
export const zoneOfLimit = (zone: Said, limit: Said): string => `${zone} of ${limit}`;

// Spread
export const openCardsTopFirst = (label: Said, zone: Said): string =>
  `${label}, open, ${zone} cards, top first`;
export const topFirst = (zone: Said): string => `${zone}, top first`;
export const closeLabel = (label: Said): string => `Close ${label}`;
export const andMoreThatNoOneHere = (hidden: Said): string => `and ${hidden} more that no one here has seen`;

// Actions
export const notPlayedYet = "The move you chose isn’t played yet.";

// Zone
export const countOfLimit = (count: Said, limit: Said): string => `${count} of ${limit}`;

// Contest
export const aFaceDownCard = (label: Said): string => `${label}: a face-down card`;
export const labelToGoalRacers = (label: Said, goal: Said, racers: Said): string =>
  `${label} to ${goal}: ${racers}`;
export { you } from "./common";

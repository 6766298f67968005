/** What is said where a game is chosen with its players and options. */

import { counted } from "./plural";
import type { Said } from "./said";

// ClockPicker
export const messagesAndEmotes = "Messages and emotes";
export const emotesOnly = "Emotes only";
export const off = "Off";
export const clock = "Clock";
export const custom = "Custom …";
export const minutes = "Minutes";
export const secondsAddedPerTurn = "Seconds added per turn";
export const set05To180Minutes = "Set 0.5 to 180 minutes, and 0 to 180 seconds added per turn.";
export const theClockStartsWithEachPlayers =
  "The clock starts with each player’s second turn. If you run out of time you lose; with more than " +
  "two players, the computer plays on for you. The computer’s own thinking isn’t timed.";
export const series = "Series";
export const singleGame = "Single game";
export const bestOf = (one: Said): string => `Best of ${one}`;

// DealPage
export const thisServerDoesntHaveThatGame = "This server doesn’t have that game.";
export const aDeal = "A deal";
export const pageTitle = (title: Said): string => `${title} · Bartizan`;
export const theDealOfEveryoneGetsThe = (date: Said): string =>
  `The deal of ${date}. Everyone gets the same cards.`;
export const aFriendSentYouThisDeal = "A friend sent you this deal. You get the same cards.";
export const youThisDealBefore = (won: Said): string => `You ${won} this deal before.`;
export const playThisDeal = (several: Said): string => `Play this deal${several}`;
export const noDeal = "No deal";
export const thisLinkDoesntNameADeal = "This link doesn’t name a deal.";

// GameSheet
export const all = "All";
export const both = "Both";
export const play = "Play";
export const allOnThisDevice = (people: Said): string => `${people} on this device`;
export const aFriend = "a friend";
export const inviteSitters = (sitters: Said): string => `Invite ${sitters}`;
export const dealOfTheDay = (daily: Said): string => `Deal of the day${daily}`;
export const throwingRange = "Throwing range";
export const withTheseOptions = "With these options";
export const withTheStandardRules = "With the standard rules";
export const wonOfStreakBest = (changed: Said, won: Said, played: Said, streak: Said, best: Said): string =>
  `${changed}: won ${won} of ${played}, streak ${streak}, best ${best}`;
export const clockChatAndSeries = "Clock, chat and series";
export const changedCount = (changed: Said): string => ` · ${changed} changed`;
export const optionsChanged = (changed: Said): string => `Options${changed}`;

// OptionsForm
export const onOff = (on: boolean): string => (on ? "on" : "off");
export const moreOptions = "More options";
export const options = "Options";
export const resetToTheStandardRules = "Reset to the standard rules";

// SeatPicker
export const seats = "Seats";
export const seatN = (n: Said): string => `Seat ${n}`;
export const me = "Me";
export const personOnThisDevice = "Person on this device";
export const friendByLink = "Friend by link";

// clocks
export const minutesAndIncrement = (minutes: Said, increment: Said): string =>
  `${minutes} min + ${increment} s a turn`;
export const secondsPerMove = (seconds: Said): string => `${seconds} s per move`;
export const minutesPerMove = (seconds: Said): string => `${seconds} min per move`;
export const daysPerMove = (days: number): string => `${counted(days, "day")} per move`;
export const noClock = "No clock";
export const wholeGame = "Whole game";
export const perMove = "Per move";
export const overDays = "Over days";
export { chat, allGames, players } from "./common";

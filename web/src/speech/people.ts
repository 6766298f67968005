/** What is said about the others at the table. */

import type { Said } from "./said";

// Arrangements
export const askForATakeback = "Ask for a takeback";
export const agreed = (names: Said): string => `${names} agreed.`;
export const allow = "Allow";
export const theGameIsAdjourned = "The game is adjourned.";
export const youAgreedWaitingForTheOthers = "You agreed. Waiting for the others.";
export const itsSavedResumeItWheneverYou = "It’s saved. Resume it whenever you like.";
export const resume = "Resume";
export const theComputerPlayedForYouWhile = "The computer played for you while you were away.";
export const takeMySeatBack = "Take my seat back";
export const hasBeenAwayForAWhile = (seat: Said): string => `${seat} has been away for a while.`;
export const theHostHasBlocked = (seat: Said): string => `The host has blocked ${seat}.`;
export const letTheComputerPlay = "Let the computer play";
export const adjourn = "Adjourn";
export const takeTheSeat = "Take the seat";

// Chat
export const chatMessages = "Chat messages";
export const noMessagesYet = "No messages yet.";
export const writeAMessage = "Write a message";
export const say = "Send";
export const spectatorsCanReadTheChatPlayers = "Spectators can read the chat. Players can write.";
export const chatSettings = "Chat settings";
export const doNotShowMeWhatSays = (seat: Said): string => `Mute ${seat}`;
export const hasTurnedTheChatOff = (seat: Said): string => `${seat} has turned the chat off.`;
export const turnChatOffForMeThe = "Turn chat off for me (the others can see that)";

// PeopleBar
export const twentySecondsLeft = "20 seconds left.";
export const clockStartsLater = ", the clock starts after the first turn";
export const leftLeft = (left: Said): string => `, ${left} left`;
export const pointsInTheSeries = "Points in the series";
export const chatNew = (unread: Said): string => `Chat: ${unread} new`;

// PeopleMenu
export const savedTheOthersCanSeeIt = "Saved. The others can see it.";
export const yourNameAndShield = "Your name and shield";
export const name = "Name";
export const none = "None";
export const shield = "Shield";
export const shieldColour = "Shield colour";
export const save = "Save";
export const savedInThisBrowserAndShown =
  "Saved in this browser and shown at your tables. No account needed.";
export const whenItIsYourTurn = "When it is your turn";
export const notificationsAreOn = "Notifications are on";
export const notifyMe = "Notify me";
export const yourBrowserBlocksNotificationsForThis =
  "Your browser blocks notifications for this page. You can allow them in its settings.";
export const worksWhileThisPageIsOpen =
  "Works while this page is open in the background. The tab’s title and icon change too.";

// Report
export const reportAPlayer = "Report a player";
export const player = "Player";
export const message = "Message";
export const noMessage = "No message in particular";
export const whatHappened = "What happened?";
export const onlyTheHostSeesYourReport = "Only the host sees your report. No one at the table is told.";
export const sendReport = "Report";
export const reported = "Reported. The host will see it.";

// Push
export const tellMeWhenThisPageIsClosed = "Tell me when it’s my turn, even if this page is closed";
export const yourBrowserCannotBeNotified =
  "Your browser can’t be notified. It may have no push service, or block it.";

// people
export const tookAHint = (name: Said): string => `${name} took a hint.`;
export const hintsUsed = (count: number): string => (count === 1 ? "1 hint" : `${count} hints`);
export const yourSeatWasOpenedElsewhere =
  "Your seat was opened in another browser. If you were away, someone at the table may have taken it. " +
  "Otherwise someone has your link.";

// shown
export const hello = "Hello!";
export const goodLuck = "Good luck!";
export const hm = "Hm …";
export const wellPlayed = "Well played!";
export const oops = "Oops!";
export const wow = "Wow!";
export const thanks = "Thanks!";
export const goodGame = "Good game!";
export { cancel, close, players, chat, decline, neverMind } from "./common";

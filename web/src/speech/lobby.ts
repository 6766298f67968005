/** What is said in the lobby. */

import type { Said } from "./said";

// GameTile
export const byAuthor = (author: Said): string => `by ${author}`;
export const play = "Play";
export const playWithAFriend = (title: Said): string => `Play ${title} with a friend`;
export const playAFriend = "Play a friend";
export const learnTitle = (title: Said): string => `Learn ${title}`;
export const learn = "Learn";
export const puzzlesOf = (title: Said): string => `${title} puzzles`;
export const puzzles = "Puzzles";
export const rulesOf = (title: Said): string => `${title} rules`;
export const playersAndOptions = "Players and options";
export const options = "Options";
export const severalOfTitle = (several: Said, title: Said): string => `${several} of ${title}`;
export const optionsChanged = (changed: Said): string => `Options${changed}`;

// KeptTables
export const onThisDevice = "on this device";
export const asNames = (names: Said): string => `as ${names}`;
export const roundRound = (round: Said): string => `round ${round}`;
export const movePly = (ply: Said): string => `move ${ply}`;
export const justStarted = "just started";
export const dealOf = (date: Said): string => `deal of ${date}`;
export const withOptions = "with options";
export const continueTable = "Continue ";
export const removeThisTable = (title: Said, used: Said): string => `Remove this table: ${title}, ${used}`;
export const continueTables = "Continue";
export const finishedTables = "Finished tables";
export const moreInProgress = (rest: Said): string => `${rest} more in progress`;
export const restFinished = (rest: Said): string => `${rest} finished`;

// LobbyPage
export const yourGames = "Your games";
export const lab = "Lab";
export const replayARecord = "Replay a record";
export const holdTheWall = "Hold the wall.";
export const fiveSiegeGamesPlayThemReplay =
  "Five siege games. Play them, replay them, see why you won or lost.";
export const newHere = "New here?";
export const startWithALessonOf = (title: Said): string => `Learn ${title} in a short lesson`;
export const theServerCannotBeReachedThe = "Can’t reach the server. You can read the rules, but not play.";
export const noGamesAreInstalled = "No games are installed.";
export const loadingGames = "Loading games …";
export const replays = "Replays";
export const openTheRecordOfAnyGame = ": open the record of any game and step through it.";
export const theLab = "The Lab";
export const letTheComputerPlayThousandsOf =
  ": let the computer play thousands of games to see if a rule is fair.";

// Today
export const dealsOfTheDay = "Deals of the day";
export const everyoneGetsTheSameDealNew = (date: Said): string =>
  `${date}. Everyone gets the same deal. New deals tomorrow.`;
export const notPlayedYet = "not played yet";

// facts
export const playersAtMost = (most: Said): string => `${most} players`;
export const toPlayers = (least: Said, most: Said): string => `${least} to ${most} players`;
export const toMinutes = (span: Said, span2: Said): string => `${span} to ${span2} minutes`;
export const learnItInAMinute = "Learn it in a minute";
export const easyToLearn = "Easy to learn";
export const aBitHarderToLearn = "A bit harder to learn";
export const justNow = "just now";

// seating
export const playsAnyLegalMove = "plays any legal move";
export const looksOneMoveAhead = "looks one move ahead";
export const computerWeakestFirst = "Computer, weakest first";
export const otherComputerPlayers = "Other computer players";
export const computerByThrowingSkill = "Computer, by throwing skill";
export const someoneOnThisDevice = "someone on this device";
export const othersOnThisDevice = "others on this device";
export const aFriendByLink = "a friend by link";
export const friendsByLink = "friends by link";
export const theComputer = (one: Said): string => `the computer (${one})`;
export const againstOthers = (others: Said): string => `against ${others}`;
export const openTheTable = "Open the table";
export const watchThemPlay = "Watch them play";
export const playSitters = (sitters: Said): string => `Play ${sitters}`;
export { rules, table, tryAgain } from "./common";

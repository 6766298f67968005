/** What is said in the dialogs of a table. */

import { counted, form } from "./plural";
import type { Said } from "./said";

// Analysis
export const noSingleMoveDecidedTheGame = "No single move decided the game.";
export const analysis = "Analysis";
export const doneOf = (done: Said, total: Said): string => `${done} of ${total}`;
export const analysingMoves = (total: Said): string => `Analysing moves: ${total}`;
export const chanceToWinMistakesMarked = "Chance to win, with mistakes marked";
export const previous = "Previous";
export const next = "Next";
export const turningPoint = "Turning point";
export const closeTheAnalysis = "Close the analysis";

// DealLine
export const thisDealsSeedIsPublic = "This deal’s seed is public:";
export const anyoneWhoKnowsItCanWork = ". Anyone who knows it can work out every hand.";
export const theDealIsCommitted = "The deal is committed:";
export const sharesOfAreInIt = (given: Said): string => `It includes shares from ${given}.`;
export const theServerChoseItAlone = "The server chose it alone.";
export const gaveNoShare = (left_out: Said): string => `${left_out} gave no share.`;
export const isTheDealFair = "Is the deal fair?";

// VoidDeals
export const dealsWereVoid = (deals: number, names: Said): string =>
  `${counted(deals, "deal")} ${form(deals, "was", "were")} void: ${names} didn’t show their share.`;
export const isNoPartOfTheDeal = (names: readonly string[]): string =>
  `${names.join(" and ")} ${form(names.length, "isn’t", "aren’t")} part of this deal: the others went on.`;
export const dealsElsewhereCameToNothing = (deals: number): string =>
  `In the day before, this browser gave its share to ${counted(deals, "deal")} at other tables, ` +
  "and no cards were dealt. If the same people were there, one of them may have turned a deal down.";

// Dealing
export const isYou = " (you)";
export const shareShown = "share shown";
export const waitingForTheShare = "waiting for the share";
export const notHereYet = "not here yet";
export const waitingForEveryone = (title: Said): string => `${title}: waiting for everyone`;
export const dealing = "Dealing …";
export const everyPlayersBrowserAddsARandom =
  "Every player’s browser adds a random share to the deal, so no one can choose it.";
export const sharesInTheDeal = "Shares in the deal";
export const theLinkWorksOnThisMachine =
  "The link works on this machine only. To let others in, restart the server with";
export const goOnWithout = (name: Said): string => `Go on without ${name}`;
export const wantToGoOn = (names: readonly string[], other: Said): string =>
  `${names.join(" and ")} ${form(names.length, "wants", "want")} to go on without ${other}.`;

// Extras
export const anythingElse = "Anything else?";
export const thisIsAddedToYourNext = "This is added to your next report.";
export const done = "Done";

// Hints
export const hintsSoFar = (hints: number): string => `${counted(hints, "hint")} so far`;
export const toWin = (chance: Said): string => `${chance} to win`;
export const toWinFromSimulatedGames = (chance: Said, visits: Said): string =>
  `${chance} to win, from ${visits} simulated games`;
export const throwAt = (choice: string, target: string): string =>
  target ? `${choice} at ${target}` : choice;
export const hintsBestFirst = "Hints, best first";

// Invite
export const linkCopied = (name: Said): string => `Link copied: ${name}.`;
export const yourBrowserBlockedCopying = "Your browser blocked copying. Select and copy it yourself.";
export const copyTheLinkOf = (name: Said): string => `Copy the link: ${name}`;
export const copied = "Copied";
export const copy = "Copy";
export const copyTheLink = "Copy the link";
export const shareTheLink = (name: Said): string => `Share the link: ${name}`;
export const share = "Share";
export const qrCodeOfTheLink = (name: Said): string => `QR code of the link: ${name}`;
export const qr = "QR";

// Keys
export const moveBetweenAreas = "move between areas";
export const arrowKeys = "Arrow keys";
export const moveBetweenCardsPiecesOrSquares = "move between cards, pieces or squares";
export const enterSpace = "Enter, Space";
export const selectOrDeselect = "select, or deselect";
export const playTheMoveThatIsReady = "play the move that is ready";
export const playTheMoveWithThatNumber = "play the move with that number";
export const typeAMove = "type a move";
export const onAMapZoomInZoom = "on a map: zoom in, zoom out, show everything";
export const arrowsPageUpPageDown = "Arrows, Page Up, Page Down, [ ], + −";
export const whenThrowingAimAndPowerSpin =
  "when throwing: aim and power, spin, tilt, height; Shift makes bigger steps; Enter throws";
export const replayTheLastTurn = "replay the last turn";
export const whyNot = "why not?";
export const referenceCards = "reference cards";
export const keyNewDeal = "new deal";
export const soundOnOrOff = "sound on or off";
export const thisList = "this list";

// ResultLines
export const whereThePointsComeFrom = "Where the points come from";
export const points = "Points";

// ResultSheet
export const series = "Series";
export const bestOf = (best_of: Said): string => `Best of ${best_of}`;
export const winsTheSeries = (who: Said, own: boolean): string =>
  `${who} ${own ? "win" : "wins"} the series.`;
export const theSeriesIsDrawn = "The series is drawn.";
export const gameBestOf = (game: Said, best_of: Said): string => `Game ${game}, best of ${best_of}`;
export const seeTheRule = "See the rule";
export const rounds = "Rounds";
export const decisions = "Decisions";
export const hints = "Hints";
export const undos = "Undos";
export const winsInARow = (wins: number): string => `${counted(wins, "win")} in a row`;
export const noStreakYet = "no streak yet";
export const bestBest = (best: Said): string => `, ${best} best`;
export const wonOfUnderTheseRules = (won: Said, played: Said, streak: Said, best: Said): string =>
  `Won ${won} of ${played} under these rules · ${streak}${best}`;
export const onlyTheFirstResultAtThis = (headline: Said): string =>
  `Only the first result at this table counts: ${headline}`;
export const goToTheRematch = "Go to the rematch";
export const watchTheRematch = "Watch the rematch";
export const aNewSeries = "New series";
export const nextGame = "Next game";
export const rematch = "Rematch";
export const everyoneChangesSeats = "Everyone changes seats.";
export const youWantAnotherGameIt = "You want another game. It starts when everyone agrees.";
export const newDeal = "New deal";
export const sameDealAgain = "Same deal again";
export const review = "Review";
export const changedRules = (changed: Said): string => `Rules changed here: ${changed}`;
export const downloadRecord = "Download record";

// Share
export const theGameIsNotOver = "The game is not over.";
export const dealOf = (date: Said): string => `, deal of ${date}`;
export const copiedToTheClipboard = "Copied to the clipboard.";
export const thisBrowserCantMakePictures = "This browser can’t make pictures.";
export const pictureSaved = "Picture saved.";
export const shareResult = "Share result";
export const savePicture = "Save picture";

// Steps
export const stepsOfTheTurn = "Steps of the turn";
export const alsoDone = ", done";

// TableDialogs
export const askResign = "Resign?";
export const resignsAndWins = (seat: Said, name: Said): string => `${seat} resigns and ${name} wins.`;
export const theComputerTakesOverTheOthers = (seat: Said): string =>
  `The computer takes over ${seat}. The others play on.`;
export const resign = "Resign";
export const playOn = "Play on";
export const keys = "Keys";
export const theEnd = "The end";

// TableMenu
export const slow = "Slow";
export const normal = "Normal";
export const fast = "Fast";
export const noAnimation = "No animation";
export const standard = "Standard";
export const redAndBlack = "Red and black";
export const fourColours = "Four colours";
export const thisTable = "This table";
export const yourOwnSeat = "Your own seat";
export const spectators = "Spectators";
export const tables = "Tables";
export const deal = "Deal";
export const dealOfTheDay = "Deal of the day";
export const gamesAndOptions = "Games and options";
export const thisTableIsSavedInThe = "This table is saved in the lobby.";
export const links = "Links";
export const invitationsWorkOnce =
  "An invite link works once, for the first browser that opens it. Keep your own seat’s link to yourself.";
export const keepYourLink = "Anyone with a seat’s link can play that seat, so keep yours to yourself.";
export const theOldLinkWorksNoMore = "Link replaced. The old one no longer works.";
export const newLink = "New link";
export const replaceTheLink = (name: Said): string =>
  `Replace the link of ${name}; the old one stops working`;
export const game = "Game";
export const agreeToADraw = "Agree to a draw";
export const offerADraw = "Offer a draw";
export const turnTheBoardToThePlayer = "Turn the board to the player whose turn it is";
export const checkValue = "Check value:";
export const checkValueIsTheSameForAll =
  "It’s the same for everyone after the same move. Compare it or note it: it shows if a record was changed later.";
export const hashOfTheDealsSeed = "Hash of the deal’s seed:";
export const settings = "Settings";
export const menuSoundOff = "Sound: off";
export const menuSoundOn = "Sound: on";
export const asksBeforeEnding = "Ask before ending a turn early: on";
export const asksNothingBeforeEnding = "Ask before ending a turn early: off";
export const matchSystemTheme = "Match system theme";
export const light = "Light";
export const dark = "Dark";
export const animationSpeed = "Animation speed";
export const suits = "Suits";
export const volume = "Volume";

// Waiting
export const hasntJoinedYet = "hasn’t joined yet.";

// Wheel
export const anArrowGoesFromEachSuit = "an arrow goes from each suit to those it beats";
export const beatsBeatIt = (chosen: Said, list: Said, stronger: Said): string =>
  `${chosen} beats ${list}; ${stronger} beat it`;

// sharing
export const bartizanTitle = (title: Said): string => `Bartizan · ${title}`;
export const hintsUsed = (hints: number): string => counted(hints, "hint");
export const noHints = "no hints";
export const undone = (undos: Said): string => `${undos} undone`;
/** What you did, for those who hear it from you: "I win." */
export const asI = (words: string): string => words.replace(/^Your\b/, "My").replace(/^You\b/, "I");
export const roundsPlayed = (count: number): string => counted(count, "round");
export const decisionsTaken = (plies: number): string => counted(plies, "decision");
export { anotherGame, tryAgain, you, allGames, table, rules, log, chat, decline, neverMind } from "./common";

/** What is said about whether a deal is fair. */

import { form } from "./plural";
import type { Said } from "./said";

// VerifyPage
export const fairNoOneCouldHaveChosen = "Fair: no one could have chosen this deal.";
export const openNoCheckFailed = "Open: no check failed.";
export const forgedThisRecordFailedACheck = "Forged: this record failed a check.";
export const theServerDealtTheCardsFrom = (plies: Said): string =>
  `The server dealt the cards from the seed and replayed all ${plies} moves. They are legal.`;
export const theServerSays = (message: Said): string => `The server says: ${message}`;
export const isTheDealFairBartizan = "Is the deal fair? · Bartizan";
export const isTheDealFair = "Is the deal fair?";
export const beforeAnyoneSitsDownTheServer =
  "Before anyone sits down, the server draws a secret and publishes its hash. If several people play, " +
  "each browser then draws 128 random bits, publishes their hash, and reveals the bits once it has all " +
  "the hashes. The deal’s seed is a hash of the secret and all these shares, so neither a player nor " +
  "the server can choose the deal alone.";
export const whatThisCantPreventWhoeverRuns =
  "What this can’t prevent: whoever runs the server can see the cards. If a player withholds a share, the " +
  "deal is void and the record says whose share was missing. Note the commitment your table shows and " +
  "compare it with the record’s. If someone changes a finished game and computes its log again, only a " +
  "check value that another player noted shows it.";
export const pasteTheRecordOfAFinished = "Paste the record of a finished game or drop its file here.";
export const checkHashes = "Check hashes";
export const openFile = "Open file";
export const itCouldHaveBeenChosenBy = (choosers: Said): string =>
  `The deal could have been chosen by ${choosers}.`;
export const itsEndingCouldHaveBeenChangedBy = (people: Said): string =>
  `The moves and the ending could have been changed by ${people}.`;
export const checkValueThatYouNotedIfAny = "A check value you noted, if any";
export const thatIsntACheckValue = "That isn’t a check value: it has 20 digits from 0 to 9 and a to f.";
export const checks = "Checks";
export const yourBrowserComputedThisWithoutAsking =
  "Your browser computed this without asking a server. To check that the deal and every draw follow " +
  "from the seed, the game must be replayed: run";
export const yourselfOrAskThisServer = "yourself, or ask this server.";
export const replayItOnTheServer = "Replay it on the server";

// verify
export const itsMalformed = "It’s malformed.";
export const protocolIsUnknown = (protocol: Said): string => `Protocol ${protocol} is unknown.`;
export const itDoesntNameATable = "It doesn’t name a table.";
export const theCommitmentIsntASha256 = "The commitment isn’t a SHA-256 hash.";
export const theSecretIsMalformed = "The secret is malformed.";
export const itListsSeatsThisGameDoesnt = "It lists seats this game doesn’t have.";
export const itHasACommitmentFromA = "It has a commitment from a seat that wasn’t asked.";
export const itHasAShareWithoutA = "It has a share without a commitment.";
export const aCommitmentIsntASha256 = "A commitment isn’t a SHA-256 hash.";
export const aShareIsMalformed = "A share is malformed.";
export const theSeatsListedAsLeftOut =
  "The seats listed as left out or given up aren’t the ones without a share.";
export const aVoidDealIsMalformed = "A void deal is malformed.";
const theSeats = (seats: readonly number[]): string =>
  `${form(seats.length, "seat", "seats")} ${seats.join(" and ")}`;
export const dealNumber = (number: number): string => `deal ${number}`;
export const itWasVoid = (seats: readonly number[]): string =>
  `It was void: ${theSeats(seats)} didn’t show a share. Everything was drawn again.`;
export const couldHaveTurnedItDown = (seats: readonly number[], deal: number): string =>
  `${theSeats(seats)} and the host together, who could have turned deal ${deal} down`;
export const theOthersGaveItUp = "The others gave this seat up, so the deal was made without its share.";
export const allOthersAndTheHost = (seat: Said): string => `the host and all others but seat ${seat}`;
export const aChosenSeedCantHaveShares = "A chosen seed can’t have shares.";
export const thisIsntAReadableRecord = "This isn’t a readable record.";
export const thisIsntARecordTheGame = "This isn’t a record: the game, rules, seats or options are missing.";
export const theRecordHasNoCommitmentSo =
  "The record has no commitment, so nothing shows where its deal came from.";
export const whoeverCreatedTheGame = "whoever created the game";
export const itStartedFromAPositionNot = "It started from a position, not from a deal.";
export const theServersSecretOrTheSeed = "The server’s secret or the seed is missing.";
export const thisGameWasntOverYet = "This game wasn’t over yet. Its deal can be checked once it is.";
export const theServersSecretMatchesItsCommitment =
  "The server’s secret matches its commitment from before the deal.";
export const theServersSecretDoesntMatchIts = "The server’s secret doesn’t match its commitment.";
export const shareOfSeat = (seat: Said): string => `share of seat ${seat}`;
export const missingAlthoughThisBrowserCommittedTo =
  "Missing, although this browser committed to one. It was left out.";
export const missingNoneWasGivenAndThe = "Missing. None was given, and the seat was left out.";
export const seatAndTheHostTogether = (seat: Said): string => `seat ${seat} and the host together`;
export const thisBrowserDrewIt = "This browser drew it.";
export const thisBrowserDrewADifferentOne = "This browser drew a different one.";
export const itMatchesTheCommitment = "It matches the commitment.";
export const itDoesntMatchTheCommitment = "It doesn’t match the commitment.";
export const itWasChosenAndItMatches = "It was chosen, and it matches the commitment.";
export const whoeverCreatedTheTable = "whoever created the table";
export const itFollowsFromTheSecretAnd = "It follows from the secret and all the shares.";
export const itFollowsFromTheServersSecret = "It follows from the server’s secret alone.";
export const itDoesntFollowFromTheSecret = "It doesn’t follow from the secret and the shares.";
export const onlyOnePersonPlayedSoNo = "Only one person played, so no shares were used.";
export const theHost = "the host";

// How the game went and ended.
export const checkValueYouNoted = "check value you noted";
export const checkValueOfThisBrowser = "check value this browser saw last";
export const itDoesntOccur = "It doesn’t occur in this game.";
export const itCoversAll = "It’s the last one, so it covers the whole game.";
export const itCovers = (entry: Said, entries: Said): string =>
  `It’s from after entry ${entry} of ${entries}. It covers nothing after that.`;
export const theRecordHasNoLog =
  "The record has no log, so nothing shows that these are all the moves, or how the game ended.";
export const whoeverPassedItOn = "whoever passed the record on";
export const theLogLeadsTo = (value: Said): string =>
  `The moves and the ending agree with the log, which leads to the check value ${value}.`;
export const faultsOfLogs = {
  malformed: "The log is malformed, or it’s from another game.",
  hashes: "The entries and the deal don’t lead to the log’s check value.",
  moves: "The moves don’t agree with the log.",
  ending: "The ending doesn’t agree with the log.",
};

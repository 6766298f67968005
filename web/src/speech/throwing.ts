/** What is said when cards are thrown. */

import { counted } from "./plural";
import type { Said } from "./said";

// AimControls
export const throwIt = "Throw";
export const typeOfThrow = "Type of throw";
export const advanced = "Advanced";
export const throwEnter = "Throw (Enter)";
export const lessLabel = (label: Said): string => `Less ${label}`;
export const moreLabel = (label: Said): string => `More ${label}`;
export const yourPullIsExactValuesSet = " Your pull is exact; values set here get a random error.";
export const pullBackOnTheTableAnd = (honest: Said): string =>
  "Pull back on the table and let go. The direction aims, the length sets the power, and a curve adds " +
  `spin.${honest} Keys: arrows aim, Page Up and Down spin, [ ] tilt, + − height, Enter throws.`;

// Flat
export const theTableFromAbove = "The table from above";

// RangeFigures
export const ofTheTime = (round: Said): string => `${round}% of the time`;
export const whereYourThrowsLanded = "Where your throws landed";
export const theLastThrowsFromAboveThe = (thrown: Said): string =>
  `The last ${thrown} throws from above, thrower at the bottom`;
export const yourLastThrows = (count: number): string =>
  `Your last ${count === 1 ? "throw" : counted(count, "throw")} at this distance. Bright dots are hits.`;
export const throwAFewCardsToSee = "Throw a few cards to see where they land.";
export const hits = "Hits";
export const rate95Interval = "Rate (95% interval)";
export const theMostHitsInARow = "The most hits in a row";
export const best = "Best";
export const hitsOfThrows = (hits: Said, throws: Said): string => `${hits} of ${throws}`;
export const lowToHigh = (low: Said, high: Said): string => `(${low} to ${high})`;
export const howGoodAmI = "How good am I?";
export const ofThrown = (misses: Said, trial: Said): string => `${misses} of ${trial} thrown.`;
export const testThrows = "Test throws";
export const pullAndLetGoNoPath =
  "Pull and let go. No path or numbers are shown, and your pull is exact. Throws set with keys or " +
  "sliders get a random error of level 1.";
export const levelShare = (share: Said): string => `Level ${share}`;
export const betweenAnd95 = (low: Said, high: Said): string => `between ${low} and ${high}, 95%`;
export const yourThrowsCameDownBesideAnd = (
  throws: Said,
  aside: Said,
  ahead: Said,
  aside2: Said,
  ahead2: Said,
): string =>
  `Your ${throws} throws landed ${aside} to the side of the wall’s middle and ${ahead} short or long ` +
  "(root mean square). A hand of level 1, which trembles by 3% of speed, 2° of elevation and 1.5° of " +
  `aim, would be ${aside2} and ${ahead2} off with such throws. Level 2 trembles twice as much. Your ` +
  "level says how many times as far off you are, both directions together.";
export const aHandOfYourLevelThrowing = (inHundred: Said, usual: Said, inHundred2: Said): string =>
  `A hand of your level, throwing in the best way, hits a wall ${inHundred} with ${usual} inches ` +
  `between the walls; an expert’s ${inHundred2}.`;
export const forAFairGame = (fair: Said, inHundred: Said): string =>
  `For a fair game set the option “Battlefield” to ${fair}, which brings you to ${inHundred}. ` +
  "A larger “Grace” helps as well.";
export const levelLevel = (level: Said): string => `Level ${level}`;
export const betweenAndLastTime = (low: Said, high: Said): string => `between ${low} and ${high}, last time`;
export const throw20TimesAtTheMiddle =
  "Throw 20 times at the middle wall without path or numbers. The spread of your throws shows how " +
  "steady your hand is.";
export const start20Throws = "Start 20 throws";
export const deleteAllThrows = "Delete all throws";

// RangePage
export const targets = "Targets";
export const yourOwn = "your own";
export const throwOf = (misses: Said, trial: Said): string => `Throw ${misses} of ${trial}.`;
export const yourLevelIs = (share: Said): string => `Your level is ${share}.`;
export const roundCm = (round: Said): string => `${round} cm`;
export const throwingRangeBartizan = "Throwing range · Bartizan";
export const throwingRange = "Throwing range";
export const numbers = "Numbers";
export const distanceOfTheTargets = "Distance of the targets";
export const addsASmallRandomErrorLike = "Adds a small random error, like a real hand";
export const theCardFliesExactlyAsYou = "The card flies exactly as you aim";
export const naturalHand = "Natural hand";
export const steadyHand = "Steady hand";
export const missesOfTrial = (misses: Said, trial: Said): string => `${misses} of ${trial}`;
export const aimAtTheWallInThe = "Aim at the wall in the middle.";
export const stop = "Stop";

// Standing
export const zoneOfLimit = (zone: Said, limit: Said): string => `${zone} of ${limit}`;
export const wouldBe = (marks: Said): string => `would be: ${marks}`;

// Thrown
export const view = "View";
export const fromAbove = "From above";
export const showThePath = "Show the path";
export const n3dView = "3D view";
export const switchToTheFlatView = "Switch to the flat view";
export const switchToThe3dView = "Switch to the 3D view";

// VerdictBar
export const miss = "Miss";
export const hit = "Hit";
export const doubleHit = "Double hit";
export const perfectHit = "Perfect hit";
export const slowMotion = "Slow motion …";
export const inFlight = "In flight …";
export const again = "Again";
export const aQuarterOfTheSpeed = "A quarter of the speed";
export const slow = "Slow";
export const continueIt = "Continue";
export const cameraCameraNames = (camera_names: Said): string => `Camera: ${camera_names}`;

// aim
export const pulledBackLetGoToThrow = "pulled back: let go to throw";
export const comesDown = (where: Said): string => `: comes down ${where}`;

// cameras
export const playersView = "Player’s view";
export const nextToTheTarget = "Next to the target";
export const followTheCard = "Follow the card";

// form
export const byPull = "by pull";

// landing
export const theKind = (kind: Said): string => `the ${kind}`;
export const whosePiece = (whose: Said, piece: Said): string => `${whose}’s ${piece}`;
export const roundMm = (round: Said): string => `${round} mm`;
export const offThePlayArea = "off the play area";
export const onName = (name: Said): string => `on ${name}`;
export const shortOf = "short of";
export const besideAsideOfName = (beside: Said, aside: Said, name: Said): string =>
  `${beside} ${aside} of ${name}`;
export const onTheTable = "on the table";
export const aimedStraightAhead = "aimed straight ahead";
export const aimedNumberAzimuth = (Number: Said, azimuth: Said): string => `aimed ${Number}° ${azimuth}`;
export { cancelEscape, cancel, you, tryAgain } from "./common";

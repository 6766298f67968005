/** What is said around every page. */

import type { Said } from "./said";

// App
export const theServerIsntResponding = "The server isn’t responding.";
export const pageNotFound = "Page not found";

// Preparation
export const gettingReady = "Getting ready";

// Scrubber
export const move = "Move";
export const replay = "Replay";
export const previous = "Previous";
export const pause = "Pause";
export const play = "Play";
export const next = "Next";

// TopBar
export const asTheSystem = "match system";
export const bartizanToTheGames = "Bartizan, all games";
export const coloursNames = (names: Said): string => `Colours: ${names}`;
export { tryAgain, allGames, close } from "./common";

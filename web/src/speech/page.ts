/** What is said around every page. */

import type { Said } from "./said";

// App
export const theServerIsntResponding = "The server isn’t responding.";
export const tryAgain = "Try again";
export const pageNotFound = "Page not found";
export const allGames = "All games";

// Dialog
export const close = "Close";

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
export const asTheSystem = "as the system";
export const bartizanToTheGames = "Bartizan, to the games";
export const coloursNames = (names: Said): string => `Colours: ${names}`;

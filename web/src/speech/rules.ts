/** What is said around the rules. */

import type { Said } from "./said";

// RulesPage
export const rulesBartizan = (title: Said): string => `${title} · rules · Bartizan`;
export const byInOurOwnWordsThe = (author: Said): string =>
  `by ${author}, in our own words; the rulings say how we read what is left open`;
export const learnByPlaying = "Learn by playing";

// RulesView
export const loadingTheRules = "Loading the rules …";
export const searchTheRules = "Search the rules";
export const contents = "Contents";
export const beginning = "Beginning";
export const tryIt = (title: Said): string => `Try it: ${title}`;
export const ruling = "Ruling";
export const noRuleContains = (sought: Said): string => `No rule contains “${sought}”.`;
export const words = "Words";
export { allGames, rules } from "./common";

/** What is said on the Lab’s pages. */

import type { Said } from "./said";

// LabForm
export const aNewExperiment = "A new experiment";
export const game = "Game";
export const seats = "Seats";
export const playerN = (n: Said): string => `Player ${n}`;
export const games = "Games";
export const seed = "Seed";
export const varyARule = "Vary a rule";
export const option = "Option";
export const nonePlayTheStandardRules = "none: play the standard rules";
export const valuesSeparatedByCommas = "Values, separated by commas";
export const isNoWholeNumber = (word: Said): string => `${word} isn’t a whole number.`;
export const allVariantsPlayTheSameDeals = (sentence: Said): string =>
  `${sentence} All variants play the same deals.`;
export const measure = "Measure";
export const aStrongerPlayerConfirms =
  "Check the main figure with a stronger player if there is one, in up to 100 games";
export const run = "Run";

// LabAnswers
export const secondsPerDecision = "Seconds per decision:";

// LabPage
export const wasStopped = (name: Said, fault: Said): string => `${name} was stopped: ${fault}`;
export const isPaused = (name: Said): string => `${name} is paused.`;
export const isFinished = (name: Said): string => `${name} is finished.`;
export const hasStarted = (wanted: Said): string => `${wanted} has started.`;
export const labBartizan = "Lab · Bartizan";
export const lab = "Lab";
export const letTheComputerPlayAGame =
  "Let the computer play a game thousands of times. Find out whether it’s fair, how long it takes, and " +
  "what a rule change does.";
export const hostsKey = "Host’s key";
export const onThisServerOnlyTheHost = "On this server only the host can run experiments.";
export const experiments = "Experiments";
export const otherExperiments = "Other experiments";
export const progressOf = (name: Said): string => `Progress of ${name}`;
export const stopName = (name: Said): string => `Stop ${name}`;
export const stop = "Stop";
export const reportOf = (name: Said): string => `Report of ${name}`;
export const report = "Report";
export const noneYet = "None yet.";
export const loadingExperiments = "Loading experiments …";

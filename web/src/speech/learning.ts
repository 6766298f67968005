/** What is said in lessons and puzzles. */

import { counted } from "./plural";
import type { Said } from "./said";

// Exercise
export const whatToDo = "What to do";
export const startOver = "Start over";
export const tapAgainToPlayIt = "Tap again to play it.";
export const movesLeft = (left: number): string => `Up to ${counted(left, "more move")}.`;
export const continueIt = "Continue";
export const playIt = "Play it";
export const showMeS = "Show me (s)";
export const showMe = "Show me";
export const theRule = (clause: Said): string => `The rule: ${clause}`;
export const settingUp = "Setting up …";
export const availableMoves = "Available moves";

// Frame
export const headingBartizan = (heading: Said): string => `${heading} · Bartizan`;

// LearnPage
export const learnTitle = (title: Said): string => `Learn ${title}`;
export const learn = "Learn";
export const lessons = "Lessons";
export const lessonNTitleId = (n: Said, title: Said, id: Said): string => `Lesson ${n}: ${title}${id}`;
export const wellDone = "Well done.";
export const nextTitle = (title: Said): string => `Next: ${title}`;
export const playARealGame = "Play a real game";
export const puzzles = "Puzzles";
export const aboutMinutes = (minutes: Said): string => `, about ${minutes} minutes`;
export const lessonOf = (index: Said, lessons: Said, index2: Said): string =>
  `${index} of ${lessons}${index2}`;
export const back = "Back";
export const skip = "Skip";

// PuzzlesPage
export const easy = "Easy";
export const medium = "Medium";
export const tricky = "Tricky";
export const hard = "Hard";
export const veryHard = "Very hard";
export const puzzlesHead = (title: Said): string => `${title}: puzzles`;
export const puzzle = "Puzzle";
export const solvedInARowWithoutHelp = "Solved in a row without help";
export const bestBest = (best: Said): string => `, best ${best}`;
export const streakStreakBest = (streak: Said, best: Said): string => `Streak ${streak}${best}`;
export const thatsIt = "That’s it.";
export const solved = "Solved!";
export const theComputerFoundNothingBetterBut = " The computer found nothing better, but it may be wrong.";
export const nextPuzzle = "Next puzzle";
export const ofSolved = (solved: Said, puzzles: Said): string => `${solved} of ${puzzles} solved`;

// teacher
export const tryThis = (move: Said): string => `Try this: ${move}`;
export { tryAgain, cancel, cancelEscape, rules, allGames } from "./common";

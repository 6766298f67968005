/** Ask the server for lessons and puzzles, and how they go on. */

import { complete } from "./complete";
import { ask } from "./http";
import type { LessonAnswer, LessonList, LessonTry, PuzzleList } from "./wire";

const of = (game: string): string => `/api/games/${encodeURIComponent(game)}`;

export async function lessons(game: string): Promise<LessonList> {
  return (await (await ask(`${of(game)}/lessons`)).json()) as LessonList;
}

export async function puzzles(game: string): Promise<PuzzleList> {
  return (await (await ask(`${of(game)}/puzzles`)).json()) as PuzzleList;
}

/** Judge a try in a lesson or a puzzle, or only tell how it stands. */
export async function learn(game: string, lesson: string, question: LessonTry): Promise<LessonAnswer> {
  return complete(
    "LessonAnswer",
    await (await ask(`${of(game)}/lessons/${encodeURIComponent(lesson)}`, question)).json(),
  );
}

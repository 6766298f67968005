/** Keep what has been learnt in this browser: lessons done, puzzles solved, puzzles solved in a row. */

import { type Keep, memory } from "./store";

export interface Learnt {
  /** Names of lessons that were done. */
  lessons: string[];
  /** Puzzle -> how it went the first time: found alone, or shown or missed before. */
  puzzles: Record<string, "solved" | "helped">;
  /** Solved in a row at the first try. */
  streak: number;
  best: number;
}

const KEY = "bartizan.learning";
const nothing = (): Learnt => ({ lessons: [], puzzles: {}, streak: 0, best: 0 });

export class Progress {
  constructor(private readonly keep: Keep) {}

  /** What was learnt of a game. */
  of(game: string): Learnt {
    return { ...nothing(), ...this.all()[game] };
  }

  /** A lesson was done to its end. */
  finish(game: string, lesson: string): Learnt {
    const learnt = this.of(game);
    return this.write(game, {
      ...learnt,
      lessons: [...learnt.lessons.filter((one) => one !== lesson), lesson],
    });
  }

  /** A puzzle was solved; only how it went the first time counts. */
  solve(game: string, puzzle: string, alone: boolean): Learnt {
    const learnt = this.of(game);
    if (learnt.puzzles[puzzle]) return learnt;
    const streak = alone ? learnt.streak + 1 : 0;
    const puzzles = { ...learnt.puzzles, [puzzle]: alone ? "solved" : "helped" } as const;
    return this.write(game, { ...learnt, puzzles, streak, best: Math.max(learnt.best, streak) });
  }

  /** Begin the lessons again. */
  forget(game: string): Learnt {
    return this.write(game, { ...this.of(game), lessons: [] });
  }

  /** Whether anything was learnt of any game. */
  get begun(): boolean {
    return Object.keys(this.all()).length > 0;
  }

  private all(): Record<string, Partial<Learnt>> {
    try {
      const kept: unknown = JSON.parse(this.keep.getItem(KEY) ?? "{}");
      return typeof kept === "object" && kept !== null && !Array.isArray(kept)
        ? (kept as Record<string, Partial<Learnt>>)
        : {};
    } catch {
      return {}; // someone else's or damaged: begin again
    }
  }

  private write(game: string, learnt: Learnt): Learnt {
    try {
      this.keep.setItem(KEY, JSON.stringify({ ...this.all(), [game]: learnt }));
    } catch {
      // Full or forbidden: learn on without keeping.
    }
    return learnt;
  }
}

function browserStorage(): Keep {
  try {
    return window.localStorage;
  } catch {
    return memory();
  }
}

export const progress = new Progress(typeof window === "undefined" ? memory() : browserStorage());

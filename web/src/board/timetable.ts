/** Decide when everything that happened in a ply is shown. Pure; all times are in beats. */

import type { Motion } from "../net/wire";

/** What a thing does by itself: it makes room, goes elsewhere, is dealt, turns up, appears, is gone. */
export interface Move {
  item: string;
  kind: "shift" | "move" | "deal" | "turn" | "appear" | "vanish";
}

export interface Step {
  item: string;
  kind: Motion["kind"] | Move["kind"];
  goal: string;
  at: number;
  lasts: number;
  /** Whether it is heard. */
  sounds: boolean;
  /** How much of a moment it is, from 0 to 3. */
  weight: number;
}

/** How long each kind is seen, and after how much of that the next one begins. */
const TIMES: Record<Step["kind"], readonly [lasts: number, next: number]> = {
  move: [1.5, 1],
  deal: [1.4, 0.5],
  turn: [1.2, 0.9],
  shot: [2.6, 2.6],
  throw: [3, 1.5],
  strike: [2.6, 1.3],
  fall: [1.9, 1.2],
  shake: [1.2, 1],
  shift: [1.4, 0],
  appear: [1, 0.25],
  vanish: [1, 0.2],
};
/** How long a moment of weight 1 is held before the next event: 300 ms at the usual pace. */
export const HOLD = 1.43;
/** The order of moves without a motion. */
const ORDER: readonly Move["kind"][] = ["vanish", "move", "turn", "deal", "appear"];

/**
 * Return when to show each thing: the motions in order, then the moves that they don't name.
 *
 * Things that only make room move at once. Each thing is shown once, however many motions name it.
 */
export function schedule(motions: readonly Motion[], moves: readonly Move[]): Step[] {
  const steps: Step[] = [];
  const done = new Set<string>();
  let now = 0;
  const add = (item: string, kind: Step["kind"], goal = "", weight = 0): void => {
    const [lasts, next] = TIMES[kind];
    steps.push({
      item,
      kind,
      goal,
      at: now,
      lasts,
      sounds: kind !== "shift" && kind !== "vanish" && kind !== "appear",
      weight,
    });
    now += weight ? Math.max(next, weight * HOLD) : next;
  };
  for (const { item, kind } of moves) {
    if (kind === "shift" && !motions.some((motion) => motion.item === item)) {
      add(item, kind);
      done.add(item);
    }
  }
  const own = new Map(moves.map((move) => [move.item, move.kind]));
  for (const { item, kind, goal, weight } of motions) {
    const still = kind === "shot" || kind === "shake"; // its item need not move for it
    if (!still && (done.has(item) || !own.has(item))) continue;
    if (!still) done.add(item);
    add(item, kind, kind === "strike" || kind === "throw" || kind === "shot" ? goal : "", weight);
  }
  for (const kind of ORDER)
    for (const move of moves)
      if (move.kind === kind && !done.has(move.item)) {
        done.add(move.item);
        add(move.item, kind);
      }
  return steps;
}

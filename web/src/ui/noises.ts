/** The sounds of what happens on a table, for who shows it. */

import { emit } from "./sound";

export type Noise = "lay" | "deal" | "flip" | "throw" | "shot" | "hit" | "fall" | "toll";

// Parameters as zzfx takes them: volume, randomness, frequency, attack, sustain, release, shape, curve,
// slide, …
const NOISES: Record<Noise, (number | undefined)[][]> = {
  lay: [[0.45, 0.06, 190, 0, 0.01, 0.05, 4, 2.2, -6]],
  deal: [[0.28, 0.12, 620, 0.005, 0.01, 0.03, 4, 1.4, -14]],
  flip: [[0.3, 0.08, 340, 0, 0.015, 0.04, 4, 1.6, 12]],
  throw: [[0.4, 0.05, 260, 0.05, 0.08, 0.12, 4, 0.6, 3]],
  shot: [[1, 0.05, 92, 0.005, 0.05, 0.32, 4, 2.6, -1.2, undefined, undefined, undefined, undefined, 0.6]],
  hit: [[0.7, 0.08, 74, 0, 0.03, 0.16, 4, 2, -0.6]],
  toll: [
    [0.8, 0.02, 55, 0.01, 0.1, 0.5, 0, 1.6],
    [0.25, 0, 330, 0.01, 0.1, 0.6, 0, 1.3],
  ],
  fall: [[0.7, 0.1, 130, 0.01, 0.09, 0.28, 4, 1.2, -2.2, undefined, undefined, undefined, undefined, 1.2]],
};

export const noise = (kind: Noise): void => emit(NOISES[kind]);

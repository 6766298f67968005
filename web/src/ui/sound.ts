/** Make short sounds, synthesised; nothing is loaded before the first one is due. */

import { store } from "../net/store";

export type Sound = "touch" | "move" | "round" | "back" | "refused" | "won" | "lost" | "turn";

// Parameters as zzfx takes them: volume, randomness, frequency, attack, sustain, release, shape, …
const SOUNDS: Record<Sound, (number | undefined)[][]> = {
  touch: [[0.25, 0.02, 420, 0, 0.005, 0.02, 1, 1.6]],
  move: [[0.5, 0.05, 190, 0, 0.01, 0.05, 4, 2.2, -6]],
  round: [
    [0.4, 0, 294, 0.01, 0.04, 0.18, 0, 1.2],
    [0.3, 0, 440, 0.06, 0.04, 0.2, 0, 1.2],
  ],
  back: [[0.35, 0.03, 300, 0, 0.01, 0.06, 1, 1.5, -8]],
  refused: [[0.4, 0, 110, 0.01, 0.05, 0.09, 1, 0.6]],
  turn: [
    [0.4, 0, 523, 0.01, 0.05, 0.16, 0, 1.4],
    [0.4, 0, 659, 0.12, 0.05, 0.2, 0, 1.4],
  ],
  won: [[0.6, 0, 392, 0.02, 0.15, 0.35, 0, 1.3, undefined, undefined, 131, 0.1]],
  lost: [[0.6, 0, 196, 0.02, 0.15, 0.45, 0, 1.3, -0.4, undefined, -49, 0.15]],
};

/** zzfx has a master volume; its own, 0.3, is what sounds were made for. */
const LOUDEST = 0.43;

let { muted, volume } = store.settings();

export const isMuted = (): boolean => muted;

export function mute(silent: boolean): void {
  muted = silent;
  store.set({ muted: silent });
}

export const loudness = (): number => volume;

/** Set how loud, from 0 to 1. */
export function louder(level: number): void {
  volume = Math.min(1, Math.max(0, level));
  store.set({ volume });
}

export const play = (sound: Sound): void => emit(SOUNDS[sound]);

/** Make a sound by its parameters, several at once. */
export function emit(several: readonly (readonly (number | undefined)[])[]): void {
  // A browser lets a page sound only after someone has used it.
  if (muted || !volume || !navigator.userActivation?.hasBeenActive) return;
  void import("zzfx").then(
    ({ ZZFX, zzfx }) => {
      ZZFX.volume = LOUDEST * volume;
      for (const parameters of several) zzfx(...parameters);
    },
    () => undefined, // without the server it stays silent
  );
}

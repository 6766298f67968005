/** Say how fast things move here, if they do. */

import type { Pace } from "../net/store";
import { taste } from "../ui/taste.svelte";

/** Whether the player wants things to stay where they are. */
export const calm = (): boolean =>
  typeof matchMedia === "undefined" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const BEATS: Record<Pace, number> = { slow: 300, usual: 210, quick: 150, off: 0 };

/** Milliseconds that one event is shown before the next; 0 where nothing is to move. */
export const beat = (): number => (calm() ? 0 : BEATS[taste.pace]);

/** Whether events are shown one after the other, and heard as they are. */
export const animated = (): boolean => beat() > 0;

/** Say how a place on the table looks, as classes for its element. */

import type { Board } from "../board/board.svelte";

export const states = (board: Board, id: string): Record<string, boolean> => ({
  live: board.narrowed.live.has(id),
  picking: board.selection.length > 0 && !board.readOnly,
  hinted: board.hinted.has(id),
  blocker: board.blockers.has(id),
  target: board.targets.has(id),
  over: board.over === id,
});

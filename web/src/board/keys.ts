/** Go by keyboard: where an arrow leads inside a zone. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Find the index of the box that an arrow, Home or End leads to from box `from`; -1 for none.
 *
 * The nearest box ahead wins, straying sideways counting double, so that rows, columns, fans,
 * grids and maps need no rules of their own.
 */
export function neighbour(boxes: readonly Box[], from: number, key: string): number {
  if (key === "Home") return boxes.length ? 0 : -1;
  if (key === "End") return boxes.length - 1;
  const direction = DIRECTIONS[key];
  const here = boxes[from];
  if (!direction || !here) return -1;
  const [dx, dy] = direction;
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const x = box.left + box.width / 2 - here.left - here.width / 2;
    const y = box.top + box.height / 2 - here.top - here.height / 2;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (index === from || ahead < 1 || aside > ahead * 2) return;
    if (ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = index;
    }
  });
  return best;
}

/** Play by keyboard: what a key means, and where an arrow leads inside a zone. */

export type Command =
  | "undo"
  | "redo"
  | "hint"
  | "help"
  | "new"
  | "mute"
  | "why"
  | "type"
  | "clear"
  | "rules"
  | "aids"
  | "turn"
  | { pick: number };

export interface Pressed {
  key: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
}

const KEYS: Record<string, Command> = {
  u: "undo",
  r: "redo",
  h: "hint",
  "?": "help",
  n: "new",
  m: "mute",
  w: "why",
  "/": "type",
  Escape: "clear",
  l: "rules",
  a: "aids",
  t: "turn",
};

/** Say what a key asks for; null while somebody types, or when the key is the browser's. */
export function command(event: Pressed, typing: boolean): Command | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (typing) return event.key === "Escape" ? "clear" : null;
  if (/^[1-9]$/.test(event.key)) return { pick: Number(event.key) };
  return KEYS[event.key] ?? KEYS[event.key.toLowerCase()] ?? null;
}

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

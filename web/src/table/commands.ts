/** Play by keyboard: what a key asks of the page of a table. */

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

/** Say what a key asks for; null while someone types, or when the key is the browser's. */
export function command(event: Pressed, typing: boolean): Command | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (typing) return event.key === "Escape" ? "clear" : null;
  if (/^[1-9]$/.test(event.key)) return { pick: Number(event.key) };
  return KEYS[event.key] ?? KEYS[event.key.toLowerCase()] ?? null;
}

/** Move things from where they were to where they are now (first, last, invert, play), by item id. */

export const DURATION_MS = 320;

interface Spot {
  x: number;
  y: number;
  width: number;
  zone: string;
  hidden: boolean;
}

export interface Snapshot {
  things: Map<string, Spot>;
  /** How many things each pile had, and where it lies. */
  piles: Map<string, { count: number; x: number; y: number; width: number }>;
}

/** Whether the player wants things to stay where they are. */
export const calm = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function middle(element: HTMLElement): { x: number; y: number; width: number } {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: element.offsetWidth };
}

const THINGS = "[data-item]:not([data-spread] *)";
const SPREAD = "[data-spread] [data-item]";

export function snapshot(root: HTMLElement, spread = true): Snapshot {
  const things = new Map<string, Spot>();
  const piles: Snapshot["piles"] = new Map();
  // What lies spread out lies in its pile too: that place counts, but where something came from the spread is better.
  const all = [...root.querySelectorAll<HTMLElement>(THINGS), ...(spread ? root.querySelectorAll<HTMLElement>(SPREAD) : [])];
  for (const element of all) {
    const zone = element.closest<HTMLElement>("[data-zone]")?.dataset.zone ?? "";
    const hidden = element.dataset.hidden !== undefined;
    things.set(element.dataset.item ?? "", { ...middle(element), zone, hidden });
  }
  for (const element of root.querySelectorAll<HTMLElement>("[data-pile]")) {
    piles.set(element.dataset.pile ?? "", { count: Number(element.dataset.count), ...middle(element) });
  }
  return { things, piles };
}

/** Animate from an earlier snapshot to the present; what is new comes out of a pile that has become smaller. */
export function animate(root: HTMLElement, before: Snapshot): void {
  if (before.things.size === 0) return;
  const after = snapshot(root, false);
  const shrunk = [...before.piles].filter(([id, pile]) => (after.piles.get(id)?.count ?? pile.count) < pile.count);
  const source = shrunk.length === 1 ? shrunk[0]?.[1] : undefined;
  for (const element of root.querySelectorAll<HTMLElement>(THINGS)) {
    const id = element.dataset.item ?? "";
    const now = after.things.get(id);
    if (!now || now.width === 0) continue;
    const was = before.things.get(id);
    if (was && Math.hypot(was.x - now.x, was.y - now.y) < 2) continue;
    const turned = was ? undefined : turnedUp(before, after, now);
    const from = was ?? (turned ? undefined : source);
    if (turned) {
      run(element, [{ scale: "0 1" }, { scale: "1 1" }], 260);
    } else if (from) {
      const shift = `${from.x - now.x}px ${from.y - now.y}px`;
      run(element, [{ translate: shift, scale: String(from.width / now.width || 1) }, { translate: "0 0", scale: "1" }]);
    } else {
      run(element, [{ opacity: 0, translate: "0 -12px" }, { opacity: 1, translate: "0 0" }], 220);
    }
  }
}

/** The hidden thing that lay where this one lies now, and is gone: this is it, turned up. */
function turnedUp(before: Snapshot, after: Snapshot, now: Spot): Spot | undefined {
  if (now.hidden) return undefined;
  for (const [id, was] of before.things)
    if (was.hidden && was.zone === now.zone && !after.things.has(id) && Math.hypot(was.x - now.x, was.y - now.y) < 8)
      return was;
  return undefined;
}

function run(element: HTMLElement, frames: Keyframe[], duration = DURATION_MS): void {
  element.dataset.moving = "";
  const animation = element.animate(frames, { duration, easing: "cubic-bezier(.2,.8,.25,1)" });
  animation.finished.then(
    () => delete element.dataset.moving,
    () => delete element.dataset.moving,
  );
}

/** Read pointers over the table: one pulls a card back or looks round, two look round and come nearer. */

import { SLACK } from "./gesture";
import type { Point } from "./geometry";

export interface Hands {
  /** Whether one pointer aims; else it looks round. */
  aims(): boolean;
  /** The way so far of who aims; `done` when it is let go, null where it is taken back. */
  pull(way: readonly Point[] | null, done: boolean): void;
  /** Look round by pixels. */
  turn(dx: number, dy: number): void;
  zoom(factor: number): void;
}

const NOTCH = 1.12;

/** Attach it to the element that shows the table; what has `data-tool` is left alone. */
export function hands(hand: Hands): (view: HTMLElement) => () => void {
  return (view) => {
    const control = new AbortController();
    const { signal } = control;
    const down = new Map<number, Point>();
    let way: Point[] | null = null;
    let looking = false;
    let moved = false;
    const apart = (): number => {
      const [one, other] = [...down.values()] as [Point, Point];
      return Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
    };
    view.addEventListener(
      "pointerdown",
      (event) => {
        if ((event.target as Element).closest("[data-tool]")) return;
        if (event.pointerType === "mouse" && event.button === 1) return;
        down.set(event.pointerId, [event.clientX, event.clientY]);
        moved = false;
        if (down.size === 2 && way) {
          way = null; // a second finger: it was no throw
          hand.pull(null, false);
        }
        if (down.size !== 1) return;
        const aims = hand.aims() && event.button === 0;
        way = aims ? [[event.clientX, event.clientY]] : null;
        looking = !aims;
      },
      { signal },
    );
    window.addEventListener(
      "pointermove",
      (event) => {
        const before = down.get(event.pointerId);
        if (!before) return;
        const now: Point = [event.clientX, event.clientY];
        if (down.size === 2) {
          const wide = apart();
          down.set(event.pointerId, now);
          hand.zoom(apart() / wide);
          hand.turn((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
          moved = true;
          return;
        }
        if (way) {
          way.push(now);
          down.set(event.pointerId, now);
          if (Math.hypot(now[0] - way[0]![0], now[1] - way[0]![1]) > SLACK) {
            moved = true;
            // A click that ends here would touch what lies beneath.
            if (!view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId);
          }
          hand.pull(way, false);
        } else if (looking) {
          const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
          if (!moved && Math.hypot(dx, dy) < 5) return;
          if (!moved) view.setPointerCapture(event.pointerId);
          moved = true;
          down.set(event.pointerId, now);
          hand.turn(dx, dy);
        }
      },
      { signal },
    );
    const end = (event: PointerEvent): void => {
      if (!down.delete(event.pointerId)) return;
      if (way) {
        const whole = way;
        way = null;
        hand.pull(event.type === "pointerup" ? whole : null, event.type === "pointerup");
      }
      looking = false;
    };
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("pointercancel", end, { signal });
    view.addEventListener(
      "click",
      (event) => {
        if (moved) event.stopPropagation();
        moved = false;
      },
      { signal, capture: true },
    );
    view.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const notches =
          event.deltaMode === WheelEvent.DOM_DELTA_PIXEL
            ? event.deltaY / (event.ctrlKey ? 30 : 100)
            : event.deltaY / 3;
        hand.zoom(NOTCH ** -Math.max(-3, Math.min(3, notches)));
      },
      { signal, passive: false },
    );
    view.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    return () => control.abort();
  };
}

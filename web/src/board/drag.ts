/** Touching, dragging and pointing inside a board, by mouse, pen, finger and keyboard. */

import { dropThing, playReady, previewTouch, touchThings } from "./actions";
import type { Board } from "./board.svelte";
import { neighbour } from "./keys";

/** Pixels a pointer may wander before a touch becomes a drag. */
const SLACK = 7;

/**
 * The ids of nested elements, innermost first, up to the board itself; a square's own come after those of
 * what it holds, as its button is all that the keyboard reaches.
 */
export function nested(from: Element | null): string[] {
  const ids: string[] = [];
  for (
    let at = from?.closest<HTMLElement>("[data-touch]");
    at;
    at = at.parentElement?.closest<HTMLElement>("[data-touch]")
  )
    ids.push(...(at.dataset.holds?.split("\n") ?? []), at.dataset.touch ?? "");
  return [...new Set(ids)].filter(Boolean);
}

/** Attach a board's behaviour to the element that holds its zones. */
export function interact(board: Board): (root: HTMLElement) => () => void {
  return (root) => {
    const control = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(
      kind: K,
      listener: (event: HTMLElementEventMap[K]) => void,
      more: AddEventListenerOptions = {},
    ): void => root.addEventListener(kind, listener, { signal: control.signal, ...more });

    let justDragged = false;
    let finger = false;
    on("click", (event) => {
      // Who goes on need not wait; what is touched is what was seen under the finger, so it is skipped
      // afterwards.
      if (board.performing) queueMicrotask(() => board.performing && board.events.skip());
      if (justDragged) {
        justDragged = false;
        return;
      }
      const element = event.target as Element;
      if (element.closest("[data-own]")) return; // a control with a meaning of its own
      const pile = element.closest<HTMLElement>("[data-pile]");
      if (pile && opens(board, pile)) return;
      touchThings(board, nested(element), finger);
    });
    on("pointerover", (event) => {
      if (event.pointerType !== "mouse" || board.dragged) return;
      const under = nested(event.target as Element);
      board.pointed = under[0] ?? "";
      previewTouch(board, under);
    });
    // The focus goes as well while the page is drawn again, when no state may change.
    const regard = (id = ""): void => queueMicrotask(() => (board.pointed = id));
    on("focusin", (event) => regard(nested(event.target as Element)[0]));
    on("focusout", () => regard());
    on("pointerleave", () => {
      board.pointed = "";
      if (!board.hinted.size) board.preview = null;
    });
    on("keydown", (event) => {
      const thing = (event.target as Element).closest<HTMLElement>("[data-stop]");
      if (!thing) return;
      const held = nested(thing).some((id) => board.selection.includes(id));
      if (event.key === "Enter" && held && playReady(board)) event.preventDefault();
      else walk(event, thing);
    });
    on("pointerdown", (event) => {
      finger = event.pointerType === "touch";
      const under = event.target as Element;
      const thing =
        under.closest<HTMLElement>("[data-item]") ??
        under.closest("[data-holds]")?.querySelector<HTMLElement>("[data-item]");
      const id = thing?.dataset.item;
      if (!thing || !id || event.button !== 0 || board.readOnly || !board.involved.has(id)) return;
      if (thing.closest("[data-pan]")) return; // there the map is dragged instead
      drag(board, thing, id, event, () => {
        justDragged = true;
        setTimeout(() => (justDragged = false), 0);
      });
    });
    return () => control.abort();
  };
}

/** A pile whose inner cards matter, or that means nothing as a whole, is spread out instead of touched. */
function opens(board: Board, pile: HTMLElement): boolean {
  const zone = board.scene?.zones.find((one) => one.id === pile.dataset.pile);
  if (!zone || zone.items.length < 2) return false;
  if (board.open === zone.id) {
    board.open = "";
    return true;
  }
  const { live } = board.narrowed;
  const [first, ...inner] = zone.items;
  const whole = live.has(zone.id) || (first !== undefined && live.has(first.id));
  const held =
    board.selection.includes(zone.id) || (first !== undefined && board.selection.includes(first.id));
  const deep = inner.some((item) => live.has(item.id));
  if (board.asking || (held && !deep) || (whole && !deep)) return false;
  board.open = zone.id;
  return true;
}

function walk(event: KeyboardEvent, thing: HTMLElement): void {
  const zone = thing.closest<HTMLElement>("[data-zone]");
  if (!zone || event.ctrlKey || event.metaKey || event.altKey) return;
  const stops = [...zone.querySelectorAll<HTMLElement>("[data-stop]")];
  const boxes = stops.map((stop) => stop.getBoundingClientRect());
  const next = stops[neighbour(boxes, stops.indexOf(thing), event.key)];
  if (/^Arrow|^Home$|^End$/.test(event.key)) event.preventDefault();
  next?.focus();
}

function drag(board: Board, thing: HTMLElement, id: string, down: PointerEvent, done: () => void): void {
  const control = new AbortController();
  const { signal } = control;
  let ghost: HTMLElement | null = null;
  const box = thing.getBoundingClientRect();
  const way: [x: number, y: number, at: number][] = [[down.clientX, down.clientY, down.timeStamp]];

  const begin = (): void => {
    ghost = thing.cloneNode(true) as HTMLElement;
    for (const name of ["data-item", "data-touch", "data-stop", "id"]) ghost.removeAttribute(name);
    ghost.setAttribute("aria-hidden", "true");
    ghost.classList.add("ghost");
    ghost.style.width = `${thing.offsetWidth}px`;
    ghost.style.left = `${box.left + (box.width - thing.offsetWidth) / 2}px`;
    ghost.style.top = `${box.top}px`;
    document.body.append(ghost);
    board.dragged = id;
  };
  const end = (): void => {
    control.abort();
    ghost?.remove();
    board.dragged = "";
    board.over = "";
  };
  const under = (event: PointerEvent): string[] =>
    nested(document.elementFromPoint(event.clientX, event.clientY)).filter((other) => other !== id);

  window.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== down.pointerId) return;
      way.push([event.clientX, event.clientY, event.timeStamp]);
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!ghost && Math.hypot(dx, dy) > SLACK) begin();
      if (!ghost) return;
      event.preventDefault();
      ghost.style.translate = `${dx}px ${dy}px`;
      const over = under(event).find((other) => board.targets.has(other)) ?? "";
      if (over !== board.over) {
        board.over = over;
        previewTouch(board, over ? [over] : [], id);
      }
    },
    { signal, passive: false },
  );
  window.addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId !== down.pointerId) return;
      const ids = ghost ? under(event) : [];
      const dragged = ghost !== null;
      end();
      if (!dragged) return;
      done();
      way.push([event.clientX, event.clientY, event.timeStamp]);
      if (board.fling(id, way, ids)) return;
      // Dropped on bare felt, or back on its own zone: nothing is meant.
      const home = nested(thing);
      if (ids.some((other) => !home.includes(other))) dropThing(board, id, ids);
    },
    { signal },
  );
  window.addEventListener("pointercancel", end, { signal });
}

/** Keep one tab stop per zone: the thing last focused in it, else the first. */
export function rove(zone: HTMLElement): () => void {
  let current: HTMLElement | null = null;
  const settle = (): void => {
    const stops = [...zone.querySelectorAll<HTMLElement>("[data-stop]")];
    if (!current || !stops.includes(current)) current = stops[0] ?? null;
    for (const stop of stops) stop.tabIndex = stop === current ? 0 : -1;
  };
  const focused = (event: FocusEvent): void => {
    const stop = (event.target as Element).closest<HTMLElement>("[data-stop]");
    if (stop) {
      current = stop;
      settle();
    }
  };
  const watcher = new MutationObserver(settle);
  watcher.observe(zone, { childList: true, subtree: true });
  zone.addEventListener("focusin", focused);
  settle();
  return () => {
    watcher.disconnect();
    zone.removeEventListener("focusin", focused);
  };
}

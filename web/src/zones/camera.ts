/**
 * Move over a map that scrolls: by dragging, wheel, pinching and keys. Scrolling by finger and focus is the
 * browser's own.
 */

/** Pixels a pointer may wander before a click becomes a drag. */
const SLACK = 5;
/** How much one key or one notch of a wheel enlarges. */
export const STEP = 1.25;

export interface Lens {
  /** Enlarge by a factor while a point of the screen stays where it is. */
  zoom: (factor: number, x: number, y: number) => void;
  /** Show all of it. */
  fit: () => void;
}

const middle = (element: Element): [x: number, y: number] => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** Attach all of it to the element that scrolls. */
export function camera(lens: Lens): (view: HTMLElement) => () => void {
  return (view) => {
    const control = new AbortController();
    const { signal } = control;
    let dragged = false;

    const drag = (down: PointerEvent): void => {
      if (down.button !== 0 || down.pointerType !== "mouse") return;
      const { scrollLeft, scrollTop } = view;
      const end = new AbortController();
      const over = { signal: AbortSignal.any([end.signal, signal]) };
      dragged = false;
      window.addEventListener(
        "pointermove",
        (event) => {
          const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
          if (!dragged && Math.hypot(dx, dy) < SLACK) return;
          dragged = true;
          view.dataset.panning = "";
          view.scrollTo(scrollLeft - dx, scrollTop - dy);
        },
        over,
      );
      for (const kind of ["pointerup", "pointercancel"] as const) {
        window.addEventListener(
          kind,
          () => {
            end.abort();
            delete view.dataset.panning;
          },
          over,
        );
      }
    };
    const wheel = (event: WheelEvent): void => {
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      // A mouse's notch is about 100 pixels, a pinch on a touchpad many small steps with Ctrl held.
      const notches =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL
          ? event.deltaY / (event.ctrlKey ? 30 : 100)
          : event.deltaY / 3;
      lens.zoom(STEP ** -Math.max(-2, Math.min(2, notches)), event.clientX, event.clientY);
    };
    const pinch = (start: TouchEvent): void => {
      if (start.touches.length !== 2) return;
      start.preventDefault();
      const read = (event: TouchEvent): [x: number, y: number, apart: number] => {
        const [one, other] = [event.touches[0] as Touch, event.touches[1] as Touch];
        const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        return [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2, Math.max(apart, 1)];
      };
      let [x, y, apart] = read(start);
      const end = new AbortController();
      const over = { signal: AbortSignal.any([end.signal, signal]), passive: false };
      view.addEventListener(
        "touchmove",
        (event) => {
          if (event.touches.length !== 2) return end.abort();
          event.preventDefault();
          const [toX, toY, wide] = read(event);
          view.scrollBy(x - toX, y - toY);
          lens.zoom(wide / apart, toX, toY);
          [x, y, apart] = [toX, toY, wide];
        },
        over,
      );
      view.addEventListener("touchend", () => end.abort(), over);
    };
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "0") lens.fit();
      else if ("+=-".includes(event.key))
        lens.zoom(event.key === "-" ? 1 / STEP : STEP, ...middle(event.target as Element));
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // What ends a drag is no click.
    const click = (event: MouseEvent): void => {
      if (dragged) event.stopPropagation();
      dragged = false;
    };

    view.addEventListener("pointerdown", drag, { signal });
    view.addEventListener("wheel", wheel, { signal, passive: false });
    view.addEventListener("touchstart", pinch, { signal, passive: false });
    view.addEventListener("keydown", press, { signal });
    view.addEventListener("click", click, { signal, capture: true });
    return () => control.abort();
  };
}

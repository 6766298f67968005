/** Find the largest card width with which a table fits its frame. */

export const SMALLEST = 46;
export const LARGEST = 136;
/**
 * Under this height, in pixels, a felt is low; a card on it may be smaller, and one that is only looked at
 * smaller still.
 */
export const LOW = 420;
export const LOWEST = 34;
export const SEEN = 28;
/** A card may be so small where the table would run out of sight otherwise: a finger still finds it. */
export const TIGHT = 36;
/** What is touched in passing, by who stands at a real table, is at least so wide. */
export const STANDING = 48;

/**
 * Set `--unit` on `frame` to the largest width in pixels, between `smallest` and `largest`, at which
 * `content` needs no scrolling; at `smallest` it may. Returns that width.
 *
 * Each width that is tried lays the whole table out again. From turn to turn a table needs nearly what it had,
 * so the search begins there; a width that is too large tells about which would fit.
 */
export function fit(
  frame: HTMLElement,
  content: HTMLElement,
  smallest = SMALLEST,
  largest = LARGEST,
): number {
  let low = smallest;
  let high = largest + 1;
  let [wider, excess] = [0, 0]; // the last that was too large; at first as if a table were nothing but cards
  let width = Math.min(
    largest,
    Math.max(smallest, Number.parseInt(frame.style.getPropertyValue("--unit")) || largest),
  );
  for (let step = 1; high > low + 1; step *= 2) {
    frame.style.setProperty("--unit", `${width}px`);
    // What runs out of the content, which may be narrower than its frame, makes the frame scroll.
    const across = Math.max(content.scrollWidth, frame.scrollWidth);
    // How many times the room that there is would be needed: up to 1, the width fits.
    const needed = Math.max(content.scrollHeight / frame.clientHeight, across / frame.clientWidth);
    let next = high > largest ? width + step : 0;
    if (needed <= 1) low = width;
    else {
      const over = ((needed - 1) * (width - wider)) / (needed - excess);
      next = Math.min(width - step, Math.floor(width - over));
      [wider, excess] = [(high = width), needed];
    }
    width = next > low && next < high ? next : Math.floor((low + high) / 2);
  }
  frame.style.setProperty("--unit", `${low}px`);
  return low;
}

/** Find the largest card width with which a table fits its frame. */

export const SMALLEST = 46;
export const LARGEST = 128;
/** What is touched in passing, by who stands at a real table, is at least so wide. */
export const STANDING = 48;

/**
 * Set `--unit` on `frame` to the largest width in pixels, between `smallest` and LARGEST, at which `content` needs no
 * scrolling; at `smallest` it may. Returns that width.
 */
export function fit(frame: HTMLElement, content: HTMLElement, smallest = SMALLEST): number {
  const fits = (width: number): boolean => {
    frame.style.setProperty("--unit", `${width}px`);
    return content.scrollHeight <= frame.clientHeight && content.scrollWidth <= frame.clientWidth;
  };
  let low = smallest;
  let high = LARGEST;
  if (fits(high)) return high;
  while (high - low > 1) {
    const half = Math.floor((low + high) / 2);
    if (fits(half)) low = half;
    else high = half;
  }
  frame.style.setProperty("--unit", `${low}px`);
  return low;
}

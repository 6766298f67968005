/** Find the largest card width with which a table fits its frame. */

export const SMALLEST = 46;
export const LARGEST = 128;

/**
 * Set `--unit` on `frame` to the largest width in pixels, between SMALLEST and LARGEST, at which `content` needs no
 * scrolling; at SMALLEST it may. Returns that width.
 */
export function fit(frame: HTMLElement, content: HTMLElement): number {
  const fits = (width: number): boolean => {
    frame.style.setProperty("--unit", `${width}px`);
    return content.scrollHeight <= frame.clientHeight && content.scrollWidth <= frame.clientWidth;
  };
  let low = SMALLEST;
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

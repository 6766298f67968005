import { describe, expect, it } from "vitest";
import { fit, LARGEST, SMALLEST } from "./fit";

/**
 * A table that fits up to a card width, and how often it was laid out. `fixed` of its height don't grow with the
 * cards; without it, a table that is too high is so by nothing that a card's width tells.
 */
function table(largest: number, fixed: number | null = 0) {
  let unit = "";
  let layouts = 0;
  const style = { setProperty: (_: string, value: string) => (unit = value), getPropertyValue: () => unit };
  const content = {
    get scrollHeight() {
      layouts += 1;
      const width = Number.parseInt(unit);
      return fixed === null ? Number(width > largest) + 1 : fixed + width;
    },
    scrollWidth: 1,
  };
  const frame = {
    style,
    get clientHeight() {
      return fixed === null ? 1 : fixed + largest;
    },
    clientWidth: 1,
    scrollWidth: 1,
  };
  return {
    fit: () => fit(frame as unknown as HTMLElement, content as unknown as HTMLElement),
    unit: () => unit,
    layouts: () => layouts,
    needs: (width: number) => (largest = width),
  };
}

describe("fit", () => {
  it.each([0, 30, 200, null])("finds the largest width, from wherever it begins (%s)", (fixed) => {
    for (let first = SMALLEST; first <= LARGEST; first += 7)
      for (let then = SMALLEST; then <= LARGEST; then += 5) {
        const one = table(first, fixed);
        expect(one.fit()).toBe(first);
        one.needs(then);
        expect(one.fit()).toBe(then);
        expect(one.unit()).toBe(`${then}px`);
      }
  });

  it("takes the smallest where nothing fits, and the largest where all do", () => {
    const [none, all] = [table(SMALLEST - 9), table(LARGEST + 9)];
    expect(none.fit()).toBe(SMALLEST);
    expect(none.unit()).toBe(`${SMALLEST}px`);
    expect(all.fit()).toBe(LARGEST);
  });

  it("sees what runs out of a content that is narrower than its frame", () => {
    let unit = "";
    const style = { setProperty: (_: string, value: string) => (unit = value), getPropertyValue: () => unit };
    const frame = {
      style,
      clientHeight: 1,
      clientWidth: 900,
      get scrollWidth() {
        return Math.max(900, 10 * Number.parseInt(unit));
      },
    };
    expect(
      fit(frame as unknown as HTMLElement, { scrollHeight: 1, scrollWidth: 800 } as unknown as HTMLElement),
    ).toBe(90);
  });

  it.each([0, 30, 200])("looks twice where nothing has changed, and seldom otherwise (%s)", (fixed) => {
    const one = table(90, fixed);
    const layouts = (largest: number): number => {
      const before = one.layouts();
      one.needs(largest);
      one.fit();
      return one.layouts() - before;
    };
    expect(layouts(90)).toBeLessThanOrEqual(8);
    expect(layouts(90)).toBe(2);
    expect(layouts(88)).toBeLessThanOrEqual(4);
    expect(layouts(SMALLEST)).toBeLessThanOrEqual(8);
  });
});

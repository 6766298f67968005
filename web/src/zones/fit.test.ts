import { describe, expect, it } from "vitest";
import { fit, LARGEST, SMALLEST } from "./fit";

/** A table that fits up to a card width, and how often it was laid out. */
function table(largest: number) {
  let unit = "";
  let layouts = 0;
  const style = { setProperty: (_: string, value: string) => (unit = value), getPropertyValue: () => unit };
  const content = {
    get scrollHeight() {
      layouts += 1;
      return Number.parseInt(unit) <= largest ? 1 : 2;
    },
    scrollWidth: 1,
  };
  const frame = { style, clientHeight: 1, clientWidth: 1, scrollWidth: 1 };
  return {
    fit: () => fit(frame as unknown as HTMLElement, content as unknown as HTMLElement),
    unit: () => unit,
    layouts: () => layouts,
    needs: (width: number) => (largest = width),
  };
}

describe("fit", () => {
  it("finds the largest width, from wherever it begins", () => {
    for (let first = SMALLEST; first <= LARGEST; first += 7)
      for (let then = SMALLEST; then <= LARGEST; then += 5) {
        const one = table(first);
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

  it("looks twice where nothing has changed, and not often where little has", () => {
    const one = table(90);
    one.fit();
    const first = one.layouts();
    expect(first).toBeLessThanOrEqual(9);
    one.fit();
    expect(one.layouts() - first).toBe(2);
    one.needs(88);
    one.fit();
    expect(one.layouts() - first - 2).toBeLessThanOrEqual(4);
  });
});

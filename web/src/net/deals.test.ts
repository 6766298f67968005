import { afterEach, describe, expect, it, vi } from "vitest";
import { cardsDealt, shareShown, undealt } from "./deals";

afterEach(() => vi.useRealTimers());

describe("undealt", () => {
  it("counts the tables of a day at which a share was shown and no cards were dealt", () => {
    vi.useFakeTimers();
    shareShown("a");
    shareShown("a"); // again, after a void round
    cardsDealt("a");
    expect(undealt("b")).toBe(0);
    shareShown("b");
    shareShown("c");
    expect(undealt("d")).toBe(2);
    shareShown("d");
    cardsDealt("d");
    cardsDealt("elsewhere");
    vi.advanceTimersByTime(86_400_001);
    expect(undealt("e")).toBe(0);
    expect(undealt("d")).toBe(2); // as it was when that was dealt
  });
});

import { describe, expect, it } from "vitest";
import { parts, type Term } from "./terms";

const term = (word: string): Term => ({ word, says: `About ${word}.`, clause: "X-1" });
const said = (text: string, ...words: string[]): string =>
  parts(text, words.map(term))
    .map((part) => (part.term ? `[${part.text}]${part.after}` : part.text))
    .join("");

describe("terms", () => {
  it("are found as whole words, each once, the longer first", () => {
    expect(said("A third card is yours; the third card.", "card", "third card")).toBe(
      "A [third card] is yours; the third card.",
    );
    expect(said("Portals and a Portal", "Portal")).toBe("[Portals] and a Portal");
    expect(said("Wall W, Wx, W-1", "W")).toBe("Wall [W], Wx, W-1");
    expect(said("", "W")).toBe("");
    expect(said("a.b*c", "b*c")).toBe("a.[b*c]");
  });
  it("keep the punctuation after them", () => {
    expect(parts("A Wall, or two.", [term("Wall")]).map((part) => [part.text, part.after])).toEqual([
      ["A ", undefined],
      ["Wall", ","],
      [" or two.", undefined],
    ]);
  });
  it("leave a text as it is where there are none", () => {
    expect(parts("As it is.", [])).toEqual([{ text: "As it is.", term: null }]);
  });
});

/** What the page says stands in speech/, where one can read it all: components only name it. */

import { parse, type AST } from "svelte/compiler";
import { expect, it } from "vitest";

const FILES = import.meta.glob<string>("./**/*.svelte", { query: "?raw", import: "default", eager: true });
const SPEECH = import.meta.glob<object>(["./speech/*.ts", "!**/*.test.ts"], { eager: true });
const SOURCES = import.meta.glob<string>(["./**/*.{ts,svelte}", "!**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
/** Attributes that are read or spoken. */
const SPOKEN = new Set(["aria-label", "aria-description", "title", "placeholder", "alt"]);
/** What is typed or named, not said. */
const NAMES = new Set(["Bartizan", "bartizan verify RECORD", "--host"]);

const isSaid = (text: string): boolean => /[A-Za-z]{2,}/.test(text) && !NAMES.has(text.trim());

/** The words of a component's markup. */
function wordsIn(node: AST.Fragment | AST.SvelteNode, found: string[] = []): string[] {
  if (node.type === "Text" && isSaid(node.data)) found.push(node.data.trim());
  if (node.type === "Attribute" && !SPOKEN.has(node.name)) return found;
  if (node.type === "StyleDirective") return found;
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent" || key === "metadata") continue;
    for (const each of Array.isArray(value) ? value : [value])
      if (each && typeof each === "object" && "type" in each) wordsIn(each as AST.SvelteNode, found);
  }
  return found;
}

it("finds no words in components", () => {
  const found: Record<string, string[]> = {};
  for (const [file, source] of Object.entries(FILES)) {
    const words = wordsIn(parse(source, { modern: true }).fragment);
    if (words.length) found[file] = words;
  }
  expect(Object.keys(FILES).length).toBeGreaterThan(60);
  expect(found).toEqual({});
});

it("notices words", () => {
  const source = '<p title="A title">{count} moves<b>{t.left}</b></p>';
  expect(wordsIn(parse(source, { modern: true }).fragment)).toEqual(["A title", "moves"]);
});

it("says everything in speech/", () => {
  const uses = new Map<string, number>();
  for (const [word] of Object.values(SOURCES).join(" ").matchAll(/\w+/g))
    uses.set(word, (uses.get(word) ?? 0) + 1);
  const names = Object.values(SPEECH).flatMap(Object.keys);
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name) => uses.get(name) === 1)).toEqual([]);
});

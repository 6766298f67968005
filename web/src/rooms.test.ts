/** Hold the rooms to their order: each may import from itself and from those before it. */

import { expect, it } from "vitest";

const ROOMS = [
  "net", // what travels: types, defaults, socket, HTTP, and what this browser keeps
  "speech", // words: names of things, sentences, the log
  "ui", // what every page has: dialogs, icons, colours, sounds, addresses
  "board", // touching: narrowing, dragging, keys, animation
  "session", // one table from here: connections, requests, whose eyes, what is said
  "things", // what lies on a table: cards, pieces, tokens
  "zones", // where it lies: a component for each kind of zone
  "people", // who sits at a table: names and arms, clocks, talk, favours
  "throwing", // the table at which cards are thrown, in space and flat, and the range
  "pages", // the rules, a record replayed, the Lab
  "lobby", // the games, their options, who sits where
  "table", // the page of a table
  "learning", // lessons and puzzles
  "", // the app itself
];

const FILES = import.meta.glob<string>("./**/*.{ts,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

const roomOf = (path: string): string => /^\.\/(\w+)\//.exec(path)?.[1] ?? "";

/** What an import means, from the folder of all rooms. */
function resolved(from: string, path: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

it("imports from rooms before its own only", () => {
  const faults: string[] = [];
  let count = 0;
  for (const [file, text] of Object.entries(FILES)) {
    const own = ROOMS.indexOf(roomOf(file));
    if (own < 0) faults.push(`${file}: no room of that name`);
    for (const [, path = ""] of text.matchAll(IMPORTED)) {
      const other = resolved(file, path);
      if (!other.startsWith("./")) continue; // the schema, beside the rooms
      count++;
      if (ROOMS.indexOf(roomOf(other)) > own) faults.push(`${file} imports ${other}`);
    }
  }
  expect(count).toBeGreaterThan(200);
  expect(faults).toEqual([]);
});

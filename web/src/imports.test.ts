/** Check the order of the folders: a file may import from its own folder and from those before it. */

import { expect, it } from "vitest";

/** What is in each is said in web/README.md. */
const FOLDERS = [
  "net",
  "speech",
  "ui",
  "board",
  "session",
  "things",
  "zones",
  "people",
  "throwing",
  "pages",
  "lobby",
  "table",
  "learning",
  "", // the app itself
];

const FILES = import.meta.glob<string>("./**/*.{ts,svelte}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

const folderOf = (path: string): string => /^\.\/(\w+)\//.exec(path)?.[1] ?? "";

/** The path of an imported file, from here. */
function resolved(from: string, path: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

it("imports only from its own folder and those before it", () => {
  const faults: string[] = [];
  let count = 0;
  for (const [file, text] of Object.entries(FILES)) {
    const own = FOLDERS.indexOf(folderOf(file));
    if (own < 0) faults.push(`${file}: not in the list of folders`);
    for (const [, path = ""] of text.matchAll(IMPORTED)) {
      const other = resolved(file, path);
      if (!other.startsWith("./")) continue; // outside src
      count++;
      if (FOLDERS.indexOf(folderOf(other)) > own) faults.push(`${file} imports ${other}`);
    }
  }
  expect(count).toBeGreaterThan(200);
  expect(faults).toEqual([]);
});

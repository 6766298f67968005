// Say how large the built client is, and fail where what a page needs at once is over its limit.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

// Bytes of gzip of code, styles and face, all that is fetched before the page stands: the lobby's leaves room
// for what the server tells.
const LIMITS = { LobbyPage: 50_500, TablePage: 93_000 };
const folder = join(dirname(fileURLToPath(import.meta.url)), "../../bartizan/server/static/assets");

let names;
try {
  names = readdirSync(folder)
    .filter((name) => /\.(js|css|woff2)$/.test(name))
    .sort();
} catch {
  console.error("size: the client is not built; run `npm run build` first.");
  process.exit(2);
}
const text = (name) => readFileSync(join(folder, name), "utf-8");
/** A chunk with those that it imports outright, not those that wait until they are wanted. */
function atOnce(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of text(name).matchAll(
    /(?:^|[;}])\s*import\s*(?:[^"'();]*?from\s*)?["']\.\/([^"']+\.js)["']/g,
  ))
    atOnce(other, found);
  return found;
}
/**
 * What the entry sends for together with a chunk of its own that it imports when it is wanted: other chunks
 * and styles.
 */
function withChunk(entry, chunk) {
  const found = atOnce(entry);
  for (const name of names.filter((other) => other.startsWith(`${chunk}-`) && other.endsWith(".js")))
    atOnce(name, found);
  // The list of what a chunk needs stands in the entry: __vite__mapDeps([…]) beside its import.
  const code = text(entry);
  const list = [...(/\[((?:"\.\/[^"]+",?)+)\]/.exec(code)?.[1] ?? "").matchAll(/"\.\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  const numbers =
    new RegExp(`import\\(["'\`]\\./${chunk}-[^)]*\\)[^[]*?__vite__mapDeps\\(\\[([\\d,]*)\\]`).exec(
      code,
    )?.[1] ?? "";
  for (const number of numbers.split(",").filter(Boolean)) found.add(list[Number(number)]);
  for (const name of names) if (/^index-.*\.css$|\.woff2$/.test(name)) found.add(name);
  return found;
}

const packed = new Map(
  names.map((name) => [
    name,
    name.endsWith(".woff2")
      ? readFileSync(join(folder, name)).length
      : gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
  ]),
);
const entry = names.find((name) => name.startsWith("app-") && name.endsWith(".js"));
if (!entry) {
  console.error("size: there is no app chunk.");
  process.exit(1);
}
for (const [name, size] of packed)
  console.log(`  ${name.padEnd(32)} ${(size / 1000).toFixed(1).padStart(6)} kB gzip`);
let over = false;
for (const [chunk, limit] of Object.entries(LIMITS)) {
  const needed = [...withChunk(entry, chunk)];
  const size = needed.reduce((sum, name) => sum + (packed.get(name) ?? NaN), 0);
  const sizes = `${(size / 1000).toFixed(1)} kB of ${limit / 1000} kB`;
  console.log(`${chunk} with all that it needs at once: ${needed.length} files, ${sizes}`);
  over ||= !needed.some((name) => name.startsWith(chunk)) || !(size <= limit);
}
if (over) {
  console.error("size: a page needs more than its limit at once.");
  process.exit(1);
}

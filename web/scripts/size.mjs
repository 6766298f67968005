// Say how large the built client is, and fail when the app's chunk and what it needs at once are over the limit.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMIT = 60_000; // bytes of gzip
const folder = join(dirname(fileURLToPath(import.meta.url)), "../../bartizan/server/static/assets");

let names;
try {
  names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name)).sort();
} catch {
  console.error("size: the client is not built; run `npm run build` first.");
  process.exit(2);
}
/** A chunk with those that it imports outright, not those that wait until they are wanted. */
function atOnce(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(folder, name), "utf-8");
  for (const [, other] of text.matchAll(/(?:^|[;}])\s*import\s*(?:[^"'();]*?from\s*)?["']\.\/([^"']+\.js)["']/g)) atOnce(other, found);
  return found;
}

const entry = names.find((name) => name.startsWith("app-") && name.endsWith(".js"));
const needed = entry ? atOnce(entry) : new Set();
let app = 0;
for (const name of names) {
  const size = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  if (needed.has(name)) app += size;
  console.log(`${needed.has(name) ? "*" : " "} ${name.padEnd(28)} ${(size / 1000).toFixed(1).padStart(6)} kB gzip`);
}
console.log(`app chunk with what it needs at once (*) ${(app / 1000).toFixed(1)} kB of ${LIMIT / 1000} kB`);
if (app === 0 || app > LIMIT) {
  console.error(app ? "size: the app chunk is over its limit." : "size: there is no app chunk.");
  process.exit(1);
}

// Say how large the built client is, and fail where what a page needs at once is over its limit.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

// Bytes of gzip of code, styles and face, all that is fetched before the page stands: the lobby's leaves room
// for what the server tells.
const LIMITS = { LobbyPage: 52_700, TablePage: 96_000 };
const built = join(dirname(fileURLToPath(import.meta.url)), "../../bartizan/server/static");

let names, pages;
try {
  names = readdirSync(join(built, "assets"))
    .filter((name) => /\.(js|css|woff2)$/.test(name))
    .sort();
  pages = JSON.parse(readFileSync(join(built, "pages.json"), "utf-8"));
} catch {
  console.error("size: the client is not built; run `npm run build` first.");
  process.exit(2);
}
const packed = new Map(
  names.map((name) => {
    const bytes = readFileSync(join(built, "assets", name));
    return [`assets/${name}`, name.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length];
  }),
);
for (const [name, size] of packed)
  console.log(`  ${name.slice(7).padEnd(32)} ${(size / 1000).toFixed(1).padStart(6)} kB gzip`);
const fonts = [...packed.keys()].filter((name) => name.endsWith(".woff2"));
let over = false;
for (const [page, limit] of Object.entries(LIMITS)) {
  const needed = [...pages.app, ...(pages[page] ?? []), ...fonts];
  const size = needed.reduce((sum, name) => sum + (packed.get(name) ?? NaN), 0);
  const sizes = `${(size / 1000).toFixed(1)} kB of ${limit / 1000} kB`;
  console.log(`${page} with all that it needs at once: ${needed.length} files, ${sizes}`);
  over ||= !pages[page] || !(size <= limit);
}
if (over) {
  console.error(
    "size: a page needs more than its limit at once. Load what isn't seen at first with `await import(…)`, " +
      "shorten something, or raise LIMITS in web/scripts/size.mjs and say why.",
  );
  process.exit(1);
}

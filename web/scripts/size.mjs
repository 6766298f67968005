// Say how large the built client is, and fail when the app's own chunk is over its limit.
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
let app = 0;
for (const name of names) {
  const size = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  if (name.startsWith("app-") && name.endsWith(".js")) app += size;
  console.log(`${name.padEnd(28)} ${(size / 1000).toFixed(1).padStart(6)} kB gzip`);
}
console.log(`app chunk ${(app / 1000).toFixed(1)} kB of ${LIMIT / 1000} kB`);
if (app === 0 || app > LIMIT) {
  console.error(app ? "size: the app chunk is over its limit." : "size: there is no app chunk.");
  process.exit(1);
}

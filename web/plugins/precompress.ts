import { readdirSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const WORTH_IT = /\.(js|css|html|svg|json|txt)$/;
const [packed, zipped] = [promisify(brotliCompress), promisify(gzip)];

/** Put a .gz and a .br beside every text file of the build; the same input gives the same bytes. */
export function precompress(): Plugin {
  let folder = "";

  async function compress(path: string): Promise<void> {
    const bytes = await readFile(path);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    await Promise.all([
      zipped(bytes, { level: 9 }).then((zip) => writeFile(`${path}.gz`, zip)),
      packed(bytes, { params }).then((pack) => writeFile(`${path}.br`, pack)),
    ]);
  }

  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      );
      const texts = paths.filter((path) => WORTH_IT.test(path) && statSync(path).isFile());
      await Promise.all(texts.map(compress)); // on all cores
    },
  };
}

import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/**
 * Above so many bytes a file is fetched when it is wanted, and not kept for when there is no server: the
 * drawing in space.
 */
const LARGE = 150_000;

/** Tell the service worker what was built, and give that a name that changes with it. */
export function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const worker = bundle["sw.js"];
      if (worker?.type !== "chunk") throw new Error("offline: there is no sw.js in the build");
      const assets = Object.values(bundle)
        .filter(
          (part) =>
            part.fileName.startsWith("assets/") &&
            (part.type === "chunk" ? part.code : part.source).length <= LARGE,
        )
        .map((part) => part.fileName)
        .sort();
      const name = createHash("sha256").update(assets.join(" ")).digest("hex").slice(0, 12);
      worker.code = `const BUILT=${JSON.stringify({ name, assets })};${worker.code}`;
    },
  };
}

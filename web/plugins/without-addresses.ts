import type { Plugin } from "vite";

/** Take help addresses out of the framework's error texts: the client names no host but its own. */
export function withoutAddresses(): Plugin {
  return {
    name: "without-addresses",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") part.code = part.code.replaceAll("https://svelte.dev/e/", "svelte: ");
      }
    },
  };
}

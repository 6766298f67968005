/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { offline } from "./plugins/offline.ts";
import { pages } from "./plugins/pages.ts";
import { precompress } from "./plugins/precompress.ts";
import { withoutAddresses } from "./plugins/without-addresses.ts";

/** What every table needs at once. */
const AT_EVERY_TABLE = [
  "speech/(log|faces|told)",
  "session/(flights|outcome|words)",
  "board/(board|narrow|views|actions|keys|drag)",
  "things/(Thing|Card|Token|Piece|Log|colours|Livery)",
  "zones/(felt|Felt|Place)",
];

export default defineConfig({
  // The client may lie in a folder of its server: code names its neighbours, the page alone the whole path,
  // which the server knows.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }),
  },
  plugins: [svelte(), withoutAddresses(), offline(), pages(), precompress()],
  // Names depend on contents alone, so that two builds of one tree are the same bytes.
  build: {
    outDir: "../bartizan/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { app: "index.html", sw: "worker/worker.ts" },
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/app-[hash].js"),
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
        // One file packs better than ten.
        advancedChunks: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: "board",
              test: new RegExp(`src/(${AT_EVERY_TABLE.join("|")})\\b`),
            },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    proxy: {
      "/api": { target: "http://127.0.0.1:8765" },
      "/ws": { target: "ws://127.0.0.1:8765", ws: true },
    },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
});

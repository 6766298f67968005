import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { precompress } from "./plugins/precompress.ts";
import { withoutAddresses } from "./plugins/without-addresses.ts";

export default defineConfig({
  plugins: [svelte(), withoutAddresses(), precompress()],
  // Names depend on contents alone, so that two builds of one tree are the same bytes.
  build: {
    outDir: "../bartizan/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What tables and lessons both need, and all that needs, comes in one piece: several small ones are packed worse.
        codeSplitting: { groups: [{ name: "shared", test: /src[\\/](zones[\\/]Felt\.svelte|session[\\/]words\.ts|things[\\/]Sprite\.svelte|ui[\\/](TopBar|Icon)\.svelte|net[\\/](complete|store|http)\.ts)$/ }] },
        entryFileNames: "assets/app-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
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
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});

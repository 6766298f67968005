import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// Rules that need types are left to svelte-check and tsc: with them a run takes three times as long, and in
// templates they see `any` where there is none.
export default defineConfig(
  globalIgnores(["src/net/schema.d.ts", "src/net/defaults.ts", "public/"]),
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      // `_` stands for what is not needed: {#each [1, 2] as _, n}.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_$", varsIgnorePattern: "^_$" }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // State is replaced, never changed ($state.raw): a map or set is filled where it is made.
      "svelte/prefer-svelte-reactivity": "off",
      // {" "} keeps a space that would be trimmed, {:catch}{""} says that nothing is shown.
      "svelte/no-useless-mustaches": "off",
    },
  },
);

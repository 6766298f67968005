import type { Plugin, Rolldown } from "vite";

/** Tell the server which files each page needs at once, so that they are sent for together with the page. */
export function pages(): Plugin {
  return {
    name: "pages",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const needed = (name: string, found = new Set<string>()): Set<string> => {
        const part = bundle[name];
        if (part?.type !== "chunk" || found.has(name)) return found;
        found.add(name);
        for (const other of part.imports) needed(other, found);
        for (const style of part.viteMetadata?.importedCss ?? []) found.add(style);
        return found;
      };
      const entry = Object.values(bundle).find(
        (part): part is Rolldown.OutputChunk => part.type === "chunk" && part.isEntry && part.name === "app",
      );
      if (!entry) throw new Error("pages: there is no app in the build");
      const first = needed(entry.fileName);
      const list: Record<string, string[]> = { app: [...first].sort() };
      for (const name of entry.dynamicImports) {
        const part = bundle[name];
        if (part?.type === "chunk")
          list[part.name] = [...needed(name)].filter((one) => !first.has(one)).sort();
      }
      this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(list) });
    },
  };
}

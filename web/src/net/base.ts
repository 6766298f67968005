/**
 * Where the client lies: at the top of its server, or in a folder of it.
 *
 * The page names its manifest, which lies beside it, by the whole address; pages as deep as /t/… do not tell.
 */

/** The path of a folder in which something lies whose address is given, with a slash at its end. */
export const folderOf = (address: string): string => new URL(".", address).pathname;

const manifest =
  typeof document === "undefined" ? null : document.querySelector<HTMLLinkElement>('link[rel="manifest"]');

/** The client's folder, with a slash at either end. */
export const BASE = manifest ? folderOf(manifest.href) : "/";

/** The address of what lies at a path of the server, from the slash on. */
export const at = (path: string, base = BASE): string => base + path.replace(/^\//, "");

/** The path of the server that an address means, from the slash on; what lies elsewhere stays as it is. */
export const within = (path: string, base = BASE): string =>
  path.startsWith(base) ? path.slice(base.length - 1) : path;

/**
 * Read and write the address: which page, which table; a token stands only behind the #, which reaches no
 * log.
 */

import { at, within } from "../net/base";

export type RouteTo<Page extends Route["page"]> = Extract<Route, { page: Page }>;

export type Route =
  | { page: "lobby" }
  | { page: "table"; table: string; token: string }
  | { page: "rules"; game: string; clause: string }
  /** `at` is the name of a lesson or a puzzle; empty for the first that is not done yet. */
  | { page: "learn"; game: string; at: string }
  | { page: "puzzles"; game: string; at: string }
  | { page: "replay" }
  /** A deal to play as someone else did: a day's, or a seed with its options, behind the #. */
  | { page: "play"; game: string; deal: string }
  | { page: "you" }
  | { page: "verify" }
  | { page: "range" }
  | { page: "lab" }
  | { page: "unknown"; path: string };

const plain = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function parse(path: string, hash: string): Route {
  const behind = plain(hash.replace(/^#/, ""));
  const [first = "", second = "", ...rest] = within(path).split("/").filter(Boolean).map(plain);
  if (rest.length === 0) {
    if (first === "" || first === "index.html") return { page: "lobby" };
    if (first === "t" && second) return { page: "table", table: second, token: behind };
    if (first === "rules" && second) return { page: "rules", game: second, clause: behind };
    if (first === "play" && second) return { page: first, game: second, deal: behind };
    if ((first === "learn" || first === "puzzles") && second)
      return { page: first, game: second, at: behind };
    if (
      (first === "replay" || first === "verify" || first === "range" || first === "lab" || first === "you") &&
      !second
    )
      return { page: first };
  }
  return { page: "unknown", path };
}

/** The address of a page, in whatever folder the client lies. */
export const href = (route: Route): string => (route.page === "unknown" ? route.path : at(path(route)));

function path(route: Exclude<Route, { page: "unknown" }>): string {
  switch (route.page) {
    case "lobby":
      return "/";
    case "table":
      return `/t/${encodeURIComponent(route.table)}#${encodeURIComponent(route.token)}`;
    case "rules":
      return `/rules/${encodeURIComponent(route.game)}${route.clause ? `#${encodeURIComponent(route.clause)}` : ""}`;
    case "learn":
    case "puzzles":
      return `/${route.page}/${encodeURIComponent(route.game)}${route.at ? `#${encodeURIComponent(route.at)}` : ""}`;
    case "play":
      return `/play/${encodeURIComponent(route.game)}#${route.deal}`; // words of an address already
    case "you":
    case "replay":
    case "verify":
    case "range":
    case "lab":
      return `/${route.page}`;
  }
}

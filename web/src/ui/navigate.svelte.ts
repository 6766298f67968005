/** Go from page to page without loading again. */

import { within } from "../net/base";
import { store } from "../net/store";
import { isInvitation } from "../net/tokens";
import { href, parse, type Route } from "./route";

/**
 * Read the address; an invitation in it gives way to this browser's own key, and so does what a notification
 * has instead of a key: an @, and the table before a rematch.
 */
function read(): Route {
  const route = parse(window.location.pathname, window.location.hash);
  if (route.page !== "table") return route;
  const { table, token } = route;
  const own = isInvitation(token)
    ? store.accept(table, token)
    : token[0] === "@" && (store.table(table) ?? store.table(token.slice(1)))?.token;
  if (!own) return route;
  route.token = own;
  window.history.replaceState(null, "", href(route));
  return route;
}

class Place {
  route = $state.raw<Route>(read());
}

export const here = new Place();

export function go(route: Route): void {
  window.history.pushState(null, "", href(route));
  here.route = read();
  window.scrollTo(0, 0);
}

/** Follow plain clicks on links to our own pages, and the browser's back and forward. */
export function follow(): void {
  window.addEventListener("popstate", () => (here.route = read()));
  window.addEventListener("hashchange", () => (here.route = read()));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey
    )
      return;
    if (link.origin !== window.location.origin || link.target || link.hasAttribute("download")) return;
    const route = parse(link.pathname, link.hash);
    if (route.page === "unknown" || within(link.pathname).startsWith("/api/")) return;
    event.preventDefault();
    go(route);
  });
}

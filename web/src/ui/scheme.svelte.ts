/** Light or dark: the system's, unless someone chose. */

import { type Scheme, store } from "../net/store";

class Look {
  scheme = $state<Scheme>(store.settings().scheme);
}

export const look = new Look();

export function apply(scheme: Scheme): void {
  look.scheme = scheme;
  if (scheme === "auto") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

export function choose(scheme: Scheme): void {
  store.set({ scheme });
  apply(scheme);
}

/** What someone likes at every table: the colours of a deck, how fast things move. */

import { type Settings, store } from "../net/store";

type Likes = Pick<Settings, "deck" | "pace">;

class Taste {
  deck = $state<Settings["deck"]>(store.settings().deck);
  pace = $state<Settings["pace"]>(store.settings().pace);
}

export const taste = new Taste();

export function prefer(likes: Partial<Likes>): void {
  store.set(likes);
  Object.assign(taste, likes);
}

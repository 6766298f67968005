/** Give suits the colours of the deck that someone likes. */

import type { Deck } from "../net/store";
import type { Theme } from "../net/wire";

/** Return the theme with its suits in the colours of the deck: as printed in two colours, or one for each. */
export function withDeck(theme: Theme, deck: Deck): Theme {
  if (deck === "four" || (deck === "usual" && !theme.two_colours)) return theme;
  const suits = Object.entries(theme.suits).map(([letter, suit]) => [
    letter,
    suit.printed ? { ...suit, colour: suit.printed } : suit,
  ]);
  return { ...theme, suits: Object.fromEntries(suits) };
}

/** Whether the deck can be had in two colours. */
export const isPrinted = (theme: Theme): boolean =>
  Object.values(theme.suits).some((suit) => suit.printed !== "");

"""Say what a seat observes of Card-cassonne's table (CC-Q24)."""

from __future__ import annotations

from bartizan.games.card_cassonne.options import CARDS, HAND
from bartizan.games.card_cassonne.state import State
from bartizan.games.card_cassonne.words.names import UNSEEN


def observe(state: State, seat: int) -> State:
    """Return a copy of the table with everything blanked out that `seat` does not know."""
    blank = state.copy()
    blank.rng = 0
    for pile in (blank.deck, blank.aside):
        for index in range(CARDS):  # above the top the memory still holds what was popped
            pile.cards[index] = UNSEEN
    for other in range(len(blank.players)):
        for slot in range(HAND):
            if other + 1 != seat or slot >= blank.players[other].hand.count:
                blank.players[other].hand.cards[slot] = UNSEEN
    return blank

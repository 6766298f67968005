"""Say what a seat observes of Card-cassonne's table (CC-Q24)."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.options import CARDS, HAND
from bartizan.games.card_cassonne.state import SEATS, State

UNSEEN = -2  # stands for a card that the seat does not know


@rule
def blank(s: State, seat: int) -> None:
    """Blank out everything that `seat` does not know."""
    s.rng = 0
    for index in range(CARDS):  # above the top the memory still holds what was popped
        s.deck.cards[index] = UNSEEN
        s.aside.cards[index] = UNSEEN
    for other in range(SEATS):
        hand = s.players[other].hand
        for slot in range(HAND):
            if other + 1 != seat or slot >= hand.count:
                hand.cards[slot] = UNSEEN

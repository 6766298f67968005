"""Say what the player observes of Alcazar's table (ALC-Q48)."""

from __future__ import annotations

from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import PLACES, State

UNSEEN = -2  # stands for a card that the player does not know


@rule
def blank(s: State, seat: int) -> None:
    """Blank out everything that the player does not know; a spectator knows the same."""
    s.rng = 0
    blank_pile(s, s.deck)
    blank_pile(s, s.tower)
    for place in range(PLACES):
        if s.enemy[place] != EMPTY and not is_known(s, s.enemy[place]):
            s.enemy[place] = UNSEEN


@rule
def blank_pile(s: State, p: Pile) -> None:
    """Leave of a pile what is known of it."""
    for index in range(len(p.cards)):
        # Above the top the memory still holds what was popped, face-down cards among it.
        if index >= p.count or not is_known(s, p.cards[index]):
            p.cards[index] = UNSEEN


@rule
def is_known(s: State, card: int) -> bool:
    """Return whether the player knows where a card is."""
    return card >= 0 and s.known[card] == 1

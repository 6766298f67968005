"""Say what the player observes of Alcazar's table (ALC-Q48)."""

from __future__ import annotations

from bartizan.engine.record import EMPTY
from bartizan.games.alcazar.state import PLACES, State

UNSEEN = -2  # stands for a card that the player does not know


def observe(state: State, seat: int) -> State:
    """Return a copy of the table with everything blanked out that the player does not know.

    The player and a spectator know the same.
    """
    blank = state.copy()
    blank.rng = 0
    for pile in (blank.deck, blank.tower):
        for index in range(len(pile.cards)):
            # Above the top the memory still holds what was popped, face-down cards among it.
            if index >= pile.count or not state.known[pile.cards[index]]:
                pile.cards[index] = UNSEEN
    for place in range(PLACES):
        if blank.enemy[place] != EMPTY and not state.known[blank.enemy[place]]:
            blank.enemy[place] = UNSEEN
    return blank

"""Re-deal Alcazar's hidden cards in a way consistent with what the player knows (ALC-Q48)."""

from __future__ import annotations

from bartizan.engine import bits
from bartizan.engine.piles import pop, push
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import PLACES, State


@rule
def determinize(s: State, seat: int) -> None:
    """Re-deal every card whose place the player does not know, evenly among those places.

    The outcome depends on the random stream and on what the player knows, and on nothing else.
    """
    for place in range(PLACES):
        if s.enemy[place] != EMPTY and not s.known[s.enemy[place]]:
            push(s.deck, s.enemy[place])
    for place in range(s.tower.count):
        if not s.known[s.tower.cards[place]]:
            push(s.deck, s.tower.cards[place])
    sort_unknown(s)
    shuffle_unknown(s)
    for place in range(s.tower.count - 1, -1, -1):
        if not s.known[s.tower.cards[place]]:
            s.tower.cards[place] = pop(s.deck)
    for place in range(PLACES - 1, -1, -1):
        if s.enemy[place] != EMPTY and not s.known[s.enemy[place]]:
            s.enemy[place] = pop(s.deck)


@rule
def sort_unknown(s: State) -> None:
    """Bring the deck's unknown cards into ascending order, so that nothing is left of how they lay."""
    unknown = 0
    for place in range(s.deck.count):
        if not s.known[s.deck.cards[place]]:
            unknown |= 1 << s.deck.cards[place]
    for place in range(s.deck.count):
        if not s.known[s.deck.cards[place]]:
            s.deck.cards[place] = bits.lowest(unknown)
            unknown &= unknown - 1


@rule
def shuffle_unknown(s: State) -> None:
    """Shuffle the deck's unknown cards among their own places; known ones stay where they are."""
    for last in range(s.deck.count - 1, 0, -1):
        card = s.deck.cards[last]
        if s.known[card]:
            continue
        other = below(s, last + 1)
        while s.known[s.deck.cards[other]]:
            other = below(s, last + 1)
        s.deck.cards[last] = s.deck.cards[other]
        s.deck.cards[other] = card

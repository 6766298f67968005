"""Define what a seat observes of Tower's table (TWR-Q37)."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.tower.state import COPIES, OPEN, SEATS, Player, State

UNSEEN = -2  # represents a card that the seat doesn't know


@rule
def blank(s: State, seat: int) -> None:
    """Erase everything that a seat doesn't know (TWR-Q37)."""
    s.rng = 0
    for index in range(COPIES):
        s.deck.cards[index] = UNSEEN
        s.buried.cards[index] = UNSEEN
        s.since[index] = 0
        s.buried_since[index] = 0
    for other in range(SEATS):
        blank_hand(s.players[other], other + 1 == seat)


@rule
def blank_hand(p: Player, own: bool) -> None:
    """Keep what a seat sees of a hand: all of its own; of other hands, cards taken openly, sorted first."""
    kept = 0
    for slot in range(p.hand.count):
        is_open = p.since[slot] == OPEN
        if own or is_open:
            p.hand.cards[kept] = p.hand.cards[slot]
            p.since[kept] = OPEN if is_open else 0
            kept += 1
    for slot in range(kept, len(p.since)):
        p.hand.cards[slot] = UNSEEN
        p.since[slot] = 0

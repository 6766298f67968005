"""Say what a person observes of Card Barrage's table (CB-41)."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.card_barrage.determinization import knows_hand
from bartizan.games.card_barrage.state import COPIES, KINDS, SEATS, SHARE, SIDES, Hand, State
from bartizan.games.card_barrage.table import SHOWN

UNSEEN = -2  # stands for a card that the person does not know


@rule
def blank(s: State, seat: int) -> None:
    """Blank out everything that a person (0: a spectator) does not know."""
    s.rng = 0
    for side in range(SIDES):
        for place in range(SHARE):  # above its top a pile's memory still holds what was taken
            s.deck[side].cards[place] = UNSEEN
            if place >= s.discard[side].count:
                s.discard[side].cards[place] = UNSEEN
    for place in range(KINDS * COPIES):
        s.aside.cards[place] = UNSEEN
    for each in range(SEATS):
        blank_hand(s.hand[each], seat > 0 and each < s.castles and knows_hand(s, seat, each))


@rule
def blank_hand(h: Hand, known: bool) -> None:
    """Leave of a hand what a person sees: all of a known one, of others what all have seen, these first."""
    if not known:
        kept = 0
        for place in range(h.count):
            if h.origin[place] == SHOWN:
                h.cards[kept] = h.cards[place]
                kept += 1
        for place in range(kept, h.count):
            h.cards[place] = UNSEEN
    for place in range(h.count):
        h.origin[place], h.above[place] = 0, 0

"""Say what a person observes of Card Barrage's table (CB-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bartizan.engine.record import Cells
from bartizan.engine.rule import interpreted
from bartizan.games.card_barrage.state import SEATS, SIDES, Hand, State
from bartizan.games.card_barrage.table import SHOWN
from bartizan.games.card_barrage.words.names import UNSEEN

if TYPE_CHECKING:
    from bartizan.games.card_barrage import determinization as plain
else:
    from bartizan.games.card_barrage import determinization

    plain = interpreted(determinization)


def observe(view: State, seat: int) -> State:
    """Return the table with everything blanked out that a person (0: a spectator) does not know."""
    blank = view.copy()
    blank.rng = 0
    for side in range(SIDES):
        _blank(blank.deck[side].cards)
        _blank(blank.discard[side].cards, blank.discard[side].count)
    _blank(blank.aside.cards)
    for each in range(SEATS):
        known = seat and each < view.castles and plain.knows_hand(view, seat, each)
        _blank_hand(blank.hand[each], bool(known))
    return blank


def _blank(cards: Cells, first: int = 0) -> None:
    """Blank out a pile's memory from a place on; above its top it still holds what was taken."""
    for place in range(first, len(cards)):
        cards[place] = UNSEEN


def _blank_hand(hand: Hand, known: bool) -> None:
    """Leave of a hand what a person sees: all of a known one, of others what all have seen, these first."""
    if not known:
        shown = [hand.cards[place] for place in range(hand.count) if hand.origin[place] == SHOWN]
        for place in range(hand.count):
            hand.cards[place] = shown[place] if place < len(shown) else UNSEEN
    for place in range(hand.count):
        hand.origin[place], hand.above[place] = 0, 0

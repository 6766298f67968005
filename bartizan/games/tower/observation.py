"""Say what a seat observes of Tower's table (TWR-Q37)."""

from __future__ import annotations

from bartizan.games.tower.state import OPEN, Player, State
from bartizan.games.tower.words.names import UNSEEN


def observe(state: State, seat: int) -> State:
    """Return the table with everything blanked out that a seat does not know (TWR-Q37)."""
    blank = state.copy()
    blank.rng = 0
    for pile in (blank.deck, blank.buried):
        for index in range(len(pile.cards)):
            pile.cards[index] = UNSEEN
    for tags in (blank.since, blank.buried_since):
        for index in range(len(tags)):
            tags[index] = 0
    for number, player in enumerate(blank.players, 1):
        _blank_hand(player, number == seat)
    return blank


def _blank_hand(player: Player, own: bool) -> None:
    """Leave of a hand what a seat sees: all of its own, of others what was taken openly, these first."""
    count = player.hand.count
    held = [(player.hand.cards[slot], player.since[slot]) for slot in range(count)]
    known = [card for card, since in held if own or since == OPEN]
    for slot in range(len(player.hand.cards)):
        player.hand.cards[slot] = known[slot] if slot < len(known) else UNSEEN
        is_open = slot < len(known) and (not own or held[slot][1] == OPEN)
        player.since[slot] = OPEN if is_open else 0

"""Tell playtests which cards count, when the first points are scored, and what progress is."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.state import ACTIONS, FACES, State

PIECES = tuple(POKER.text(face) for face in range(FACES))
PIECE = "card"


@rule
def mark_held(s: State, seat: int, marks: Array) -> None:
    """Mark the cards in a seat's hand."""
    hand = s.players[seat - 1].hand
    for slot in range(hand.count):
        marks[hand.cards[slot]] = 1


@rule
def played_by_play(s: State, slot: int, cell: int) -> int:
    """Return the card that is played, packed."""
    return s.players[s.to_move - 1].hand.cards[slot] + 1


pieces_played = ACTIONS.rule("pieces_played", "played_by_{}", otherwise=0)


@rule
def contact(s: State) -> int:
    """Return 1 once a player has points."""
    return 1 if progress(s) != 0 else 0


@rule
def progress(s: State) -> int:
    """Return the points of all together."""
    total = 0
    for seat in range(s.seats):
        total += s.players[seat].score
    return total

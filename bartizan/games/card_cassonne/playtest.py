"""Tell playtests which cards count, when the first points are scored, and what progress is."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.areas import area_at
from bartizan.games.card_cassonne.state import ACTIONS, FACES, State

PIECES = tuple(POKER.text(face) for face in range(FACES))
PIECE = "card"
SOURCES = (
    "tokens_scored_in_the_turn_they_are_placed",
    "tokens_scored_in_a_later_turn",
    "complete_areas_and_the_end",
)
AT_ONCE, LATER, COMPLETE = 0, 1, 2


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
def source_of_score(s: State, cell: int) -> int:
    """Return whether a token was placed in the area this turn."""
    at_once = s.token[s.last] > 0 and s.area[s.last] == area_at(s, cell)
    return AT_ONCE if at_once else LATER


source_of = ACTIONS.rule("source_of", "source_of_{}", otherwise=COMPLETE)


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

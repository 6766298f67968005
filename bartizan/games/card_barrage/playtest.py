"""Tell playtests which cards count, when the first hit is scored, and what progress is."""

from __future__ import annotations

from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import (
    ACTIONS,
    KINDS,
    ON_CASTLE,
    ON_TWO,
    PER_SEAT,
    PERFECT,
    SEATS,
    State,
)
from bartizan.games.card_barrage.table import person_of

PIECES = tuple(TECH.text(card) for card in range(KINDS))
PIECE = "card"
SOURCES = (
    *("hitting_walls", "hitting_walls_perfectly", "hitting_castles", "hitting_two_at_once"),
    "everything_but_throws",
)
ON_A_WALL, PERFECTLY, CASTLE, TWO, NO_THROW = range(5)


@rule
def mark_held(s: State, seat: int, marks: Array) -> None:
    """Mark the cards in the hands of a person, who may run several seats; untold cards are none."""
    for castle in range(s.castles):
        if person_of(s, castle) == seat:
            for slot in range(s.hand[castle].count):
                if 0 <= s.hand[castle].cards[slot] < KINDS:
                    marks[s.hand[castle].cards[slot]] = 1


@rule
def played_by_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Return the card that is thrown, packed."""
    return card + 1


@rule
def played_by_build(s: State, card: int, slot: int) -> int:
    """Return the card that becomes a wall, packed."""
    return card + 1


@rule
def played_by_upgrade(s: State, slot: int, card: int, leave: int) -> int:
    """Return the card of an upgrade, packed."""
    return card + 1


@rule
def played_by_replace(s: State, slot: int, card: int) -> int:
    """Return the card that replaces a destroyed wall, packed."""
    return card + 1


@rule
def played_by_exchange(s: State, scored: int, slot: int, card: int) -> int:
    """Return the card of an exchange that an effect allows, packed."""
    return card + 1


@rule
def played_by_erect(s: State, scored: int, card: int, slot: int) -> int:
    """Return the card of a wall that an effect allows, packed."""
    return card + 1


pieces_played = ACTIONS.rule("pieces_played", "played_by_{}", otherwise=0)


@rule
def source_of_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Return what a throw hit; a miss brings nothing."""
    what = (verdict - 1) % PER_SEAT
    if what < PERFECT:
        return ON_A_WALL
    if what < ON_CASTLE:
        return PERFECTLY
    return CASTLE if what < ON_TWO else TWO


source_of = ACTIONS.rule("source_of", "source_of_{}", otherwise=NO_THROW)


@rule
def contact(s: State) -> int:
    """Return 1 once someone has points."""
    return 1 if progress(s) != 0 else 0


@rule
def progress(s: State) -> int:
    """Return the points of all together."""
    total = 0
    for keeper in range(SEATS):
        total += s.score[keeper].points
    return total

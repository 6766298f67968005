"""Tell playtests what to count in a game: its pieces, when the sides first meet, what progress is.

A game may have a module ``playtest.py`` with some of these, all rules but for the first two and the last:

- ``PIECES``: the names of the cards or pieces to evaluate, in the order of their numbers;
- ``PIECE``: the word for one of them: ``card``, ``piece``;
- ``mark_held(s, seat, marks)``: sets ``marks[piece]`` to 1 for each piece in the hand of `seat` (from 1);
- ``pieces_played(s, action)``: which pieces an action of the seat to move uses, before it is played: each
  one's number plus 1 in a byte of its own, seven at most, 0 for none;
- ``contact(s)``: 1 once the sides have met;
- ``progress(s)``: a number that changes whenever the game makes progress;
- ``all_cards(view)``, plain Python: a `Counter` of all cards on a table, so that tests find a lost one.

The functions below are the defaults.
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.record import Array
from bartizan.engine.rule import rule

PIECES: tuple[str, ...] = ()
PIECE = "piece"


@rule
def mark_held(s: Any, seat: int, marks: Array) -> None:
    """Mark nothing: the game names no pieces."""


@rule
def pieces_played(s: Any, action: int) -> int:
    """Return 0: the game names no pieces."""
    return 0


@rule
def contact(s: Any) -> int:
    """Return 0: the game does not say when its sides meet."""
    return 0


@rule
def progress(s: Any) -> int:
    """Return 0: the game does not say what progress is."""
    return 0

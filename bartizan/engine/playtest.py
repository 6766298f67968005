"""Tell playtests what to count in a game: its pieces, when the sides first meet, what progress is.

A game may have a module ``playtest.py`` with some of these, all rules but for the names and the last:

- ``PIECES``: the names of the cards or pieces to evaluate, in the order of their numbers;
- ``PIECE``: the word for one of them: ``card``, ``piece``;
- ``mark_held(s, seat, marks)``: sets ``marks[piece]`` to 1 for each piece in the hand of `seat` (from 1);
- ``pieces_played(s, action)``: which pieces an action of the seat to move uses, before it is played: each
  one's number plus 1 in a byte of its own, seven at most, 0 for none;
- ``SOURCES``: what points can come from, if the verbs are too coarse, as names with ``_`` for spaces;
- ``source_of(s, action)``: the number of the one that any points would come from that an action of the seat
  to move brings it, before it is played;
- ``contact(s)``: 1 once the sides have met;
- ``progress(s)``: a number that changes whenever the game makes progress;
- ``all_cards(view)``, plain Python: a `Counter` of all cards on a table, so that tests find a lost one.

The functions below are the defaults.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from bartizan.engine.record import Array
from bartizan.engine.rule import rule

PIECES: tuple[str, ...] = ()
PIECE = "piece"
SOURCES: tuple[str, ...] = ()
PARTS = ("PIECES", "PIECE", "SOURCES", "mark_held", "pieces_played", "source_of", "contact", "progress")


def completed(module: ModuleType) -> ModuleType:
    """Return a game's module, to which the defaults have been added that it doesn't define itself."""
    for name in PARTS:
        vars(module).setdefault(name, globals()[name])
    return module


@rule
def mark_held(s: Any, seat: int, marks: Array) -> None:
    """Mark nothing: the game names no pieces."""


@rule
def pieces_played(s: Any, action: int) -> int:
    """Return 0: the game names no pieces."""
    return 0


@rule
def source_of(s: Any, action: int) -> int:
    """Return -1: the points come from the action's verb."""
    return -1


@rule
def contact(s: Any) -> int:
    """Return 0: the game does not say when its sides meet."""
    return 0


@rule
def progress(s: Any) -> int:
    """Return 0: the game does not say what progress is."""
    return 0

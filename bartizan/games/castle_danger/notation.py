"""Write and read Castle Danger's moves; positions are in ``position.py``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bartizan.engine.errors import IllegalMove, UnknownMove
from bartizan.engine.notation import squeeze, unknown_move
from bartizan.engine.rule import interpreted
from bartizan.games.castle_danger.board import COLUMNS, FILES, ROWS, SQUARES, name, numbered
from bartizan.games.castle_danger.position import read_position, write_position
from bartizan.games.castle_danger.state import ACTIONS, STEP_OFFSETS, State

if TYPE_CHECKING:
    from bartizan.games.castle_danger import rules as plain
else:
    from bartizan.games.castle_danger import rules

    plain = interpreted(rules)

__all__ = ["MOVE_FORMS", "parse_move", "print_move", "read_position", "write_position"]

MOVE_FORMS = ("add wizard", "d1-d2", "wall c2", "raze c2", "fire d3 d7", "end")
BEGINNINGS = ("add", "wall", "raze", "fire", "end", "d1-d2")
KINDS = ("wizard", "builder", "cannon")


_SQUARE = r"([A-Z]\d+)"
_PATTERNS = {
    "add": rf"ADD({'|'.join(KINDS)})",
    "step": rf"{_SQUARE}-?{_SQUARE}",
    "wall": rf"WALL{_SQUARE}",
    "raze": rf"RAZE{_SQUARE}",
    "fire": rf"FIRE{_SQUARE}{_SQUARE}",
    "end": "END",
}


def print_move(view: State, action: int) -> str:
    """Return an action in canonical notation; a step off the board, which is never legal, goes to ``?``."""
    verb, field = ACTIONS.decode(action)
    if verb == "end":
        return verb
    if verb == "add":
        return f"add {KINDS[field['kind']]}"
    at = field["square"]
    if verb == "step":
        return f"{name(at)}-{_stepped(at, field['direction'])}"
    if verb == "fire":
        return f"fire {name(at)} {name(plain.landing(at, field['row']))}"
    return f"{verb} {name(at)}"


def _stepped(at: int, direction: int) -> str:
    to = at + STEP_OFFSETS[direction]
    beside = direction in (0, 3) or to // COLUMNS == at // COLUMNS
    return name(to) if 0 <= to < SQUARES and beside else "?"


def parse_move(view: State, text: str) -> int:
    """Read a move in full notation and return its action; it may be illegal.

    Raises `UnknownMove` for a text of no form or with no such square, and `IllegalMove`
    for a step farther than one square or a shot that is not along a column.
    """
    squeezed = squeeze(text)
    for verb, pattern in _PATTERNS.items():
        found = re.fullmatch(pattern, squeezed, re.IGNORECASE | re.ASCII)
        if found is not None:
            return _encode(verb, text, list(found.groups()))
    raise unknown_move(text, MOVE_FORMS, BEGINNINGS)


def _encode(verb: str, text: str, words: list[str]) -> int:
    if verb == "end":
        return ACTIONS.encode(verb)
    if verb == "add":
        return ACTIONS.encode(verb, kind=KINDS.index(words[0].lower()))
    squares = [_square(word, text) for word in words]
    if verb == "step":
        return _step(squares[0], squares[1], text)
    if verb == "fire":
        return _fire(squares[0], squares[1], text)
    return ACTIONS.encode(verb, square=squares[0])


def _square(word: str, text: str) -> int:
    """Return the number of a square; raises `UnknownMove` for one that the board does not have."""
    if word[0].lower() not in FILES or not 1 <= int(word[1:]) <= ROWS or len(word) > 2:
        raise UnknownMove(
            f"{text.strip()!r} is no move: there is no square {word}; "
            f"the columns are a to {FILES[-1]}, the rows 1 to {ROWS}.",
            text,
            text.lower().find(word.lower()),
        )
    return numbered(word)


def _step(at: int, to: int, text: str) -> int:
    """Return the step between two squares; raises `IllegalMove` where they are not beside each other."""
    across = abs(to % COLUMNS - at % COLUMNS)
    if across + abs(to // COLUMNS - at // COLUMNS) != 1:
        far = "is where it stands" if at == to else "is not beside it"
        raise IllegalMove(
            f"A unit goes one square at a time, up, down, left or right; {name(to)} {far}"
            + ("." if at == to else f" on {name(at)}."),
            "CD-26",
            text,
        )
    return ACTIONS.encode("step", square=at, direction=STEP_OFFSETS.index(to - at))


def _fire(at: int, to: int, text: str) -> int:
    """Return the shot between two squares; raises `IllegalMove` where they are not in one column."""
    if to % COLUMNS != at % COLUMNS:
        raise IllegalMove(
            f"A Cannon shoots straight ahead: from {name(at)} only along column {FILES[at % COLUMNS]}.",
            "CD-33",
            text,
        )
    return ACTIONS.encode("fire", square=at, row=to // COLUMNS)

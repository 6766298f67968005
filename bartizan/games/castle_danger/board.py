"""Describe Castle Danger's board: squares, grounds, and what lies next to or ahead of a square.

Squares are numbered along the rows from Blue's side: a1 0, b1 1, … g1 6, a2 7, … g9 62.
A set of squares is a number with a bit for each (see `bartizan.engine.bits`).
"""

from __future__ import annotations

from collections.abc import Iterable

from bartizan.engine.record import table

COLUMNS, ROWS = 7, 9  # CD-2
SQUARES = COLUMNS * ROWS
FILES = "abcdefg"

BLUE, RED = 0, 1  # the index of a colour; its seat is one more
NOBODY = -1


def square(column: int, row: int) -> int:
    """Return the number of a square; columns and rows count from 0."""
    return row * COLUMNS + column


def rows(*chosen: int) -> int:
    """Return the squares of some rows, counted from 0."""
    return sum(1 << square(column, row) for row in chosen for column in range(COLUMNS))


def column(chosen: int) -> int:
    """Return the squares of a column, counted from 0."""
    return sum(1 << square(chosen, row) for row in range(ROWS))


BOARD = rows(*range(ROWS))
RIVER = rows(4)  # CD-2
SAND = rows(3, 5)  # CD-4
GRASS = rows(0, 1, 2, 6, 7, 8)
LAND = SAND | GRASS
BLUE_HALF, RED_HALF = rows(0, 1, 2, 3), rows(5, 6, 7, 8)  # CD-3
NOT_FIRST = BOARD & ~column(0)  # squares with a neighbour to the left …
NOT_LAST = BOARD & ~column(COLUMNS - 1)  # … and to the right
BLUE_PORTAL, RED_PORTAL = square(3, 0), square(3, 8)  # CD-6
PORTALS = 1 << BLUE_PORTAL | 1 << RED_PORTAL

NAMES = tuple(f"{FILES[at % COLUMNS]}{at // COLUMNS + 1}" for at in range(SQUARES))
FARTHEST = ROWS - 1  # squares that a ball can fly at most


def half_of(at: int) -> int:
    """Return the colour on whose side a square lies, NOBODY for the river."""
    if RIVER >> at & 1:
        return NOBODY
    return BLUE if BLUE_HALF >> at & 1 else RED


def squares_of(bits: int) -> list[int]:
    """Return the numbers of a set of squares, ascending."""
    squares, left = [], bits & BOARD
    while left:
        squares.append((left & -left).bit_length() - 1)
        left &= left - 1
    return squares


def name(at: int) -> str:
    """Return a square's name: ``d1``."""
    return NAMES[at] if 0 <= at < SQUARES else f"{FILES[at % COLUMNS]}{at // COLUMNS + 1}"


def numbered(name: str) -> int:
    """Return the number of the square with a well-formed name."""
    return square(FILES.index(name[0].lower()), int(name[1]) - 1)


def _next_to(at: int, steps: Iterable[tuple[int, int]]) -> int:
    """Return the squares on land that lie one of some steps (columns, rows) away."""
    number = 0
    for across, up in steps:
        to_column, to_row = at % COLUMNS + across, at // COLUMNS + up
        if 0 <= to_column < COLUMNS and 0 <= to_row < ROWS:
            number |= 1 << square(to_column, to_row)
    return number & LAND


def _ahead(at: int, far: int) -> int:
    """Return the squares up to `far` ahead of a square, towards the other side (CD-33, CD-38)."""
    forward = 1 if half_of(at) == BLUE else -1
    reached = [at // COLUMNS + forward * distance for distance in range(1, far + 1)]
    return sum(1 << square(at % COLUMNS, row) for row in reached if 0 <= row < ROWS)


# By square: where a unit may step from there, if nothing stands in the way (CD-26, CD-28).
NEIGHBOURS = table(_next_to(at, ((0, -1), (-1, 0), (1, 0), (0, 1))) for at in range(SQUARES))
# By square and distance, at square * (FARTHEST + 1) + distance: what a ball can fly over or hit.
AHEAD = table(_ahead(at, far) for at in range(SQUARES) for far in range(FARTHEST + 1))

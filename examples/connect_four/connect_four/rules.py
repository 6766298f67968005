"""Rule Connect Four, in the order of its clauses."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from connect_four.state import FULL, RED, ROWS, STRIDE, YELLOW, State, Winner

COLUMN_FULL = code("CF-4")


@rule
def setup(s: State) -> None:
    """Set an empty rack up; Red begins (CF-1, CF-2)."""
    s.discs[RED], s.discs[YELLOW] = 0, 0
    s.to_move, s.winner = RED, Winner.NONE


@rule
def taken(s: State) -> int:
    """Return the places with a disc of either colour."""
    return s.discs[RED] | s.discs[YELLOW]


@rule
def is_full(s: State, column: int) -> bool:
    """Say whether the uppermost place of a column is taken (CF-4)."""
    return taken(s) >> (column * STRIDE + ROWS - 1) & 1 == 1


@rule
def why_not_drop(s: State, column: int) -> int:
    """Tell why no disc can be dropped into a column (CF-4)."""
    return COLUMN_FULL if is_full(s, column) else OK


@rule
def resting_place(s: State, column: int) -> int:
    """Return where a disc comes to rest, as a set of one place (CF-3); the column must not be full."""
    bottom = 1 << column * STRIDE
    return (taken(s) + bottom) & (bottom * ((1 << ROWS) - 1))


@rule
def drop(s: State, column: int) -> None:
    """Drop a disc into a column and pass the turn on (CF-2, CF-3, CF-5, CF-6)."""
    mover = s.to_move
    s.discs[mover] |= resting_place(s, column)
    if has_line(s.discs[mover]):
        s.winner = (1 - mover if s.options.misere else mover) + 1
    elif taken(s) == FULL:
        s.winner = Winner.DRAW
    s.to_move = 1 - mover


@rule
def has_line(discs: int) -> bool:
    """Say whether four of a set of places lie in a line (CF-5)."""
    upright = discs & discs >> 1
    row = discs & discs >> STRIDE
    rising = discs & discs >> STRIDE + 1
    falling = discs & discs >> STRIDE - 1
    lines = upright & upright >> 2 | row & row >> 2 * STRIDE
    lines |= rising & rising >> 2 * (STRIDE + 1) | falling & falling >> 2 * (STRIDE - 1)
    return lines != 0

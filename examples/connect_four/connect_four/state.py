"""Hold Connect Four's rack as two sets of places, and number the moves.

Places are bits, column by column from the bottom: a1 0, a2 1, … a6 5, b1 7, …  Each column has one bit more
than places, always empty, so that no line runs from the top of one column into the next.
"""

from __future__ import annotations

from enum import IntEnum

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.record import I8, I64, U64, Cells, Record, cells, chosen, field
from connect_four.options import Options

COLUMNS, ROWS = 7, 6  # CF-1
STRIDE = ROWS + 1  # bits of a column
RED, YELLOW = 0, 1  # the index of a colour; its seat is one more
FULL = sum(1 << column * STRIDE + row for column in range(COLUMNS) for row in range(ROWS))


class Winner(IntEnum):
    """How the game stands."""

    NONE = 0
    RED = 1
    YELLOW = 2
    DRAW = 3


class State(Record):
    """One table of Connect Four."""

    rng: int = field(U64)  # unused: the game has no chance
    options: Options = chosen(Options)
    discs: Cells = cells(I64, 2)  # by colour: the places that its discs lie on
    to_move: int = field(I8)  # RED or YELLOW
    winner: int = field(I8)  # a Winner


ACTIONS = ActionSpace(block("drop", column=COLUMNS))
(DROP,) = ACTIONS.blocks
MAX_LEGAL = COLUMNS + 1  # room for every list of legal actions

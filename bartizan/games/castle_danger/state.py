"""Define Castle Danger's state and number its actions.

A unit never leaves its own side of the river (CD-28), so one set of squares for each
kind serves both colours: the side on which a unit stands tells whose it is.
"""

from __future__ import annotations

from enum import IntEnum

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.record import I8, I16, I32, I64, U64, Cells, Record, cells, chosen, field, table
from bartizan.games.castle_danger.board import COLUMNS, ROWS, SQUARES
from bartizan.games.castle_danger.options import Options

REMEMBERED = 1024  # turns begun whose positions are kept for the repetition (CD-Q22)


class Winner(IntEnum):
    """How the game stands."""

    NONE = 0
    BLUE = 1
    RED = 2
    DRAW = 3


class Phase(IntEnum):
    """The phases: what the table is waiting for."""

    TURN = 0
    OVER = 1


class State(Record):
    """One table of Castle Danger; sets of squares are numbers (see board.py)."""

    rng: int = field(U64)  # unused: the game has no chance
    options: Options = chosen(Options)
    turn: int = field(I32)  # from 1; Blue's n-th and Red's n-th turn are both turn n
    begun: int = field(I32)  # turns begun, whose positions are kept
    moves_left: int = field(I16)
    to_move: int = field(I8)  # BLUE or RED
    may_add: int = field(I8)  # 1: the Portal was open and the right to add is unused
    winner: int = field(I8)  # a Winner
    walls: int = field(I64)
    kings: int = field(I64)
    wizards: int = field(I64)
    builders: int = field(I64)
    cannons: int = field(I64)  # fired ones too
    fired: int = field(I64)  # those of `cannons` that have fired
    fire: Cells = cells(I64, 2)  # by the colour of the shooter
    serials: Cells = cells(
        I16, SQUARES
    )  # of the unit on a square: by it a client follows the unit (see scene.py)
    made: int = field(I16)  # the serial of the next unit
    # The position at the beginning of each turn, the n-th at n % REMEMBERED (see repetition.py).
    low: Cells = cells(I64, REMEMBERED)
    mid: Cells = cells(I64, REMEMBERED)
    high: Cells = cells(I64, REMEMBERED)


class Kind(IntEnum):
    """The pieces that can be added, in the order of the actions."""

    WIZARD = 0
    BUILDER = 1
    CANNON = 2


# Squares as in board.py; a step goes down a row, to the left, to the right or up a row.
ACTIONS = ActionSpace(
    block("add", kind=3),
    block("step", square=SQUARES, direction=4),
    block("wall", square=SQUARES),
    block("raze", square=SQUARES),
    block("fire", square=SQUARES, row=ROWS),  # the Cannon's square, the row where the ball lands
    block("end"),
)
STEP_OFFSETS = (-COLUMNS, -1, 1, COLUMNS)  # the squares that a step adds, by its direction
OFFSETS = table(STEP_OFFSETS)  # for rules
MAX_LEGAL = 256  # room for every list of legal actions

ADD, STEP, WALL, RAZE, FIRE, END = ACTIONS.blocks

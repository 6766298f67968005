"""Remember the position at the beginning of every turn, and count how often one occurred (CD-Q22).

A square holds one of eight things, so three words of a bit for each square hold the board;
the river is always empty, and a bit there marks Red's turn.
"""

from __future__ import annotations

from bartizan.engine.bounds import smaller
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import BLUE, RED, square
from bartizan.games.castle_danger.options import Repetition
from bartizan.games.castle_danger.state import REMEMBERED, State

REDS_TURN = 1 << square(0, 4)


@rule
def low_word(s: State) -> int:
    """Return the first word of the position: walls, Wizards, Cannons, Red's Fire, and whose turn it is."""
    board = s.walls | s.wizards | s.cannons | s.fire[RED]
    return board | REDS_TURN if s.to_move == RED else board


@rule
def mid_word(s: State) -> int:
    """Return the second word: Kings, Wizards, all Fire."""
    return s.kings | s.wizards | s.fire[BLUE] | s.fire[RED]


@rule
def high_word(s: State) -> int:
    """Return the third word: Builders, Cannons, all Fire."""
    return s.builders | s.cannons | s.fire[BLUE] | s.fire[RED]


@rule
def recall(s: State, low: int, mid: int, high: int) -> None:
    """Put the board on `s` that three words hold; that Cannons had fired is not kept."""
    s.walls = low & ~mid & ~high & ~REDS_TURN
    s.kings = mid & ~low & ~high
    s.wizards = low & mid & ~high
    s.builders = high & ~low & ~mid
    s.cannons = low & high & ~mid
    s.fire[BLUE] = mid & high & ~low
    s.fire[RED] = low & mid & high
    s.fired = 0
    s.to_move = RED if low & REDS_TURN else BLUE


@rule
def wizards_at_first(s: State) -> int:
    """Return the squares of both colours' Wizards when this turn began."""
    place = (s.begun - 1) % REMEMBERED
    return s.low[place] & s.mid[place] & ~s.high[place]


@rule
def remember(s: State) -> None:
    """Keep the present position as that of a turn that begins."""
    keep(s, s)


@rule
def keep(s: State, position: State) -> None:
    """Keep the position of a turn; the 1025th takes the place of the first."""
    place = s.begun % REMEMBERED
    s.low[place], s.mid[place], s.high[place] = low_word(position), mid_word(position), high_word(position)
    s.begun += 1


@rule
def occurrences(s: State) -> int:
    """Count the turns kept that began with the present position, the same side to move."""
    low, mid, high = low_word(s), mid_word(s), high_word(s)
    times = 0
    for place in range(smaller(s.begun, REMEMBERED)):
        # Without branches, so that several turns are compared at once.
        times += (s.low[place] == low) & (s.mid[place] == mid) & (s.high[place] == high)
    return times


@rule
def is_repeated(s: State) -> bool:
    """Return whether the turn that begins draws by the third occurrence of its position."""
    return s.options.repetition == Repetition.THIRD and occurrences(s) >= 3

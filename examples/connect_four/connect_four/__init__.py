"""Connect Four, in the public domain: four in a line, discs that fall."""

from __future__ import annotations

from typing import Annotated, Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.options import OptionSet, option
from bartizan.engine.record import Cells, chosen
from bartizan.engine.rule import rule
from bartizan.engine.table import Table, grid, tie, win

game = Game(
    name="connect-four",
    package=__name__,
    min_seats=2,
    max_seats=2,
    chance=False,
    seat_names=("Red", "Yellow"),
)
COLOURS = ("red", "yellow")
COLUMNS, ROWS = 7, 6
COLUMN_FULL, LINE, FULL_RACK = code("CF-4"), code("CF-5"), code("CF-6")


class Options(OptionSet, frozen=True, kw_only=True):
    """The variants of Connect Four."""

    misere: Annotated[bool, option("Whether four in a line loses.", compare=True)] = False


class State(Table):
    """One table."""

    options: Options = chosen(Options)
    board: Cells = grid(COLUMNS, ROWS, "rack", pieces=("disc",))


ACTIONS = ActionSpace(block("drop", column=COLUMNS))


@rule
def why_not_drop(s: State, column: int) -> int:
    """Tell why no disc can be dropped into a column (CF-4)."""
    return OK if s.board[(ROWS - 1) * COLUMNS + column] == 0 else COLUMN_FULL


@rule
def resting_row(s: State, column: int) -> int:
    """Return the row in which a disc comes to rest (CF-3)."""
    row = 0
    while s.board[row * COLUMNS + column] != 0:
        row += 1
    return row


@rule
def drop(s: State, column: int) -> None:
    """Drop a disc into a column (CF-2, CF-3, CF-5, CF-6)."""
    row = resting_row(s, column)
    s.board[row * COLUMNS + column] = s.to_move
    if makes_line(s, column, row, s.to_move):
        win(s, 3 - s.to_move if s.options.misere else s.to_move, LINE)
    elif s.ply == COLUMNS * ROWS - 1:
        tie(s, FULL_RACK)


@rule
def makes_line(s: State, column: int, row: int, seat: int) -> bool:
    """Say whether a disc of a seat on a place makes four in a line (CF-5)."""
    for direction in range(4):
        step_x = 0 if direction == 0 else 1
        step_y = 1 if direction == 0 else direction - 2
        length = (
            1 + reach(s, column, row, step_x, step_y, seat) + reach(s, column, row, -step_x, -step_y, seat)
        )
        if length >= 4:
            return True
    return False


@rule
def reach(s: State, column: int, row: int, step_x: int, step_y: int, seat: int) -> int:
    """Count the discs of a seat that follow one another in a direction."""
    found = 0
    x, y = column + step_x, row + step_y
    while 0 <= x < COLUMNS and 0 <= y < ROWS and s.board[y * COLUMNS + x] == seat:
        found += 1
        x += step_x
        y += step_y
    return found


@rule
def score_drop(s: State, column: int) -> int:
    """Value a disc: four in a line, then blocking the opponent's, then the middle."""
    row = resting_row(s, column)
    sign = -1 if s.options.misere else 1
    if makes_line(s, column, row, s.to_move):
        return sign * 1_000
    if makes_line(s, column, row, 3 - s.to_move):
        return sign * 500
    return 3 - abs(column - 3)


def check_position(reader: PositionReader, state: Any) -> None:
    """Find what no game can reach: floating discs, seats that did not take turns, an unnoticed end."""
    discs = [sum(piece == seat for piece in state.board) for seat in (1, 2)]
    if "ply" not in reader.given:
        state.ply = sum(discs)
    if "to_move" not in reader.given:
        state.to_move = 1 + (discs[0] > discs[1])
    for square in range(COLUMNS, COLUMNS * ROWS):
        if state.board[square] and not state.board[square - COLUMNS]:
            reader.fault("CF-3", f"the disc on square {square + 1} floats")
    if discs[0] - discs[1] not in (0, 1) or state.ply != sum(discs):
        reader.fault("CF-2", f"at ply {state.ply} there are {discs[0]} discs of Red and {discs[1]} of Yellow")
    lines = [
        any(
            state.board[y * COLUMNS + x] == seat and makes_line(state, x, y, seat)
            for x in range(COLUMNS)
            for y in range(ROWS)
        )
        for seat in (1, 2)
    ]
    last = 1 if discs[0] > discs[1] else 2
    winner = 0 if not any(lines) else (3 - last if state.options.misere else last)
    ended = LINE if any(lines) else FULL_RACK if sum(discs) == COLUMNS * ROWS else 0
    if lines[2 - last]:
        reader.fault("CF-5", "whoever is to move has made a line already")
    if (state.ended, state.winner, state.to_move) != (ended, winner, 3 - last):
        reader.fault("CF-5", "to_move, ended and winner are not as the rack says")

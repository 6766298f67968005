"""My Game: three of your pieces in a line."""

from __future__ import annotations

from typing import Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.record import Cells
from bartizan.engine.rule import rule
from bartizan.engine.table import Table, grid, tie, win

SEATS = 2
NAMES = ("Red", "Blue", "Green", "Yellow", "Violet", "Orange")
game = Game(
    name="my-game",
    package=__name__,
    min_seats=SEATS,
    max_seats=SEATS,
    chance=False,
    seat_names=NAMES[:SEATS],
)

# Squares are numbered row by row from the lower left: column + row * SIZE. Players call them a1, b1, …
SIZE = 5
PIECES = 4
LONGEST = 60 * SEATS

# The clauses of clauses.toml that rules refer to. A rule refuses a move by returning one of them.
TAKEN, NO_PIECE, NOT_YOURS, LINE, TOO_LONG = (
    code("MY-2"),
    code("MY-3"),
    code("MY-4"),
    code("MY-5"),
    code("MY-6"),
)


class State(Table):
    """What lies on the table: 0 for an empty square, else the seat whose piece it is."""

    board: Cells = grid(SIZE, SIZE, "board", pieces=("piece",), seats=SEATS)


# A player can place a piece, or lift one. The rules below say when.
ACTIONS = ActionSpace(block("place", square=SIZE * SIZE), block("lift", square=SIZE * SIZE))


@rule
def pieces(s: State, seat: int) -> int:
    """Count the pieces of a seat on the board."""
    total = 0
    for square in range(SIZE * SIZE):
        total += 1 if s.board[square] == seat else 0
    return total


@rule
def why_not_place(s: State, square: int) -> int:
    """Return the clause that forbids placing a piece, or OK (MY-2, MY-3)."""
    if s.board[square] != 0:
        return TAKEN
    return OK if pieces(s, s.to_move) < PIECES else NO_PIECE


@rule
def place(s: State, square: int) -> None:
    """Place a piece; a line wins (MY-2, MY-5). The engine passes the turn."""
    s.board[square] = s.to_move
    if makes_line(s, square):
        win(s, s.to_move, LINE)
    else:
        end_long_game(s)


@rule
def why_not_lift(s: State, square: int) -> int:
    """Return the clause that forbids taking a piece off the board, or OK (MY-4)."""
    return OK if s.board[square] == s.to_move else NOT_YOURS


@rule
def lift(s: State, square: int) -> None:
    """Take a piece off the board (MY-4)."""
    s.board[square] = 0
    end_long_game(s)


@rule
def end_long_game(s: State) -> None:
    """End a game that takes too long (MY-6). `s.ply` counts the turns before this one."""
    if s.ply + 1 >= LONGEST:
        tie(s, TOO_LONG)


@rule
def makes_line(s: State, square: int) -> bool:
    """Say whether the piece on a square is part of a line of three (MY-5)."""
    for direction in range(4):
        step_x = 0 if direction == 0 else 1
        step_y = 1 if direction == 0 else direction - 2
        if 1 + reach(s, square, step_x, step_y) + reach(s, square, -step_x, -step_y) >= 3:
            return True
    return False


@rule
def reach(s: State, square: int, step_x: int, step_y: int) -> int:
    """Count the equal pieces that follow a square in a direction."""
    length = 0
    x, y = square % SIZE + step_x, square // SIZE + step_y
    while 0 <= x < SIZE and 0 <= y < SIZE and s.board[y * SIZE + x] == s.board[square]:
        length += 1
        x += step_x
        y += step_y
    return length


def check_position(reader: PositionReader, state: Any) -> None:
    """Find what no game can reach, in a position that someone typed."""
    for seat in range(1, SEATS + 1):
        if pieces(state, seat) > PIECES:
            reader.fault("MY-3", f"seat {seat} has more than {PIECES} pieces")
    lines = [square for square, piece in enumerate(state.board) if piece and makes_line(state, square)]
    if state.ended == 0 and (lines or state.ply >= LONGEST):
        reader.fault("MY-5", "the game is over")

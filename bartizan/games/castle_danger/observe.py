"""Say what a program observes of Castle Danger's table, and what its actions are about.

Planes are boards of nine rows and seven columns, a1 first, as actions number squares: they are not turned for
Red.  Whose a unit is, is told from the observer on.
"""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.observation import (
    ObservationLayout,
    TokenLayout,
    group,
    put_figure,
    put_no_more,
    put_verb,
)
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import BLUE_HALF, COLUMNS, PORTALS, RED, RED_HALF, ROWS, SQUARES
from bartizan.games.castle_danger.repetition import occurrences
from bartizan.games.castle_danger.state import ACTIONS, State

KINDS = 5  # of units: King, Wizard, Builder, Cannon that is ready, Cannon that has fired
FIRES = 2 * KINDS
WALLED, PORTAL, PLANES = FIRES + 2, FIRES + 3, FIRES + 4
REMAINING = 6

OBSERVATION = ObservationLayout(
    board=group(
        PLANES,
        ROWS,
        COLUMNS,
        meaning="own King, Wizards, Builders, Cannons that are ready, Cannons that have fired; the other's "
        "also; own Fire, the other's Fire, walls, Portals",
    ),
    figures=group(
        REMAINING,
        low=-127,
        high=127,
        meaning="whether the observer is Red; whether it is to move; moves left; whether a piece may still "
        "be added; the turn; how often the position stood at the beginning of a turn",
    ),
)
BOARD = OBSERVATION.first("board")
FIGURES = OBSERVATION.first("figures")


@rule
def observe(s: State, seat: int, out: Array) -> None:
    """Write what a seat observes of the table to `out` (int8, zeros); a spectator (0) sees with Blue."""
    red = 1 if seat == 2 else 0
    for side in range(2):
        half = RED_HALF if (red + side) % 2 == RED else BLUE_HALF
        first = side * KINDS
        put_squares(out, first, s.kings & half)
        put_squares(out, first + 1, s.wizards & half)
        put_squares(out, first + 2, s.builders & half)
        put_squares(out, first + 3, s.cannons & ~s.fired & half)
        put_squares(out, first + 4, s.cannons & s.fired & half)
        put_squares(out, FIRES + side, s.fire[(red + side) % 2])
    put_squares(out, WALLED, s.walls)
    put_squares(out, PORTAL, PORTALS)
    out[FIGURES] = red
    out[FIGURES + 1] = 1 if s.to_move == red else 0
    put_figure(out, FIGURES + 2, s.moves_left)
    out[FIGURES + 3] = s.may_add
    put_figure(out, FIGURES + 4, s.turn)
    put_figure(out, FIGURES + 5, occurrences(s))


@rule
def put_squares(out: Array, plane: int, squares: int) -> None:
    """Write a set of squares to a plane."""
    while squares != 0:
        out[BOARD + plane * SQUARES + lowest(squares)] = 1
        squares &= squares - 1


# --- What actions are about -----------------------------------------------------

TOKENS = TokenLayout(
    width=3,
    verb=len(ACTIONS.blocks),
    piece=3,
    square=SQUARES,  # from where, or where it happens
    direction=4,
    row=ROWS,
)
PIECE = TOKENS.first("piece")
SQUARE = TOKENS.first("square")
DIRECTION = TOKENS.first("direction")
ROW = TOKENS.first("row")


@rule
def tokens_of_add(s: State, kind: int, out: Array) -> None:
    """Write which piece is added."""
    out[1] = PIECE + kind


@rule
def tokens_of_step(s: State, square: int, direction: int, out: Array) -> None:
    """Write which unit steps where."""
    out[1], out[2] = SQUARE + square, DIRECTION + direction


@rule
def tokens_of_wall(s: State, square: int, out: Array) -> None:
    """Write where a wall is built or razed."""
    out[1] = SQUARE + square


@rule
def tokens_of_fire(s: State, square: int, row: int, out: Array) -> None:
    """Write which Cannon fires how far."""
    out[1], out[2] = SQUARE + square, ROW + row


tokens_of_raze = tokens_of_wall
tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, otherwise=put_no_more, more=("out",))

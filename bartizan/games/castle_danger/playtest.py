"""Tell playtests which pieces count, when the sides meet, and what progress is."""

from __future__ import annotations

from bartizan.engine.bits import count
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import BLUE, RED, SQUARES
from bartizan.games.castle_danger.rules import own, units
from bartizan.games.castle_danger.state import ACTIONS, State

PIECES = ("Wizard", "Builder", "Cannon", "wall", "ball")
PIECE = "piece"
WALL, BALL = 3, 4


@rule
def mark_held(s: State, seat: int, marks: Array) -> None:
    """Mark the pieces that a player has on the board."""
    if own(s, s.wizards) != 0:
        marks[0] = 1
    if own(s, s.builders) != 0:
        marks[1] = 1
    if own(s, s.cannons) != 0:
        marks[2] = 1
    if own(s, s.walls) != 0:
        marks[WALL] = 1


@rule
def played_by_add(s: State, kind: int) -> int:
    """Return the piece that is added, packed."""
    return kind + 1


@rule
def played_by_wall(s: State, at: int) -> int:
    """Return the wall that is built, packed."""
    return WALL + 1


@rule
def played_by_fire(s: State, at: int, row: int) -> int:
    """Return the ball that is fired, packed."""
    return BALL + 1


pieces_played = ACTIONS.rule("pieces_played", "played_by_{}", otherwise=0)


@rule
def contact(s: State) -> int:
    """Return 1 once a ball has landed."""
    return 1 if s.fired | s.fire[BLUE] | s.fire[RED] != 0 else 0


@rule
def progress(s: State) -> int:
    """Return what stands on the board: it changes when a piece is added or hit, a wall built or removed."""
    return count(units(s)) * SQUARES + count(s.walls)

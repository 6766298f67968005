"""List what a player can do in Castle Danger."""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.clauses import OK
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import COLUMNS
from bartizan.games.castle_danger.rules import (
    own,
    razeable,
    ready_cannons,
    shots_of,
    sites,
    steps_of,
    units,
    why_no_addition,
    why_not_add,
)
from bartizan.games.castle_danger.state import ADD, FIRE, OFFSETS, RAZE, STEP, WALL, State


@rule
def list_add(s: State, out: Array, n: int) -> int:
    """List the pieces that the player can add."""
    if why_no_addition(s) == OK:
        for kind in range(ADD.size):
            if why_not_add(s, kind) == OK:
                out[n] = ADD.id(kind)
                n += 1
    return n


@rule
def list_step(s: State, out: Array, n: int) -> int:
    """List the steps of every unit of the player."""
    left = own(s, units(s))
    while left != 0:
        at = lowest(left)
        left &= left - 1
        free = steps_of(s, at)
        for direction in range(4 if free != 0 else 0):
            to = at + OFFSETS[direction]
            if to >= 0 and free >> to & 1:
                out[n] = STEP.id(at, direction)
                n += 1
    return n


@rule
def list_wall(s: State, out: Array, n: int) -> int:
    """List the walls that the player's Builders can build."""
    left = sites(s)
    while left != 0:
        out[n] = WALL.id(lowest(left))
        left &= left - 1
        n += 1
    return n


@rule
def list_raze(s: State, out: Array, n: int) -> int:
    """List the walls that they can remove."""
    left = razeable(s)
    while left != 0:
        out[n] = RAZE.id(lowest(left))
        left &= left - 1
        n += 1
    return n


@rule
def list_fire(s: State, out: Array, n: int) -> int:
    """List the shots of every Cannon that is ready."""
    left = ready_cannons(s)
    while left != 0:
        at = lowest(left)
        left &= left - 1
        landings = shots_of(s, at)
        while landings != 0:
            out[n] = FIRE.id(at, lowest(landings) // COLUMNS)
            landings &= landings - 1
            n += 1
    return n

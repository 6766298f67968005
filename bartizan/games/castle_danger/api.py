"""What the engine calls: set up, list, refuse and play Castle Danger's actions."""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.clauses import OK, code
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import COLUMNS, ROWS
from bartizan.games.castle_danger.rules import (
    add,
    build,
    end_turn,
    landing,
    own,
    raze,
    razeable,
    ready_cannons,
    setup,
    shoot,
    shots_of,
    sites,
    step,
    steps_of,
    units,
    why_no_addition,
    why_not_add,
    why_not_fire,
    why_not_raze,
    why_not_step,
    why_not_wall,
)
from bartizan.games.castle_danger.state import ADD, END, FIRE, OFFSETS, RAZE, STEP, WALL, State, Winner

OVER = code("CD-42")

__all__ = [
    "apply",
    "determinize",
    "is_over",
    "legal_actions",
    "resume",
    "rounds",
    "score",
    "setup",
    "turn_of",
    "why_not",
]


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide: 1 Blue, 2 Red, 0 when the game is over."""
    return 0 if s.winner != Winner.NONE else s.to_move + 1


@rule
def is_over(s: State) -> bool:
    """Say whether the game has ended."""
    return s.winner != Winner.NONE


@rule
def score(s: State, seat: int) -> float:
    """Return 1 for a win, -1 for a loss, 0 for a draw and while the game runs."""
    if s.winner == Winner.NONE or s.winner == Winner.DRAW:
        return 0.0
    return 1.0 if s.winner == seat else -1.0


@rule
def rounds(s: State) -> int:
    """Return the turn that is being played, or was the last."""
    return s.turn


@rule
def why_not(s: State, action: int) -> int:
    """Return the clause that forbids an action, or OK."""
    if s.winner != Winner.NONE:
        return OVER
    if action < STEP:
        return why_not_add(s, action - ADD)
    if action < WALL:
        at = (action - STEP) // 4
        return why_not_step(s, at, at + OFFSETS[(action - STEP) % 4])
    if action < RAZE:
        return why_not_wall(s, action - WALL)
    if action < FIRE:
        return why_not_raze(s, action - RAZE)
    if action < END:
        at = (action - FIRE) // ROWS
        return why_not_fire(s, at, landing(at, (action - FIRE) % ROWS))
    return OK  # CD-41


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action; a turn without moves left ends (CD-41)."""
    if action < STEP:
        add(s, action - ADD)
    elif action < WALL:
        at = (action - STEP) // 4
        step(s, at, at + OFFSETS[(action - STEP) % 4])
    elif action < RAZE:
        build(s, action - WALL)
    elif action < FIRE:
        raze(s, action - RAZE)
    elif action < END:
        at = (action - FIRE) // ROWS
        shoot(s, at, landing(at, (action - FIRE) % ROWS))
    if s.winner == Winner.NONE and (action == END or s.moves_left == 0):
        end_turn(s)


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.winner != Winner.NONE:
        return 0
    n = 0
    if why_no_addition(s) == OK:
        for kind in range(3):
            if why_not_add(s, kind) == OK:
                out[n] = ADD + kind
                n += 1
    n = list_steps(s, out, n)
    n = list_squares(sites(s), WALL, out, n)
    n = list_squares(razeable(s), RAZE, out, n)
    n = list_shots(s, out, n)
    out[n] = END
    return n + 1


@rule
def list_steps(s: State, out: Array, n: int) -> int:
    """List the steps of every unit of the player."""
    left = own(s, units(s))
    while left != 0:
        at = lowest(left)
        left &= left - 1
        free = steps_of(s, at)
        for direction in range(4 if free != 0 else 0):
            to = at + OFFSETS[direction]
            if to >= 0 and free >> to & 1:
                out[n] = STEP + at * 4 + direction
                n += 1
    return n


@rule
def list_squares(board: int, first: int, out: Array, n: int) -> int:
    """List the actions of a block that is numbered by squares."""
    while board != 0:
        out[n] = first + lowest(board)
        board &= board - 1
        n += 1
    return n


@rule
def list_shots(s: State, out: Array, n: int) -> int:
    """List the shots of every Cannon that is ready."""
    left = ready_cannons(s)
    while left != 0:
        at = lowest(left)
        left &= left - 1
        landings = shots_of(s, at)
        while landings != 0:
            out[n] = FIRE + at * ROWS + lowest(landings) // COLUMNS
            landings &= landings - 1
            n += 1
    return n


@rule
def determinize(s: State, seat: int) -> None:
    """Do nothing: everything is public (CD-1, CD-Q25)."""


@rule
def resume(s: State) -> None:
    """Do nothing: a loaded position always waits for its player."""

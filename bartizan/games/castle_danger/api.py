"""What the engine calls: list, refuse and play Castle Danger's actions, and say who has won."""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.clauses import OK, code
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import COLUMNS
from bartizan.games.castle_danger.phases import Phase, phase_of, why_not_in_phase
from bartizan.games.castle_danger.rules import (
    add,
    build,
    end_turn,
    fire,
    own,
    raze,
    razeable,
    ready_cannons,
    setup,
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
from bartizan.games.castle_danger.state import (
    ACTIONS,
    ADD,
    END,
    FIRE,
    OFFSETS,
    RAZE,
    STEP,
    WALL,
    State,
    Winner,
)

__all__ = [
    "apply",
    "determinize",
    "ended_by",
    "has_won",
    "legal_actions",
    "resume",
    "returns",
    "rounds",
    "setup",
    "turn_of",
    "why_not",
]


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide: 1 Blue, 2 Red, 0 when the game is over."""
    return 0 if phase_of(s) == Phase.OVER else s.to_move + 1


@rule
def rounds(s: State) -> int:
    """Return the turn that is being played, or was the last."""
    return s.turn


# --- Refusing, playing, listing ----------------------------------------------

why_not = ACTIONS.rule(
    "why_not",
    guard=why_not_in_phase,
    add=why_not_add,
    step=why_not_step,
    wall=why_not_wall,
    raze=why_not_raze,
    fire=why_not_fire,
    end=OK,  # CD-41
)


@rule
def go_on(s: State, verb: int) -> None:
    """End the turn if the player does, or has no moves left (CD-41); a hit King has ended the game."""
    if s.winner == Winner.NONE and (verb == END.number or s.moves_left == 0):
        end_turn(s)


apply = ACTIONS.rule("apply", after=go_on, add=add, step=step, wall=build, raze=raze, fire=fire, end=OK)


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if phase_of(s) == Phase.OVER:
        return 0
    n = 0
    if why_no_addition(s) == OK:
        for kind in range(ADD.size):
            if why_not_add(s, kind) == OK:
                out[n] = ADD.id(kind)
                n += 1
    n = list_steps(s, out, n)
    n = list_walls(s, out, n)
    n = list_razes(s, out, n)
    n = list_shots(s, out, n)
    out[n] = END.id()
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
                out[n] = STEP.id(at, direction)
                n += 1
    return n


@rule
def list_walls(s: State, out: Array, n: int) -> int:
    """List the walls that the player's Builders can build."""
    left = sites(s)
    while left != 0:
        out[n] = WALL.id(lowest(left))
        left &= left - 1
        n += 1
    return n


@rule
def list_razes(s: State, out: Array, n: int) -> int:
    """List the walls that they can remove."""
    left = razeable(s)
    while left != 0:
        out[n] = RAZE.id(lowest(left))
        left &= left - 1
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
            out[n] = FIRE.id(at, lowest(landings) // COLUMNS)
            landings &= landings - 1
            n += 1
    return n


# --- The outcome (CD-42, CD-Q22) ---------------------------------------------

ENDED = code("CD-42")


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether a seat has won."""
    return s.winner == seat  # Winner numbers the colours like their seats


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for a win, -1 for a loss, 0 for a draw and while the game runs."""
    if s.winner == Winner.NONE or s.winner == Winner.DRAW:
        return 0.0
    return 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause that ended the game."""
    return OK if s.winner == Winner.NONE else ENDED


# --- What the seats know: everything -----------------------------------------


@rule
def determinize(s: State, seat: int) -> None:
    """Do nothing: everything is public (CD-1, CD-Q25)."""


@rule
def resume(s: State) -> None:
    """Do nothing: a loaded position always waits for its player."""

"""Say whose turn it is in Connect Four, and who has won."""

from __future__ import annotations

from bartizan.engine.bits import count
from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from connect_four.phases import Phase, phase_of
from connect_four.rules import taken
from connect_four.state import State, Winner

LINE, FULL_RACK = code("CF-5"), code("CF-6")


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide: 1 Red, 2 Yellow, 0 when the game is over."""
    return 0 if phase_of(s) == Phase.OVER else s.to_move + 1


@rule
def rounds(s: State) -> int:
    """Return the pair of turns that is being played, or was the last, from 1."""
    discs = count(taken(s))
    return (discs if phase_of(s) == Phase.TURN else discs - 1) // 2 + 1


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
    if s.winner == Winner.NONE:
        return OK
    return FULL_RACK if s.winner == Winner.DRAW else LINE


@rule
def determinize(s: State, seat: int) -> None:
    """Do nothing: everything is public."""


@rule
def resume(s: State) -> None:
    """Do nothing: a loaded position always waits for its player."""

"""Say whose turn it is in Castle Danger, and who has won (CD-42, CD-Q22)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.phases import phase_of
from bartizan.games.castle_danger.state import Phase, State, Winner

ENDED = code("CD-42")


@rule
def turn_of(s: State) -> int:
    """Return the seat whose move it is: 1 Blue, 2 Red, 0 when the game is over."""
    return 0 if phase_of(s) == Phase.OVER else s.to_move + 1


@rule
def rounds(s: State) -> int:
    """Return the turn that is being played, or was the last."""
    return s.turn


@rule
def has_won(s: State, seat: int) -> bool:
    """Return whether a seat has won."""
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


# --- What else the engine asks, with the simplest answers ----------------------


@rule
def determinize(s: State, seat: int) -> None:
    """Do nothing: everything is public (CD-1, CD-Q25)."""


@rule
def resume(s: State) -> None:
    """Do nothing: a loaded position always waits for its player."""

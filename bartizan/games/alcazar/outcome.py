"""Say whose turn it is in Alcazar, and who has won (ALC-67, ALC-68)."""

from __future__ import annotations

from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import Phase, State, Winner


@rule
def turn_of(s: State) -> int:
    """Return the seat whose move it is: 1, or 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else 1


@rule
def rounds(s: State) -> int:
    """Return the round that is being played, or was the last."""
    return s.round


@rule
def has_won(s: State, seat: int) -> bool:
    """Return whether the player has won."""
    return s.winner == Winner.PLAYER


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for a win, -1 for a loss, 0 while the game runs."""
    if s.winner == Winner.NONE:
        return 0.0
    return 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause by which the player has won or lost, 0 while the game runs."""
    return s.ended_by

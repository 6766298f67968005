"""Say whose turn it is in Tower, and who has won (TWR-64, TWR-65)."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.rule import rule
from bartizan.games.tower.state import DRAWN, Phase, Standing, State


@rule
def turn_of(s: State) -> int:
    """Return the seat whose move it is, 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else s.to_move


@rule
def has_won(s: State, seat: int) -> bool:
    """Return whether a seat has won (TWR-64)."""
    return s.winner == seat


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for the winner, -1 for the others; 0 while the game runs and if no one has won."""
    if s.winner == 0 or s.winner == DRAWN:
        return 0.0
    return 1.0 if has_won(s, seat) else -1.0


@rule
def rounds(s: State) -> int:
    """Return the turn that all players still in the game have reached, or the last one."""
    fewest, most = s.options.turn_cap, 0
    for seat in range(s.seats):
        most = larger(most, s.players[seat].turns)
        if s.players[seat].standing != Standing.OUT:
            fewest = smaller(fewest, s.players[seat].turns)
    return smaller(s.options.turn_cap, (most if s.left == 0 else fewest) + 1)

"""Say whose turn it is in Card Barrage, and who has won (CB-24)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.rules import figure_of
from bartizan.games.card_barrage.state import Phase, State
from bartizan.games.card_barrage.table import person_of, side_of

OVER = code("CB-24")


@rule
def turn_of(s: State) -> int:
    """Return the person to decide, from 1; 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else person_of(s, s.to_move)


@rule
def points(s: State, seat: int) -> int:
    """Return the points of a person's side (CB-24)."""
    return figure_of(s, side_of(s, seat - 1), 0)


@rule
def has_won(s: State, seat: int) -> bool:
    """Return whether a person's side has won, alone or with others (CB-24)."""
    return s.phase == Phase.OVER and s.winners >> side_of(s, seat - 1) & 1 == 1


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 to a person of the only side that has won, -1 to a loser, less than 1 for a shared victory."""
    if s.phase != Phase.OVER:
        return 0.0
    winners = 0
    for side in range(s.sides):
        winners += s.winners >> side & 1
    return 2.0 / winners - 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause that ended the game."""
    return OVER if s.phase == Phase.OVER else OK


@rule
def rounds(s: State) -> int:
    """Return the round that is being played, or was the last."""
    return s.round

"""Check whose turn it is, and explain illegal moves to clients."""

from __future__ import annotations

from bartizan.engine.errors import GameOver, IllegalMove, NotYourTurn
from bartizan.engine.scene import Refusal
from bartizan.tables.state import TableState


def check_turn(state: TableState, seat: int) -> None:
    """Raise `GameOver` or `NotYourTurn` if it isn't this seat's turn."""
    asked = state.seat_to_move
    if not asked:
        raise GameOver("The game is over.")
    if asked != seat:
        mover = state.setting.seat_names[asked - 1]
        raise NotYourTurn(f"It's {mover}'s turn." if seat else "Spectators can't move.")


def refusal_of(error: IllegalMove) -> Refusal:
    """Return the explanation of an illegal move: the clause, and the things in the way."""
    return Refusal(clause=error.clause, sentence=str(error), rule=error.rule, blockers=error.blockers)

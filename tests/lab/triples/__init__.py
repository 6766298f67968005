"""A made-up game with three decisions a turn that doesn't say what a round is, for tests of lengths."""

from __future__ import annotations

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.rule import rule
from bartizan.engine.table import Table, counter, pass_turn, tie

game = Game(name="triples", package=__name__, min_seats=2, max_seats=2, chance=False)
ONLY_ONE, OVER = code("TR-1"), code("TR-2")
A_TURN, TURNS = 3, 6
ACTIONS = ActionSpace(block("pick", number=2))


class State(Table):
    """One table."""

    picked: int = counter("picked", high=A_TURN)


@rule
def why_not_pick(s: State, number: int) -> int:
    """Return the clause that forbids picking a number (TR-1)."""
    return ONLY_ONE if s.to_move == 2 and number == 1 else OK


@rule
def pick(s: State, number: int) -> None:
    """Pick a number (TR-1, TR-2)."""
    s.picked += 1
    if s.ply == A_TURN * TURNS - 1:
        tie(s, OVER)


@rule
def after_action(s: State, verb: int) -> None:
    """Pass the turn after three decisions (TR-1)."""
    s.ply += 1
    if s.picked == A_TURN:
        s.picked = 0
        pass_turn(s)

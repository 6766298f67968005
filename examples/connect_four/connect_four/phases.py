"""Say what Connect Four's table can wait for: a disc, or nothing any more."""

from __future__ import annotations

from enum import IntEnum

from bartizan.engine.phases import PhaseRow, PhaseTable
from bartizan.engine.rule import rule
from connect_four.state import ACTIONS, State, Winner
from connect_four.words.names import COLOURS


class Phase(IntEnum):
    """What the table waits for."""

    TURN = 0
    OVER = 1


def _ask(observation: State, seat: int) -> str:
    return f"You are {COLOURS[observation.to_move]}: drop a disc into a column."


def _wait(observation: State, seat: int) -> str:
    return f"{COLOURS[observation.to_move]} is to drop a disc."


def _how_it_ended(observation: State, verb: str) -> str:
    if observation.winner == Winner.DRAW:
        return "The game is over: it is drawn."
    return f"The game is over: {COLOURS[observation.winner - 1]} has won."


PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("turn", asks=("drop",), prompt=_ask, others=_wait),
    PhaseRow("over", refuses="CF-5", prompt="The game is over.", says=_how_it_ended),
)


@rule
def phase_of(s: State) -> int:
    """Return what the table waits for."""
    return Phase.TURN if s.winner == Winner.NONE else Phase.OVER


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Tell why the table does not wait for a verb: the game is over (CF-5)."""
    return PHASES.why_not(phase_of(s), verb)

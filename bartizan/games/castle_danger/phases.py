"""List Castle Danger's phases: a turn, and the end of the game."""

from __future__ import annotations

from bartizan.engine.clauses import OK
from bartizan.engine.phases import PhaseRow, PhaseTable
from bartizan.engine.rule import rule
from bartizan.games.castle_danger import rules
from bartizan.games.castle_danger.state import ACTIONS, Phase, State, Winner
from bartizan.games.castle_danger.words.names import COLOUR_NAMES, moves


def _ask_for_move(observation: State, seat: int) -> str:
    who, left = COLOUR_NAMES[observation.to_move], moves(observation.moves_left)
    steps = ["add a piece"] if rules.why_no_addition(observation) == OK else []
    steps += ["move"]
    steps += ["build"] if rules.own(observation, observation.builders) else []
    steps += ["fire"] if rules.own(observation, observation.cannons) else []
    comma = "," if len(steps) > 1 else ""
    return f"You are {who}, with {left} left: {', '.join(steps)}{comma} or end your turn."


def _wait_for_move(observation: State, seat: int) -> str:
    return f"{COLOUR_NAMES[observation.to_move]} is playing, with {moves(observation.moves_left)} left."


def _say_how_it_ended(observation: State, verb: str) -> str:
    if observation.winner == Winner.DRAW:
        return "The game is over. It's a draw."
    return f"The game is over. {COLOUR_NAMES[observation.winner - 1]} won."


PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("turn", asks=ACTIONS.verbs, refuses="CD-25", prompt=_ask_for_move, others=_wait_for_move),
    PhaseRow("over", refuses="CD-42", says=_say_how_it_ended, prompt="The game is over."),
)


@rule
def phase_of(s: State) -> int:
    """Return the phase: what the table is waiting for."""
    return Phase.TURN if s.winner == Winner.NONE else Phase.OVER


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Return why the table refuses a verb: the game is over (CD-42)."""
    return PHASES.why_not(phase_of(s), verb)

"""List Alcazar's phases: what each one asks for, and why it refuses other moves."""

from __future__ import annotations

from bartizan.engine.clauses import code
from bartizan.engine.phases import Explained, PhaseRow, PhaseTable
from bartizan.engine.rule import rule
from bartizan.games.alcazar import values
from bartizan.games.alcazar.state import ACE, ACTIONS, JACK, Phase, State, Winner
from bartizan.games.alcazar.values import count_enemies
from bartizan.games.alcazar.words.names import enemies_of

BARD_ASKS = "You can draw or stay only when the Bard offers a second card, and then you must answer first."
NECROMANCER_TAKES = (
    "You choose an Advantage to discard only when a Necromancer removes two, and then you must choose first."
)
NOTHING_TO_DISCARD = "You are within your hand limit, so you can't discard."


def _refuse_answer(observation: State, verb: str) -> Explained:
    """Say why this answer isn't needed now."""
    if verb == "discard":
        return NOTHING_TO_DISCARD, enemies_of(observation, JACK)
    if verb == "forfeit":
        return NECROMANCER_TAKES, enemies_of(observation, ACE)
    return BARD_ASKS, ()


def _excess(observation: State) -> str:
    """Return how many cards must be discarded, as a phrase."""
    excess = observation.hand.count - values.hand_limit(observation)
    return "a card" if excess == 1 else f"{excess} cards"


def _ask_for_discard(observation: State, seat: int) -> str:
    return f"Discard {_excess(observation)}: your hand limit is {values.hand_limit(observation)}."


def _wait_for_discard(observation: State, seat: int) -> str:
    limit = values.hand_limit(observation)
    return f"The player must discard {_excess(observation)}: the hand limit is {limit}."


def _discard_first(observation: State, verb: str) -> Explained:
    limit = values.hand_limit(observation)
    return f"Your hand limit is {limit} cards now. Discard first.", enemies_of(observation, JACK)


def _forfeit_first(observation: State, verb: str) -> Explained:
    return NECROMANCER_TAKES, enemies_of(observation, ACE)


def _how_it_ended(observation: State, verb: str) -> str:
    if observation.winner == Winner.PLAYER:
        return "The game is over. You won."
    if observation.tower.count == 0:
        return "The game is over. The tower has fallen."
    return "The game is over. The siege never ended."


PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("movement"),  # the round continues by itself
    PhaseRow(
        "draw",
        asks=("draw", "stay"),
        refuses="ALC-57",
        prompt="The Bard lets you draw a second card. Draw or stay?",
        others="The Bard lets the player draw a second card.",
        says=BARD_ASKS,
    ),
    PhaseRow(
        "action",
        asks=("defend", "repair", "missile", "swap", "fortify", "reinforce", "advantage", "trade", "end"),
        refuses="ALC-57",
        unless={"discard": "ALC-64", "forfeit": "ALC-59"},
        prompt="Your turn: defend, repair, play a special, or end your turn.",
        others="The player's turn: defend, repair, play a special, or end the turn.",
        says=_refuse_answer,
    ),
    PhaseRow(
        "thief",
        asks=("discard",),
        refuses="ALC-9",
        prompt=_ask_for_discard,
        others=_wait_for_discard,
        says=_discard_first,
    ),
    PhaseRow(
        "necromancer",
        asks=("forfeit",),
        refuses="ALC-59",
        prompt="The Necromancer removes both Advantages. Which one do you discard first?",
        others="The Necromancer removes both Advantages. The player is choosing which one to discard first.",
        says=_forfeit_first,
    ),
    PhaseRow("over", refuses="ALC-68", prompt="The game is over.", says=_how_it_ended),
    first=True,
)

THIEF_STEALS = code("ALC-64")


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Return why the table refuses a verb now; a Thief and each ending have their own clauses."""
    if s.phase == Phase.OVER:
        return s.ended_by
    refused = PHASES.why_not(s.phase, verb)
    if refused and s.phase == Phase.THIEF and count_enemies(s, JACK) > 0:
        return THIEF_STEALS
    return refused


@rule
def phase_of(s: State) -> int:
    """Return the phase: what the table is waiting for."""
    return s.phase

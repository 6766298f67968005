"""Say what Alcazar's table can wait for, how it asks, and why it refuses all else."""

from __future__ import annotations

from bartizan.engine.clauses import code
from bartizan.engine.phases import Explained, PhaseRow, PhaseTable
from bartizan.engine.rule import rule
from bartizan.games.alcazar import values
from bartizan.games.alcazar.state import ACE, ACTIONS, JACK, Phase, State, Winner
from bartizan.games.alcazar.values import count_enemies
from bartizan.games.alcazar.words.names import enemies_of

BARD_ASKS = "The Bard's second card is the only question now, or is not offered."
NECROMANCER_TAKES = "Two Advantages leave before a Necromancer; that comes first, and only then."
NOTHING_TO_DISCARD = "Your hand is within its limit; there is nothing to discard."


def _refuse_answer(observation: State, verb: str) -> Explained:
    """Say why nothing asks for this answer now."""
    if verb == "discard":
        return NOTHING_TO_DISCARD, enemies_of(observation, JACK)
    if verb == "forfeit":
        return NECROMANCER_TAKES, enemies_of(observation, ACE)
    return BARD_ASKS, ()


def _excess(observation: State) -> str:
    """Return how many cards the hand has to give up, as a phrase."""
    excess = observation.hand.count - values.hand_limit(observation)
    return "a card" if excess == 1 else f"{excess} cards"


def _ask_for_discard(observation: State, seat: int) -> str:
    return f"Discard {_excess(observation)}: your hand may hold {values.hand_limit(observation)}."


def _wait_for_discard(observation: State, seat: int) -> str:
    limit = values.hand_limit(observation)
    return f"The player is to discard {_excess(observation)}: the hand may hold {limit}."


def _discard_first(observation: State, verb: str) -> Explained:
    limit = values.hand_limit(observation)
    return f"Your hand may hold {limit} cards now; discard first.", enemies_of(observation, JACK)


def _forfeit_first(observation: State, verb: str) -> Explained:
    return NECROMANCER_TAKES, enemies_of(observation, ACE)


def _how_it_ended(observation: State, verb: str) -> str:
    if observation.winner == Winner.PLAYER:
        return "The game is over: you have won."
    if observation.tower.count == 0:
        return "The game is over: the tower has fallen."
    return "The game is over: the siege went on for ever."


PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("movement"),  # the round goes on by itself
    PhaseRow(
        "draw",
        asks=("draw", "stay"),
        refuses="ALC-57",
        prompt="The Bard lets you draw a second card. Draw, or stay?",
        others="The Bard lets the player draw a second card: draw, or stay?",
        says=BARD_ASKS,
    ),
    PhaseRow(
        "action",
        asks=("defend", "repair", "missile", "swap", "fortify", "reinforce", "advantage", "trade", "end"),
        refuses="ALC-57",
        unless={"discard": "ALC-64", "forfeit": "ALC-59"},
        prompt="Your turn: defend, repair, play a special, or end the turn.",
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
        prompt="The Necromancer takes both Advantages. Which goes to the discard first?",
        others="The Necromancer takes both Advantages. The player says which goes to the discard first.",
        says=_forfeit_first,
    ),
    PhaseRow("over", refuses="ALC-68", prompt="The game is over.", says=_how_it_ended),
    first=True,
)

THIEF_STEALS = code("ALC-64")


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Tell why the table does not wait for a verb; a Thief has a clause of its own, and so has each end."""
    if s.phase == Phase.OVER:
        return s.ended_by
    refused = PHASES.why_not(s.phase, verb)
    if refused and s.phase == Phase.THIEF and count_enemies(s, JACK) > 0:
        return THIEF_STEALS
    return refused


@rule
def phase_of(s: State) -> int:
    """Return what the table waits for."""
    return s.phase

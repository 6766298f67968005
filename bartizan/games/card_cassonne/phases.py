"""List Card-cassonne's phases: play a card, place a token, score areas, and the end of the game."""

from __future__ import annotations

from bartizan.engine.phases import Explained, PhaseRow, PhaseTable
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne import rules
from bartizan.games.card_cassonne.rules import lacks_token, why_no_token
from bartizan.games.card_cassonne.state import ACTIONS, TOKEN, Phase, State
from bartizan.games.card_cassonne.words.names import SEATS, area_name, last_card, members, token_id


def _mover(observation: State) -> str:
    return SEATS[observation.to_move - 1]


def _ask_for_card(observation: State, seat: int) -> str:
    return f"You are {_mover(observation)}: play a card."


def _wait_for_card(observation: State, seat: int) -> str:
    return f"{_mover(observation)} is playing a card."


def _ask_for_token(observation: State, seat: int) -> str:
    return f"Place a token on {last_card(observation)}?"


def _wait_for_token(observation: State, seat: int) -> str:
    return f"{_mover(observation)} may place a token on {last_card(observation)}."


def _wait_for_scoring(observation: State, seat: int) -> str:
    return f"{_mover(observation)} may score areas."


def _refuse_while_scoring(observation: State, verb: str) -> Explained:
    """Explain that a verb's step is over, or why the game didn't ask about a token (CC-7, CC-20)."""
    if verb != "token" or not rules.lacks_token(observation):
        return "You have played a card and the token step is over. You can score areas now.", ()
    if observation.players[observation.to_move - 1].supply == 0:
        return "You have no tokens left.", ()
    area = observation.area[observation.last]
    held = sorted(number for number in members(observation, area) if observation.token[number])
    seats = " and ".join(SEATS[seat - 1] for seat in sorted({observation.token[number] for number in held}))
    return (
        f"There is already a token from {seats} in {area_name(observation, area)}.",
        [token_id(observation, number) for number in held],
    )


PHASES = PhaseTable(
    ACTIONS,
    PhaseRow(
        "play",
        asks=("play",),
        refuses="CC-11",
        prompt=_ask_for_card,
        others=_wait_for_card,
        says="Play a card first.",
    ),
    PhaseRow(
        "token",
        asks=("token", "decline"),
        refuses="CC-11",
        prompt=_ask_for_token,
        others=_wait_for_token,
        says="First decide whether to place a token on the card you just played.",
    ),
    PhaseRow(
        "score",
        asks=("score", "done"),
        refuses="CC-11",
        prompt="Score an area, or continue.",
        others=_wait_for_scoring,
        says=_refuse_while_scoring,
    ),
    PhaseRow("over", refuses="CC-32", prompt="The game is over.", says="The game is over."),
)


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Return why the table refuses a verb now; a skipped token step has its own reason."""
    if verb == TOKEN.number and s.phase == Phase.SCORE and lacks_token(s):
        return why_no_token(s)
    return PHASES.why_not(s.phase, verb)


@rule
def phase_of(s: State) -> int:
    """Return the phase: what the table is waiting for."""
    return s.phase

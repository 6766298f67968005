"""List Tower's phases: what each one asks for, and why it refuses other moves."""

from __future__ import annotations

from collections.abc import Callable

from bartizan.engine.clauses import OK
from bartizan.engine.phases import PhaseRow, PhaseTable, Words, spoken
from bartizan.engine.rule import rule
from bartizan.games.tower import draw, values
from bartizan.games.tower.draw import why_draws_are_due
from bartizan.games.tower.rules import ended_by
from bartizan.games.tower.state import ACTIONS, DRAWN, PASS, Phase, Standing, State
from bartizan.games.tower.words.names import cards, plays, plays_to_come, seat_name, upper

Sentence = Callable[[State, int], str]  # takes an observation and a seat
Answer = Callable[[State, str], str]  # takes an observation and a verb

BATTLE_VERBS = ("attack", "deflect", "repair", "rebuild", "discard", "hit")
# The clauses that refuse moves of the other part of the game.
WHILE_BUILDING = {
    "attack": "TWR-17",
    "deflect": "TWR-13",
    "repair": "TWR-12",
    "rebuild": "TWR-12",
    "discard": "TWR-13",
    "hit": "TWR-17",
    "pass": "TWR-7",
}
ONCE_LAID = {"exchange": "TWR-12", "lay": "TWR-12"}


# --- Prompts -----------------------------------------------------------------------


def _is_out(observation: State, seat: int) -> bool:
    return seat > 0 and observation.players[seat - 1].standing == Standing.OUT


def _ask(question: Words) -> Sentence:
    """Return the prompt for the seat whose move it is; `question` may be a function (observation, seat)."""

    def ask(observation: State, seat: int) -> str:
        return f"You are {seat_name(seat)}: {spoken(question, observation, seat)}"

    return ask


def _wait(doing: str) -> Sentence:
    """Return the sentence that tells the others what the player is doing."""

    def wait(observation: State, seat: int) -> str:
        away = "You are out but can keep watching. " if _is_out(observation, seat) else ""
        return f"{away}{seat_name(observation.to_move)} {doing}."

    return wait


def _ask_to_exchange(observation: State, seat: int) -> str:
    laying = ", or lay your tower" if values.is_complete(observation.players[seat - 1]) else ""
    return f"choose a card to exchange{laying}."


def _ask_for_hit(observation: State, seat: int) -> str:
    late = ", although you are out" if _is_out(observation, seat) else ""
    return f"your attack arrives{late}. Choose the level it hits."


def _ask_for_play(observation: State, seat: int) -> str:
    extra = "take an extra turn before the attacks arrive. " if observation.waiting else ""
    return f"{extra}{plays(plays_to_come(observation))} left: attack, deflect, repair, rebuild or discard."


def _ask_to_draw(observation: State, seat: int) -> str:
    optional = "" if observation.draws_must else ", or stop: this card is optional"
    return f"draw {cards(observation.draws_left)}{optional}."


def _ask_to_defend(observation: State, seat: int) -> str:
    return f"{seat_name(observation.active)}'s attacks are about to arrive. Deflect one, or pass."


# --- Refusals of other moves ---------------------------------------------------------


def _builds(first: str, **answers: str) -> Answer:
    """Return the refusals while a player builds: `first` says what to do, `answers` adds more for a verb."""

    def refuse(observation: State, verb: str) -> str:
        if verb in BATTLE_VERBS:
            return f"You have not laid your tower yet. {upper(first)}."
        if verb == "pass":
            return f"You can't pass while you build. {upper(first)}."
        return answers.get(verb, f"{upper(first)}.")

    return refuse


def _defends(first: str) -> Answer:
    """Return the refusals for a player with a tower: `first` says what to do."""

    def refuse(observation: State, verb: str) -> str:
        if verb in ONCE_LAID:
            return f"You have already laid your tower. {upper(first)}."
        return f"You can't pass. {upper(first)}." if verb == "pass" else f"{upper(first)}."

    return refuse


def _may_stop(first: str, doing: str) -> Answer:
    """Return the refusals for a player who may be able to stop, but can't pass."""
    refuse = _defends(first)

    def refuse_or_stop(observation: State, verb: str) -> str:
        if verb != "pass":
            return refuse(observation, verb)
        why_not_stop = why_no_stop(observation)
        return f"You can't pass. {why_not_stop or f'Stop {doing} instead.'}"

    return refuse_or_stop


def why_no_stop(observation: State) -> str:
    """Say why a player can't stop drawing or playing now; ``""`` if they can."""
    if observation.phase == Phase.DRAW:
        return _why_no_stop_drawing(observation)
    if draw.why_not_stop_playing(observation) == OK:
        return ""
    player = observation.players[observation.to_move - 1]
    if draw.why_not_stop_playing(observation) == draw.MUST_DISCARD:
        held, limit = cards(player.hand.count), values.hand_limit(observation, player)
        return f"You hold {held} but may keep only {limit}. Keep playing."
    wanted = cards(min(observation.options.min_plays, observation.options.plays))
    left = plays(plays_to_come(observation))
    return f"You must play {wanted} each turn. {left} left; you may discard instead."


def _why_no_stop_drawing(observation: State) -> str:
    if draw.why_not_stop_drawing(observation) == OK:
        return ""
    due = f"you must still draw {cards(observation.draws_must)}"
    if draw.is_laying(observation):
        return f"Draw all three cards after laying a tower: {due}."
    return f"{upper(due)}. Only the third card is optional."


def _how_it_ended(observation: State, verb: str) -> str:
    if observation.winner == DRAWN:
        return "The game is over. No one won."
    return f"The game is over. {seat_name(observation.winner)} won."


# --- The phases, in the order of their numbers --------------------------------

PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("running"),
    PhaseRow(
        "exchange",
        asks=("exchange", "lay"),
        refuses="TWR-8",
        unless={**WHILE_BUILDING, "stop": "TWR-7"},
        prompt=_ask(_ask_to_exchange),
        others=_wait("is exchanging a card"),
        says=_builds(
            "exchange a card, or lay your tower if you hold every suit",
            draw="Put a card down first, then take another.",
            take="Put a card down first, then take another.",
            stop="You can't pass while you build. Exchange a card.",
        ),
    ),
    PhaseRow(
        "source",
        asks=("draw", "take"),
        refuses="TWR-8",
        unless=WHILE_BUILDING,
        prompt=_ask("take a card from the draw pile or the discard pile."),
        others=_wait("is taking a card"),
        says=_builds("take a card from the draw pile or the discard pile first"),
    ),
    PhaseRow(
        "lay",
        asks=("lay", "stop"),
        refuses="TWR-9",
        unless=WHILE_BUILDING,
        prompt=_ask("you hold every suit. Lay your tower, or keep exchanging?"),
        others=_wait("holds every suit and may lay a tower"),
        says=_builds("first decide whether to lay your tower"),
    ),
    PhaseRow(
        "arrival",
        asks=("hit",),
        refuses="TWR-22",
        unless={**ONCE_LAID, "pass": "TWR-18"},
        prompt=_ask(_ask_for_hit),
        others=_wait("is choosing a level to hit"),
        says=_defends("your attacks arrive first: choose the level to hit"),
    ),
    PhaseRow(
        "battle",
        asks=("stop", "attack", "deflect", "repair", "rebuild", "discard"),
        refuses="TWR-18",
        unless={**ONCE_LAID, "hit": "TWR-21", "pass": "TWR-13"},
        prompt=_ask(_ask_for_play),
        others=_wait("is playing cards"),
        says=_may_stop("first play cards: attack, deflect, repair, rebuild or discard", "playing"),
    ),
    PhaseRow(
        "draw",
        asks=("draw", "take", "stop"),
        refuses="TWR-18",
        unless={**ONCE_LAID, "hit": "TWR-21", "pass": "TWR-19"},
        prompt=_ask(_ask_to_draw),
        others=_wait("is drawing"),
        says=_may_stop("draw your cards now", "drawing"),
    ),
    PhaseRow(
        "defend",
        asks=("deflect", "pass"),
        refuses="TWR-31",
        unless=ONCE_LAID,
        prompt=_ask(_ask_to_defend),
        others=_wait("may deflect attacks before they arrive"),
        says=_defends("attacks are about to arrive: deflect one or pass"),
    ),
    PhaseRow("over", refuses="TWR-64", prompt="The game is over.", says=_how_it_ended),
    first=True,
)


@rule
def phase_of(s: State) -> int:
    """Return the phase: what the table is waiting for."""
    return s.phase


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Return why the table refuses a verb now; each ending has its own clause, and so do draws."""
    if s.phase == Phase.OVER:
        return ended_by(s)
    if s.phase == Phase.DRAW and verb == PASS.number:
        return why_draws_are_due(s)
    return PHASES.why_not(s.phase, verb)

"""Say what Tower's table can wait for, how it asks, and why it refuses all else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bartizan.engine.clauses import OK
from bartizan.engine.phases import PhaseRow, PhaseTable, Words, spoken
from bartizan.engine.rule import interpreted, rule
from bartizan.games.tower.draw import why_draws_are_due
from bartizan.games.tower.rules import ended_by
from bartizan.games.tower.state import ACTIONS, DRAWN, PASS, Phase, Standing, State
from bartizan.games.tower.words.names import cards, plays, plays_to_come, seat_name, upper

if TYPE_CHECKING:
    from bartizan.games.tower import draw as plain_draw
    from bartizan.games.tower import values as plain
else:
    from bartizan.games.tower import draw, values

    plain, plain_draw = interpreted(values), interpreted(draw)

Sentence = Callable[[State, int], str]  # of an observation and a seat
Answer = Callable[[State, str], str]  # of an observation and a verb

BATTLE_VERBS = ("attack", "deflect", "repair", "rebuild", "discard", "hit")
# By which clause a player is not asked for what belongs to the other part of the game.
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


# --- What is asked ------------------------------------------------------------


def _is_out(observation: State, seat: int) -> bool:
    return seat > 0 and observation.players[seat - 1].standing == Standing.OUT


def _ask(question: Words) -> Sentence:
    """Return what asks the seat to move; `question` may be a function (observation, seat)."""

    def ask(observation: State, seat: int) -> str:
        return f"You are {seat_name(seat)}: {spoken(question, observation, seat)}"

    return ask


def _wait(doing: str) -> Sentence:
    """Return what tells all others what the seat to move is doing."""

    def wait(observation: State, seat: int) -> str:
        away = "You are out, and may watch. " if _is_out(observation, seat) else ""
        return f"{away}{seat_name(observation.to_move)} {doing}."

    return wait


def _ask_to_exchange(observation: State, seat: int) -> str:
    laying = ", or lay your tower" if plain.is_complete(observation.players[seat - 1]) else ""
    return f"put a card down to exchange it{laying}."


def _ask_for_hit(observation: State, seat: int) -> str:
    late = "still " if _is_out(observation, seat) else ""
    return f"your attack {late}arrives. Which level does it hit?"


def _ask_for_play(observation: State, seat: int) -> str:
    extra = "this is an extra turn before the attacks arrive. " if observation.waiting else ""
    return f"{extra}{plays(plays_to_come(observation))} left: attack, deflect, repair, rebuild or discard."


def _ask_to_draw(observation: State, seat: int) -> str:
    optional = "" if observation.draws_must else ", or stop; this one is optional"
    return f"draw {cards(observation.draws_left)}{optional}."


def _ask_to_defend(observation: State, seat: int) -> str:
    return f"{seat_name(observation.active)}'s attacks are about to arrive. Deflect one, or pass."


# --- Why all else is refused --------------------------------------------------


def _builds(first: str, **answers: str) -> Answer:
    """Return what refuses a player who builds: `first` says what comes first, `answers` more for a verb."""

    def refuse(observation: State, verb: str) -> str:
        if verb in BATTLE_VERBS:
            return f"You have not laid your tower yet; {first}."
        if verb == "pass":
            return f"There is no passing while you build; {first}."
        return answers.get(verb, f"{upper(first)}.")

    return refuse


def _defends(first: str) -> Answer:
    """Return what refuses a player with a tower: `first` says what comes first."""

    def refuse(observation: State, verb: str) -> str:
        if verb in ONCE_LAID:
            return f"Your tower has been laid; {first}."
        return f"There is no passing; {first}." if verb == "pass" else f"{upper(first)}."

    return refuse


def _may_stop(first: str, doing: str) -> Answer:
    """Return what refuses a player who can perhaps stop, but not pass."""
    refuse = _defends(first)

    def refuse_or_stop(observation: State, verb: str) -> str:
        if verb != "pass":
            return refuse(observation, verb)
        why_not_stop = why_no_stop(observation)
        return f"There is no passing{f'. {why_not_stop}' if why_not_stop else f'; stop {doing} instead.'}"

    return refuse_or_stop


def why_no_stop(observation: State) -> str:
    """Say why drawing or playing cannot be left off now; ``""`` if it can."""
    if observation.phase == Phase.DRAW:
        return _why_no_stop_drawing(observation)
    if plain_draw.why_not_stop_playing(observation) == OK:
        return ""
    player = observation.players[observation.to_move - 1]
    if plain_draw.why_not_stop_playing(observation) == plain_draw.MUST_DISCARD:
        return f"You hold {cards(player.hand.count)} and may hold {plain.hand_limit(player)}: play on."
    return f"Two cards are played each turn; {plays_to_come(observation)} left, if only as a discard."


def _why_no_stop_drawing(observation: State) -> str:
    if plain_draw.why_not_stop_drawing(observation) == OK:
        return ""
    due = f"{cards(observation.draws_must)} must still be drawn"
    if plain_draw.is_laying(observation):
        return f"After laying a tower all three cards are drawn; {due}."
    return f"{due}; only a third one is optional."


def _how_it_ended(observation: State, verb: str) -> str:
    if observation.winner == DRAWN:
        return "The game is over: nobody has won."
    return f"The game is over: {seat_name(observation.winner)} has won."


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
            "exchange a card, or lay the tower when you hold every suit",
            draw="Put a card down first; the replacement is taken after that.",
            take="Put a card down first; the replacement is taken after that.",
            stop="There is no passing while you build: exchange a card.",
        ),
    ),
    PhaseRow(
        "source",
        asks=("draw", "take"),
        refuses="TWR-8",
        unless=WHILE_BUILDING,
        prompt=_ask("take the replacement from the draw pile or the discard pile."),
        others=_wait("is choosing a replacement"),
        says=_builds("take the replacement first, from the draw pile or the discard pile"),
    ),
    PhaseRow(
        "lay",
        asks=("lay", "stop"),
        refuses="TWR-9",
        unless=WHILE_BUILDING,
        prompt=_ask("your hand has every suit. Lay the tower, or go on exchanging?"),
        others=_wait("has every suit and may lay a tower"),
        says=_builds("say first whether you lay the tower"),
    ),
    PhaseRow(
        "arrival",
        asks=("hit",),
        refuses="TWR-22",
        unless={**ONCE_LAID, "pass": "TWR-18"},
        prompt=_ask(_ask_for_hit),
        others=_wait("is choosing what an attack hits"),
        says=_defends("your attacks arrive first: choose what is hit"),
    ),
    PhaseRow(
        "battle",
        asks=("stop", "attack", "deflect", "repair", "rebuild", "discard"),
        refuses="TWR-18",
        unless={**ONCE_LAID, "hit": "TWR-21", "pass": "TWR-13"},
        prompt=_ask(_ask_for_play),
        others=_wait("is to play"),
        says=_may_stop("now cards are played: attack, deflect, repair, rebuild or discard", "playing"),
    ),
    PhaseRow(
        "draw",
        asks=("draw", "take", "stop"),
        refuses="TWR-18",
        unless={**ONCE_LAID, "hit": "TWR-21", "pass": "TWR-19"},
        prompt=_ask(_ask_to_draw),
        others=_wait("is drawing"),
        says=_may_stop("now cards are drawn", "drawing"),
    ),
    PhaseRow(
        "defend",
        asks=("deflect", "pass"),
        refuses="TWR-31",
        unless=ONCE_LAID,
        prompt=_ask(_ask_to_defend),
        others=_wait("may deflect before the attacks arrive"),
        says=_defends("attacks are about to arrive: deflect one of them, or pass"),
    ),
    PhaseRow("over", refuses="TWR-64", prompt="The game is over.", says=_how_it_ended),
)


@rule
def phase_of(s: State) -> int:
    """Return what the table waits for."""
    return s.phase


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Tell why the table does not wait for a verb; each end has a clause of its own, and so have draws."""
    if s.phase == Phase.OVER:
        return ended_by(s)
    if s.phase == Phase.DRAW and verb == PASS.number:
        return why_draws_are_due(s)
    return PHASES.why_not(s.phase, verb)

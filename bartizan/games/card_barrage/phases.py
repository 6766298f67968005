"""Say what Card Barrage's table can wait for, how it asks, and why it refuses all else."""

from __future__ import annotations

from collections.abc import Callable

from bartizan.engine.clauses import OK
from bartizan.engine.phases import PhaseRow, PhaseTable, Words, spoken
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.card_barrage import rules, solo, table
from bartizan.games.card_barrage.aftermath import replacing
from bartizan.games.card_barrage.state import ACTIONS, SOLO, WALLS, Phase, State
from bartizan.games.card_barrage.words.names import many, place_name, seat_name, upper

Sentence = Callable[[State, int], str]  # of an observation and a person
Answer = Callable[[State, str], str]  # of an observation and a verb

REFILLED = "The simulacrum's wall is replaced now, by the top card of its deck, whatever its value."
NO_CARD_TO_REVEAL = "There is no simulacrum's card to reveal now."
NOT_ASKED = {  # in a turn
    "replace": "No wall awaits its replacement now.",
    "give": "No castle was hit, so nobody owes a card.",
    "discard": "Nobody discards a card of choice now; an effect may ask for it.",
    "reveal": NO_CARD_TO_REVEAL,
    "turn_up": NO_CARD_TO_REVEAL,
}


def _who(observation: State) -> str:
    """Return who decides, with a capital."""
    return upper(seat_name(observation, observation.to_move))


# --- What is asked ------------------------------------------------------------


def _ask(question: Words) -> Sentence:
    """Return what asks the person who decides; `question` may be a function (observation, person).

    Several may sit at one screen, and a person may run several seats, so the seat is named.
    """

    def ask(observation: State, person: int) -> str:
        asked = spoken(question, observation, person)
        named = observation.seats != SOLO or table.is_untold(observation)
        return f"{_who(observation)}: {asked}" if named else asked

    return ask


def _wait(what: str) -> Sentence:
    """Return what tells all others what is decided."""

    def wait(observation: State, person: int) -> str:
        return f"{_who(observation)} is to decide: {what}."

    return wait


def _ask_for_walls(observation: State, person: int) -> str:
    if not table.is_untold(observation):
        return "Lay your first walls: a hand card at each slot."
    seat = observation.to_move
    place = place_name(observation, seat, table.count_walls(observation, seat))
    return f"Lay the first walls, and tell them: which card is {place}?"


def _ask_for_turn(observation: State, person: int) -> str:
    if observation.attacked or (observation.built and observation.upgraded):
        return "End the turn."
    if observation.options.companion and not observation.built:
        return _ask_for_throw(observation)
    steps = [] if rules.why_no_building(observation) else ["build"]
    steps += [] if rules.why_no_upgrade(observation) else ["upgrade"]
    throw = "throw a card" if table.is_thrown(observation) else "throw a card and say what it did"
    steps += [] if observation.built else [throw]
    return f"{upper(', '.join([*steps, 'or end the turn']))}."


def _ask_for_throw(observation: State) -> str:
    """Ask what the card did that was thrown at a real table; real hands are drawn by their players."""
    if observation.upgraded:
        return "Throw, or end the turn. What did the card do?"
    cards = many(observation.hand[observation.active].count, "card")
    draw = f"Draw to {cards}. " if table.is_untold(observation) else ""
    return f"{draw}Build, upgrade or throw: what did the card do?"


def _ask_for_gift(observation: State, person: int) -> str:
    if observation.hand[observation.to_move].count:
        return "Your castle was hit: give a hand card for the attacker's pile."
    hit = seat_name(observation, observation.to_move)
    return f"The castle of {hit} was hit: which card does its deck give?"


def _ask_for_replacement(observation: State, person: int) -> str:
    seat = observation.to_move
    if table.is_simulacrum(observation, seat):
        return "Replace the simulacrum's wall with the top card of its deck: which card is it?"
    fallen = [
        f"{place_name(observation, seat, slot)} (up to {table.value(card)})"
        for slot in range(observation.slots)
        if (card := observation.open[seat * WALLS + slot]) != EMPTY
    ]
    return f"Replace {' or '.join(fallen)} with a card of equal or lower value."


def _ask_to_reveal(observation: State, person: int) -> str:
    if solo.is_turned_up(observation):
        return "The simulacrum's turn: turn up the top card of its deck. What does it do?"
    return "The simulacrum's turn: reveal its card."


# --- Why all else is refused --------------------------------------------------


def _refuse_in_turn(observation: State, verb: str) -> str:
    return NOT_ASKED.get(verb, "No card just scored offers an effect.")


def _refuse(sentence: str) -> Answer:
    """Return what refuses a verb by saying what is asked; ``{who}`` in it is who decides."""

    def refuse(observation: State, verb: str) -> str:
        return sentence.format(who=_who(observation))

    return refuse


def _refuse_replacing(observation: State, verb: str) -> str:
    if table.is_simulacrum(observation, observation.to_move):
        return REFILLED
    who = _who(observation)
    return f"A destroyed wall is replaced now: {who} puts a card of equal or lower value there."


# --- The phases, in the order of their numbers --------------------------------

PHASES = PhaseTable(
    ACTIONS,
    PhaseRow("settling", refuses="CB-15"),
    PhaseRow("passing", refuses="CB-15"),
    PhaseRow("beginning", refuses="CB-15"),
    PhaseRow(
        "walls",
        asks=("build",),
        refuses="CB-12",
        prompt=_ask(_ask_for_walls),
        others=_wait("the first walls"),
        says="The first walls are laid now: build a hand card at an empty slot.",
    ),
    PhaseRow(
        "turn",
        asks=("build", "upgrade", "report", "end"),
        refuses="CB-40",
        unless={"replace": "CB-42", "give": "CB-38", "reveal": "CB-46", "turn_up": "CB-46"},
        prompt=_ask(_ask_for_turn),
        others=_wait("its turn"),
        says=_refuse_in_turn,
    ),
    PhaseRow(
        "give",
        asks=("give",),
        refuses="CB-38",
        prompt=_ask(_ask_for_gift),
        others=_wait("a card for its castle"),
        says=_refuse("A castle was hit: {who} puts a hand card on the attacker's pile now."),
    ),
    PhaseRow(
        "effect",
        asks=("draw", "exchange", "erect", "pick", "decline"),
        refuses="CB-40",
        prompt=_ask("A third card is yours: use its effect, or decline."),
        others=_wait("a third card's effect"),
        says="The effect of a third card is offered now: use it or decline it.",
    ),
    PhaseRow(
        "discard",
        asks=("discard",),
        refuses="CB-40",
        prompt=_ask("Discard a hand card."),
        others=_wait("a card to discard"),
        says=_refuse("{who} discards a hand card now."),
    ),
    PhaseRow(
        "replace",
        asks=("replace", "decline"),
        refuses="CB-42",
        prompt=_ask(_ask_for_replacement),
        others=_wait("a wall in place of one destroyed"),
        says=_refuse_replacing,
    ),
    PhaseRow(
        "reveal",
        asks=("reveal", "turn_up"),
        refuses="CB-46",
        prompt=_ask(_ask_to_reveal),
        others=_wait("the simulacrum's card"),
        says="It is the simulacrum's turn: reveal its card.",
    ),
    PhaseRow("over", refuses="CB-24", prompt="The game is over.", says="The game is over."),
)


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Tell why the table does not wait for a verb; any card takes the simulacrum's wall (CB-47)."""
    refused = PHASES.why_not(s.phase, verb)
    return replacing(s, s.to_move) if refused != OK and s.phase == Phase.REPLACE else refused


@rule
def phase_of(s: State) -> int:
    """Return what the table waits for."""
    return s.phase

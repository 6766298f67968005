"""List Card Barrage's phases: what each one asks for, and why it refuses other moves."""

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

REFILLED = "Replace the simulacrum's wall with the top card of its deck, whatever its value."
NO_CARD_TO_REVEAL = "The simulacrum has no card to reveal now."
NOT_ASKED = {  # in a turn
    "replace": "No wall needs replacing now.",
    "give": "No castle was hit, so no one has to give a card.",
    "discard": "You discard a card only when an effect asks for it.",
    "reveal": NO_CARD_TO_REVEAL,
    "turn_up": NO_CARD_TO_REVEAL,
}


def _who(observation: State) -> str:
    """Return the name of the seat that decides, capitalised."""
    return upper(seat_name(observation, observation.to_move))


# --- What is asked ------------------------------------------------------------


def _ask(question: Words) -> Sentence:
    """Return the prompt for the person who decides; `question` may be a function (observation, person).

    The prompt names the seat, because several people may share a screen and one may run several seats.
    """

    def ask(observation: State, person: int) -> str:
        asked = spoken(question, observation, person)
        named = observation.seats != SOLO or table.is_untold(observation)
        return f"{_who(observation)}: {asked}" if named else asked

    return ask


def _wait(what: str) -> Sentence:
    """Return what tells the others what the player is doing."""

    def wait(observation: State, person: int) -> str:
        return f"{_who(observation)} {what}."

    return wait


def _ask_for_walls(observation: State, person: int) -> str:
    if not table.is_untold(observation):
        return "Place your first walls: one card from your hand in each slot."
    seat = observation.to_move
    place = place_name(observation, seat, table.count_walls(observation, seat))
    return f"Place the first walls and name them. Which card is {place}?"


def _ask_for_turn(observation: State, person: int) -> str:
    if observation.attacked or (observation.built and observation.upgraded):
        return "End the turn."
    if observation.options.companion and not observation.built:
        return _ask_for_throw(observation)
    steps = [] if rules.why_no_building(observation) else ["build"]
    steps += [] if rules.why_no_upgrade(observation) else ["upgrade"]
    throw = "throw a card" if table.is_thrown(observation) else "throw a card and report what it did"
    steps += [] if observation.built else [throw]
    return f"{upper(', '.join([*steps, 'or end the turn']))}."


def _ask_for_throw(observation: State) -> str:
    """Ask what the card thrown at a real table did; players draw real cards themselves."""
    if observation.upgraded:
        return "Throw, then report what the card did, or end the turn."
    cards = many(observation.hand[observation.active].count, "card")
    draw = f"Draw to {cards}. " if table.is_untold(observation) else ""
    return f"{draw}Build, upgrade, or throw and report what the card did."


def _ask_for_gift(observation: State, person: int) -> str:
    if observation.hand[observation.to_move].count:
        return "Your castle was hit. Choose a card from your hand for the attacker's score pile."
    hit = upper(seat_name(observation, observation.to_move))
    return f"{hit}'s castle was hit. Which card does its deck give?"


def _ask_for_replacement(observation: State, person: int) -> str:
    seat = observation.to_move
    if table.is_simulacrum(observation, seat):
        return "Replace the simulacrum's wall with the top card of its deck. Which card is it?"
    fallen = [
        f"wall {slot + 1} (up to {table.value(card)})"
        for slot in range(observation.slots)
        if (card := observation.open[seat * WALLS + slot]) != EMPTY
    ]
    return f"Replace {' or '.join(fallen)} with a card of equal or lower value."


def _ask_to_reveal(observation: State, person: int) -> str:
    if solo.is_turned_up(observation):
        return "The simulacrum's turn. Turn up the top card of its deck and report what it does."
    return "The simulacrum's turn. Reveal its card."


# --- Why other moves are refused -------------------------------------------------


def _refuse_in_turn(observation: State, verb: str) -> str:
    return NOT_ASKED.get(verb, "No card you just scored offers an effect.")


def _refuse(sentence: str) -> Answer:
    """Return a refusal that says what is needed; ``{who}`` stands for the seat that decides."""

    def refuse(observation: State, verb: str) -> str:
        return sentence.format(who=_who(observation))

    return refuse


def _refuse_replacing(observation: State, verb: str) -> str:
    if table.is_simulacrum(observation, observation.to_move):
        return REFILLED
    who = _who(observation)
    return f"{who} must replace a destroyed wall with a card of equal or lower value first."


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
        others=_wait("is placing the first walls"),
        says="Place the first walls: put a card from your hand in an empty slot.",
    ),
    PhaseRow(
        "turn",
        asks=("build", "upgrade", "report", "end"),
        refuses="CB-40",
        unless={"replace": "CB-42", "give": "CB-38", "reveal": "CB-46", "turn_up": "CB-46"},
        prompt=_ask(_ask_for_turn),
        others=_wait("is taking a turn"),
        says=_refuse_in_turn,
    ),
    PhaseRow(
        "give",
        asks=("give",),
        refuses="CB-38",
        prompt=_ask(_ask_for_gift),
        others=_wait("is giving a card for a castle hit"),
        says=_refuse("A castle was hit. {who} must give a card to the attacker's score pile first."),
    ),
    PhaseRow(
        "effect",
        asks=("draw", "exchange", "erect", "pick", "decline"),
        refuses="CB-40",
        prompt=_ask("You scored a third card. Use its effect, or decline."),
        others=_wait("may use a third card's effect"),
        says="First use the third card's effect, or decline it.",
    ),
    PhaseRow(
        "discard",
        asks=("discard",),
        refuses="CB-40",
        prompt=_ask("Discard a card from your hand."),
        others=_wait("is choosing a card to discard"),
        says=_refuse("{who} must discard a card first."),
    ),
    PhaseRow(
        "replace",
        asks=("replace", "decline"),
        refuses="CB-42",
        prompt=_ask(_ask_for_replacement),
        others=_wait("is replacing a destroyed wall"),
        says=_refuse_replacing,
    ),
    PhaseRow(
        "reveal",
        asks=("reveal", "turn_up"),
        refuses="CB-46",
        prompt=_ask(_ask_to_reveal),
        others=_wait("is revealing the simulacrum's card"),
        says="It's the simulacrum's turn. Reveal its card.",
    ),
    PhaseRow("over", refuses="CB-24", prompt="The game is over.", says="The game is over."),
)


@rule
def why_not_in_phase(s: State, verb: int) -> int:
    """Return why the table refuses a verb now; any card can replace the simulacrum's wall (CB-47)."""
    refused = PHASES.why_not(s.phase, verb)
    return replacing(s, s.to_move) if refused != OK and s.phase == Phase.REPLACE else refused


@rule
def phase_of(s: State) -> int:
    """Return the phase: what the table is waiting for."""
    return s.phase

"""Explain why a move is not possible, with the figures of the moment and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bartizan.engine.cards import POKER
from bartizan.engine.clauses import Rulebook
from bartizan.engine.scene import Refusal
from bartizan.games.card_cassonne.options import PartialScoring
from bartizan.games.card_cassonne.plain import areas, layout
from bartizan.games.card_cassonne.state import (
    ACTIONS,
    HIGHEST,
    NO_SUIT,
    RING,
    SCORE,
    TOKEN,
    Phase,
    State,
)
from bartizan.games.card_cassonne.survey import Survey, region_id, token_id
from bartizan.games.card_cassonne.words import SEATS, area_name, area_place, card_place, cell_name, counted

RULEBOOK = Rulebook.load(Path(__file__).parent / "clauses.toml")

NOW = {
    Phase.PLAY: "A card is played first; nothing else is asked now.",
    Phase.TOKEN: "The question now is whether a token goes on the card just played.",
    Phase.SCORE: "The card has been played and the token step is over; areas may be scored now.",
}
PLAIN_SENTENCES = {
    "CC-7": "No token is left in the supply.",
    "CC-32": "The game is over.",
}


def refusal(observation: State, action: int, clause: int) -> Refusal:
    """Return why `clause` forbids an action here: a sentence, the rule, the ids in the way."""
    name = RULEBOOK.id_of(clause)
    verb, field = ACTIONS.decode(action)
    sentence = PLAIN_SENTENCES.get(name, "")
    blockers: tuple[str, ...] = ()
    if name == "CC-11":
        hand = observation.phase == Phase.PLAY and verb == "play"
        sentence = "There is no such card in the hand." if hand else NOW[Phase(observation.phase)]
    elif name == "CC-20":
        sentence, blockers = _taken(observation)
    elif verb == "play" and name != "CC-32":
        sentence, blockers = _no_play(observation, name, field)
    elif verb == "score" and name != "CC-32":
        sentence, blockers = _no_score(observation, name, field["cell"])
    rule = RULEBOOK.get(name).text.strip()
    return Refusal(clause=name, sentence=sentence or rule, rule=rule, blockers=blockers)


def _taken(observation: State) -> tuple[str, tuple[str, ...]]:
    area = observation.area[observation.last]
    held = [n for n in range(observation.laid) if observation.area[n] == area and observation.token[n]]
    seats = " and ".join(SEATS[seat - 1] for seat in sorted({observation.token[number] for number in held}))
    return f"In {area_name(observation, area)} lies a token of {seats} already.", tuple(
        token_id(observation, n) for n in held
    )


def _no_play(observation: State, name: str, field: dict[str, int]) -> tuple[str, tuple[str, ...]]:
    """Explain why a hand card cannot go to a cell."""
    cell = field["cell"]
    place = cell_name(observation, cell)
    if name == "CC-34":
        return f"{place} lies beyond the edge of the table.", ()
    number = layout.card_at(observation, cell)
    ids = Survey(observation).ids
    if name == "CC-12":
        if number >= 0:
            return f"The {POKER.name(observation.face[number])} lies at {place} already.", (ids[number],)
        return f"{place} touches no card of the layout.", ()
    if name != "CC-15":
        return PLAIN_SENTENCES.get(name, ""), ()
    touched = [layout.card_at(observation, layout.beside(cell, direction)) for direction in range(4)]
    touched = [number for number in touched if number >= 0]
    face = observation.players[observation.to_move - 1].hand.cards[field["slot"]]
    spot = layout.find_open(observation, cell)
    low, high, suit = observation.low[spot], observation.high[spot], observation.suit[spot]
    wanted = f"count {low}" if low == high else f"count {low} to {high}"
    if suit != NO_SUIT and high != HIGHEST:
        wanted += f" or be one of {POKER.names[suit]}"
    return (
        f"A card at {place} touches {counted(len(touched), 'card')} and must {wanted}; "
        f"the {POKER.name(face)} counts {layout.rank_of(observation, face)}.",
        tuple(ids[number] for number in touched),
    )


def _no_score(observation: State, name: str, cell: int) -> tuple[str, tuple[str, ...]]:
    """Explain why the area in a cell cannot be scored."""
    area = areas.area_at(observation, cell)
    if area == areas.NO_AREA:
        return f"No card lies at {cell_name(observation, cell)}.", ()
    what, ids = area_name(observation, area), (Survey(observation).area_id(area),)
    size = observation.size[area]
    if name == "CC-16":
        return f"This area is named by its corner, {area_place(observation, area)}.", ids
    if name == "CC-18":
        cards, spaces = counted(size, "card"), counted(observation.spaces[area], "empty place")
        make = "does" if size == 1 else "do"
        return f"To score {what}: {cards} {make} not make up for {spaces}.", ids
    if name == "CC-22":
        if observation.options.partial_scoring == PartialScoring.TOUCHED:
            return f"The card just played does not touch {what}.", ids
        return f"You have no token in {what}.", ids
    if name == "CC-25":
        return f"No token lies in {what}, so nobody would score.", ids
    if name == "CC-30":
        return f"Your token has just been placed in {what}; it waits a turn.", ids
    if name == "CC-31":
        return (
            f"When last scored {what} had {counted(observation.scored[area], 'card')}; "
            f"now there are {size}, and {observation.scored[area] + 2} are needed.",
            ids,
        )
    return "", ()


# --- What touching things could mean -----------------------------------------


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, the likeliest first."""
    if not observation.to_move:
        return []
    survey = Survey(observation)
    hand = observation.players[observation.to_move - 1].hand
    slots = [slot for slot, name in enumerate(survey.hand_ids(observation.to_move)) if name in items]
    slots = [slot - 1 if slot and hand.cards[slot] == hand.cards[slot - 1] else slot for slot in slots]
    cells = _cells(survey, items)
    found: list[int] = []
    if slots and cells:
        found.append(slots[0] * RING + cells[0])
    elif cells:
        area = areas.area_at(observation, cells[0])
        if area != areas.NO_AREA:
            found.append(SCORE + areas.cell_of_card(observation, observation.corner[area]))
    if f"supply:{observation.to_move}" in items and not slots:
        found.insert(0, TOKEN)
    return found


def _cells(survey: Survey, items: Sequence[str]) -> list[int]:
    """Return the cells that ids stand for: free places, cards, tokens, areas."""
    observation = survey.observation
    meaning = {place: cell for cell, place in survey.places.items()}
    for cell, number in survey.number_at.items():
        names = (card_place(observation, number), survey.ids[number], token_id(observation, number))
        meaning |= dict.fromkeys(names, cell)
    for area in survey.areas:
        meaning[region_id(observation, area)] = areas.cell_of_card(observation, area)
    return [meaning[item] for item in items if item in meaning]

"""Work out which moves touching things could mean."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.games.card_cassonne import areas
from bartizan.games.card_cassonne.state import ACTIONS, State
from bartizan.games.card_cassonne.words.look import Look
from bartizan.games.card_cassonne.words.names import card_place, region_id, token_id


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, most likely first."""
    if not observation.to_move:
        return []
    look = Look(observation)
    faces = look.player.hand.cards
    slots = [slot for slot, name in enumerate(look.hand) if name in items]
    slots = [slot - 1 if slot and faces[slot] == faces[slot - 1] else slot for slot in slots]
    cells = _cells(look, items)
    actions: list[int] = []
    if slots and cells:
        actions.append(ACTIONS.encode("play", slot=slots[0], cell=cells[0]))
    elif cells:
        area = areas.area_at(observation, cells[0])
        if area != areas.NO_AREA:
            corner = areas.cell_of_card(observation, observation.corner[area])
            actions.append(ACTIONS.encode("score", cell=corner))
    if f"supply:{observation.to_move}" in items and not slots:
        actions.insert(0, ACTIONS.encode("token"))
    return actions


def _cells(look: Look, items: Sequence[str]) -> list[int]:
    """Return the cells behind ids: free places, cards, tokens, areas."""
    observation = look.observation
    meaning = {place: cell for cell, place in look.places.items()}
    for cell, number in look.number_at.items():
        names = (card_place(observation, number), look.ids[number], token_id(observation, number))
        meaning |= dict.fromkeys(names, cell)
    for area in look.areas:
        meaning[region_id(observation, area)] = areas.cell_of_card(observation, area)
    return [meaning[item] for item in items if item in meaning]

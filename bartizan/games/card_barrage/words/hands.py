"""Explain why a card can't be placed, given, thrown or discarded, for several verbs."""

from __future__ import annotations

from bartizan.engine.words import Explained
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import UNTOLD, State
from bartizan.games.card_barrage.words.look import Look
from bartizan.games.card_barrage.words.names import seat_name, spot, upper


def not_held(observation: State, seat: int, card: int) -> Explained:
    """Explain that a card is not in a seat's hand, or cannot be there."""
    return _why_not_held(observation, seat, card), ()


def _why_not_held(observation: State, seat: int, card: int) -> str:
    whose = seat_name(observation, seat)
    if card == UNTOLD:
        return f"Name the card. {upper(whose)}'s hand is on screen."
    if not table.is_untold(observation):
        return f"{upper(whose)} doesn't hold the {TECH.name(card)}."
    if not table.can_show(observation, seat):
        return f"{upper(whose)} has no cards in hand."
    if not table.is_unseen(observation, card):
        return f"The {TECH.name(card)} is already on the table. Check the card again."
    return "Don't name a card that is thrown or discarded. Use '?' for it."


def no_slot(observation: State) -> Explained:
    """Explain that there are fewer slots."""
    return f"Each seat has {observation.slots} slots in this game.", ()


def no_site(look: Look, seat: int, slot: int, card: int) -> Explained:
    """Explain why a hand card cannot go to a slot of a seat."""
    observation = look.observation
    wall = table.wall_at(seat, slot)
    if table.stands(observation, seat, slot):
        sentence = f"Slot {slot + 1} isn't empty. The {TECH.name(observation.wall[wall])} is there."
        return sentence, (look.ids.target(seat, slot),)
    if observation.lost >> wall & 1:
        sentence = f"Slot {slot + 1} was hit perfectly. In this game, it is lost for good."
        return sentence, (spot(seat, slot),)
    return not_held(observation, seat, card)

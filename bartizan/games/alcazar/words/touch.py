"""Work out which moves touching things on Alcazar's table could mean."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.games.alcazar.state import ACE, ACTIONS, HAND_SLOTS, JACK, KING, PLACES, QUEEN, State
from bartizan.games.alcazar.words.names import PLACE_NAMES, hand_of, id_at, rank_of, token
from bartizan.games.alcazar.words.specials import pair_of


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, most likely first."""
    hand = [slot for slot, card in enumerate(hand_of(observation)) if token(card) in items]
    places = [
        place for place in range(PLACES) if id_at(observation, place) in items or PLACE_NAMES[place] in items
    ]
    fetched = [card for card in observation.discard.listed() if token(card) in items]
    laid = [
        index
        for index in range(observation.advantages.count)
        if token(observation.advantages.cards[index]) in items
    ]
    if len(places) == 2:
        return [_instant("swap", observation, hand, KING, pair=pair_of(places))]
    if places:
        return _against(observation, hand, places[0])
    if fetched:
        return [_instant("reinforce", observation, hand, JACK, card=fetched[0])]
    if _is_tower_touched(observation, items):
        return [ACTIONS.encode("repair", slot=slot) for slot in hand[:1]]
    if laid:
        trades = [ACTIONS.encode("trade", slot=slot) for slot in hand[:1]]
        return [*trades, ACTIONS.encode("forfeit", advantage=laid[0])]
    return _in_hand(observation, hand)


def _is_tower_touched(observation: State, items: Sequence[str]) -> bool:
    if any(item == "tower" or item.startswith("tower:") for item in items):
        return True
    return observation.tower.count > 0 and token(observation.tower.listed()[0]) in items


def _against(observation: State, hand: Sequence[int], place: int) -> list[int]:
    """Return what touching an enemy and hand cards could mean."""
    defence = ACTIONS.encode("defend", place=place, cards=sum(1 << slot for slot in hand))
    if len(hand) == 2 and any(rank_of(observation.hand.cards[slot]) == ACE for slot in hand):
        return [_instant("missile", observation, hand, ACE, place=place), defence]
    return [defence]


def _in_hand(observation: State, hand: Sequence[int]) -> list[int]:
    """Return what touching hand cards alone could mean."""
    if len(hand) == 1:
        return [ACTIONS.encode("discard", slot=hand[0])]
    if len(hand) != 2:
        return []
    special, paying = hand  # ascending slots have the high ranks first
    actions = [ACTIONS.encode("advantage", slot=special, paying=paying, replacing=0)]
    if rank_of(observation.hand.cards[special]) == QUEEN:
        actions.append(ACTIONS.encode("fortify", slot=special, paying=paying))
    return actions


def _instant(verb: str, observation: State, hand: Sequence[int], rank: int, **aim: int) -> int:
    """Return the instant that these hand cards could mean; a missing card is taken from beyond the hand."""
    beyond = HAND_SLOTS - 1
    special = next(
        (slot for slot in hand if rank_of(observation.hand.cards[slot]) == rank), hand[0] if hand else beyond
    )
    paying = next((slot for slot in hand if slot != special), special)
    return ACTIONS.encode(verb, slot=special, paying=paying, **aim)

"""Count the cards of a table, game by game, for the conservation of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bartizan.games.card_barrage.options import Companion


def alcazar(view: Any) -> Counter[int]:
    """Return every card on an Alcazar table; borrowed cards lie in the hand and are counted there."""
    piles = (view.deck, view.discard, view.aside, view.tower, view.hand, view.advantages)
    cards = Counter(card for pile in piles for card in pile.listed())
    cards.update(card for card in view.enemy if card >= 0)
    assert set(view.borrowed.listed()) <= set(view.hand.listed())
    return cards


def card_cassonne(view: Any) -> Counter[int]:
    """Return every card on a Card-cassonne table; each face is there twice."""
    piles = (view.deck, view.aside, *(player.hand for player in view.players[: view.seats]))
    cards = Counter(card for pile in piles for card in pile.listed())
    cards.update(view.face[number] for number in range(view.laid))
    return cards


def tower(view: Any) -> Counter[int]:
    """Return every card on a Tower table; with two decks each is there twice."""
    piles = [view.deck, view.discard, view.spent, view.rubble, view.buried, view.aside]
    piles += [player.hand for player in view.players]
    cards = Counter(card for pile in piles for card in pile.listed())
    cards.update(card for player in view.players for card in player.tower if player.standing and card >= 0)
    cards.update(min(attack.face, 65) for attack in view.attacks[: view.flying])
    return cards


def card_barrage(view: Any) -> Counter[tuple[int, int]]:
    """Return every card on a Card Barrage table, copies told apart; what was just scored lies on a pile.

    Real cards in hands and decks have no names, so that all cards are only counted then.
    """
    piles = (*view.hand, *view.deck, *view.discard, view.aside)
    cards = [pile.cards[place] for pile in piles for place in range(pile.count)]
    cards += [card for card in (*view.wall, *view.castle) if card >= 0]
    cards += [card for score in view.score for card, copies in enumerate(score.cards) for _ in range(copies)]
    assert all(score.count == sum(score.cards) for score in view.score)
    if view.options.companion == Companion.ON_TABLE:
        return Counter({(-1, number): 1 for number in range(len(cards))})
    seen: Counter[int] = Counter()
    told: Counter[tuple[int, int]] = Counter()
    for card in cards:
        seen[card] += 1
        told[card, seen[card]] += 1
    return told


CARDS: dict[str, Callable[[Any], Counter[Any]]] = {
    "alcazar": alcazar,
    "card-barrage": card_barrage,
    "card-cassonne": card_cassonne,
    "tower": tower,
}


def holds_cards(kind: np.dtype[Any]) -> bool:
    """Say whether a record has a pile of cards in it, or in a record inside."""
    kind = kind.base
    fields: Mapping[str, Any] = kind.fields or {}
    return {"cards", "count"} <= fields.keys() or any(holds_cards(field[0]) for field in fields.values())

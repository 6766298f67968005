"""The log of a short game says which cards a seat drew."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from bartizan.engine.defaults.words import _draws
from bartizan.engine.table import CardDeck, CardZone


class Heap(list[int]):
    """A pile of cards, as states have them."""

    def listed(self) -> list[int]:
        return list(self)


def table(hand: list[int], laid: list[int]) -> Any:
    return SimpleNamespace(hand=[Heap(hand), Heap([7])], laid=[Heap(laid), Heap()])


def test_a_card_that_a_seat_lays_face_down_is_not_drawn() -> None:
    zones = [CardZone(name, name, 5, "owner", 2, 0, False) for name in ("hand", "laid")]
    game: Any = SimpleNamespace(deck=CardDeck("1234", "ab", ("alder", "beech")), zones=zones)
    before, after = table([0, 1], []), table([1, 5], [0])
    assert _draws(game, before, after, 1) == ["You draw the 2 of beech."]
    assert _draws(game, before, after, 2) == _draws(game, before, after, 0) == []

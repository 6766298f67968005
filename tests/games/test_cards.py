"""A game in a package of its own says itself how its cards are counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bartizan.engine import registry
from tests.games import cards, test_properties


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Have nothing here know how Tower's cards are counted."""
    monkeypatch.delitem(cards.CARDS, "tower")
    monkeypatch.setattr(registry, "GROUP", "elsewhere")
    return monkeypatch


def test_a_game_that_says_nothing_is_left_out(foreign: pytest.MonkeyPatch) -> None:
    with pytest.raises(pytest.skip.Exception, match=r"no all_cards in its playtest\.py"):
        test_properties.test_cards_are_conserved_after_every_ply("tower")


def test_a_game_that_loses_cards_by_its_own_count_is_found(foreign: pytest.MonkeyPatch) -> None:
    counted = []

    def in_deck(view: Any) -> Counter[int]:
        counted.append(view)
        return Counter(view.deck.listed())

    foreign.setattr(registry.get("tower").playtest, "all_cards", in_deck, raising=False)
    with pytest.raises(AssertionError):
        test_properties.test_cards_are_conserved_after_every_ply("tower")
    assert counted

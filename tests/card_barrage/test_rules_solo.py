"""Card Barrage alone: the simulacrum reveals, hits, refills, and never decides."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.match import Match
from tests.card_barrage.tables import after, player, table

SOLO_DECK = ["5v", "8s"]


def alone(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> Match:
    """Return a table for one whose simulacrum reveals next."""
    return table(1, one, two, **{"phase": "reveal", "to_move": 1, "active": 2, **position})


def test_a_low_card_hits_the_lowest_wall_leftmost() -> None:
    match = alone({"walls": ["3t", "2k", "9s", "2v", "12v"], "hand": ["1k", "13t"]}, {"deck": ["5v"]})
    assert match.legal_texts() == ["reveal"]
    position = after(match, "reveal")
    assert (position["phase"], position["open"]) == ("replace", {"1.2": "2k"})
    assert position["players"][1]["points"] == 1
    assert position["players"][1]["discard"] == ["5v"]
    position = after(match, "replace 2 with 1k")
    assert (position["phase"], position["active"], position["round"]) == ("turn", 1, 2)


@pytest.mark.parametrize(
    ("card", "below", "hits"), [("10k", 11, 1), ("11v", 11, 0), ("5v", 5, 0), ("13v", 14, 1)]
)
def test_the_value_that_hits(card: str, below: int, hits: int) -> None:
    match = alone({"hand": ["13t"]}, {"deck": [card]}, options={"solo_hit_below": below})
    match.play("reveal")
    assert player(match, 2)["points"] == hits


def test_without_walls_it_hits_the_castle_and_triggers_the_end() -> None:
    match = alone({"walls": ["-"] * 5, "hand": ["4k", "6v"]}, {"deck": ["5v"]})
    position = after(match, "reveal")
    assert (position["phase"], position["ending"]) == ("give", True)
    match.play("give 6v")
    assert match.is_over
    assert match.result() == "loss"
    assert match.returns() == [-1]


def test_its_walls_are_refilled_by_any_top_card_but_not_after_a_perfect_hit() -> None:
    match = table(1, None, {"deck": ["13v", "8s"]})
    match.play("report 6v hit 2.1")
    assert player(match, 2)["walls"][0] == "13v"
    perfect = table(1, None, {"deck": ["13v", "8s"]})
    perfect.play("report 6v hit 2.1 perfect")
    assert player(perfect, 2)["walls"][0] == "-"


@pytest.mark.parametrize("option", ["point", "nothing", "deck_card"])
def test_its_castle_gives_the_top_card_of_its_deck(option: str) -> None:
    match = table(1, None, {"deck": ["13v", "8s"]}, options={"castle_hit_empty": option})
    match.play("report 6v hit 2.castle")
    assert (player(match, 1)["points"], player(match, 1)["pile"]) == (1, ["13v"])


def test_its_discard_is_shuffled_and_without_cards_it_does_nothing() -> None:
    match = alone({"hand": ["13t"]}, {"deck": [], "discard": ["5v"]}, rest="aside")
    match.play("reveal")
    assert player(match, 2)["points"] == 1
    empty = alone(None, {"deck": [], "discard": []}, rest="aside")
    empty.play("reveal")
    assert player(empty, 2)["points"] == 0
    assert empty.position()["active"] == 1


def test_it_uses_no_effects() -> None:
    match = alone({"hand": ["13t"]}, {"deck": ["5v"], "pile": ["1k", "1s"]})
    position = after(match, "reveal")
    assert (position["phase"], position["active"]) == ("turn", 1)
    assert len(position["players"][1]["pile"]) == 3


def test_the_person_wins_with_more_points() -> None:
    match = table(1, {"points": 9}, {"points": 3}, first=2)
    after(match, "report 6v hit 2.1", "end")
    assert match.result() == "player"
    assert match.returns() == [1]

"""Positions that no game of Card Barrage can come to, and what is left out of one."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.engine.errors import BadPosition
from bartizan.match import Match
from tests.card_barrage.tables import ONE, TWO, duel, table

OPEN = {"walls": ["-", "4v", "11k", "6s", "10t"]}  # of seat 2, the 7t destroyed
ATTACKED: dict[str, Any] = {"active": 1, "attacked": True}


def told(seats: int = 2, options: dict[str, Any] | None = None, **position: Any) -> list[tuple[str, str]]:
    """Return the faults of a position, which must have some."""
    with pytest.raises(BadPosition) as caught:
        Match("card-barrage", options, seats, "1", position)
    return list(caught.value.faults)


def spoilt(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> str:
    """Return the sentence of the only fault of a duel, with its clause."""
    faults = told(players=[{**ONE, **(one or {})}, {**TWO, **(two or {})}], **position)
    assert len(faults) == 1, faults
    clause, sentence = faults[0]
    return f"{clause}: {sentence}"


def test_cards_that_were_scored_before_overwrite_nothing() -> None:
    """Two cards in `scored` and two more from a double hit were four in an array of two."""
    given = {"points": 2, "pile": ["7s", "1t"]}
    assert spoilt(given, scored=["7s", "1t"]) == (
        "CB-40: scored names 2 cards, but in phase 'turn' the offer is settled"
    )


def test_what_an_attack_leaves_fits_the_phase() -> None:
    pile = {"points": 1, "pile": ["7t"]}
    assert spoilt(gives=[2], attacked=True) == "CB-38: gives names seat 2, but phase is 'turn'"
    assert spoilt(pile, OPEN, open={"2.1": "7t"}) == "CB-42: open names 1 wall, but phase is 'turn'"
    replacing: dict[str, Any] = {"phase": "replace", "to_move": 2, "active": 1, "open": {"2.1": "7t"}}
    assert spoilt(pile, OPEN, **replacing).startswith(
        "CB-21: phase is 'replace', which only an attack brings"
    )
    assert spoilt(phase="give", to_move=2, **ATTACKED) == "CB-38: phase is 'give', but gives names no one"
    assert spoilt(phase="replace", to_move=2, **ATTACKED) == (
        "CB-42: phase is 'replace', but open names no wall"
    )
    assert spoilt(pile, OPEN, phase="effect", scored=["7t"], **ATTACKED) == (
        "CB-40: phase is 'effect', but no card in scored is a third one of its pile"
    )
    giving: dict[str, Any] = {"phase": "give", "gives": [2], "to_move": 2, **ATTACKED}
    assert spoilt(pile, OPEN, open={"2.1": "7t"}, **giving) == (
        "CB-40: open names the 7t, which is not in scored"
    )
    assert spoilt({}, OPEN, attacked=True, **replacing) == (
        "CB-35: open names the 7t, which is not on the attacker's pile"
    )


def test_one_attack_hits_two_targets() -> None:
    pile = {"points": 3, "pile": ["7t", "4v", "5v"]}
    walls = {"walls": ["-", "-", "11k", "6s", "10t"]}
    opened = {"2.1": "7t", "2.2": "4v"}
    giving: dict[str, Any] = {"phase": "give", "gives": [2], "to_move": 2, **ATTACKED}
    assert spoilt(pile, walls, open=opened, scored=["7t", "4v"], **giving) == (
        "CB-37: gives, scored and open name 3 targets; one attack hits at most 2"
    )
    assert spoilt(pile, scored=["7t", "4v", "5v"], two={"walls": ["-"] * 5}) == (
        "CB-37: scored has 3 cards; one attack hits two targets at most"
    )


def test_who_decides_first_need_not_be_written() -> None:
    pile = {"points": 1, "pile": ["7t"]}
    match = duel(pile, OPEN, phase="replace", open={"2.1": "7t"}, **ATTACKED)
    assert (match.position()["to_move"], match.legal_texts()) == (2, ["replace 1 with 2s"])
    match = table(4, phase="give", gives=[4], **ATTACKED)
    assert match.position()["to_move"] == 4
    entries: list[dict[str, Any]] = [ONE, TWO]
    assert told(players=entries, phase="give", gives=[2], to_move=1, **ATTACKED) == [
        ("CB-38", "to_move is 1; seat 2 decides first")
    ]


def test_first_walls_are_laid_in_order() -> None:
    chosen = {"wall_setup": "chosen_from_9"}
    none, nine = ["-"] * 5, {"hand": [f"{n}k" for n in range(1, 10)]}
    entries: list[dict[str, Any]] = [{**nine, "walls": ["13t", "-", "-", "-", "-"]}, {"walls": none}]
    assert Match("card-barrage", chosen, 2, "1", {"phase": "walls", "players": entries}).legal()
    for to_move, seats in ((2, "seat 1 has 1 wall, and seat 2 lays the next"),):
        assert told(2, chosen, phase="walls", to_move=to_move, players=entries) == [("CB-12", seats)]
    entries[1] = {"walls": ["13v", "-", "-", "-", "-"]}
    assert told(2, chosen, phase="walls", players=entries) == [
        ("CB-12", "seat 2 has 1 wall, and seat 1 lays the next")
    ]
    assert told(2, chosen, phase="walls", players=[{"hand": ["1k"]}, {}]) == [
        ("CB-12", "seat 1 has too few cards in hand for its walls")
    ]


def test_one_person_is_told_that_the_position_was_read_for_one() -> None:
    """Without `seats` a duel was refused for the hand of a simulacrum, of which it knew nothing."""
    ((clause, sentence),) = told(1, players=[ONE, TWO])
    assert clause == "CB-45"
    assert "seats is 1" in sentence
    assert "a duel has seats = 2" in sentence
    ((clause, sentence),) = told(1, players=[ONE, TWO, {}, {}])
    assert (clause, sentence) == ("CB-6", "players has 4 entries; with seats = 1 there are 2 castles")


@pytest.mark.parametrize(
    ("given", "limit", "hands"),
    [
        ({}, 0, [5, 4]),
        ({"active": 2, "to_move": 2}, 0, [4, 5]),
        ({"attacked": True}, 0, [4, 4]),
        ({"built": True}, 0, [4, 4]),
        ({"upgraded": True}, 0, [5, 4]),
        ({}, 4, [4, 4]),
        ({}, 3, [3, 3]),
        ({}, 5, [5, 4]),
        ({"phase": "over", "ending": True}, 0, [4, 4]),
    ],
)
def test_hands_left_out(given: dict[str, Any], limit: int, hands: list[int]) -> None:
    """Phase `turn` means has drawn; the hand had four cards."""
    players = [{"walls": ONE["walls"]}, {"walls": TWO["walls"]}]
    match = Match("card-barrage", {"hand_limit": limit}, 2, "1", {**given, "players": players})
    assert [len(player["hand"]) for player in match.position()["players"]] == hands

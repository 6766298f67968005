"""What cards are worth and how much the hand and the tower hold, with everything that changes it."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.engine.cards import POKER
from bartizan.engine.rule import interpreted
from bartizan.games.alcazar import values
from bartizan.games.alcazar.state import JOKER
from tests.alcazar.tables import attack, enemy, refused, table, zone

plain: Any = interpreted(values)


@pytest.mark.parametrize(
    ("ranks", "worth", "in_tower", "in_defence"),
    [
        *[(rank, int(rank), int(rank), int(rank)) for rank in "23456789"],
        ("T", 10, 10, 10),
        ("J", 11, 9, 9),
        ("Q", 12, 9, 9),
        ("K", 13, 9, 9),
        ("A", 14, 9, 0),
    ],
)
def test_the_values_of_a_rank(ranks: str, worth: int, in_tower: int, in_defence: int) -> None:
    for suit in "cdhs":
        card = POKER.parse(ranks + suit)
        assert plain.value(card) == worth
        assert plain.tower_value(card) == in_tower
        assert plain.defence_value(card) == in_defence
        assert plain.is_red(card) == (suit in "dh")
        assert plain.is_special(card) == (ranks in "JQKA")
        assert plain.is_face(card) == (ranks in "JQK")


def test_a_joker_is_no_special() -> None:
    for joker in (JOKER, JOKER + 1):
        assert not plain.is_special(joker)
        assert not plain.is_face(joker)


FEW = ["2d"]


@pytest.mark.parametrize(
    ("top", "thief", "limit"),
    [
        ("7c", "-", 5),
        ("Qc", "-", 7),
        ("Qh", "-", 7),
        ("Kc", "-", 5),
        ("7c", "Jh", 4),
        ("Qc", "Jh", 4),  # the Thief suspends the Bard
        ("7c", "~Jh", 5),  # face down he does nothing
        ("Qc", "~Jh", 7),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_the_hand_limit(top: str, thief: str, limit: int, place: int) -> None:
    left = ["3c", "4d"]
    left[place] = thief
    match = table(tower=[top, "~2h"], left=left, hand=FEW)
    assert zone(match, "hand").limit == limit


@pytest.mark.parametrize(("advantages", "limit"), [([], 5), (["Qh"], 6), (["Kh"], 5), (["Kh", "Qd"], 6)])
def test_the_tower_limit(advantages: list[str], limit: int) -> None:
    assert zone(table(advantages=advantages, hand=FEW), "tower").limit == limit


@pytest.mark.parametrize(
    ("armies", "top", "badges"),
    [
        # printed values
        ({"right": ["9d", "6c"]}, "7c", {"right": 9, "right.rear": 6}),
        ({"right": ["Ad", "Jc"]}, "7c", {"right": 14, "right.rear": 11}),
        # a Warlord: two more for all, himself too, in either rank; two add up; face down he does nothing
        ({"right": ["9d", "6c"], "left": ["Kd", "-"]}, "7c", {"right": 11, "right.rear": 8, "left": 15}),
        ({"right": ["9d", "Kc"]}, "7c", {"right": 11, "right.rear": 15}),
        ({"right": ["9d", "Kc"], "left": ["Kd", "-"]}, "7c", {"right": 13, "right.rear": 17, "left": 17}),
        ({"right": ["9d", "~Kc"]}, "7c", {"right": 9}),
        # a Knight: one less for all
        ({"right": ["9d", "6c"]}, "Kc", {"right": 8, "right.rear": 5}),
        ({"right": ["9d", "Kh"]}, "Kc", {"right": 10, "right.rear": 14}),
        # a Banshee: one more for every rear, herself too if she stands there
        ({"right": ["Qd", "6c"], "left": ["5c", "-"]}, "7c", {"right": 12, "right.rear": 7, "left": 5}),
        ({"right": ["9d", "Qc"]}, "7c", {"right": 9, "right.rear": 13}),
        ({"right": ["Qd", "Qc"]}, "7c", {"right": 12, "right.rear": 14}),
        # all together
        ({"right": ["Qd", "6c"], "left": ["Kd", "-"]}, "Kc", {"right": 13, "right.rear": 8, "left": 14}),
    ],
)  # fmt: skip
def test_the_effective_value_of_an_enemy(armies: dict[str, Any], top: str, badges: dict[str, int]) -> None:
    match = table(tower=[top, "~2h"], **armies, hand=FEW)
    for place, badge in badges.items():
        item = enemy(match, place if "." in place else f"{place}.front")
        assert item.badge == str(badge)
        cost = badge + (1 if place.endswith("rear") else 0)
        assert item.note.startswith(f"You need {cost} to beat it.")


@pytest.mark.parametrize(
    ("armies", "top", "figure"),
    [
        ({}, "7c", "0 against 7"),  # nobody attacks
        ({"right": ["5h", "-"], "left": ["3d", "-"], "top": ["Ts", "-"]}, "7c", "8 against 7"),  # ALC-37
        ({"right": ["9d", "6c"]}, "7c", "14 against 7"),  # ALC-39
        ({"right": ["-", "Td"]}, "7c", "9 against 7"),  # ALC-41
        ({"right": ["-", "Tc"]}, "7c", "0 against 7"),  # a lone rear of the tower's colour
        ({"right": ["-", "~Td"]}, "7c", "0 against 7"),
        ({"right": ["9d", "~6c"]}, "7c", "9 against 7"),  # face down it supports nobody
        ({"right": ["9c", "Kd"]}, "7c", "0 against 7"),  # the front decides
        ({"right": ["Jc", "-"]}, "7c", "11 against 7"),  # a face card whatever its colour
        ({"right": ["Ac", "-"]}, "7c", "0 against 7"),  # an ace is none
        ({"right": ["Ah", "-"]}, "7c", "14 against 7"),
        ({"right": ["-", "Qc"]}, "7c", "12 against 7"),  # 12 + 1 of her own - 1
        ({"right": ["9d", "6c"]}, "Kc", "12 against 9"),  # the Knight: 8 + 5 - 1
        ({"right": ["9d", "-"]}, "Ac", "9 against 9"),
    ],
)
def test_the_strength_of_an_attack(armies: dict[str, Any], top: str, figure: str) -> None:
    assert attack(table(tower=[top, "~2h"], **armies, hand=FEW)) == figure


def test_necromancers_count_unless_a_wizard_cancels_them() -> None:
    hand = ["Kh", "4h"]
    move = "advantage Kh paying 4h"
    assert refused(table(hand=hand), move) == ""
    for right in (["Ac", "-"], ["2c", "As"], ["-", "Ad"]):
        assert refused(table(hand=hand, right=right), move) == "ALC-60"
        assert refused(table(hand=hand, right=right, tower=["Ah", "~2h"]), move) == ""
    assert refused(table(hand=hand, right=["~Ac", "-"]), move) == ""


@pytest.mark.parametrize("advantages", [[], ["Kd"], ["Ad"], ["Ad", "Kd"]])
def test_power_frees_the_colour_and_a_shield_adds_one_each(advantages: list[str]) -> None:
    match = table(right=["Th", "-"], hand=["5s", "4s", "9d", "Kc", "Ac"], advantages=advantages)
    power, shield = "Ad" in advantages, "Kd" in advantages
    assert refused(match, "defend right.front with 5s 4s") == ("" if shield else "ALC-20")  # 9, or 11 of 10
    assert refused(match, "defend right.front with Kc") == ("" if shield else "ALC-20")  # 9, or 10
    assert refused(match, "defend right.front with 9d 5s") == ("" if power else "ALC-19")
    assert refused(match, "defend right.front with 9d") == (
        "ALC-19" if not power else "" if shield else "ALC-20"
    )
    assert refused(match, "defend right.front with Ac 9d") == "ALC-66c"

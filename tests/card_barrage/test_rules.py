"""Card Barrage's turns: draw, build, upgrade, attack, replacement, the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bartizan.engine.errors import BadPosition
from bartizan.match import Match
from tests.card_barrage.tables import after, duel, player, refused, table

# --- Set-up (CB-6 to CB-14) ---------------------------------------------------


@pytest.mark.parametrize(
    ("people", "options", "castles", "sides", "walls"),
    [
        (1, {}, 2, 2, 5),
        (2, {}, 2, 2, 5),
        (3, {}, 4, 2, 4),
        (3, {"odd_players": "third_side"}, 3, 3, 4),
        (4, {}, 4, 2, 4),
        (5, {}, 6, 2, 3),
        (5, {"odd_players": "third_side"}, 5, 3, 3),
        (6, {}, 6, 2, 3),
    ],
)
def test_set_up(people: int, options: dict[str, object], castles: int, sides: int, walls: int) -> None:
    for decks in (0, 1, 3):
        match = Match("card-barrage", {**options, "decks": decks}, people, "77")
        players = match.position()["players"]
        assert len(players) == castles
        assert [len(each["walls"]) for each in players] == [walls] * castles
        assert sum("deck" in each for each in players) == sides
        wilds = 2 * (decks or (people + 1) // 2)
        assert [each["castle"] for each in players].count("W") == min(wilds, castles)
        assert all(each["castle"] in ("W", "1k", "1s", "1t", "1v") for each in players)
        drawn = [len(each["hand"]) for each in players]
        if people == 1:
            assert drawn[0] in (4, 5)
            assert drawn[1] == 0
        else:
            assert sorted(drawn) == [4] * (castles - 1) + [5]  # who begins has drawn


def test_the_cards_are_divided_evenly_and_the_rest_lies_aside() -> None:
    options = {"odd_players": "third_side", "decks": 1}
    match = Match("card-barrage", options, 3, "77")
    totals = Counter[int]()
    for seat, each in enumerate(match.position()["players"]):
        totals[seat % 3] += len(each["hand"]) + len(each["walls"]) + len(each["deck"])
    assert set(totals.values()) == {17}  # 54 cards, two wild castles and one of value 1
    assert match.view().aside.count == 0
    five = Match("card-barrage", options, 5, "77").view()
    assert five.aside.count == (54 - 5) % 3


def test_the_second_person_runs_the_extra_seat() -> None:
    for people, extra in ((3, 4), (5, 6)):
        match = Match("card-barrage", None, people, "3")
        deciders: dict[int, set[int]] = {}
        while match.round < 3 and not match.is_over:
            deciders.setdefault(match.position()["to_move"], set()).add(match.seat_to_move)
            match.play("end")
        assert deciders == {seat: {seat if seat <= people else 2} for seat in range(1, extra + 1)}


def test_walls_are_chosen_from_nine() -> None:
    match = Match("card-barrage", {"wall_setup": "chosen_from_9"}, 2, "5")
    assert match.position()["phase"] == "walls"
    assert [len(player(match, seat)["hand"]) for seat in (1, 2)] == [9, 9]
    for seat in (1, 2):
        for slot in range(1, 6):
            assert match.seat_to_move == seat
            match.play(f"build {player(match, seat)['hand'][0]} at {slot}")
    assert match.position()["phase"] == "turn"
    assert sorted(len(player(match, seat)["hand"]) for seat in (1, 2)) == [4, 5]
    assert "-" not in player(match, 1)["walls"] + player(match, 2)["walls"]


# --- Drawing (CB-16, CB-17) ---------------------------------------------------


def test_one_card_is_drawn_or_two_with_fewer_than_three() -> None:
    match = duel(two={"hand": ["2s", "9k"]})
    match.play("end")
    assert sorted(player(match, 2)["hand"]) == sorted(["2s", "9k", "8k", "8s"])
    match = duel(two={"hand": ["2s", "9k", "3v"]})
    match.play("end")
    assert sorted(player(match, 2)["hand"]) == sorted(["2s", "9k", "3v", "8k"])


def test_the_own_discard_becomes_the_deck_in_the_middle_of_two_cards() -> None:
    match = duel(two={"hand": [], "deck": ["8k"], "discard": ["1k"]}, rest="aside")
    match.play("end")
    assert sorted(player(match, 2)["hand"]) == ["1k", "8k"]
    assert player(match, 2)["discard"] == player(match, 2)["deck"] == []


def test_without_any_card_nothing_is_drawn() -> None:
    match = duel(two={"hand": ["2s"], "deck": []}, rest="aside")
    match.play("end")
    assert player(match, 2)["hand"] == ["2s"]


def test_a_hand_limit_stops_drawing() -> None:
    match = duel(two={"hand": ["2s", "9k"]}, options={"hand_limit": 3})
    match.play("end")
    assert sorted(player(match, 2)["hand"]) == sorted(["2s", "9k", "8k"])


# --- Building and upgrading (CB-18 to CB-20) ----------------------------------


def test_building_costs_the_attack_and_comes_before_upgrading() -> None:
    match = duel(one={"walls": ["3t", "6k", "-", "2v", "-"]})
    assert refused(match, "build 4k at 1") == "CB-18"  # a wall stands there
    assert refused(match, "build 1k at 3") == "CB-18"  # not in hand
    match.play("build 4k at 3")
    assert player(match, 1)["walls"] == ["3t", "6k", "4k", "2v", "-"]
    assert refused(match, "build 6v at 5") == "CB-18"  # once a turn
    assert refused(match, "report 6v miss") == "CB-18"
    match.play("upgrade 1 with 13t")
    assert sorted(player(match, 1)["hand"]) == ["3t", "6v"]
    assert match.legal_texts() == ["end"]


def test_nothing_is_built_after_upgrading() -> None:
    match = duel(one={"walls": ["3t", "6k", "-", "2v", "12v"]})
    match.play("upgrade 1 with 13t")
    assert refused(match, "build 4k at 3") == "CB-15"
    assert refused(match, "upgrade 2 with 4k") == "CB-19"
    assert refused(match, "report 4k miss") == ""


def test_a_moved_wall_is_put_straight_or_left() -> None:
    match = duel(one={"moved": [1, 2]})
    assert refused(match, "upgrade 3 with 4k leave") == "CB-20"
    match.play("upgrade 1 with 4k")
    assert player(match, 1)["moved"] == [2]
    match.undo()
    match.play("upgrade 1 with 4k leave")
    assert player(match, 1)["moved"] == [1, 2]


def test_an_upgrade_may_have_to_be_higher() -> None:
    match = duel(options={"upgrade_must_be_higher": True})
    assert refused(match, "upgrade 2 with 6v") == "CB-19"
    assert refused(match, "upgrade 2 with 13t") == ""


# --- Attacking (CB-21 to CB-39) -----------------------------------------------


def test_a_miss_goes_to_the_own_discard_and_only_ending_is_left() -> None:
    match = duel()
    position = after(match, "report 6v miss moved 2.1 1.2")
    assert player(match, 1)["discard"] == ["6v"]
    assert [each["moved"] for each in position["players"]] == [[2], [1]]
    assert position["players"][0]["points"] == 0
    assert match.legal_texts() == ["end"]
    assert refused(match, "report 4k miss") == "CB-21"


def test_a_hit_scores_the_wall_and_is_replaced_by_equal_or_lower() -> None:
    match = duel(two={"hand": ["2s", "9k", "7v"]})
    position = after(match, "report 6v hit 2.1")
    assert position["phase"] == "replace"
    assert position["open"] == {"2.1": "7t"}
    assert (player(match, 1)["points"], player(match, 1)["pile"]) == (1, ["7t"])
    assert match.seat_to_move == 2
    assert refused(match, "replace 1 with 9k") == "CB-42"
    assert sorted(match.legal_texts()) == ["replace 1 with 2s", "replace 1 with 7v"]
    match.play("replace 1 with 7v")
    assert player(match, 2)["walls"][0] == "7v"
    assert match.legal_texts() == ["end"]


def test_without_a_card_that_fits_the_slot_becomes_empty() -> None:
    match = duel(two={"hand": ["9k"]})
    match.play("report 6v hit 2.1")
    assert player(match, 2)["walls"][0] == "-"
    assert match.legal_texts() == ["end"]


def test_a_perfect_hit_is_not_replaced() -> None:
    match = duel()
    match.play("report 6v hit 2.1 perfect")
    assert player(match, 2)["walls"][0] == "-"
    assert player(match, 1)["points"] == 1
    after(match, "end")
    assert refused(match, "build 2s at 1") == ""
    lost = duel(options={"perfect_slot": "lost"})
    after(lost, "report 6v hit 2.1 perfect", "end")
    assert player(lost, 2)["lost"] == [1]
    assert refused(lost, "build 2s at 1") == "CB-44"


def test_two_points_for_two_cards_and_all_scoring_before_replacement() -> None:
    match = duel()
    position = after(match, "report 6v hit 2.1 2.castle")
    assert position["phase"] == "give"
    assert position["gives"] == [2]
    assert player(match, 1)["points"] == 2
    position = after(match, "give 2s")  # and the 9k does not fit
    assert position["players"][0]["pile"] == ["2s", "7t"]
    assert position["players"][1]["walls"][0] == "-"


def test_each_wall_of_a_pair_has_its_own_consequence() -> None:
    match = duel(two={"hand": ["1s", "1k"]})
    position = after(match, "report 6v hit 2.1 2.2 perfect moved 2.4")
    assert position["open"] == {"2.1": "7t"}
    assert position["players"][1]["moved"] == [4]
    match.play("replace 1 with 1k")
    assert player(match, 2)["walls"][:2] == ["1k", "-"]


def test_the_lowest_seat_decides_first_when_two_are_hit() -> None:
    hands = [
        {"hand": ["4k", "6v"]},
        {"hand": ["2s"]},
        {"hand": ["3k"]},
        {"hand": ["5v"], "walls": ["6t"] * 1 + ["7s", "8t", "8v"]},
    ]
    match = table(4, *hands)
    after(match, "report 6v hit 2.castle 4.1")
    assert (match.seat_to_move, match.position()["gives"]) == (2, [2])
    after(match, "give 2s")
    assert match.seat_to_move == 4
    assert match.legal_texts() == ["replace 1 with 5v"]


@pytest.mark.parametrize(
    ("move", "clause"),
    [
        ("report 6v hit 1.2", "CB-25"),  # an own wall
        ("report 6v hit 3.2", "CB-25"),  # no such seat
        ("report 6v hit 2.3", "CB-34"),  # an empty slot
        ("report 1v hit 2.1", "CB-21"),  # not in hand
        ("report 6v hit 2.castle perfect", "CB-36"),
        ("report 6v hit 2.1 2.1", "CB-37"),
        ("report 6v hit 2.1 moved 2.1", "CB-32"),
        ("report 6v miss moved 2.3", "CB-32"),
        ("report 6v miss moved 2.castle", "CB-33"),
        ("report W miss", "CB-9"),
        ("report 6v hit 2.7", "CB-11"),
    ],
)
def test_reports_that_cannot_be_true(move: str, clause: str) -> None:
    match = duel(two={"walls": ["7t", "4v", "-", "6s", "10t"]})
    assert refused(match, move) == clause


@pytest.mark.parametrize(
    ("option", "points", "pile"),
    [("point", 1, []), ("nothing", 0, []), ("deck_card", 1, ["8k"])],
)
def test_a_castle_hit_with_an_empty_hand(option: str, points: int, pile: list[str]) -> None:
    match = duel(two={"hand": []}, options={"castle_hit_empty": option})
    match.play("report 6v hit 2.castle")
    assert (player(match, 1)["points"], player(match, 1)["pile"]) == (points, pile)


# --- The end (CB-22 to CB-24) -------------------------------------------------


def test_ten_points_end_the_game_after_the_round() -> None:
    match = duel(one={"points": 9}, two={"hand": ["9k", "13v"]})
    match.play("report 6v hit 2.1")
    assert not match.position()["ending"]
    match.play("end")
    assert match.position()["ending"]
    assert match.seat_to_move == 2
    after(match, "report 9k miss", "end")
    assert match.is_over
    assert match.result() == "1"
    assert match.returns() == [1, -1]


def test_the_last_seat_of_a_round_ends_it_at_once() -> None:
    match = duel(one={"points": 9}, two={"hand": ["9k"]}, first=2)
    after(match, "report 6v hit 2.1", "end")
    assert match.is_over


BARE = ["-"] * 5


@pytest.mark.parametrize(("option", "ends"), [("seat", True), ("whole_side", True), ("off", False)])
def test_a_stormed_castle_triggers_the_end(option: str, ends: bool) -> None:
    match = duel(two={"hand": [], "walls": BARE}, first=2, options={"castle_trigger": option})
    after(match, "report 6v hit 2.castle", "end")
    assert match.is_over == ends


def test_the_last_wall_and_the_castle_in_one_throw_storm_nothing() -> None:
    match = duel(two={"hand": [], "walls": ["7t", *BARE[1:]]}, first=2)
    after(match, "report 6v hit 2.1 2.castle", "end")
    assert not match.is_over
    assert match.position()["stormed"] == []


def test_the_whole_side_may_have_to_be_bare() -> None:
    bare = {"hand": [], "walls": ["-"] * 4}
    for option, ending in (("seat", True), ("whole_side", False)):
        match = table(4, None, bare, options={"castle_trigger": option})
        match.play("report 6v hit 2.castle")
        assert match.position()["ending"] == ending


def test_storming_wins_only_by_the_option() -> None:
    for wins, winner in ((False, "2"), (True, "1")):
        match = duel(
            one={"points": 1},
            two={"hand": [], "walls": BARE, "points": 5},
            first=2,
            options={"castle_trigger_wins": wins},
        )
        after(match, "report 6v hit 2.castle", "end")
        assert match.result() == winner


def ended(one: list[str], two: list[str], **options: object) -> Match:
    """Return a finished duel with equal points and these score piles."""
    match = duel(
        one={"points": 10, "pile": one}, two={"points": 10, "pile": two}, first=2, options=dict(options)
    )
    match.play("end")
    return match


def test_values_then_domains_break_a_tie_then_it_is_shared() -> None:
    assert ended(["8v"], ["7v"]).result() == "1"
    assert ended(["8t"], ["3k", "5v"]).result() == "2"
    shared = ended(["8t"], ["8v"])
    assert shared.result() == "1, 2"
    assert shared.position()["winner"] == [1, 2]
    assert shared.returns() == [0, 0]
    assert ended(["8v"], ["7v"], tiebreak="shared").result() == "1, 2"


def test_points_by_seat() -> None:
    options = {"target_per": "seat", "target": 3}
    match = table(4, {"points": 2}, {"hand": ["9k"]}, {"points": 2}, {"points": 1}, first=2, options=options)
    assert "points" in player(match, 3)
    assert match.position()["ending"] is False
    after(match, "report 6v hit 2.2", "end")
    assert match.is_over
    assert match.position()["winner"] == [1, 3]
    side = table(4, {"points": 2}, None, {}, first=2, options={"target": 3})
    assert "points" not in player(side, 3)


def test_a_game_ends_after_the_cap() -> None:
    match = Match("card-barrage", {"turn_cap": 3}, 2, "8")
    for _ in range(6):
        match.play("end")
    assert match.is_over


# --- Positions that cannot be -------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "one", "position"),
    [
        ("CB-2", {"hand": ["7t"]}, {}),
        ("CB-9", {"hand": ["W"]}, {}),
        ("CB-9", {"castle": "7v"}, {}),
        ("CB-11", {"walls": ["3t"]}, {}),
        ("CB-12", {}, {"phase": "walls"}),
        ("CB-18", {}, {"built": True, "attacked": True}),
        ("CB-24", {}, {"phase": "over"}),
        ("CB-32", {"walls": ["3t", "-", "9s", "2v", "12v"], "moved": [2]}, {}),
        ("CB-38", {}, {"phase": "give", "gives": [1]}),
        ("CB-40", {}, {"phase": "effect", "scored": ["1k"]}),
        ("CB-42", {}, {"phase": "replace", "to_move": 2, "active": 1, "open": {"2.1": "3v"}}),
        ("CB-44", {"lost": [1]}, {}),
        ("CB-46", {}, {"phase": "reveal"}),
    ],
)
def test_positions_are_refused(clause: str, one: dict[str, Any], position: dict[str, Any]) -> None:
    with pytest.raises(BadPosition) as caught:
        duel(one=one, **position)
    assert clause in [fault for fault, _ in caught.value.faults]

"""The decisions that came from playing the rules out, one small position each."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from bartizan.engine import registry
from tests.alcazar.tables import STILL, after, attack, enemy, refused, table, zone

# --- Sets and payments (Q14) -------------------------------------------------


def test_each_set_is_listed_once_and_pays_in_its_written_order() -> None:
    hand = ["6h", "5h", "4d", "3d"]
    match = table(right=["8s", "-"], hand=hand, discard=[])
    sets = [
        frozenset(text.split()[3:]) for text in match.legal_texts() if text.startswith("defend right.front")
    ]
    assert len(sets) == len(set(sets)) > 3
    for order in permutations(["5h", "4d", "3d"]):
        match = table(right=["8s", "-"], hand=hand, discard=[])
        move = f"defend right.front with {' '.join(order)}"
        assert match.play(move) == move
        assert match.position()["discard"] == ["8s", *reversed(order)]


# --- Advantages that leave or are replaced (Q19) -----------------------------


@pytest.mark.parametrize(("first", "second"), [("Qh", "Ks"), ("Ks", "Qh")])
def test_the_player_says_which_advantage_leaves_first_and_both_leave_before_the_sixth_card(
    first: str, second: str
) -> None:
    match = table(
        {"lost_tower_card": "discard", **STILL},
        phase="necromancer",
        tower=["7c", "~2h", "~3h", "~4h", "~5h", "~6h"],
        right=["Ac", "-"],
        hand=["5d"],
        advantages=["Qh", "Ks"],
        discard=[],
    )
    assert sorted(match.legal_texts()) == ["discard Ks", "discard Qh"]
    position = after(match, f"discard {first}")
    assert position["discard"] == ["7c", second, first]
    assert (position["advantages"], len(position["tower"]), position["phase"]) == ([], 5, "action")


def test_any_advantage_may_be_replaced_if_the_result_is_legal() -> None:
    def fresh(*advantages: str, replace: bool = True) -> Any:
        return table(
            {"advantage_replace": replace},
            hand=["Jh", "Kh", "2h"],
            tower=["7c", "~2s"],
            advantages=list(advantages),
            discard=[],
        )

    position = after(fresh("Qh", "Kd"), "advantage Jh paying 2h replacing Kd")
    assert position["advantages"] == ["Qh", "Jh"]
    assert position["discard"] == ["Kd", "2h"]  # the payment first
    assert after(fresh("Qh", "Kd"), "advantage Kh paying 2h replacing Kd")["advantages"] == ["Qh", "Kh"]
    assert after(fresh("Qh"), "advantage Jh paying 2h replacing Qh")["advantages"] == ["Jh"]
    assert refused(fresh("Qh", "Kd"), "advantage Kh paying 2h replacing Qh") == "ALC-33"
    assert refused(fresh("Qh", "Kd"), "advantage Jh paying 2h") == "ALC-32"
    assert refused(fresh("Qh", "Kd", replace=False), "advantage Jh paying 2h replacing Kd") == "ALC-32"


# --- What comes first (ALC-14, Fortify, Bard) --------------------------------


def test_an_advancing_thief_steals_before_the_new_rear_card_comes() -> None:
    match = table(
        STILL, phase="movement", right=["-", "~Jd"], hand=["2s", "3s", "4s", "5s", "6s"], deck=["9d"]
    )
    assert match.position()["phase"] == "thief"
    assert match.position()["resume"] == "movement right.rear"
    assert match.position()["right"] == ["Jd", "-"]
    position = after(match, "discard 6s")
    assert position["right"] == ["Jd", "~9d"]


def test_an_advancing_joker_strikes_before_the_new_rear_card_comes() -> None:
    match = table(
        {"havoc": True, "total_victory": True, **STILL},
        phase="movement",
        right=["-", "~*"],
        hand=["2s", "3s", "4s", "5s", "6s"],
        deck=[],
        rest="aside",
    )
    position = match.position()
    assert position["right"] == ["-", "~7c"]  # the lost top was the deck's only card
    assert position["tower"] == ["2h", "~3h"]


def test_the_queen_is_put_down_before_what_the_new_top_does() -> None:
    options = {"havoc": True, "lost_tower_card": "discard"}
    match = table(options, tower=["7c", "~*", "~3h", "~9s"], hand=["Qh", "5d"], discard=[])
    position = after(match, "fortify Qh paying 5d")
    assert position["discard"] == ["3h", "Qh", "5d"]
    assert position["tower"] == ["9s", "~7c"]


@pytest.mark.parametrize(
    ("hand", "deck", "offered", "left"),
    [
        (["2d", "3d"], ["5d", "6d"], True, 3),  # one card brings three
        (["2d"], ["5d", "6d", "8d"], False, 3),  # two are needed
        (["2d", "3d", "4d", "5d"], ["6d", "8d"], True, 5),
        (["2d", "3d", "4d"], ["*", "6d"], True, 3),  # the Joker was the one card
        (["2d", "3d"], ["*", "6d", "8d"], False, 3),  # the Joker and another
        (["2d", "3d", "4d", "5d", "6d", "8d"], ["9d", "Td"], False, 7),  # no room
        (["2d", "3d", "4d", "5d", "6d", "8d", "9d"], ["Td"], False, 7),  # nothing taken
    ],
)
def test_the_bard_offers_a_second_card_after_exactly_one(
    hand: list[str], deck: list[str], offered: bool, left: int
) -> None:
    match = table(
        {"havoc": True, **STILL}, phase="movement", tower=["Qc", "~2h"], hand=hand, deck=deck, discard=[]
    )
    assert match.position()["phase"] == ("draw" if offered else "action")
    assert len(match.position()["hand"]) == left
    if offered:
        assert match.legal_texts() == ["draw", "stay"]
        assert len(after(match, "draw")["hand"]) == left + 1


# --- Total Victory and win timing --------------------------------------------


@pytest.mark.parametrize("timing", ["immediate", "end_of_round", "failed_draw"])
def test_total_victory_ignores_win_timing_and_looks_after_actions_not_after_the_draw(timing: str) -> None:
    empty = {army: ["-", "-"] for army in ("right", "left", "top")}
    options = {"total_victory": True, "win_timing": timing, "first_round_movement": "skip"}
    match = table(
        options, phase="movement", **empty, hand=["2d", "3d", "6c"], deck=["5d"], rest="aside", discard=[]
    )
    assert (match.position()["passes"], match.position()["phase"]) == (1, "action")
    assert match.position()["deck"] == []
    ended = table(
        options, phase="movement", **empty, hand=["2d", "3d", "6c"], deck=["5d"], rest="aside", discard=[]
    )
    assert after(match, "repair with 6c")["winner"] == "player"  # an action is complete
    assert after(ended, "end")["winner"] == "player"


@pytest.mark.parametrize("timing", ["immediate", "end_of_round", "failed_draw"])
def test_total_victory_is_not_won_while_an_enemy_is_face_up(timing: str) -> None:
    match = table(
        {"total_victory": True, "win_timing": timing, **STILL},
        passes=1,
        hand=["2d", "6c"],
        deck=[],
        rest="aside",
    )
    assert after(match, "repair with 6c")["winner"] == "none"


def test_a_refill_that_fails_counts_as_a_failed_draw() -> None:
    hand = ["2d", "3d", "4d", "5d", "6d"]  # full: the draw step takes nothing
    for army in ("right", "left", "top"):
        match = table(
            {"win_timing": "failed_draw", **STILL},
            phase="movement",
            **{army: ["-", "~2s"]},
            hand=hand,
            deck=[],
            rest="aside",
        )
        assert match.position()["winner"] == "player"
    standing = table(
        {"win_timing": "failed_draw", **STILL}, phase="movement", hand=hand, deck=[], rest="aside"
    )
    assert standing.position()["winner"] == "none"


# --- Options in detail -------------------------------------------------------


def test_a_reinforcement_leaves_the_special_unused_where_there_is_one_of_each() -> None:
    def fresh(actions: Any, done: list[str]) -> Any:
        return table(
            {"actions_per_turn": actions},
            hand=["Jh", "Kh", "4h", "5h"],
            tower=["7c", "~2s"],
            discard=["9c"],
            done=done,
        )

    match = fresh("one_of_each", [])
    assert after(match, "reinforce Jh taking 9c paying 5h")["done"] == []
    assert refused(match, "advantage Kh paying 4h") == ""
    assert after(match, "advantage Kh paying 4h")["done"] == ["special"]
    assert refused(fresh("one_of_each", ["special"]), "reinforce Jh taking 9c paying 5h") == "ALC-17"
    assert refused(fresh("one_of_each", ["defend", "repair"]), "reinforce Jh taking 9c paying 5h") == ""
    three = fresh(3, ["defend", "repair"])
    assert after(three, "reinforce Jh taking 9c paying 5h")["done"] == ["defend", "repair", "special"]
    assert refused(three, "advantage Kh paying 4h") == "ALC-17"
    assert refused(fresh("unlimited", ["special"] * 5), "reinforce Jh taking 9c paying 5h") == ""


def test_attackers_only_means_fronts_and_lone_rears_of_any_colour() -> None:
    armies = {"right": ["2h", "5s"], "left": ["Kc", "-"], "top": ["-", "6d"]}
    everyone = table(None, tower=["7c", "~2s"], **armies, hand=["2d"])
    attackers = table({"modifier_scope": "attackers_only"}, tower=["7c", "~2s"], **armies, hand=["2d"])
    places = ("right.front", "right.rear", "left.front", "top.rear")
    assert [enemy(everyone, place).badge for place in places] == ["4", "7", "15", "8"]
    assert [enemy(attackers, place).badge for place in places] == ["4", "5", "15", "8"]
    knight = table({"modifier_scope": "attackers_only"}, tower=["Ks", "~2c"], **armies, hand=["2d"])
    assert [enemy(knight, place).badge for place in places] == ["3", "5", "14", "7"]
    assert attack(everyone) == "32 against 7"  # 4 + (7 - 1), the Warlord's 15, a lone 8 - 1
    assert attack(attackers) == "30 against 7"


DISCARD = {"havoc": True, "lost_tower_card": "discard", **STILL}


def test_a_lost_card_goes_to_the_discard_for_jokers_too() -> None:
    as_enemy = table(
        DISCARD, phase="movement", right=["-", "~*"], hand=["2s", "3s", "5s", "6s", "8s"], discard=[]
    )
    assert as_enemy.position()["discard"] == ["7c"]
    in_tower = table(
        DISCARD, tower=["7c", "~*", "~3h", "~9s"], right=["Td", "-"], hand=["2s", "3s", "5s"], discard=[]
    )
    position = after(in_tower, "end")
    assert position["discard"] == ["3h", "7c"]
    assert position["tower"] == ["9s"]
    assert position["aside"] == ["*"]


def test_an_unseen_joker_goes_under_the_deck_all_the_same() -> None:
    match = table(
        DISCARD, tower=["7c", "~*", "~*", "~9s"], right=["Td", "-"], hand=["2s", "3s", "5s"], discard=[]
    )
    position = after(match, "end")
    assert position["discard"] == ["7c"]
    assert position["deck"][-1] == "*"
    assert position["tower"] == ["9s"]


def test_the_drain_may_take_the_card_that_was_just_lost() -> None:
    match = table(DISCARD, right=["Qd", "-"], hand=["3s", "5s", "6s"], discard=["2s"])
    position = after(match, "end")
    assert position["discard"] == []
    assert position["deck"][-2:] == ["7c", "2s"]


def test_surplus_strength_carries_on_without_reading_colours_again() -> None:
    armies = {"right": ["Td", "-"]}
    tower = ["5c", "~3h", "~9d", "~2d"]
    carried = table({"overflow": "carry", **STILL}, tower=tower, **armies, hand=["3s", "5s", "6s"])
    assert after(carried, "end")["tower"] == [
        "9d",
        "~2d",
    ]  # 10 - 5 - 3 leaves 2, though 3h is red like the Td
    plain = table(STILL, tower=tower, **armies, hand=["3s", "5s", "6s"])
    assert after(plain, "end")["tower"] == ["3h", "~9d", "~2d"]


def test_an_army_that_comes_back_whole_opens_its_front_at_once() -> None:
    hand = ["3s", "5s", "6s", "8s", "9s"]
    both = table(
        {"both_empty": "both", **STILL}, phase="movement", right=["-", "-"], hand=hand, deck=["6d", "9d"]
    )
    assert both.position()["right"] == ["6d", "~9d"]
    rear = table(STILL, phase="movement", right=["-", "-"], hand=hand, deck=["6d", "9d"])
    assert rear.position()["right"] == ["-", "~6d"]


# --- The rest ----------------------------------------------------------------


def test_two_unused_reinforcements_return_in_the_order_taken() -> None:
    match = table(STILL, hand=["Jh", "Jd", "4h", "5d"], discard=["9c", "8c"])
    moves = ["reinforce Jh taking 8c paying 4h", "reinforce Jd taking 9c paying 5d"]
    position = after(match, *moves)
    assert position["borrowed"] == ["8c", "9c"]
    assert {item.face for item in zone(match, "hand").items if "borrowed" in item.flags} == {"8c", "9c"}
    assert after(match, "end")["discard"] == ["9c", "8c", "Jd", "5d", "Jh", "4h"]


def test_a_chain_of_bad_luck_cannot_win_and_lose_at_once() -> None:
    hand = ["3s", "5s", "6s", "8s", "9s"]
    match = table(
        {"havoc": True, **STILL},
        phase="movement",
        tower=["7c"],
        right=["-", "~*"],
        hand=hand,
        deck=["2d"],
        rest="aside",
    )
    position = match.position()
    assert (position["winner"], position["tower"], position["deck"]) == ("loss", [], ["2d", "7c"])
    result = match.views.scene(1).result
    assert result is not None
    assert result.outcome.clause == "ALC-68"


def test_the_option_keys_are_complete() -> None:
    specs = {spec.key: spec for spec in registry.get("alcazar").options}
    assert list(specs) == [
        "havoc", "endless_night", "total_victory", "first_round_movement", "empty_rear",
        "actions_per_turn", "win_timing", "trade_limit", "necromancer_blocks", "modifier_scope",
        "lost_tower_card", "reinforcement", "overpay", "advantage_replace", "traitor_ties",
        "special_repair", "revive_range", "both_empty", "overflow", "drain_per_face_card", "round_cap",
    ]  # fmt: skip
    assert specs["round_cap"].default == 200
    assert specs["drain_per_face_card"].default is False
    assert [key for key, spec in specs.items() if spec.worth_comparing] == list(specs)[:13]

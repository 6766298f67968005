"""What each option changes."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.engine.errors import UnknownOption
from bartizan.match import Match
from tests.card_cassonne.tables import after, points, refused, supplies, table
from tests.card_cassonne.test_rules import BLOCK, HOLE, ROW

CORNER = {"0,0": "7h", "1,0": "2h", "1,1": "9h"}


def test_same_suit_placed_asks_for_the_cards_own_suit() -> None:
    hand = ["2c", "8c", "Ah"]
    touched = table(CORNER, hand)
    placed = table(CORNER, hand, {"same_suit": "placed"})
    assert [refused(touched, f"play {card} at 0,1") for card in hand] == ["", "", ""]
    assert [refused(placed, f"play {card} at 0,1") for card in hand] == ["CC-15", "", ""]
    assert [refused(placed, f"play {card} at 0,-1") for card in hand] == ["", "", ""]  # one card touched


def test_a_low_ace_counts_one() -> None:
    board = {"0,0": "7h", "1,0": "2h", "1,1": "Td"}
    aces = {"0,0": "Ah", "1,0": "2h", "1,1": "Td"}
    assert refused(table(aces, ["5c"]), "play 5c at 0,1") == "CC-15"  # 10 to 14
    assert refused(table(aces, ["5c"], {"ace": "low"}), "play 5c at 0,1") == ""  # 1 to 10
    assert refused(table(board, ["Ac"], {"ace": "low"}), "play Ac at 0,1") == "CC-15"


def test_edges_count_a_space_once_for_each_card() -> None:
    """Two hearts around a corner share the place 0,1."""
    board = {"0,0": "7h", "1,0": "2h", "1,1": "9h"}
    cells = Match("card-cassonne", None, 2, "1", {"board": board}).view()
    edges = Match("card-cassonne", {"count": "edges"}, 2, "1", {"board": board}).view()
    assert (cells.spaces[cells.area[0]], edges.spaces[edges.area[0]]) == (7, 8)


def scoring(options: dict[str, Any], **more: Any) -> Match:
    """Return a table at its scoring step: seat 2 has a token in the block, the card lay away from it."""
    match = table(BLOCK, ["2c", "9s", "Ah"], options, tokens={"0,0": 2}, **more)
    match.play("play 2c at 3,1")
    match.play("no token")
    return match


def test_partial_scoring_limits_the_choice() -> None:
    assert "score 0,0" in scoring({}).legal_texts()
    for scope in ("touched", "own_token"):
        assert scoring({"partial_scoring": scope}).position()["phase"] == "play"  # nothing to choose
    near = table(BLOCK, ["9c", "9s", "Ah"], {"partial_scoring": "touched"}, tokens={"0,0": 2})
    assert after(near, "play 9c at 0,2", "no token")["phase"] == "score"
    mixed = table(
        {**BLOCK, "-2,0": "4d"}, ["9c", "9s", "Ah"], {"partial_scoring": "own_token"}, tokens={"0,0": 1}
    )
    assert after(mixed, "play 9c at 3,0", "no token")["phase"] == "score"


@pytest.mark.parametrize("scope", ["touched", "own_token"])
def test_complete_areas_score_under_every_scope(scope: str) -> None:
    match = table({**HOLE, "0,3": "2c"}, ["8d"], {"partial_scoring": scope, "complete_bonus": 0})
    match.play("play 8d at 1,1")
    match.play("token")
    assert points(match)[0] == 1


@pytest.mark.parametrize("scope", ["touched", "own_token"])
def test_why_not_under_a_scope(scope: str) -> None:
    """The card leaves the club beside it one empty place; the block of hearts lies apart."""
    match = table(BLOCK, ["9h", "9s"], {"partial_scoring": scope}, tokens={"0,0": 2, "-1,0": 1})
    match.play("play 9h at -2,0")
    match.play("no token")
    assert match.legal_texts() == ["score -1,0", "done"]
    assert refused(match, "score 0,0") == "CC-22"


def test_the_end_may_come_with_the_deck() -> None:
    options = {"end": "deck_empty_round"}
    match = table(
        ROW, ["2c", "3c", "4c"], options, others={"hand": ["5c", "6c", "7c"]}, deck=["8c"], rest="aside"
    )
    match.play("play 2c at 0,1")
    match.play("no token")  # seat 1 draws the last card
    assert match.position()["phase"] == "play"
    match.play("play 5c at 0,2")
    match.play("no token")
    assert match.position()["phase"] == "over"
    assert [len(player["hand"]) for player in match.position()["players"]] == [3, 2]


def test_the_round_counts_from_the_first_seat() -> None:
    options = {"end": "deck_empty_round"}
    match = table(
        ROW, ["2c", "3c"], options, others={"hand": ["5c", "6c"]}, first=2, to_move=1, deck=[], rest="aside"
    )
    match.play("play 2c at 0,1")
    match.play("no token")
    assert match.position()["phase"] == "over"  # seat 2 began, so the round is complete


@pytest.mark.parametrize("bonus", [0, 1, 5])
def test_the_reward_for_completing(bonus: int) -> None:
    match = table(HOLE, ["8d", "9s", "Ah"], {"complete_bonus": bonus})
    match.play("play 8d at 1,1")
    assert points(match)[0] == bonus


def test_an_area_must_have_grown_by_two() -> None:
    options = {"rescore_growth": "must_have_grown_by_2"}
    match = table(BLOCK, ["Th", "9s", "Ah"], options, scored={"1,1": 4})
    match.play("play Th at 0,2")
    assert after(match, "token")["phase"] == "play"  # five cards, four when last scored
    match = table(BLOCK, ["Th", "9s", "Ah"], options, scored={"1,1": 3})
    position = after(match, "play Th at 0,2", "token", "score 0,0")
    assert points(match)[0] == 10
    assert position["scored"] == {"0,0": 5}


def test_the_largest_last_size_counts_when_areas_join() -> None:
    board = {**BLOCK, "0,3": "Jh", "1,2": "9c", "0,4": "2s", "1,3": "2d"}
    options = {"rescore_growth": "must_have_grown_by_2"}
    match = table(
        board, ["Th", "9s", "Ah"], options, scored={"0,3": 1, "0,0": 4}, tokens={"0,3": 2, "0,0": 1}
    )
    position = after(match, "play Th at 0,2")
    assert position["scored"] == {"0,0": 4}
    assert position["phase"] == "score"  # six cards are two more than four
    assert after(match, "score 0,0")["scored"] == {"0,0": 6}


def test_a_complete_area_scores_without_growing() -> None:
    options = {"rescore_growth": "must_have_grown_by_2", "complete_bonus": 0}
    fence = {"0,0": "7h", "1,0": "8s", "-1,0": "8s", "0,1": "8c"}
    match = table(fence, ["9d", "9s"], options, tokens={"0,0": 2}, scored={"0,0": 1})
    match.play("play 9d at 0,-1")
    match.play("no token")
    assert points(match) == [0, 1]


def test_a_token_may_have_to_wait_a_turn() -> None:
    options = {"rescore_growth": "token_waits_a_turn"}
    match = table(BLOCK, ["Th", "9s", "Ah"], options, others={"hand": ["2c", "3c", "4c"]})
    assert after(match, "play Th at 0,2", "token")["to_move"] == 2
    match.play("play 2c at 3,1")
    match.play("no token")
    assert after(match, "score 0,0")["tokens"] == {}
    assert points(match) == [10, 0]
    hole = table(HOLE, ["8d"], options)
    hole.play("play 8d at 1,1")
    hole.play("token")
    assert points(hole)[0] == 4  # a complete area does not wait


def test_why_a_token_waits() -> None:
    options = {"rescore_growth": "token_waits_a_turn"}
    match = table({**BLOCK, "-2,1": "2s"}, ["Th", "9s", "Ah"], options, tokens={"-1,1": 2})
    match.play("play Th at 0,2")
    match.play("token")
    assert match.legal_texts() == ["score -1,1", "done"]
    assert refused(match, "score 0,0") == "CC-30"


def test_final_partial_scoring_sends_tokens_home_first() -> None:
    board = {**BLOCK, "-2,0": "Kc"}
    tokens = {"0,0": 1, "-2,0": 2}
    for final, expected in ((False, [0, 3]), (True, [8, 3])):
        match = table(
            board, ["2s"], {"final_partial_scoring": final}, others={"hand": []}, tokens=tokens, rest="aside"
        )
        match.play("play 2s at 3,1")
        while not match.is_over:
            match.play(match.legal_texts()[-1])
        assert points(match) == expected
        assert supplies(match) == ([7, 6] if final else [6, 6])


def test_tokens_after_scoring() -> None:
    """The area just scored is open to the token; one in a complete area scores in the next turn."""
    options = {"token_before_score": False}
    match = table(BLOCK, ["Th", "9s", "Ah"], options, tokens={"0,0": 2})
    match.play("play Th at 0,2")
    assert match.position()["phase"] == "score"
    match.play("score 0,0")
    assert match.position()["phase"] == "token"
    assert after(match, "token")["tokens"] == {"0,2": 1}
    hole = table(HOLE, ["8d"], options, others={"hand": ["2c", "3c", "4c"]})
    hole.play("play 8d at 1,1")
    assert after(hole, "token")["tokens"] == {"1,1": 1}
    assert points(hole) == [3, 0]
    hole.play("play 2c at 3,1")
    assert points(hole) == [4, 0]


def test_tokens_sets_the_supply() -> None:
    assert supplies(Match("card-cassonne", {"tokens": 3}, 4)) == [3] * 4


# --- A bounded table ---------------------------------------------------------


def test_the_edge_of_the_table() -> None:
    match = table({"0,0": "7h", "1,0": "8s", "2,0": "9c"}, ["2c", "9s", "Ah"], {"board": "4x3"})
    assert refused(match, "play 2c at 3,0") == "CC-34"  # x runs from -1 to 2
    assert refused(match, "play 2c at -1,0") == ""
    assert refused(match, "play 2c at -2,0") == "CC-34"
    assert refused(match, "play 2c at 0,1") == ""
    assert refused(match, "play 2c at 0,2") == "CC-34"
    assert refused(match, "play 2c at 300,0") == "CC-34"
    view = match.view()
    assert view.spaces[view.area[2]] == 2  # above and below; nothing lies beyond the edge


FULL = {
    "0,0": "7h",
    "1,0": "2s",
    "-1,0": "2c",
    "0,1": "2d",
    "0,-1": "3d",
    "1,1": "2h",
    "-1,1": "3h",
    "1,-1": "4h",
}


def test_a_stuck_seat_is_passed_over_and_the_game_ends_when_all_are() -> None:
    """One place is left, beside 2c and 3d: only a 2 or a 3 goes there."""
    match = table(FULL, ["9c", "9s"], {"board": "3x3"}, others={"hand": ["3s", "Kc"]}, rest="aside")
    assert match.seat_to_move == 2
    assert refused(match, "play Kc at -1,-1") == "CC-15"
    match.play("play 3s at -1,-1")
    while not match.is_over:
        match.play("no token")
    assert [len(player["hand"]) for player in match.position()["players"]] == [2, 1]


def test_board_sizes_are_read_strictly() -> None:
    for size in ("3x3", "62x62", "9X7", " unbounded "):
        assert Match("card-cassonne", {"board": size}).options["board"] == size.strip().lower()
    for size in ("2x9", "63x9", "9", "9x", "x", "0", "9x9x9", "٩x٩"):
        with pytest.raises(UnknownOption, match="board is"):
            Match("card-cassonne", {"board": size})

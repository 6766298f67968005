"""Moves and positions as text, both ways, and every fault of a bad position."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bartizan.engine.errors import BadPosition, IllegalMove, UnknownCard, UnknownMove
from bartizan.match import Match
from tests.card_cassonne.tables import table
from tests.card_cassonne.test_rules import BLOCK, ROW
from tests.games.tables import played


def faults(options: dict[str, Any] | None = None, seats: int = 2, **position: Any) -> set[str]:
    """Return the clauses of all faults of a position."""
    with pytest.raises(BadPosition) as caught:
        Match("card-cassonne", options, seats, "1", position)
    return {clause for clause, _ in caught.value.faults}


def test_moves_read_back_in_any_dress() -> None:
    dice = random.Random(4)
    for number in range(3):
        for match in played("card-cassonne", number):
            for action in dice.sample(match.legal(), min(4, len(match.legal()))):
                text = match.text(action)
                for dressed in (text, text.upper(), text.replace(" ", ""), text.replace(" ", "  ")):
                    assert match.parse(dressed) == action


def test_any_card_of_an_area_names_it() -> None:
    match = table(BLOCK, ["Th", "9s", "Ah"], tokens={"0,0": 1})
    match.play("play Th at 0,2")
    texts = {match.text(match.parse(f"score {spot}")) for spot in ("0,0", "1,0", "0,1", "1,1", "0,2")}
    assert texts == {"score 0,0"}
    assert match.text(match.parse("score -1,0")) == "score -1,0"


def test_wrong_texts() -> None:
    match = table(ROW, ["2c", "9s", "Ah"])
    for text in ("play 1x at 0,1", "play 2x at 0,1"):
        with pytest.raises(UnknownCard):
            match.parse(text)
    with pytest.raises(IllegalMove) as caught:
        match.parse("play 3c at 0,1")
    assert caught.value.clause == "CC-11"
    for text in ("play 2c", "play 2c at 0", "score", "tokens", "play 2c at 0;1"):
        with pytest.raises(UnknownMove):
            match.game.vocabulary.parse_move(match.view(), text)


def test_a_position_left_out_is_a_fresh_set_up() -> None:
    position = Match("card-cassonne", seats=3, seed="7", position={}).position()
    assert [len(player["hand"]) for player in position["players"]] == [3, 3, 3]
    assert len(position["board"]) == 1
    assert (len(position["aside"]), len(position["deck"])) == (13, 104 - 1 - 9 - 13)
    assert (position["to_move"], position["first"], position["phase"]) == (1, 1, "play")


def test_the_deck_is_written_top_first_and_the_rest_lies_under_it() -> None:
    match = table(ROW, ["2c"], deck=["5d", "6d"])
    position = match.position()
    assert position["deck"][:2] == ["5d", "6d"]
    assert len(position["aside"]) == 11
    assert len(position["deck"]) + 11 + 2 + 1 + 3 == 104
    aside = table(ROW, ["2c"], deck=["5d", "6d"], rest="aside").position()
    assert aside["deck"] == ["5d", "6d"]
    match.play("play 2c at 0,1")
    match.play("no token")
    assert match.position()["players"][0]["hand"] == ["5d"]


def test_last_is_the_last_card_of_the_board_unless_it_is_named() -> None:
    for more, expected in (({}, "1,0"), ({"last": "0,0"}, "0,0")):
        given: dict[str, Any] = {"phase": "token", **more}
        match = table(ROW, ["2c"], **given)
        assert match.position()["last"] == expected
        match.play("token")
        assert match.position()["tokens"] == {expected: 1}


def test_a_loaded_position_runs_on_to_a_decision() -> None:
    match = table(ROW, ["2c", "3c"], phase="token", tokens={"1,0": 2}, last="0,0")
    assert match.position()["phase"] == "token"
    match = table({**ROW, "2,0": "Qd"}, ["2c", "3c"], phase="token", tokens={"1,0": 2}, last="2,0")
    assert match.position()["phase"] == "play"  # the area is taken, and nothing can be scored
    assert match.position()["to_move"] == 2


@pytest.mark.parametrize(
    ("position", "clause"),
    [
        ({"board": {"0,0": "7h", "0,1": "7h", "0,2": "7h"}}, "CC-3"),
        ({"board": {"0,0": "7h"}, "deck": ["7h", "7h"]}, "CC-3"),
        ({"players": [{"hand": ["2c", "3c", "4c", "5c"]}, {}]}, "CC-6"),
        ({"board": ROW, "tokens": {"0,1": 1}}, "CC-19"),
        ({"board": ROW, "tokens": {"0,0": 3}}, "CC-7"),
        ({"board": ROW, "tokens": {"0,0": 1}, "players": [{"supply": 7}, {}]}, "CC-7"),
        ({"board": ROW, "players": [{"supply": 6}, {}]}, "CC-7"),
        ({"board": {"0,0": "7h", "2,0": "8h"}}, "CC-12"),
        ({"board": {"0,0": "7h", "1,1": "8h"}}, "CC-12"),
        ({"board": {"1,0": "7h"}}, "CC-4"),
        ({"board": {"0,0": "7h", "9000,0": "8h"}}, "CC-12"),
        ({"phase": "score"}, "CC-19"),
        ({"board": {"0,0": "7h"}, "phase": "token"}, "CC-19"),
        ({"board": ROW, "phase": "score", "last": "5,5"}, "CC-19"),
        ({"board": ROW, "last": "1,0"}, "CC-11"),
        ({"board": ROW, "scored": {"0,0": 1}}, "CC-31"),
        ({"phase": "over", "to_move": 1}, "CC-32"),
        ({"to_move": 0}, "CC-32"),
        ({"phase": "over", "players": [{"hand": ["2c"]}, {}]}, "CC-32"),
        ({"phase": "over", "players": [{"score": 1}, {}], "winner": 2}, "CC-32"),
        ({"to_move": 3}, "CC-10"),
        ({"players": [{}, {}, {}]}, "CC-2"),
        ({"boards": {}}, ""),
        ({"board": {"a1": "7h"}}, ""),
        ({"board": {"0,0": 7}}, ""),
        ({"players": [{"cards": []}, {}]}, ""),
        ({"players": 3}, ""),
        ({"phase": "draw"}, ""),
    ],
)
def test_a_position_that_breaks_a_rule_is_refused(position: dict[str, Any], clause: str) -> None:
    assert clause in faults(**position)


def test_options_make_faults_too() -> None:
    assert "CC-5" in faults({"removed": 12})
    assert "CC-5" in faults({"removed": 0})
    assert "CC-34" in faults({"board": "3x3"}, board={"0,0": "7h", "1,0": "8h", "2,0": "9h"})
    assert "CC-31" in faults({"rescore_growth": "must_have_grown_by_2"}, board=ROW, scored={"0,0": 2})
    assert "CC-7" in faults({"tokens": 1}, board=ROW, tokens={"0,0": 1, "1,0": 1})


def test_all_faults_are_told_at_once() -> None:
    found = faults(
        {"removed": 12}, board={"0,0": "7h", "2,0": "7h", "3,0": "7h"}, tokens={"9,9": 1},
        players=[{"hand": ["2c", "3c", "4c", "5c"]}, {}], to_move=7, boards={},
    )  # fmt: skip
    assert found >= {"", "CC-3", "CC-5", "CC-6", "CC-10", "CC-12"}


def test_a_faulty_layout_hides_nothing_that_lies_on_it() -> None:
    found = faults(
        {"rescore_growth": "must_have_grown_by_2"}, board={"0,0": "7h", "5,0": "7d"},
        tokens={"1,0": 1}, scored={"5,0": 2}, phase="score", last="0,1", rest="under", winner=1,
    )  # fmt: skip
    assert found == {"", "CC-12", "CC-19", "CC-31", "CC-32"}
    with pytest.raises(BadPosition) as caught:
        table({"0,0": "7h", "5,0": "7d"}, ["2c"], tokens={"1,0": 1}, last="0,1", phase="token")
    assert [sentence for clause, sentence in caught.value.faults if clause == "CC-19"] == [
        "last has a card at 0,1, where no card lies",
        "tokens has a token at 1,0, where no card lies",
    ]


def test_the_fourth_card_of_a_hand_is_looked_at_too() -> None:
    hands = [{"hand": ["2c", "3c", "4c", "7h"]}, {"hand": ["7h"]}]
    assert faults(board={"0,0": "7h"}, players=hands) == {"CC-3", "CC-6"}


def test_no_card_is_left_for_the_starter() -> None:
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] * 2
    hands = [{"hand": cards[:3]}, {"hand": cards[3:6]}]
    assert faults(players=hands, deck=cards[6:], aside=[]) == {"CC-4"}


def test_a_finished_game_takes_no_move_in_any_words() -> None:
    match = table(ROW, [], phase="over", others={"hand": []}, rest="aside")
    for text in ("play 2c at 0,1", "play 2c at 900,900", "score 0,0", "score 900,900", "token", "done"):
        refusal = match.why_not(text)
        assert refusal is not None
        assert (refusal.clause, refusal.sentence) == ("CC-32", "The game is over.")
    with pytest.raises(UnknownCard):
        match.why_not("play 1x at 0,1")


def test_a_card_that_is_none() -> None:
    with pytest.raises(UnknownCard):
        Match("card-cassonne", position={"board": {"0,0": "1x"}})
    with pytest.raises(BadPosition):
        Match("card-cassonne", position={"board": {"0,0": "*"}})

"""Scenarios: how positions are compared, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.cli.main import main
from bartizan.engine import registry
from bartizan.engine.errors import BadScenario, BadSeats, UnknownCard, UnknownGame, UnknownOption
from bartizan.match.expectation import Expectation
from bartizan.match.scenario import run, run_file

GAMES = {"rubble": "tower", "players": "card-barrage"}  # of whose positions a key is; others are of Alcazar's


def differences(expected: dict[str, Any], found: dict[str, Any]) -> list[tuple[str, str]]:
    game = GAMES.get(next(iter(expected), ""), "alcazar")
    return Expectation(registry.get(game), expected).faults(found)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        # only the keys that are named
        ({}, {"round": 3}),
        ({"round": 3}, {"round": 3, "hand": ["7c"]}),
        ({"changed": True}, {"changed": True}),
        # order matters in a pile, not in a hand
        ({"discard": ["7c", "8c"]}, {"discard": ["7c", "8c"]}),
        ({"hand": ["8c", "7c"]}, {"hand": ["7c", "8c"]}),
        *[
            ({key: ["b", "a", "b"]}, {key: ["a", "b", "b"]})
            for key in ("borrowed", "done", "aside", "rubble")
        ],
        ({"players": [{"pile": ["a", "b"]}]}, {"players": [{"pile": ["b", "a"]}]}),
        # any number of cards, any one card
        ({"discard": ["..."]}, {"discard": []}),
        ({"discard": ["..."]}, {"discard": ["7c", "8c"]}),
        ({"discard": ["7c", "..."]}, {"discard": ["7c"]}),
        ({"discard": ["7c", "..."]}, {"discard": ["7c", "8c", "9c"]}),
        ({"discard": ["...", "9c"]}, {"discard": ["7c", "8c", "9c"]}),
        ({"discard": ["...", "8c", "..."]}, {"discard": ["7c", "8c", "9c"]}),
        ({"discard": ["...", "9c", "..."]}, {"discard": ["9c", "8c", "9c"]}),
        ({"discard": ["?", "8c"]}, {"discard": ["7c", "8c"]}),
        ({"discard": ["?", "...", "?"]}, {"discard": ["7c", "8c"]}),
        ({"hand": ["8c", "..."]}, {"hand": ["7c", "8c", "9c"]}),
        ({"hand": ["...", "8c", "?"]}, {"hand": ["8c", "9c"]}),
        ({"hand": ["?", "8c"]}, {"hand": ["8c", "9c"]}),
        ({"hand": ["..."]}, {"hand": []}),
        # a number for a length
        ({"hand": 2}, {"hand": ["7c", "8c"]}),
        ({"hand": 0}, {"hand": []}),
        # face down or not
        ({"tower": ["7c", "4h", "~9d"]}, {"tower": ["7c", "~4h", "~9d"]}),
        ({"deck": ["~7c", "..."]}, {"deck": ["7c", "8c"]}),
        # what is not there
        ({"winner": "-"}, {}),
        ({"board": {"0,0": "-"}}, {"board": {"1,0": "7c"}}),
        ({"top": ["-", "~Td"]}, {"top": ["-", "~Td"]}),
        ({"hand": "-"}, {"hand": "-"}),
        # tables
        ({"open": {}}, {"open": {}}),
        ({"board": {"0,0": "7h"}}, {"board": {"0,0": "7h", "1,0": "Kd"}}),
        ({"players": [{}, {"hand": 1}]}, {"players": [{"hand": ["7c"]}, {"hand": ["8c"]}]}),
        ({"players": [{"tower": {"rock": "-"}}, {}]}, {"players": [{"tower": {}}, {}]}),
    ],
)
def test_positions_that_meet_what_is_expected(expected: dict[str, Any], found: dict[str, Any]) -> None:
    assert differences(expected, found) == []


@pytest.mark.parametrize(
    ("expected", "found", "fault"),
    [
        ({"round": 3}, {"round": 4}, ("round = 3", "4")),
        ({"changed": True}, {"changed": False}, ("changed = True", "False")),
        ({"round": 3}, {}, ("round = 3", "no such key")),
        ({"round": "-"}, {"round": 3}, ("round = '-'", "3")),
        ({"discard": ["8c", "7c"]}, {"discard": ["7c", "8c"]}, ("discard = ['8c', '7c']", "['7c', '8c']")),
        ({"discard": []}, {"discard": ["7c"]}, ("discard = []", "['7c']")),
        ({"discard": ["7c"]}, {"discard": []}, ("discard = ['7c']", "[]")),
        ({"discard": ["?"]}, {"discard": []}, ("discard = ['?']", "[]")),
        ({"discard": ["?"]}, {"discard": ["7c", "8c"]}, ("discard = ['?']", "['7c', '8c']")),
        ({"discard": ["...", "8c"]}, {"discard": ["8c", "7c"]}, ("discard = ['...', '8c']", "['8c', '7c']")),
        ({"hand": ["7c", "7c"]}, {"hand": ["7c", "8c"]}, ("hand = ['7c', '7c']", "['7c', '8c']")),
        ({"hand": ["7c"]}, {"hand": ["7c", "8c"]}, ("hand = ['7c']", "['7c', '8c']")),
        ({"hand": ["7c", "?"]}, {"hand": ["7c"]}, ("hand = ['7c', '?']", "['7c']")),
        ({"hand": ["7c", "?", "..."]}, {"hand": ["7c"]}, ("hand = ['7c', '?', '...']", "['7c']")),
        ({"hand": ["~7c"]}, {"hand": ["7c"]}, ("hand = ['~7c']", "['7c']")),
        ({"left": ["5h", "Jc"]}, {"left": ["5h", "~Jc"]}, ("left = ['5h', 'Jc']", "['5h', '~Jc']")),
        ({"hand": 2}, {"hand": ["7c"]}, ("hand to have 2 entries", "1")),
        ({"hand": True}, {"hand": ["7c"]}, ("hand = True", "['7c']")),
        ({"hand": "7c"}, {"hand": ["7c"]}, ("hand = '7c'", "['7c']")),
        ({"board": {}}, {"board": {"0,0": "7c"}}, ("board to be empty", "{'0,0': '7c'}")),
        ({"board": {"0,0": "-"}}, {"board": {"0,0": "7c"}}, ("board.0,0 = '-'", "'7c'")),
        ({"board": {"0,0": "8c"}}, {"board": {"0,0": "7c"}}, ("board.0,0 = '8c'", "'7c'")),
        ({"board": {"0,0": "8c"}}, {"board": []}, ("board to be a table", "[]")),
        ({"board": {"0,0": "8c"}}, {"board": 3}, ("board to be a table", "3")),
        ({"players": [{}]}, {"players": [{}, {}]}, ("players to have 1 entries", "2")),
        (
            {"players": [{}, {"hand": 2}]},
            {"players": [{}, {"hand": ["9c"]}]},
            ("players.2.hand to have 2 entries", "1"),
        ),
    ],
)
def test_positions_that_do_not(
    expected: dict[str, Any], found: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert differences(expected, found) == [fault]


def test_all_differences_are_told() -> None:
    found = differences({"round": 1, "hand": 2, "ok": 1}, {"round": 2, "hand": [], "ok": 1})
    assert [expected for expected, _ in found] == ["round = 1", "hand to have 2 entries"]


CARD = st.sampled_from(["7c", "8c", "9c", "Td"])


@given(cards=st.lists(CARD, max_size=6), key=st.sampled_from(["hand", "discard"]), data=st.data())
def test_wildcards_stand_for_cards(cards: list[str], key: str, data: st.DataObject) -> None:
    assert differences({key: cards}, {key: cards}) == []
    assert differences({key: len(cards)}, {key: cards}) == []
    assert differences({key: len(cards) + 1}, {key: cards})
    one_each = [data.draw(st.sampled_from([card, "?"])) for card in cards]
    assert differences({key: one_each}, {key: cards}) == []
    assert differences({key: [*one_each, "?"]}, {key: cards})
    start, end = sorted((data.draw(st.integers(0, len(cards))), data.draw(st.integers(0, len(cards)))))
    assert differences({key: [*one_each[:start], "...", *one_each[end:]]}, {key: cards}) == []
    assert differences({key: [*one_each, "As", "..."]}, {key: cards})


def test_many_wildcards_take_no_time() -> None:
    """Each used to be tried at every place, for every place of those before it."""
    cards = ["7c"] * 60
    assert differences({"discard": ["..."] * 40 + ["8c"]}, {"discard": cards})
    assert differences({"discard": ["..."] * 40}, {"discard": cards}) == []


def test_each_game_names_its_keys_without_an_order() -> None:
    assert registry.get("card-barrage").positions.unordered >= {"hand", "pile", "gives"}
    assert registry.get("tower").positions.unordered == {"hand", "rubble", "aside"}
    assert registry.get("castle-danger").positions.unordered == frozenset()
    assert {name for name in registry.names() if registry.get(name).positions.faceless} == {"alcazar"}


# --- Whole scenarios ---------------------------------------------------------

POSITION = {
    "tower": ["7c", "~3h"],
    "right": ["8s", "~2c"],
    "left": ["5h", "~Jc"],
    "top": ["-", "~Td"],
    "hand": ["5d", "4h", "9c"],
    "discard": [],
}


def scenario(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "alcazar", "position": POSITION, "step": list(steps), **more}


def test_a_scenario_that_holds() -> None:
    step = {
        "legal": ["defend right.front with 5d 4h", "defend left.front with 9c", "end"],
        "illegal": {
            "defend right.front with 9c": "ALC-19",
            "defend right.front with 5d": ["ALC-1", "ALC-20"],
        },
        "play": "def right 5d 4h",
        "expect": {"right": ["-", "~2c"], "discard": ["8s", "4h", "5d"], "hand": 1},
        "winner": "none",
    }
    report = run(scenario(step))
    assert (report.scenarios, report.failures) == (1, [])
    assert run(scenario({"legal": "end", "winner": ["none"]})).failures == []


def test_a_question_stands_for_the_clauses_that_answer_it() -> None:
    refusals = {clause.id: clause.questions for clause in registry.get("alcazar").clauses}
    asked = refusals["ALC-19"][0]
    assert asked not in refusals["ALC-20"]
    assert run(scenario({"illegal": {WRONG_COLOUR: asked}})).failures == []
    (line,) = run(scenario({"illegal": {"defend right.front with 5d": asked}})).failures
    assert f"to be forbidden by {asked}; found ALC-20: " in line


WRONG_COLOUR = "defend right.front with 9c"


@pytest.mark.parametrize(
    ("step", "expected", "found"),
    [
        (
            {"legal": [WRONG_COLOUR]},
            f"'{WRONG_COLOUR}' to be legal",
            "Only red cards can beat the eight of spades",
        ),
        ({"legal": ["dance"]}, "'dance' to be legal", "'dance' isn't a move."),
        ({"illegal": {"end": "ALC-1"}}, "'end' to be forbidden by ALC-1", "it is legal"),
        ({"illegal": {"end": []}}, "'end' to be forbidden by nothing", "it is legal"),
        (
            {"illegal": {WRONG_COLOUR: ["ALC-1", "ALC-2"]}},
            f"'{WRONG_COLOUR}' to be forbidden by ALC-1 or ALC-2",
            "ALC-19: ",
        ),
        (
            {"illegal": {"repair with Kc": "ALC-1"}},
            "'repair with Kc' to be forbidden by ALC-1",
            "ALC-25: You don't hold the king of clubs",
        ),
        ({"illegal": {"dance": "ALC-1"}}, "'dance' to be forbidden by ALC-1", "'dance' isn't a move."),
        (
            {"play": "defend right.front with 5d"},
            "'defend right.front with 5d' to be playable",
            "5 is not enough",
        ),
        ({"expect": {"hand": 4}}, "hand to have 4 entries", "3"),
        ({"expect": {"nothing": 4}}, "nothing = 4", "no such key"),
        ({"winner": "player"}, "winner player", "none"),
        ({"winner": ["player", "loss"]}, "winner player or loss", "none"),
    ],
)
def test_each_expectation_that_fails_is_told(step: dict[str, Any], expected: str, found: str) -> None:
    (line,) = run(scenario(step)).failures
    assert line.startswith(f"step 1: expected {expected}; found {found}")


def test_judging_stops_where_a_move_could_not_be_played() -> None:
    report = run(scenario({"legal": "draw"}, {"play": "draw"}, {"legal": "draw"}))
    assert [line.split(":")[0] for line in report.failures] == ["step 1", "step 2"]


def test_refused_positions() -> None:
    twice = {**POSITION, "hand": ["8s"]}
    assert run({"game": "alcazar", "refused": ["ALC-2"], "position": twice}).failures == []
    assert run({"game": "alcazar", "refused": "ALC-2", "position": twice}).failures == []
    (wrong,) = run({"game": "alcazar", "refused": ["ALC-5", "ALC-6"], "position": twice}).failures
    assert wrong.startswith("position: expected to be refused by ALC-5 or ALC-6; found ")
    assert "(ALC-2)" in wrong
    (accepted,) = run({"game": "alcazar", "refused": ["ALC-5"], "position": POSITION}).failures
    assert accepted == "position: expected to be refused by ALC-5; found it is accepted"
    (unexpected,) = run({"game": "alcazar", "position": twice, "step": [{"legal": "end"}]}).failures
    assert unexpected.startswith("position: expected the position to be accepted; found ")


def test_the_winner_of_a_finished_game() -> None:
    over = {**POSITION, "phase": "over", "winner": "loss", "tower": []}
    assert run({"game": "alcazar", "position": over, "step": [{"winner": "loss"}]}).failures == []
    assert run({"game": "alcazar", "position": over, "step": [{"winner": "player"}]}).failures


def test_seats_may_be_left_out_where_players_tells_them() -> None:
    hands = [{"hand": ["2c"]}, {"hand": ["3c"]}, {"hand": ["4c"]}]
    step = {"expect": {"players": hands}, "winner": "none"}
    position = {"board": {"0,0": "7h"}, "players": hands}
    assert run({"game": "card-cassonne", "position": position, "step": [step]}).failures == []
    six: list[dict[str, Any]] = [{} for _ in range(6)]
    assert run({"game": "tower", "position": {"players": six}, "step": [{"winner": "none"}]}).failures == []


def test_seats_are_needed_where_players_lists_castles_of_fewer_people() -> None:
    """Two castles are one person's or two's, four are three's or four's; six castles, five's or six's."""
    game = registry.get("card-barrage")
    possible = [game.seats_in({"players": [{}] * castles}, {}) for castles in range(8)]
    assert possible == [[], [], [1, 2], [], [3, 4], [], [5, 6], []]
    third = {"odd_players": "third_side"}
    assert game.seats_in({"players": [{}] * 3}, third) == [3]
    assert game.seats_in({"players": "3"}, {}) == []
    both = [{"hand": ["3t"]}, {"hand": ["4t"]}]
    table = {"game": "card-barrage", "position": {"players": both}}
    (failure,) = run(table).failures
    assert failure.endswith("; seats is left out: 1 seat assumed")
    assert run({**table, "seats": 2}).failures == []


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({}, "'game' is missing"),
        ({"game": 3}, "game is a whole number; it must be a text"),
        ({"game": "alcazar", "steps": []}, "a scenario has no key 'steps'. Did you mean 'step'?"),
        ({"game": "alcazar", "step": {}}, "step is a table of keys; it must be a list"),
        ({"game": "alcazar", "seats": "one"}, "seats is a text; it must be a whole number"),
        ({"game": "alcazar", "step": [{"legall": []}]}, "a step has no key 'legall'. Did you mean 'legal'?"),
        ({"game": "alcazar", "step": ["end"]}, "step[0] is a text; it must be a table of keys"),
    ],
)
def test_what_is_no_scenario_is_refused(table: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadScenario) as caught:
        run(table)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("step", "word"),
    [
        ({"illegal": ["end"]}, "illegal"),
        ({"illegal": "end"}, "illegal"),
        ({"expect": ["hand"]}, "expect"),
        ({"legal": [3]}, "legal"),
        ({"play": 3}, "play"),
    ],
)
def test_a_step_of_the_wrong_shape_is_refused_not_a_crash(step: dict[str, Any], word: str) -> None:
    with pytest.raises(BadScenario, match=word):
        run(scenario(step))


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ({"game": "alcazaar"}, UnknownGame),
        ({"game": "alcazar", "seats": 2}, BadSeats),
        ({"game": "alcazar", "options": {"havok": True}}, UnknownOption),
        ({"game": "alcazar", "position": {"hand": ["7x"]}}, UnknownCard),
    ],
)
def test_errors_of_the_table_itself_come_through(table: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        run(table)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    for data in (b"game = ", b"\xff\xfe", b"game = 'alcazar'\ngame = 'alcazar'"):
        bad.write_bytes(data)
        with pytest.raises(BadScenario, match=r"bad\.toml: cannot be read as TOML"):
            run_file(bad)
    with pytest.raises(BadScenario, match=r"none\.toml: cannot be read"):
        run_file(tmp_path / "none.toml")
    bad.write_text("game = 'alcazar'\nsteps = 1\n", encoding="utf-8")
    with pytest.raises(BadScenario, match=r"bad\.toml: a scenario has no key 'steps'"):
        run_file(bad)
    bad.write_text("game = 'alcazar'\n[[step]]\nlegal = ['dance']\n", encoding="utf-8")
    assert len(run_file(bad).failures) == 1


def test_brackets_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * 5000)
    with pytest.raises(BadScenario, match="nested too deeply"):
        run_file(path)


def test_a_long_move_is_not_echoed_in_full() -> None:
    long = "attack " * 1000
    report = run({"game": "tower", "step": [{"legal": [long], "illegal": {long: "TWR-3"}, "play": long}]})
    assert len(report.failures) == 3
    assert all(len(line) < 300 for line in report.failures)


def test_an_error_of_ours_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(table: object) -> None:
        raise TypeError("ours")

    monkeypatch.setattr("bartizan.match.scenario.run", broken)
    monkeypatch.delenv("BARTIZAN_DEBUG", raising=False)
    path = tmp_path / "fine.toml"
    path.write_text('game = "tower"')
    assert main(["judge", str(path)]) == 70

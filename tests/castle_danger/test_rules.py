"""Set-up, the turn, adding and moving, clause by clause."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from bartizan.engine.errors import GameOver, UnknownOption
from bartizan.lab.perft import divide
from bartizan.match import Match
from tests.castle_danger.tables import at, board, fresh, play, refused, table, verbs

FILES = "abcefg"


def test_the_set_up_is_the_same_picture_for_both() -> None:
    position = fresh().position()
    rows = position["board"]
    assert rows == [".w...k.", ".#...#.", *["......."] * 2, "~~~~~~~", *["......."] * 2, ".#...#.", ".K...W."]
    turned = [row[::-1].swapcase() for row in rows[::-1]]
    assert turned == rows
    assert (position["to_move"], position["turn"], position["moves_left"]) == ("blue", 1, 6)


@pytest.mark.parametrize(("king", "wizard"), list(itertools.permutations(FILES, 2)))
def test_set_up_columns_and_symmetry(king: str, wizard: str) -> None:
    for symmetry in ("rotate", "mirror"):
        match = fresh(setup={"king_file": king, "wizard_file": wizard, "symmetry": symmetry})
        rows = match.position()["board"]
        assert rows[8]["abcdefg".index(king)] == "K"
        assert rows[8]["abcdefg".index(wizard)] == "W"
        assert {"abcdefg"[column] for column, sign in enumerate(rows[7]) if sign == "#"} == {king, wizard}
        turned = [row[::-1] if symmetry == "rotate" else row for row in rows[::-1]]
        assert [row.swapcase() for row in turned] == rows


def test_two_units_cannot_begin_on_one_column() -> None:
    with pytest.raises(UnknownOption, match="can't both start in column c"):
        fresh(setup={"king_file": "c", "wizard_file": "c"})
    with pytest.raises(UnknownOption, match=r"setup\.king_file is 'd'"):
        fresh(setup={"king_file": "d"})


def test_counts_of_lines_from_the_start() -> None:
    assert [sum(divide(fresh(), depth).values()) for depth in (1, 2, 3, 4)] == [8, 57, 414, 3198]


@pytest.mark.parametrize(("wizards", "moves"), [(0, 3), (1, 6), (2, 9), (7, 24)])
def test_moves_of_a_turn(wizards: int, moves: int) -> None:
    places = [f"{column}2" for column in "abcdefg"][:wizards]
    squares: dict[str, Any] = dict.fromkeys(places, "W")
    match = table(**squares)
    assert match.position()["moves_left"] == moves
    play(match, "end", "end")
    assert match.position()["moves_left"] == moves


# --- Add a piece -------------------------------------------------------------


@pytest.mark.parametrize(
    ("squares", "cost"),
    [({}, 2), ({"a9": "w"}, 0), ({"a2": "W", "a9": "w"}, 2), ({"b9": "#"}, 2), ({"b6": "c"}, 0)],
)
def test_the_price_counts_units_with_kings(squares: dict[str, Any], cost: int) -> None:
    match = table(**squares)
    before = match.position()["moves_left"]
    after = play(match, "add builder")
    assert before - after["moves_left"] == cost
    assert not after["may_add"]
    assert refused(match, "add wizard") == "CD-22"


@pytest.mark.parametrize("cost", [0, 1, 2, 3])
def test_add_cost(cost: int) -> None:
    match = table({"add_cost": cost})
    play(match, "add wizard")
    ended = cost == 3  # three moves without Wizards: the turn is over
    assert match.seat_to_move == (2 if ended else 1)
    assert ended or match.position()["moves_left"] == 3 - cost


def test_a_piece_is_added_before_the_first_move() -> None:
    match = fresh()
    assert verbs(match, "add") == ["add wizard", "add builder", "add cannon"]
    play(match, "b1-a1")
    assert refused(match, "add wizard") == "CD-22"
    assert not match.position()["may_add"]


def test_a_portal_that_was_shut_at_the_start_stays_shut() -> None:
    match = table(d1="W")
    assert refused(match, "add cannon") == "CD-22"
    play(match, "d1-d2")
    assert refused(match, "add cannon") == "CD-22"
    play(match, "end", "end")
    assert refused(match, "add cannon") == ""


def test_anytime_if_open_at_start() -> None:
    anytime = {"add_timing": "anytime_if_open_at_start"}
    match = table(anytime, d2="W", e1="B")
    play(match, "d2-d1")  # a unit on the Portal only postpones it
    assert refused(match, "add wizard") == "CD-22"
    play(match, "d1-c1", "add cannon")
    assert at(match, "d1") == "C"
    assert match.position()["moves_left"] == 2
    play(match, "d1-d2")
    assert refused(match, "add wizard") == "CD-22"
    shut = table(anytime, d1="W")
    play(shut, "d1-d2")
    assert refused(shut, "add wizard") == "CD-22"


def test_a_piece_that_is_too_dear_does_not_come() -> None:
    match = table({"add_timing": "anytime_if_open_at_start"}, a3="W", g6="c")
    play(match, "a1-b1", "b1-a1", "a1-b1", "b1-a1")
    assert match.position()["moves_left"] == 2
    assert refused(match, "add wizard") == ""
    play(match, "a1-b1")
    assert refused(match, "add wizard") == "CD-24"


def test_a_new_piece_acts_at_once_and_a_new_wizard_brings_nothing_yet() -> None:
    match = fresh()
    assert play(match, "add wizard")["moves_left"] == 4
    play(match, "d1-d2")
    assert at(match, "d2") == "W"
    assert play(match, "end", "end")["moves_left"] == 9


def test_piece_limits_count_what_is_on_the_board() -> None:
    builders: dict[str, Any] = {f"{column}3": "B" for column in "abc"}
    assert refused(table({"piece_limits": "tabletop"}, **builders), "add builder") == "CD-22"
    assert refused(table(**builders), "add builder") == ""
    assert refused(table({"piece_limits": "tabletop"}, **builders), "add cannon") == ""
    two: dict[str, Any] = dict(list(builders.items())[:2])
    assert refused(table({"piece_limits": "tabletop"}, **two), "add builder") == ""
    walls: dict[str, Any] = {f"{column}{row}": "#" for column in "abcdefg" for row in (7, 8)} | {
        f"{column}3": "#" for column in "bcdefg"
    }
    full = table({"piece_limits": "tabletop"}, a2="B", **walls)
    assert refused(full, "wall a3") == "CD-30"
    assert refused(table(a2="B", **walls), "wall a3") == ""
    play(full, "a2-b2", "raze b3")
    assert refused(full, "wall b3") == ""


# --- Moving ------------------------------------------------------------------


@pytest.mark.parametrize("unit", "KWBC")
def test_every_unit_goes_one_square_orthogonally(unit: str) -> None:
    squares: dict[str, Any] = {"c2": unit} if unit != "K" else {"a1": ".", "c2": "K"}
    match = table(**squares)
    steps = [text for text in match.legal_texts() if text.startswith("c2-")]
    assert sorted(steps) == ["c2-b2", "c2-c1", "c2-c3", "c2-d2"]
    assert refused(match, "c2-d3") == "CD-26"
    assert refused(match, "c2-c4") == "CD-26"
    assert play(match, "c2-d2")["moves_left"] == (5 if unit == "W" else 2)
    assert (at(match, "c2"), at(match, "d2")) == (".", unit)


@pytest.mark.parametrize(("sign", "clause"), [("#", "CD-26"), ("W", "CD-26"), ("+", "CD-14"), ("x", "CD-14")])
def test_what_stands_in_the_way(sign: str, clause: str) -> None:
    assert refused(table(moves=2, b1=sign), "a1-b1") == clause


def test_nothing_goes_onto_the_river_or_off_the_board() -> None:
    match = table(g4="W", a3="W")
    assert refused(match, "g4-g5") == "CD-28"
    steps = {text for text in match.legal_texts() if text.startswith(("g4", "a3"))}
    assert steps == {"g4-g3", "g4-f4", "a3-a2", "a3-a4", "a3-b3"}


def test_only_own_units_go() -> None:
    match = table(c9="w")
    assert refused(match, "c9-c8") == "CD-26"
    assert refused(match, "c3-c2") == "CD-26"


# --- The end of the turn and of the game -------------------------------------


def test_the_turn_ends_by_itself_at_no_moves_and_by_choice_before() -> None:
    match = table(moves=2)
    play(match, "a1-b1")
    assert match.seat_to_move == 1
    play(match, "b1-c1")
    assert (match.seat_to_move, match.position()["turn"]) == (2, 1)
    assert play(match, "end")["turn"] == 2
    assert match.seat_to_move == 1


def test_one_can_always_end_the_turn() -> None:
    match = table(moves=1, a2="#", b1="#", d1="#")
    assert match.legal_texts() == ["end"]


@pytest.mark.parametrize("limit", [1, 2, 25])
def test_the_last_turn_of_the_limit_draws(limit: int) -> None:
    match = Match(
        "castle-danger",
        {"turn_limit": limit},
        seed="1",
        position={"board": board(c9="c", c1="K", a1="."), "turn": limit},
    )
    assert match.play("end") == "end"
    assert not match.is_over
    match.play("end")
    assert (match.is_over, match.result(), match.returns()) == (True, "draw", [0.0, 0.0])
    assert refused(match, "end") == "CD-42"
    with pytest.raises(GameOver):
        match.play("end")


def test_a_kill_in_the_last_turn_wins() -> None:
    position = {"board": board(a6="c"), "to_move": "red", "turn": 2, "moves_left": 5}
    match = Match("castle-danger", {"turn_limit": 2}, seed="1", position=position)
    match.play("fire a6 a1")
    assert (match.result(), match.returns()) == ("red", [-1.0, 1.0])

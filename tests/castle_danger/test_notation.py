"""Moves and positions as text, both ways, and what is said of wrong ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bartizan.engine.errors import AmbiguousMove, BadPosition, IllegalMove, UnknownMove
from bartizan.match import Match
from tests.castle_danger.tables import board, fresh, table


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("add wizard", "add wizard"),
        ("ADD Builder", "add builder"),
        ("b1-a1", "b1-a1"),
        (" B1 - A1 ", "b1-a1"),
        ("b1a1", "b1-a1"),
        ("wallc2", "wall c2"),
        ("raze  C2", "raze c2"),
        ("fire d3d7", "fire d3 d7"),
        ("End", "end"),
    ],
)
def test_moves_are_read_in_any_dress(typed: str, text: str) -> None:
    match = fresh()
    assert match.text(match.parse(typed)) == text


def test_moves_may_be_shortened() -> None:
    match = fresh()
    assert match.text(match.parse("add w")) == "add wizard"
    assert match.text(match.parse("e")) == "end"
    with pytest.raises(AmbiguousMove):
        match.parse("add")


@pytest.mark.parametrize("text", ["h1-h2", "a0-a1", "a9-a10", "wall j3", "fire d3 d12"])
def test_squares_off_the_board_are_named(text: str) -> None:
    with pytest.raises(UnknownMove, match="there is no square") as caught:
        fresh().parse(text)
    assert caught.value.place >= 0


@pytest.mark.parametrize(
    "text", ["castle", "add king", "d1", "d1-", "fire d1", "wall", "d1-d2-d3", "fire d3 at d7"]
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(UnknownMove, match="isn't a move"):
        fresh().parse(text)


@pytest.mark.parametrize(
    ("text", "clause"), [("b1-c2", "CD-26"), ("b1-b1", "CD-26"), ("b1-b3", "CD-26"), ("fire d3 e7", "CD-33")]
)
def test_moves_that_no_action_stands_for_are_illegal(text: str, clause: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        fresh().play(text)
    assert caught.value.clause == clause


# --- Positions ---------------------------------------------------------------


def faults(options: dict[str, Any] | None = None, **position: Any) -> list[str]:
    """Return the clauses of all faults of a position; empty if it is accepted."""
    try:
        Match("castle-danger", options, seed="1", position=position)
    except BadPosition as error:
        return [clause for clause, _ in error.faults]
    return []


def test_what_is_left_out_is_the_set_up() -> None:
    assert Match("castle-danger", seed="1", position={}).position() == fresh().position()
    position = Match("castle-danger", seed="1", position={"to_move": "red"}).position()
    assert (position["to_move"], position["moves_left"], position["may_add"]) == ("red", 6, True)
    assert [entry[-3:] for entry in position["seen"]] == ["red"]


@pytest.mark.parametrize(
    ("squares", "clauses"),
    [
        ({"c5": "."}, ["CD-2"]),
        ({"c3": "~"}, ["CD-2"]),
        ({"c6": "W"}, ["CD-3"]),
        ({"c4": "b"}, ["CD-3"]),
        ({"c4": "#"}, ["CD-5"]),
        ({"c6": "#"}, ["CD-5"]),
        ({"d1": "+"}, ["CD-36"]),
        ({"d9": "x"}, ["CD-36"]),
        ({"a1": "."}, ["CD-9"]),
        ({"b1": "K"}, ["CD-9"]),
        ({"b9": "k"}, ["CD-9"]),
        ({"b1": "Q"}, [""]),
        ({"a1": ".", "c4": "#", "d9": "+", "c6": "W"}, ["CD-3", "CD-5", "CD-36", "CD-9"]),
    ],
)
def test_boards_that_break_rules_are_refused_with_all_faults(
    squares: dict[str, Any], clauses: list[str]
) -> None:
    assert faults(board=board(**squares)) == clauses


@pytest.mark.parametrize(
    ("position", "clauses"),
    [
        ({"board": board()[:8]}, ["CD-2"]),
        ({"board": [*board()[:8], "K....."]}, ["CD-2"]),
        ({"board": "K"}, ["", "CD-2"]),
        ({"moves_left": 0}, ["CD-41"]),
        ({"moves_left": True}, ["CD-41"]),
        ({"turn": 0}, ["CD-42"]),
        ({"turn": 51}, ["CD-42"]),
        ({"to_move": "green"}, [""]),
        ({"winner": "me"}, [""]),
        ({"seen": ["x"]}, [""]),
        ({"seen": ["x blue"]}, ["CD-2"]),
        ({"seen": ["/".join(board(c6="K")) + " blue"]}, ["CD-3"]),
        ({"seen": 3}, [""]),
        ({"tower": []}, [""]),
        ({"may_add": 1}, [""]),
    ],
)
def test_figures_that_cannot_be(position: dict[str, Any], clauses: list[str]) -> None:
    found = faults(**position)
    assert found[: len(clauses)] == clauses


def test_the_turn_may_be_any_without_a_limit() -> None:
    assert faults({"turn_limit": 0}, turn=1_000_000) == []


def test_pieces_beyond_the_box() -> None:
    cannons = {f"{column}3": "C" for column in "abcdef"}
    assert faults({"piece_limits": "tabletop"}, board=board(**cannons)) == ["CD-22"]
    assert faults(board=board(**cannons)) == []
    cannons["f3"] = "F"  # one that has fired counts too
    assert faults({"piece_limits": "tabletop"}, board=board(**cannons)) == ["CD-22"]
    walls = {f"{column}{row}": "#" for column in "abcdefg" for row in (2, 3, 8)}
    assert faults({"piece_limits": "tabletop"}, board=board(**walls)) == ["CD-30"]


def test_a_finished_game_has_lost_a_king() -> None:
    assert faults(board=board(g9="."), winner="blue", moves_left=0) == []
    assert faults(board=board(), winner="blue") == ["CD-9"]
    assert faults(board=board(), winner="draw") == []
    assert faults(board=board(a1="."), winner="draw") == ["CD-9"]


@pytest.mark.parametrize(
    ("squares", "more", "clauses"),
    [
        ({}, {}, []),
        ({"d1": "W"}, {}, ["CD-22"]),
        ({"d1": "#"}, {}, ["CD-22"]),
        ({}, {"moves_left": 2}, ["CD-22"]),
        ({"c3": "F"}, {}, ["CD-22"]),
        ({"c7": "+"}, {}, ["CD-22"]),
        ({"c7": "x"}, {}, []),
    ],
)
def test_the_right_to_add_before_the_first_move(
    squares: dict[str, Any], more: dict[str, Any], clauses: list[str]
) -> None:
    assert faults(board=board(**squares), may_add=True, **more) == clauses
    assert faults(board=board(**squares), **more) == []
    left_out = Match("castle-danger", seed="1", position={"board": board(**squares), **more})
    assert left_out.position()["may_add"] == (not clauses)


ANYTIME = {"add_timing": "anytime_if_open_at_start"}


@pytest.mark.parametrize(
    ("options", "squares", "moves", "clauses"),
    [
        ({}, {}, None, []),
        ({}, {"d1": "W"}, None, ["CD-22"]),  # 6 moves left of 6: nothing can have come onto the Portal
        ({}, {"d1": "W"}, 5, []),
        ({}, {"d1": "B"}, 2, []),
        # A Cannon that has fired may have hit an own Wizard: 9 moves, less 2 for the shot and 1 for the step.
        ({}, {"d1": "W", "c1": "F"}, None, []),
        ({}, {"d1": "W", "c1": "F"}, 7, []),
        ({}, {"d1": "W", "c1": "F"}, 8, ["CD-22"]),
        ({"friendly_fire": "none"}, {"d1": "W", "c1": "F"}, None, ["CD-22"]),
        ({"friendly_fire": "none"}, {"d1": "W", "c1": "F"}, 4, []),
    ],
)
def test_the_right_to_add_at_any_time(
    options: dict[str, Any], squares: dict[str, Any], moves: int | None, clauses: list[str]
) -> None:
    figures = {} if moves is None else {"moves_left": moves}
    assert faults({**ANYTIME, **options}, board=board(**squares), may_add=True, **figures) == clauses


def test_a_right_to_add_kept_over_a_lost_wizard() -> None:
    """The case behind the rule above, played out: all moves left, a unit on the Portal, the right to add."""
    match = table(ANYTIME, c1="C", c3="W", b2="W", d2="B")
    match.play("fire c1 c3")
    match.play("d2-d1")
    position = match.position()
    assert (position["moves_left"], position["may_add"]) == (6, True)
    assert Match("castle-danger", ANYTIME, seed="1", position=position).position() == position


@settings(max_examples=150)
@given(data=st.data())
def test_any_board_that_is_accepted_is_printed_as_it_was(data: st.DataObject) -> None:
    def rows(signs: str) -> st.SearchStrategy[str]:
        return st.text(signs, min_size=7, max_size=7)

    red, blue = "....#wbcf+x", "....#WBCF+x"
    sand = str.maketrans("#", ".")
    drawn = [data.draw(rows(red)) for _ in range(4)] + ["~~~~~~~"] + [data.draw(rows(blue)) for _ in range(4)]
    drawn[3], drawn[5] = drawn[3].translate(sand), drawn[5].translate(sand)
    drawn[0] = drawn[0][:3] + data.draw(st.sampled_from(".wc#")) + drawn[0][4:6] + "k"
    drawn[8] = "K" + drawn[8][1:3] + data.draw(st.sampled_from(".WC#")) + drawn[8][4:]
    given_position = {"board": drawn, "to_move": data.draw(st.sampled_from(("blue", "red")))}
    match = Match("castle-danger", seed="1", position=given_position)
    position = match.position()
    assert position["board"] == drawn
    assert Match("castle-danger", seed="1", position=position).position() == position

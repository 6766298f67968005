"""Walls and shots, clause by clause, and every option that changes them."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.match import Match
from tests.castle_danger.tables import at, board, play, refused, table, verbs

# --- Walls -------------------------------------------------------------------


def test_a_builder_builds_beside_him_on_grass() -> None:
    match = table(d3="B")
    assert verbs(match, "wall") == ["wall d2", "wall c3", "wall e3"]
    assert refused(match, "wall d4") == "CD-5"
    assert refused(match, "wall d5") == "CD-28"
    assert refused(match, "wall c2") == "CD-30"
    assert play(match, "wall c3")["moves_left"] == 2
    assert at(match, "c3") == "#"
    assert refused(match, "wall c3") == "CD-30"


def test_a_builder_reaches_round_no_corner_of_the_board() -> None:
    """The last column and the first of the next row are no neighbours."""
    match = table(g2="B", a1=".", c1="K")
    assert verbs(match, "wall") == ["wall g1", "wall f2", "wall g3"]
    match = table(a2="B", a1=".", c1="K")
    assert verbs(match, "wall") == ["wall a1", "wall b2", "wall a3"]


def test_builder_diagonal_holds_for_walls_not_for_steps() -> None:
    match = table({"builder_diagonal": True}, g3="B", f2="#", a1=".", c1="K")
    assert verbs(match, "wall") == ["wall g2", "wall f3"]
    assert verbs(match, "raze") == ["raze f2"]
    assert refused(match, "g3-f2") == "CD-26"
    assert refused(table(g3="B", f2="#"), "raze f2") == "CD-32"


def test_a_builder_removes_any_wall_beside_him() -> None:
    match = table(b2="B", b3="#", e3="#")
    assert verbs(match, "raze") == ["raze b3"]
    assert refused(match, "raze e3") == "CD-32"
    assert refused(match, "raze a3") == "CD-32"
    assert play(match, "raze b3")["moves_left"] == 2
    assert at(match, "b3") == "."


def test_others_builders_do_nothing_for_the_player() -> None:
    match = table(d8="b", d7="#")
    assert verbs(match, "wall") == verbs(match, "raze") == []


@pytest.mark.parametrize("fire", ["+", "x"])
def test_build_on_fire(fire: str) -> None:
    assert refused(table(moves=3, d3="B", c3=fire), "wall c3") == "CD-30"
    match = table({"build_on_fire": True}, moves=3, d3="B", c3=fire)
    play(match, "wall c3")
    assert at(match, "c3") == "#"
    play(match, "raze c3")
    assert at(match, "c3") == "."  # the Fire went out


def test_wall_on_portal() -> None:
    match = table(d2="B")
    play(match, "wall d1", "end", "end")
    assert refused(match, "add wizard") == "CD-22"
    assert refused(table({"wall_on_portal": False}, d2="B"), "wall d1") == "CD-30"


# --- Shots -------------------------------------------------------------------


def test_a_cannon_fires_straight_ahead_across_the_river() -> None:
    match = table(moves=9, d4="C")
    assert verbs(match, "fire") == [f"fire d4 d{row}" for row in (6, 7, 8, 9)]
    assert refused(match, "fire d4 d3") == "CD-33"
    assert refused(match, "fire d4 e6") == "CD-33"
    assert refused(match, "fire d4 d5") == "CD-40"
    assert refused(match, "fire a1 a6") == "CD-33"
    red = Match(
        "castle-danger", seed="1", position={"board": board(c6="c"), "to_move": "red", "moves_left": 9}
    )
    assert verbs(red, "fire") == [f"fire c6 c{row}" for row in (1, 2, 3, 4)]


def test_each_square_costs_a_move_and_moves_are_the_range() -> None:
    match = table(moves=4, d3="C")
    assert verbs(match, "fire") == ["fire d3 d6", "fire d3 d7"]
    assert refused(match, "fire d3 d8") == "CD-38"
    assert play(match, "fire d3 d6")["moves_left"] == 1


def test_a_ball_flies_over_units_not_over_walls() -> None:
    match = table(moves=8, d2="C", d3="W", d6="w", d7="#", d9="w")
    assert verbs(match, "fire") == ["fire d2 d3", "fire d2 d6", "fire d2 d7"]
    assert refused(match, "fire d2 d8") == "CD-37"
    play(match, "fire d2 d7")
    assert at(match, "d7") == "+"


def test_an_own_wall_stops_the_ball_too() -> None:
    match = table(moves=8, d2="C", d3="#")
    assert verbs(match, "fire") == ["fire d2 d3"]
    red = board(d8="c", d6="w", d7="#")
    other = Match("castle-danger", seed="1", position={"board": red, "to_move": "red", "moves_left": 8})
    assert verbs(other, "fire") == ["fire d8 d7"]


@pytest.mark.parametrize("sign", "wbc#")
def test_what_is_hit_is_gone_and_fire_is_left(sign: str) -> None:
    match = table(moves=9, c4="C", c8=sign)
    play(match, "fire c4 c8")
    assert (at(match, "c8"), at(match, "c4")) == ("+", "F")
    assert refused(match, "fire c4 c7") == "CD-39"


def test_an_empty_square_can_be_set_on_fire() -> None:
    match = table(moves=9, c4="C")
    play(match, "fire c4 c7")
    assert at(match, "c7") == "+"


@pytest.mark.parametrize("sign", [".", "w", "#"])
def test_no_fire_on_a_portal(sign: str) -> None:
    match = table(moves=9, d4="C", d9=sign)
    play(match, "fire d4 d9", "end")
    assert at(match, "d9") == "."
    assert refused(match, "add wizard") == ""


def test_friendly_fire() -> None:
    squares: dict[str, Any] = {"c1": "C", "c2": "W", "c3": "#", "b1": "C", "b2": "#"}
    assert verbs(table(**squares, moves=9), "fire") == ["fire b1 b2", "fire c1 c2", "fire c1 c3"]
    only_walls = table({"friendly_fire": "walls_only"}, **squares, moves=9)
    assert verbs(only_walls, "fire") == ["fire b1 b2", "fire c1 c3"]
    assert refused(only_walls, "fire c1 c2") == "CD-40"
    none = table({"friendly_fire": "none"}, **squares, moves=9)
    assert verbs(none, "fire") == []
    assert refused(none, "fire b1 b2") == "CD-40"
    assert refused(none, "fire b1 b6") == "CD-37"


def test_fire_alone_is_no_target_on_the_own_side() -> None:
    match = table(moves=9, c1="C", c3="x", c4="+")
    assert verbs(match, "fire") == [f"fire c1 c{row}" for row in (6, 7, 8, 9)]
    assert refused(match, "fire c1 c3") == "CD-40"


def test_hitting_a_king_ends_the_game_at_once() -> None:
    match = table(moves=9, g4="C")
    play(match, "fire g4 g9")
    assert (match.result(), match.returns(), match.position()["moves_left"]) == ("blue", [1.0, -1.0], 4)
    assert at(match, "g9") == "+"
    own = table(moves=9, a1="C", a3="K")
    play(own, "fire a1 a3")
    assert (own.result(), own.returns()) == ("red", [-1.0, 1.0])


def test_a_fired_cannon_may_go_and_is_ready_in_its_next_turn() -> None:
    match = table(moves=9, c4="C")
    play(match, "fire c4 c6", "c4-d4")
    assert at(match, "d4") == "F"
    assert refused(match, "fire d4 d6") == "CD-39"
    play(match, "end")
    assert at(match, "d4") == "F"
    play(match, "end")
    assert at(match, "d4") == "C"


def test_a_breach_is_open_to_the_next_cannon() -> None:
    match = table(moves=20, g4="C", g3="C", g8="#")
    assert refused(match, "fire g3 g9") == "CD-37"
    play(match, "fire g4 g8", "fire g3 g9")
    assert match.result() == "blue"


def test_fire_lasts_through_the_opponents_turn() -> None:
    match = table(moves=9, c4="C", c1="C", c7="w", b7="w")
    play(match, "fire c4 c7", "end")
    assert at(match, "c7") == "+"
    assert refused(match, "b7-c7") == "CD-14"
    play(match, "end")
    assert at(match, "c7") == "."


def test_a_later_ball_makes_the_fire_the_shooters() -> None:
    match = table(moves=9, c4="C", c6="x")
    play(match, "fire c4 c6")
    assert at(match, "c6") == "+"
    play(match, "end")  # Red's turn begins: his own Fire would go out
    assert at(match, "c6") == "+"


def test_fire_blocks_its_shooter_too() -> None:
    match = table(moves=9, c1="C", c2="W", b2="B")
    play(match, "fire c1 c2")
    assert refused(match, "b2-c2") == "CD-14"
    assert refused(match, "c1-c2") == "CD-14"


def test_a_wizard_lost_in_the_own_turn_changes_nothing_until_the_next() -> None:
    match = table(c1="C", c2="W", b2="W")
    assert match.position()["moves_left"] == 9
    assert play(match, "fire c1 c2")["moves_left"] == 8
    assert play(match, "end", "end")["moves_left"] == 6

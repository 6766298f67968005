"""The third occurrence of a position, counted exactly."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from bartizan.engine.rule import interpreted
from bartizan.games.castle_danger import repetition
from bartizan.games.castle_danger.state import REMEMBERED, State
from bartizan.match import Match
from tests.castle_danger.tables import board, fresh, play, table


def turn_key(position: dict[str, Any]) -> tuple[str, ...]:
    """Return what is compared: the board without the marks of fired Cannons, and the side."""
    rows = [row.replace("F", "C").replace("f", "c") for row in position["board"]]
    return (*rows, position["to_move"])


def test_passing_back_and_forth_draws_at_the_third_occurrence() -> None:
    match = fresh()
    play(match, "end", "end", "end")
    assert not match.is_over
    match.play("end")
    assert (match.result(), match.position()["turn"]) == ("draw", 3)
    off = fresh(repetition=0)
    play(off, *["end"] * 20)
    assert not off.is_over


def test_random_play_is_drawn_exactly_when_a_turn_begins_so_for_the_third_time() -> None:
    """Two Kings in a corner each come back often; a count kept beside the rules must agree."""
    drawn = 0
    for number in range(60):
        dice = random.Random(number)
        match = table({"turn_limit": 0}, b2="#", b1="C", f9="#", g8="c", b3="B")
        begun = Counter([turn_key(match.position())])
        for _ in range(400):
            legal = match.legal_texts()
            passing = dice.random() < 0.4
            mover = match.seat_to_move
            match.play("end" if passing else dice.choice(legal))
            if match.is_over and match.result() != "draw":
                break
            if match.seat_to_move != mover:
                key = turn_key(match.position())
                begun[key] += 1
                assert match.is_over == (begun[key] >= 3)
            if match.is_over:
                drawn += 1
                break
    assert drawn > 20


def test_fire_and_its_colour_count_fired_cannons_do_not() -> None:
    def after(seen: list[str], **squares: str) -> bool:
        """Let Red's turn begin with these squares, such boards having been seen twice; say if it is drawn."""
        position = {"board": board(**squares), "seen": [f"{'/'.join(board())} blue", *seen]}
        match = Match("castle-danger", seed="1", position=position)
        match.play("end")
        return match.is_over

    cannon = "/".join(board(c4="C"))
    assert after([f"{cannon} red"] * 2, c4="F")
    assert after([f"{cannon} red"] * 2, c4="C")
    assert not after([f"{cannon} blue"] * 2, c4="C")
    assert not after([f"{cannon} red"], c4="C")
    burning = "/".join(board(c4="C", c7="+"))
    assert after([f"{burning} red"] * 2, c4="F", c7="+")
    assert not after([f"{burning} red"] * 2, c4="C")
    assert not after(["/".join(board(c4="C", c7="x")) + " red"] * 2, c4="F", c7="+")


def test_mid_turn_positions_never_count() -> None:
    match = table(moves=9, a1="K")
    play(match, *["a1-b1", "b1-a1"] * 4)
    assert not match.is_over


@pytest.mark.parametrize("red", [False, True])
def test_the_words_that_are_kept_hold_the_board(red: bool) -> None:
    rows = board(
        a1="K", b1="W", c1="B", d2="C", e2="#", f2="+", g2="x", a9="w", b9="b", c9="c", d8="#", e8="+", f8="x"
    )
    given = {"board": rows, "to_move": "red" if red else "blue"}
    match = Match("castle-danger", seed="1", position=given)
    assert match.position()["seen"] == ["/".join(rows) + (" red" if red else " blue")]


def test_the_oldest_turns_are_forgotten() -> None:
    match = fresh(turn_limit=0, repetition=0)
    first = match.position()["seen"][0]
    match.play("b1-a1")
    play(match, *["end"] * REMEMBERED)
    seen = match.position()["seen"]
    assert len(seen) == REMEMBERED
    assert first not in seen
    plain: Any = interpreted(repetition)
    state: State = match.view()
    assert plain.occurrences(state) == REMEMBERED // 2

"""Programs at a terminal table."""

from __future__ import annotations

import pytest

from bartizan.match import Match
from bartizan.terminal.programs import chooser
from tests import trees


def test_a_program_goes_on_from_what_it_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    known = trees.watch(monkeypatch)
    match = Match("castle-danger", seats=2, seed="5")
    choose = chooser(match)
    for _ in range(12):
        match.push(choose(match, "knight"))
    assert known[0] == 0
    assert max(known) > 10
    match.go_to(0)
    match.play(match.legal()[-1])
    while match.seat_to_move != 1:
        match.play(match.legal()[-1])
    choose(match, "knight")
    assert known[-1] == 0  # that was another game


def test_the_same_seed_and_moves_give_the_same_game() -> None:
    games = []
    for _ in range(2):
        match = Match("castle-danger", seats=2, seed="7")
        choose = chooser(match)
        for _ in range(10):
            match.push(choose(match, ["knight", "page"][match.seat_to_move - 1]))
        games.append(match.moves)
    assert games[0] == games[1]

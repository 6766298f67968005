"""A position of a finished game is treated alike in all games."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadPosition
from bartizan.match import Match

GAMES = registry.names()
OPTIONS: dict[str, dict[str, object]] = {
    "tower": {"turn_cap": 12, "build_cap": 4, "cap_result": "levels"},
    "castle-danger": {"turn_limit": 60},
}
OTHER_WINNERS: dict[str, list[Any]] = {
    "alcazar": ["player", "loss"],
    "castle-danger": ["blue", "red"],
    "tower": [1, 2, "draw"],
    "card-cassonne": [1, 2, [1, 2]],
    "card-barrage": [1, 2, [1, 2]],
}


@cache
def finished(name: str, number: int) -> Match:
    """Return a game that was played to its end by lot."""
    game = registry.get(name)
    seats = min(game.max_seats, max(game.min_seats, 2))
    match, dice = Match(name, OPTIONS.get(name), seats, f"f1{number}"), random.Random(number)
    while not match.is_over:
        match.play(dice.choice(match.legal()))
    return match


def winners(name: str) -> list[Any]:
    """Return who can win a game, as some games show."""
    return list(
        {str(each): each for each in (finished(name, number).winner() for number in range(12))}.values()
    )


def load(match: Match, **changed: Any) -> Match:
    """Set up a game's last position with some keys changed; None leaves one out."""
    position = {**match.position(), **changed}
    position = {key: value for key, value in position.items() if value is not None}
    return Match(match.game, match.options, match.seats, match.seed, position)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_is_loaded_as_it_ended(name: str, number: int) -> None:
    match = finished(name, number)
    assert load(match).outcome == match.outcome
    if "phase" in match.position():
        assert load(match, winner=None).outcome == match.outcome  # the rules say who has won


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_nobody_else_can_have_won_it(name: str, number: int) -> None:
    match = finished(name, number)
    ending = registry.get(name).clauses.prefix
    for winner in OTHER_WINNERS.get(name) or winners(name):
        if winner != match.winner():
            with pytest.raises(BadPosition) as caught:
                load(match, winner=winner)
            assert all(clause.startswith(ending) for clause, _ in caught.value.faults)


@pytest.mark.parametrize("name", GAMES)
def test_phase_and_winner_go_together(name: str) -> None:
    match = finished(name, 0)
    running = Match(name, seats=match.seats, seed="1")
    cases: list[tuple[Match, dict[str, Any]]] = [
        (match, {"winner": "none"}),
        (running, {"winner": match.winner()}),
    ]
    if "phase" in match.position():
        nobody = {} if name == "alcazar" else {"to_move": 0}
        cases += [(match, {"phase": None}), (running, {"phase": "over", "winner": None, **nobody})]
    for table, changed in cases:
        with pytest.raises(BadPosition):
            load(table, **changed)


@pytest.mark.parametrize(
    ("game", "position", "clause"),
    [
        ("alcazar", {"tower": []}, "ALC-68"),
        ("castle-danger", {"board": ["...k...", *["......."] * 3, "~~~~~~~", *["......."] * 4]}, "CD-9"),
        ("tower", {"players": [{"tower": {"rock": "-"}, "hand": []}, {"hand": ["2r"] * 5}]}, "TWR-64"),
    ],
)
def test_a_table_that_is_decided_does_not_go_on(game: str, position: dict[str, Any], clause: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Match(game, seed="1", position=position)
    assert clause in [clause for clause, _ in caught.value.faults]


def test_a_loaded_position_runs_on_to_its_next_decision() -> None:
    """Nobody has a card left to play: no decision comes, so the game is over when it is loaded."""
    players = [{"hand": [], "score": 8}, {"hand": [], "score": 5}]
    position = {"board": {"0,0": "7h", "1,0": "8d"}, "deck": [], "rest": "aside", "players": players}
    match = Match("card-cassonne", seed="1", position=position)
    assert match.outcome is not None
    assert match.outcome.winners == (1,)

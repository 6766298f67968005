"""Hints by search, and what is made of a finished game: seen through by hand where that can be done."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.engine.game import GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.scene import Analysis, Verdict
from bartizan.match import Match
from bartizan.match.analysis import (
    conclude,
    mean_losses,
    turning_point,
    verdicts,
)
from bartizan.search.players import Player
from tests.castle_danger.tables import table
from tests.games.tables import GAMES, finished, played

each_game = pytest.mark.parametrize("name", GAMES)
FEW = 60 if COMPILED else 20  # iterations, where the figures do not matter


def looked_back_on(match: Match, iterations: int) -> Analysis:
    return conclude(match, list(verdicts(match, iterations)), iterations=iterations)


# --- Hints -------------------------------------------------------------------


def certain_win(match: Match) -> int | None:
    """Return an action that ends the game as a win for who moves, however the dice fall."""
    seat = match.seat_to_move

    def wins(action: int, stream: int) -> bool:
        game_state = match.game_state()
        game_state.rekey(stream)
        match.game.array_rules.apply(game_state.cells, action)
        over = match.game.array_rules.turn_of(game_state.cells) == 0
        return bool(over and match.game.array_rules.returns(game_state.cells, seat) == 1)

    return next((each for each in match.legal() if all(wins(each, dice) for dice in range(8))), None)


@each_game
def test_a_win_at_hand_is_seen_as_certain(name: str) -> None:
    """Where a move ends the game as a win, it is the first hint, and nothing is surer."""
    found = 0
    for number in itertools.count():
        for match in played(name, number):
            if match.is_over or len(match.legal()) < 2 or match.game.throws:
                continue
            if certain_win(match) is not None:
                first = match.views.hints(1, iterations=200)[0]
                match.play(first.action)
                assert (first.chance or 0) > 0.99
                found += 1
                break
        if found == 2 or number == 60:
            break
    assert found or registry.get(name).throws or not COMPILED


@each_game
def test_hints_are_the_same_each_time_and_leave_the_table_alone(name: str) -> None:
    for match in itertools.islice(played(name, 7), 0, 24, 6):
        if match.is_over:
            return
        before = match.digest()
        hints = match.views.hints(3, iterations=FEW)
        assert match.views.hints(3, iterations=FEW) == hints
        assert match.views.hints(1, iterations=FEW) == hints[:1]
        assert match.digest() == before
        if len(match.legal()) > 1:
            chances = [hint.chance for hint in hints if hint.chance is not None]
            assert len(chances) == len(hints)
            assert chances == sorted(chances, reverse=True)
            assert all(0 <= chance <= 1 for chance in chances)
            assert sum(hint.visits for hint in hints) <= FEW
        else:
            assert [(hint.chance, hint.visits) for hint in hints] == [(None, 0)]


def test_the_king_is_hit_before_anything_else() -> None:
    first, second, third = table(moves=9, g4="C", b2="W").views.hints()
    assert (first.text, first.chance) == ("fire g4 g9", 1.0)
    assert first.visits > second.visits
    assert third.chance is not None


# --- The turning point -------------------------------------------------------


@pytest.mark.parametrize(
    ("first_seat", "ply"),
    [
        ([0.5, 0.5, 0.9, 1.0], 2),  # the largest step
        ([0.5, 0.9, 0.2, 0.95, 1.0], 3),  # not the one to 90%, which was lost again
        ([0.5, 0.8, 0.7, 0.75, 1.0], 4),  # 30 points for good come before 20
        ([0.5, 0.1, 0.2, 0.1, 0.0], 1),  # towards a loss
        ([0.5, 0.7, 0.5, 0.5], 2),  # a drawn game: when the lead was given back
        ([0.9, 0.93, 0.96, 1.0], 0),  # no step stands out
        ([1.0, 1.0, 1.0], 0),
        ([0.4], 0),
    ],
)
def test_what_turned_a_game_is_what_was_never_made_good(first_seat: list[float], ply: int) -> None:
    alone = [(chance,) for chance in first_seat]
    two = [(chance, 1 - chance) for chance in first_seat]
    three = [(chance, (1 - chance) / 2, (1 - chance) / 2) for chance in first_seat]
    assert turning_point(alone, alone[-1]) == turning_point(two, two[-1]) == ply
    if first_seat[-1] == 1:
        assert turning_point(three, three[-1]) == ply


def blunder() -> Match:
    """Return a game in which Blue leaves the King alone that he could hit, and is hit himself."""
    match = table(moves=9, g4="C", b2="W", a6="c", b9="w")
    for move in ("b2-b3", "end", "fire a6 a1"):
        match.play(move)
    assert match.returns() == [-1.0, 1.0]
    return match


def test_the_blunder_that_gives_a_won_game_away_is_its_turning_point() -> None:
    match = blunder()
    analysis = looked_back_on(match, 300)
    step, end, shot = analysis.verdicts
    assert analysis.turning == 2
    assert (end.seat, end.move, end.best) == (1, "end", "fire g4 g9")
    assert end.chances == (1.0, 0.0)
    assert end.played < 0.2
    assert end.loss == pytest.approx(end.chances[0] - end.played)
    assert end.reason.startswith("Fire")
    assert step.played > 0.8  # the King could still be hit
    assert (shot.chances, shot.loss, shot.best) == ((0.0, 1.0), 0.0, "")
    assert analysis.end == (0.0, 1.0)
    assert analysis.sentence == (
        f"Turning point: move 2. “End the turn: Red is next” cut Blue’s chance to win from 100% "
        f"to {round(100 * end.played)}%."
    )
    assert match.ply == match.last_ply == 3


@pytest.mark.parametrize("scores", [(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)])
def test_the_last_move_is_not_judged_by_a_result_that_no_move_led_to(scores: tuple[float, float]) -> None:
    match = table(moves=9, g4="C", b2="W")
    match.play("b2-b3")
    analysis = conclude(match, list(verdicts(match, FEW)), scores, FEW)
    assert analysis.end[0] > 0.9  # as it stands, not the result
    assert (analysis.turning, analysis.sentence) == (0, "")


def test_a_blunder_before_a_resignation_is_the_turning_point() -> None:
    match = blunder()
    match.go_to(2)
    match = Match.of(match.record(secret_seed=True))
    judged = list(verdicts(match, 300))
    assert conclude(match, judged, (-1.0, 1.0), 300).turning == 2
    assert conclude(match, judged, (1.0, -1.0), 300).turning == 0  # Red was winning, and resigned


def judged(**more: Any) -> Verdict:
    usual: Any = {"ply": 1, "seat": 1, "move": "a", "label": "A", "chances": (0.5, 0.5), "played": 0.5}
    return Verdict(**{**usual, **more})


def test_losses_are_averaged_over_the_choices_of_a_seat() -> None:
    found = [
        judged(choices=3, loss=0.2),
        judged(choices=5),
        judged(choices=1, loss=0.9),  # forced
        judged(choices=4, loss=0.9, thrown=True),  # chance's doing
        judged(seat=2, choices=2, loss=0.5),
    ]
    assert mean_losses(found, 3) == [pytest.approx(0.1), 0.5, 0.0]


def told(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the sentence on a game that the first seat won by its only move, with a chance of 20% before."""
    match = Match(name, seed="5")
    match.play(match.legal()[0])
    monkeypatch.setattr("bartizan.match.analysis._ended", lambda match: (1.0, 0.0)[: match.seats])
    found = [judged(move=match.moves[0], seat=match.movers[0], chances=(0.2, 0.8)[: match.seats], choices=4)]
    return conclude(match, found).sentence


def test_luck_is_not_told_as_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = told("alcazar", monkeypatch)
    assert "your chance to win rose from 20% to 100%. That was luck, not a decision." in dealt
    known = told("castle-danger", monkeypatch)
    assert known.endswith("Blue’s chance to win rose from 20% to 100%.")


# --- Whole games of each kind ------------------------------------------------


@each_game
def test_every_decision_is_judged(name: str) -> None:
    match = next(each for each in (finished(name, number) for number in range(40)) if each.ply < 120)
    match.go_to(min(match.ply, 25))
    stretch = Match.of(match.record(secret_seed=True))
    found = list(verdicts(stretch, FEW))
    assert found == list(verdicts(stretch, FEW))
    assert [verdict.move for verdict in found] == stretch.moves
    assert [verdict.seat for verdict in found] == stretch.movers
    assert [verdict.ply for verdict in found] == list(range(1, stretch.ply + 1))
    for verdict in found:
        assert len(verdict.chances) == match.seats
        assert all(0 <= chance <= 1 for chance in (*verdict.chances, verdict.played))
        assert verdict.loss >= 0
        assert (verdict.best != "") == (verdict.reason != "") == (verdict.loss > 0)
        assert verdict.best != verdict.move
        if verdict.choices == 1:
            assert verdict.loss == 0
        assert match.game.throws or not verdict.thrown
        if not verdict.thrown and verdict.loss == 0:
            assert verdict.played == verdict.chances[verdict.seat - 1]
    analysis = conclude(stretch, found, iterations=FEW)
    assert len(analysis.end) == match.seats
    assert (analysis.turning > 0) == (analysis.sentence != "")


def test_a_throw_is_no_choice() -> None:
    """What a throw came to is chance's doing: nothing is given away, whatever it missed."""
    thrown = 0
    for number in range(3):
        match = finished("card-barrage", number)
        match.go_to(min(match.ply, 20))
        stretch = Match.of(match.record(secret_seed=True))
        for verdict in verdicts(stretch, 20):
            assert verdict.thrown == verdict.move.startswith("report")
            thrown += verdict.thrown
            assert verdict.loss == 0 or not verdict.thrown
    assert thrown


@each_game
def test_what_lies_hidden_does_not_count(name: str) -> None:
    """A decision is judged the same whatever the seat that took it could not know."""
    from bartizan.match.close_look import hidden
    from bartizan.match.evaluate import MoveEvaluator
    from tests.games.tables import hides_by_swaps, positions

    compared = 0
    for match, _ in positions(name, 20, 0.1, first=4_000):
        if match.is_over or hides_by_swaps(match):
            continue

        def weighed(game_state: GameState, match: Match = match) -> list[object]:
            counsel = MoveEvaluator(match.game, game_state, match.legal(), 12, 1)
            return [counsel.estimates(), counsel.weigh(match.legal()[-1])]

        other = hidden(match, match.seat_to_move, match.ply)
        assert weighed(other) == weighed(match.game_state())
        compared += 1
        if compared == 12:
            break
    assert compared


def test_a_program_that_looks_ahead_gives_little_away() -> None:
    """The better player loses less by the analysis: a random one far more than the greedy."""
    match = Match("castle-danger", seed="3")
    programs = [Player.named(match.game, each, 3) for each in ("greedy", "random")]
    while not match.is_over and match.ply < 60:
        match.play(programs[match.seat_to_move - 1].choose(match.game_state(), match.legal()))
    greedy, random = mean_losses(looked_back_on(match, 200).verdicts, 2)
    assert greedy < random / 2

"""Meetings on the same deals, what they come to, and ratings against known strengths."""

from __future__ import annotations

import math
import random

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import UnknownPlayer
from bartizan.engine.mode import COMPILED
from bartizan.lab.ladder import LadderGame, Meeting, meetings, pair_of, pairs_in, pairs_of, ratings, strengths
from bartizan.search.players import Player

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games want compiled rules")


def met(first: str, second: str, number: int, *points: float) -> Meeting:
    """Return a meeting that came to these points."""
    wins = (sum(each == 1 for each in points), sum(each == 0 for each in points))
    return Meeting(
        first=first,
        second=second,
        number=number,
        points=points,
        wins=wins,
        decisions=(1, 1),
        seconds=(0.5, 0.25),
    )


# --- Playing -----------------------------------------------------------------


def test_a_round_depends_on_the_seed_the_pair_and_its_number_alone() -> None:
    def games(threads: int, seed: str = "a") -> list[tuple[int, tuple[float, ...], int]]:
        contest = LadderGame(registry.get("tower"), seed=seed)
        found = meetings(contest, [("greedy", "random")], 6, threads)
        return sorted((each.number, each.points, each.plies) for each in found)

    assert games(1) == games(3)
    assert games(1) != games(1, "b")


def test_both_players_take_every_seat_on_the_same_deal() -> None:
    for seats in (2, 3, 4):
        contest = LadderGame(registry.get("card-cassonne"), seats, seed="1")
        (meeting,) = meetings(contest, [("greedy", "random")], 2)
        assert len(meeting.points) == seats == contest.games_a_round
        assert sum(meeting.points) > seats / 2  # greedy is far better from any seat
        assert meeting.decisions[1] > (seats - 2) * meeting.decisions[0]


def test_swapped_players_get_the_other_share() -> None:
    contest = LadderGame(registry.get("castle-danger"), seed="3")
    one = next(iter(meetings(contest, [("greedy", "random")], 2)))
    other = next(iter(meetings(contest, [("random", "greedy")], 2)))
    assert sum(one.points) > sum(other.points)


def test_in_a_game_for_one_both_play_the_deal() -> None:
    contest = LadderGame(registry.get("alcazar"), seed="5")
    found = list(meetings(contest, [("greedy", "random")], 40))
    assert all(len(meeting.points) == 1 for meeting in found)
    assert pair_of(found).wins[0] > pair_of(found).wins[1]
    assert pair_of(found).score > 0.5


def test_what_is_done_is_not_played_again() -> None:
    contest = LadderGame(registry.get("castle-danger"), seed="3")
    pairs = [("greedy", "random")]
    first = list(meetings(contest, pairs, 4))
    told: list[tuple[int, int]] = []
    rest = list(
        meetings(contest, pairs, 8, done=first, progress=lambda done, total: told.append((done, total)))
    )
    assert sorted(each.number for each in first + rest) == [0, 1, 2, 3]
    assert told == [(3, 4), (4, 4)]


def test_an_unknown_player_is_named_before_anything_is_played() -> None:
    with pytest.raises(UnknownPlayer, match="Did you mean 'greedy'"):
        next(iter(meetings(LadderGame(registry.get("tower")), [("greedi", "random")], 2)))


def test_a_guest_plays_like_anybody() -> None:
    game = registry.get("castle-danger")

    def guest(seed: int) -> Player:
        return Player.named(game, "greedy", seed)

    contest = LadderGame(game, seed="3", guests={"someone": guest})
    (meeting,) = meetings(contest, [("someone", "random")], 2)
    assert meeting.first == "someone"
    assert meeting.points == (1.0, 1.0)
    with pytest.raises(UnknownPlayer, match="someone"):
        next(iter(meetings(LadderGame(game), [("someone", "random")], 2)))


# --- What it comes to --------------------------------------------------------


def test_shares_are_added_up_by_hand() -> None:
    pair = pair_of([met("a", "b", 0, 1.0, 1.0), met("a", "b", 1, 1.0, 0.0), met("a", "b", 2, 0.5, 0.0)])
    assert (pair.games, pair.score, pair.wins) == (6, 3.5 / 6, (3, 2))
    # means of rounds 1, 0.5, 0.25: three say next to nothing
    assert (pair.low, pair.high) == (0.0, 1.0)
    assert pair.elo == pytest.approx(400 * math.log10(3.5 / 2.5))
    assert pair.seconds_a_decision == (0.5, 0.25)
    even = [met("a", "b", number, 0.5, 0.5) for number in range(3)]
    pair = pair_of([*even, met("a", "b", 3, 1.0, 0.5)])
    # means 0.5, 0.5, 0.5, 0.75: standard deviation 0.125, Student's t of 3 degrees 3.18245
    assert pair.score - pair.low == pytest.approx(3.182446 * 0.125 / 2, abs=1e-5)


def test_a_clean_sweep_has_an_interval_and_a_finite_rating() -> None:
    pair = pair_of([met("a", "b", number, 1.0, 1.0) for number in range(10)])
    assert pair.score == pair.high == 1
    assert 0.8 < pair.low < 0.9  # Wilson, 20 of 20
    assert math.isfinite(pair.elo)


def test_who_meets_whom() -> None:
    assert pairs_of(["a", "b", "c"]) == [("b", "a"), ("c", "b"), ("c", "a")]
    two = [met("b", "a", 1, 1.0), met("b", "a", 0, 1.0), met("c", "a", 0, 1.0)]
    assert [(pair.first, pair.games) for pair in pairs_in(two)] == [("b", 2), ("c", 1)]


def test_ratings_find_the_strengths_that_made_the_results() -> None:
    truth = {"greedy": 0.0, "b": 150.0, "c": 400.0}
    dice = random.Random(1)
    played = []
    for number in range(600):
        for first, second in (("b", "greedy"), ("c", "b"), ("c", "greedy")):
            ahead = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            points = [float(dice.random() < ahead) for _ in range(2)]
            played.append(met(first, second, number, *points))
    for rating in ratings(list(truth), played, "greedy"):
        assert rating.low <= truth[rating.player] <= rating.high
        assert rating.high - rating.low < 100
        assert rating.games == 2400
    even = strengths(["a", "b"], [met("a", "b", 0, 0.5, 0.5)])
    assert even[0] == pytest.approx(even[1])

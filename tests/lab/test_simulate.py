"""Batches of games: the statistics, the threads, and what is known of random play."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from bartizan.engine import registry
from bartizan.engine.errors import BadSeats, BadSeed, UnknownGame, UnknownOption, UnknownPlayer
from bartizan.engine.mode import COMPILED
from bartizan.lab.intervals import Z95, wilson
from bartizan.lab.simulate import SimulationReport, Tally, simulate

pytestmark = pytest.mark.skipif(not COMPILED, reason="tens of thousands of games want compiled rules")

# --- Statistics --------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # worked out by hand
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (0, 1, 0.0, 0.7935),
    ],
)
def test_wilson_intervals_are_those_of_the_literature(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=6e-5)


@given(trials=st.integers(1, 10**6), share=st.floats(0, 1))
def test_wilson_intervals_hold_the_share_and_mirror(trials: int, share: float) -> None:
    successes = round(share * trials)
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert low < high
    assert wilson(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_wilson_without_trials_knows_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(trials=st.floats(0.5, 10**5), share=st.floats(0, 1))
def test_wilson_intervals_are_the_roots_of_their_equation(trials: float, share: float) -> None:
    """The share seen is `Z95` standard deviations from each end, by the deviation at that end."""
    spread = Z95**2 / trials
    roots = np.sort(np.roots([1 + spread, -2 * share - spread, share**2]))
    assert wilson(share * trials, trials) == pytest.approx(roots, abs=1e-9)


def test_a_tally_has_mean_interval_and_extremes() -> None:
    tally = Tally()
    tally.add(np.array([1, 2, 3, 4]))
    figures = tally.summary()
    assert (figures.mean, figures.min, figures.max) == (2.5, 1.0, 4.0)
    half = 3.182446305 * math.sqrt(5 / 3) / 2  # Student's t of 3 degrees; the sample variance is 5/3
    assert (figures.low, figures.high) == pytest.approx((2.5 - half, 2.5 + half))
    tally = Tally()
    tally.add(np.array([7]))
    one = tally.summary()
    assert (one.mean, one.low, one.high, one.min, one.max) == (7.0, 7.0, 7.0, 7.0, 7.0)


@given(
    parts=st.lists(st.lists(st.integers(0, 10**6), min_size=1, max_size=9), min_size=1, max_size=6),
    dice=st.randoms(use_true_random=False),
)
def test_a_tally_is_the_same_in_any_order(parts: list[list[int]], dice: random.Random) -> None:
    def tallied() -> Tally:
        tally = Tally()
        for part in parts:
            tally.add(np.array(part))
        return tally

    first = tallied().summary()
    dice.shuffle(parts)
    assert tallied().summary() == first
    numbers = np.concatenate(parts)
    assert first.mean == pytest.approx(numbers.mean())
    assert (first.min, first.max) == (numbers.min(), numbers.max())
    if len(numbers) > 1:
        half = t.ppf(0.975, len(numbers) - 1) * numbers.std(ddof=1) / math.sqrt(len(numbers))
        assert first.high - first.mean == pytest.approx(half)


# --- Batches -----------------------------------------------------------------


def figures(report: SimulationReport) -> tuple[object, ...]:
    return (report.wins, report.draws, report.unfinished, report.plies, report.rounds, report.win_intervals)


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_the_figures_do_not_depend_on_threads(name: str, player: str) -> None:
    game = registry.get(name)
    players = [player] * game.min_seats
    done: list[tuple[int, int]] = []
    one = simulate(name, 4_500, players, "77", threads=1, progress=lambda n, total: done.append((n, total)))
    two = simulate(game, 4_500, players, "77", threads=2)
    assert figures(one) == figures(two)
    assert (one.threads, two.threads) == (1, 2)
    assert figures(simulate(name, 4_500, players, "78")) != figures(one)
    assert done == sorted(done)
    assert done[-1] == (4_500, 4_500)


@pytest.mark.parametrize("name", registry.names())
def test_a_report_adds_up(name: str) -> None:
    game = registry.get(name)
    for seats in range(game.min_seats, game.max_seats + 1):
        report = simulate(name, 300, ["greedy"] * seats, "1")
        assert report.games == 300
        assert list(report.wins) == [str(seat) for seat in range(1, seats + 1)]
        assert report.unfinished == 0
        assert report.plies.min >= 1
        assert report.plies.low <= report.plies.mean <= report.plies.high <= report.plies.max
        assert report.actions_per_second > 0
        assert report.win_intervals == {seat: wilson(wins, 300) for seat, wins in report.wins.items()}


def test_the_first_games_of_a_longer_batch_are_the_same() -> None:
    """Every game has a stream of its own: a batch of three is the start of a batch of four."""
    three, four = (simulate("alcazar", games, seed="5").plies for games in (3, 4))
    last = four.mean * 4 - three.mean * 3
    assert last == pytest.approx(round(last))
    assert last >= 1


def test_errors_name_the_thing() -> None:
    with pytest.raises(UnknownGame):
        simulate("alcazaar", 1)
    with pytest.raises(UnknownPlayer, match="Did you mean 'greedy'"):
        simulate("alcazar", 1, ["gredy"])
    with pytest.raises(BadSeats):
        simulate("alcazar", 1, ["random", "random"])
    with pytest.raises(UnknownOption):
        simulate("alcazar", 1, options={"havok": True})
    with pytest.raises(BadSeed):
        simulate("alcazar", 1, seed="xyz")


# --- What is known of Alcazar ------------------------------------------------


@pytest.fixture(scope="module")
def random_play() -> SimulationReport:
    """Return 40,000 random games under the default options."""
    return simulate("alcazar", 40_000, seed="2", threads=2)


def test_random_play_of_alcazar_comes_to_the_known_figures(random_play: SimulationReport) -> None:
    assert 0.0015 < random_play.wins["1"] / random_play.games < 0.0030
    assert 14.2 < random_play.plies.mean < 15.2
    assert 6.2 < random_play.rounds.mean < 6.8
    assert random_play.draws == random_play.unfinished == 0


def test_greedy_is_better_than_random_by_far(random_play: SimulationReport) -> None:
    greedy = simulate("alcazar", 20_000, ["greedy"], "3", threads=2)
    assert greedy.win_intervals["1"][0] > 10 * random_play.win_intervals["1"][1]
    assert greedy.rounds.low > random_play.rounds.high


@pytest.mark.parametrize(
    ("options", "harder"),
    [
        ({"havoc": True}, True),
        ({"total_victory": True}, True),
        ({"actions_per_turn": "one_of_each"}, True),
        ({"trade_limit": "unlimited"}, False),
    ],
)
def test_options_make_the_game_harder_or_easier(options: dict[str, object], harder: bool) -> None:
    plain = simulate("alcazar", 10_000, ["greedy"], "4", threads=2)
    report = simulate("alcazar", 10_000, ["greedy"], "4", threads=2, options=options)
    better, worse = (plain, report) if harder else (report, plain)
    assert better.win_intervals["1"][0] > worse.win_intervals["1"][1]

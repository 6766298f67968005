"""Intervals: known values, and how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit
from scipy.stats import binomtest

from bartizan.lab.intervals import (
    ConfidenceSequence,
    Moments,
    difference,
    exact,
    holm,
    normal_difference,
    ratio,
    smallest_difference,
    student95,
)
from tests.corpus import sample

TRIES = sample(1_000, 4_000)


def moments_of(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    moments = Moments(1, rows.shape[1])
    moments.add(rows[:, None, :])
    return moments.mean[0], moments.covariance()[0], moments.count


def test_exact_intervals_are_those_of_the_literature() -> None:
    # Newcombe (1998), table I, method 5
    assert exact(81, 263) == pytest.approx((0.2527, 0.3676), abs=6e-5)
    assert exact(0, 20) == pytest.approx((0.0, 0.1684), abs=6e-5)
    assert exact(0, 0) == (0.0, 1.0)


@given(trials=st.integers(1, 200), share=st.floats(0, 1))
def test_exact_intervals_are_those_of_scipy(trials: int, share: float) -> None:
    successes = round(share * trials)
    expected = binomtest(successes, trials).proportion_ci(0.95, "exact")
    assert exact(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(freedom=st.one_of(st.integers(1, 400), st.integers(401, 10**9)))
def test_students_t_is_that_of_scipy(freedom: int) -> None:
    assert student95(freedom) == pytest.approx(float(stdtrit(freedom, 0.975)), rel=3e-12)


@given(
    rows=st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=2, max_size=40),
    cut=st.integers(0, 40),
)
def test_moments_do_not_depend_on_how_they_come_in(rows: list[tuple[float, float]], cut: int) -> None:
    array = np.array(rows)[:, None, :]
    whole, parts = Moments(1, 2), Moments(1, 2)
    whole.add(array)
    parts.add(array[:cut])
    parts.add(array[cut:])
    assert parts.count == whole.count
    assert np.allclose(parts.mean, whole.mean)
    assert np.allclose(parts.covariance(), whole.covariance(), atol=1e-9)
    assert np.allclose(whole.covariance()[0], np.cov(array[:, 0].T) / len(rows), atol=1e-9)


def test_holm_is_that_of_a_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03, math.nan]) == pytest.approx([0.03, 0.06, 0.06, math.nan], nan_ok=True)
    assert holm([0.5, 0.001, 0.7, 0.03]) == pytest.approx([1, 0.004, 1, 0.09])
    assert all(map(math.isnan, holm([math.nan])))


def test_a_difference_of_pairs_is_that_of_their_differences() -> None:
    dice = np.random.default_rng(1)
    one, other = dice.normal(2, 1, 50), dice.normal(1, 1, 50)
    rows = np.stack([one, np.ones(50), other, np.ones(50)], axis=1)
    found = difference(*moments_of(rows))
    plain = one - other
    expected = normal_difference(plain.mean(), plain.std(ddof=1) / math.sqrt(50), 50)
    assert (found.estimate, found.low, found.high, found.p) == pytest.approx(
        (expected.estimate, expected.low, expected.high, expected.p)
    )


def holds(low: float, high: float, truth: float) -> bool:
    return low <= truth <= high


def coverage_of(draw: object, truth: float, *, share: bool, whole: bool) -> float:
    assert callable(draw)
    hits = 0
    for _ in range(TRIES):
        rows = draw()
        mean, covariance, units = moments_of(rows)
        found = ratio(mean, covariance, units, share=share, whole=rows[:, 1].sum() if whole else 0.0)
        hits += holds(found.low, found.high, truth)
    return hits / TRIES


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Over a thousand small experiments of a known game: 93 to 97 in a hundred."""
    dice = np.random.default_rng(2026)

    def independent() -> np.ndarray:
        return np.stack([dice.random(120) < 0.3, np.ones(120)], axis=1).astype(float)

    def clustered() -> np.ndarray:  # four games of a deal, whose deal decides much
        chance = dice.beta(1.5, 2.5, 80)
        return np.stack([dice.binomial(4, chance), np.full(80, 4)], axis=1).astype(float)

    def lengths() -> np.ndarray:  # forced decisions by decisions
        decisions = dice.poisson(20, 100) + 1
        return np.stack([dice.binomial(decisions, 0.25), decisions], axis=1).astype(float)

    assert 0.93 <= coverage_of(independent, 0.3, share=True, whole=True) <= 0.97
    assert 0.93 <= coverage_of(clustered, 1.5 / 4, share=True, whole=False) <= 0.97
    assert 0.93 <= coverage_of(lengths, 0.25, share=True, whole=False) <= 0.97


def test_a_mean_holds_the_truth_as_often_as_it_says() -> None:
    dice = np.random.default_rng(7)

    def waits() -> np.ndarray:
        return np.stack([dice.gamma(3, 2, 100), np.ones(100)], axis=1)

    assert 0.93 <= coverage_of(waits, 6.0, share=False, whole=False) <= 0.97


def test_games_of_one_deal_taken_for_independent_would_be_too_sure() -> None:
    """What the deals as units are for: the same games without them hold the truth far too seldom."""
    dice = np.random.default_rng(11)
    hits = 0
    for _ in range(300):
        wins = dice.binomial(4, dice.beta(0.5, 0.5, 60))
        hits += holds(*exact(int(wins.sum()), 240), 0.5)
    assert hits / 300 < 0.88


@given(numbers=st.lists(st.floats(0, 1), min_size=1, max_size=60), cut=st.integers(0, 60))
def test_a_confidence_sequence_narrows_and_keeps_its_sums(numbers: list[float], cut: int) -> None:
    whole, parts = ConfidenceSequence(), ConfidenceSequence()
    whole.add(np.array(numbers))
    parts.add(np.array(numbers[:cut]))
    before = parts.width
    parts.add(np.array(numbers[cut:]))
    assert parts.width <= before
    assert parts.count == whole.count
    assert parts.total == pytest.approx(whole.total)
    assert parts.variance == pytest.approx(whole.variance)


def test_stopping_when_narrow_enough_keeps_the_promise() -> None:
    """A run that stops at the first narrow interval holds the truth; one that peeks at Wilson's does not."""
    dice = np.random.default_rng(5)
    truth, held, peeked = 0.5, 0, 0
    tries = sample(300, 1_000)
    for _ in range(tries):
        games = (dice.random(4_000) < truth).astype(float)
        sequence = ConfidenceSequence()
        looks_wrong = False
        for first in range(0, 4_000, 100):
            sequence.add(games[first : first + 100])
            at = games[: first + 100].mean()
            half = 1.96 * math.sqrt(at * (1 - at) / (first + 100))
            looks_wrong = looks_wrong or not holds(at - half, at + half, truth)
            if sequence.width < 0.1:
                break
        held += holds(sequence.low, sequence.high, truth)
        peeked += looks_wrong
    assert held / tries >= 0.95
    assert peeked / tries > 0.15


def test_a_confidence_sequence_becomes_narrow() -> None:
    sequence = ConfidenceSequence()
    sequence.add((np.random.default_rng(3).random(20_000) < 0.5).astype(float))
    assert sequence.width < 0.05


def test_how_small_a_difference_so_many_games_can_show() -> None:
    """Of 2,000 independent games 3.1 points of a share of a half; five points take 769."""
    assert smallest_difference(769) <= 0.05 < smallest_difference(768)
    assert smallest_difference(2_000) == pytest.approx(0.031, abs=1e-4)

"""Differences from a tiny group: how often they hold the truth, and when nothing is said."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from bartizan.lab.intervals import Interval, difference, difference_apart
from bartizan.lab.measures import Worths, frame_of
from bartizan.lab.reading import design_of
from bartizan.lab.tables import lines
from tests.lab.test_intervals import moments_of

EXPERIMENTS = 1_000
DEALS = 600
SIZES = (1, 4, 5, 12, 39, 60)  # of the deals, those with the thing
KINDS = np.array(
    [[1.0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]
)  # it is there or not, won or lost
DUELS = np.array([[1.0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 2]])  # its holder wins or loses, nobody has it


def told(kinds: np.ndarray, times: np.ndarray) -> Interval:
    """Return the difference in an experiment that has so many deals of each kind."""
    mean = times @ kinds / times.sum()
    centred = kinds - mean
    covariance = (centred.T * times) @ centred / (times.sum() - 1) / times.sum()
    return difference(mean, covariance, int(times.sum()), share=True)


def experiments(kinds: np.ndarray, times: np.ndarray) -> list[tuple[Interval, int]]:
    """Return what is said in each of a thousand experiments; equal ones are asked once and counted."""
    different, often = np.unique(times, axis=0, return_counts=True)
    return [(told(kinds, each), int(count)) for each, count in zip(different, often, strict=True)]


def made_up(size: int, share: float) -> list[tuple[Interval, int]]:
    """Return what is said of a thing without effect: a deal has one seat, and `size` have the thing."""
    dice = np.random.default_rng([size, round(1000 * share)])
    won = [dice.binomial(many, share, EXPERIMENTS) for many in (size, DEALS - size)]
    return experiments(KINDS, np.stack([won[0], size - won[0], won[1], DEALS - size - won[1]], axis=1))


def holding(found: list[tuple[Interval, int]]) -> float:
    """Return how often an interval holds 0; one that says nothing is not wrong."""
    held = [math.isnan(each.low) or each.low <= 0 <= each.high for each, _ in found]
    return float(np.average(held, weights=[often for _, often in found]))


@pytest.mark.parametrize("share", [0.694, 0.05])
@pytest.mark.parametrize("size", SIZES)
def test_a_difference_from_a_tiny_group_holds_the_truth(size: int, share: float) -> None:
    found = made_up(size, share)
    assert holding(found) >= 0.93
    for each, _ in found:
        if not math.isnan(each.p):
            assert (each.p < 0.05) == (not each.low <= 0 <= each.high)


@pytest.mark.parametrize("size", [5, 20, 60])
def test_a_winner_and_a_loser_of_one_game_are_not_independent(size: int) -> None:
    """The thing is worth nothing: its holder wins half the games, as every seat does."""
    won = np.random.default_rng([7, size]).binomial(size, 0.5, EXPERIMENTS)
    times = np.stack([won, size - won, np.full(EXPERIMENTS, DEALS - size)], axis=1)
    assert holding(experiments(DUELS, times)) >= 0.93


def test_nothing_is_said_of_three_seats() -> None:
    found = told(KINDS, np.array([2, 1, 400, 197]))
    assert math.isnan(found.estimate)
    assert math.isnan(found.p)
    assert found.method == "too few to say: 3 of 600"


def test_seats_of_one_deal_are_one() -> None:
    """Forty seats with the thing, all of one deal, are no forty results."""
    rows = np.array([[0.0, 40, 30, 40], *[[0.0, 0, 40, 80]] * 200])
    assert (
        difference(*moments_of(rows), share=True).method == "too few to say: 40 of 16,080, in too few deals"
    )


def test_a_large_effect_in_a_small_group_is_seen() -> None:
    rows = np.zeros((600, 4))
    rows[:12, 1] = 1
    rows[12:, 2:] = 1
    found = difference(*moments_of(rows), share=True)
    assert found.estimate == -1
    assert found.high < -0.5
    assert found.p < 0.001
    assert found.counts == "0 of 12 against 588 of 588"


def test_a_difference_of_other_deals_is_as_careful() -> None:
    few, many = np.array([[0.0, 1]] * 5), np.array([[1.0, 1]] * 3 + [[0.0, 1]] * 400)
    found = difference_apart(moments_of(few), moments_of(many), share=True)
    assert found.low < 0 < found.high
    assert found.counts == "0 of 5 against 3 of 403"


def worths(used: int) -> pl.DataFrame:
    """Return what is said of a verb that the loser of so many of 300 games used."""
    design = design_of({"game": "castle-danger", "players": ["greedy", "greedy"], "measures": ["choice"]})
    at = np.arange(300)
    chosen = np.zeros((300, 1))
    chosen[:used] = 1
    games = pl.DataFrame({"game": at, "cell": at * 0, "deal": at, "won_1": at < 0, "won_2": at >= 0})
    games = games.with_columns(pl.Series("chosen_1", chosen), pl.Series("chosen_2", chosen * 0))
    found = Worths(design, "choice", ["rush"], {"used": "chosen"}, "verb")
    found.add(games)
    frame = frame_of(found.figures())
    assert frame["counts"].null_count() == 0
    return frame.with_columns(pl.Series("line", lines(design, frame, everything=True)[-len(frame) :]))


def test_a_tables_star_stands_beside_its_counts() -> None:
    (line,) = worths(20).filter(pl.col("measure") == "worth_used.rush")["line"]
    assert " * [0 of 20 against 300 of 580]" in line


def test_a_table_says_where_a_group_is_too_small() -> None:
    (line,) = worths(1).filter(pl.col("measure") == "worth_used.rush")["line"]
    assert "too few to say: 1 of 600" in line
    assert "*" not in line


def test_a_table_says_of_how_many_nothing_was_seen() -> None:
    (line,) = worths(0).filter(pl.col("measure") == "used.rush")["line"]
    assert "[0 of 600]" in line

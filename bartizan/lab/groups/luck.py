"""How much the deal decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar

import numpy as np
import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.group import Collector, MeasureGroup, Plan
from bartizan.lab.intervals import UNKNOWN, Interval, Moments, normal_difference
from bartizan.lab.measures import Figure, Floats


class LuckGroup(MeasureGroup):
    """How much of the result the deal decides."""

    name = "luck"
    meaning = "how much of the result the deal decides"
    heading = "Luck"
    repeats = 2
    definitions: ClassVar[dict[str, str]] = {
        "deal_share": (
            "share of the results' variance, added up over all seats, that lies between deals (intraclass "
            "correlation, Shrout and Fleiss 1979, case 1)"
        ),
    }
    shares = ("deal_share",)
    plans = (Plan(("deal_share",), "How much of the result the deal decides", "share of the variance"),)

    def missing(self, design: Design) -> str:
        """Return why a game without chance has no luck."""
        if design.game.chance:
            return ""
        return (
            f"{design.game.title} leaves nothing to chance: there is no deal whose share could be measured."
        )

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what compares games of one deal."""
        return [Luck(design)]


class Luck:
    """How much of the result the deal decides: the intraclass correlation of games with the same deal.

    One-way random effects (Fisher 1925; Shrout and Fleiss 1979, case 1) with `repeats` games of each deal.
    The variances between and within deals are those of each seat's result, added up over the seats.  The
    interval is that of the delta method over deals.
    """

    source = "games"

    def __init__(self, design: Design) -> None:
        self._design = design
        self._results = len(design.main_cells[0].orders) * design.seats  # of a deal: of each seat, by order
        self._moments = [Moments(1, 3 * self._results) for _ in design.main_cells]
        self._games = [0] * len(design.main_cells)

    def add(self, games: pl.DataFrame) -> None:
        """Add the games of a chunk."""
        repeats = self._design.repeats
        names = [str(seat) for seat in range(1, self._design.seats + 1)]
        results = {name: number_from_return(f"return_{name}") for name in names}
        means = [result.mean().alias(f"mean_{name}") for name, result in results.items()]
        spreads = [result.var(ddof=1).alias(f"within_{name}") for name, result in results.items()]
        by_order = (
            games.filter(pl.col("cell") < len(self._moments))
            .group_by("cell", "deal", "order")
            .agg(*means, *spreads, pl.len().alias("games"))
            .sort("cell", "deal", "order")
        )
        for number, moments in enumerate(self._moments):
            own = by_order.filter(pl.col("cell") == number)
            self._games[number] += int(own["games"].sum())
            mean, within = (
                own.select(f"{kind}_{name}" for name in names).to_numpy().reshape(-1, self._results)
                for kind in ("mean", "within")
            )
            assert repeats > 1
            moments.add(np.concatenate([mean, mean**2, within], axis=1)[:, None, :])

    def figures(self) -> list[Figure]:
        """Return the share of each cell."""
        figures = []
        for number, moments in enumerate(self._moments):
            interval = delta(partial(self._correlation, deals=moments.count), moments)
            words = "share of the variance in results that comes from the deal (intraclass correlation)"
            cell, games = self._design.cells[number], self._games[number]
            figures.append(Figure("luck", "deal_share", "level", cell, interval, moments.count, games, words))
        return figures

    def _correlation(self, mean: Floats, deals: int) -> float:
        """Return the correlation from the means of a deal's mean, its square, and the variance within it."""
        first, second, within = mean.reshape(3, self._results)
        spread = (second - first**2) * deals / max(1, deals - 1)  # of the means of deals, as a sample
        between = float(spread.mean() - within.mean() / self._design.repeats)
        whole = between + float(within.mean())
        return between / whole if whole > 0 else math.nan


def number_from_return(name: str) -> pl.Expr:
    """Return a return from -1 to 1 as a score from 0 to 1."""
    return (pl.col(name) + 1) / 2


def delta(
    value: Callable[[Floats], float], moments: Moments, low: float = 0.0, high: float = 1.0
) -> Interval:
    """Return a smooth function of means with its interval by the delta method, cut to its range."""
    mean, covariance = moments.mean[0], moments.covariance()[0]
    at = value(mean)
    if moments.count < 2 or math.isnan(at):
        return UNKNOWN
    step = 1e-6
    gradient = np.array(
        [(value(mean + step * each) - value(mean - step * each)) / (2 * step) for each in np.eye(len(mean))]
    )
    spread = math.sqrt(max(0.0, float(gradient @ covariance @ gradient)))
    whole = normal_difference(at, spread, moments.count, "delta method over deals")
    at, least, most = (min(high, max(low, each)) for each in (at, whole.low, whole.high))
    return Interval(at, least, most, whole.method)

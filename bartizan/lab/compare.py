"""Set two experiments side by side: every measure that both have, with the interval of its difference."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from bartizan.lab.design import BadExperiment
from bartizan.lab.experiment import Experiment
from bartizan.lab.groups import ratios_of
from bartizan.lab.intervals import Interval, Moments, difference, difference_apart, holm, ratio
from bartizan.lab.measures import Measure, sums_by_deal

SCHEMA: dict[str, pl.DataType] = {
    "group": pl.String(),
    "measure": pl.String(),
    "one": pl.Float64(),
    "other": pl.Float64(),
    "estimate": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "p": pl.Float64(),
    "n": pl.Int64(),
    "method": pl.String(),
    "counts": pl.String(),  # of both groups
}


def compare(one: Experiment, other: Experiment) -> pl.DataFrame:
    """Return the differences of the second experiment's first cell from the first one's.

    They are paired by deal where both play the same deals: the same game, seed and seats.
    Raises `BadExperiment` for experiments of two games.
    """
    if one.design.game.name != other.design.game.name:
        raise BadExperiment(
            f"{one.folder.path} is about {one.design.game.title} and {other.folder.path} about "
            f"{other.design.game.title}; only experiments of one game can be compared."
        )
    known = {measure.name: measure for measure in ratios_of(one.design)}
    measures = [each for each in ratios_of(other.design) if each.name in known]
    paired = one.design.seed == other.design.seed and one.design.seats == other.design.seats
    rows = [
        {
            "group": measure.group,
            "measure": measure.name,
            "one": at,
            "other": now,
            "estimate": found.estimate,
            "low": found.low,
            "high": found.high,
            "p": found.p,
            "n": units,
            "method": found.method,
            "counts": found.counts,
        }
        for measure, at, now, found, units in (_paired if paired else _apart)(one, other, measures)
    ]
    for row, p in zip(rows, holm([float(str(row["p"])) for row in rows]), strict=True):
        row["p"] = p
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


Found = tuple[Measure, float, float, Interval, int]


def _sums(experiment: Experiment, measures: list[Measure]) -> Iterator[pl.DataFrame]:
    """Yield the sums of the first cell's deals, chunk by chunk."""
    for frame in experiment.folder.frames():
        yield sums_by_deal(frame.filter(pl.col("cell") == 0), measures).drop("cell", "games")


def _paired(one: Experiment, other: Experiment, measures: list[Measure]) -> list[Found]:
    """Compare on the deals that both have."""
    moments = Moments(len(measures), 4)
    left, right = _Feed(_sums(one, measures)), _Feed(_sums(other, measures))
    while (pair := _common(left, right)) is not None:
        rows, others = (part.drop("deal").to_numpy().reshape(len(part), len(measures), 2) for part in pair)
        moments.add(np.concatenate([others, rows], axis=2))
    covariance = moments.covariance()
    compared: list[Found] = []
    for place, measure in enumerate(measures):
        mean = moments.mean[place]
        now, at = (float(mean[side] / mean[side + 1]) if mean[side + 1] else math.nan for side in (0, 2))
        gap = difference(mean, covariance[place], moments.count, share=measure.share)
        compared.append((measure, at, now, gap, moments.count))
    return compared


class _Feed:
    """Deals in their order, from chunks of any size."""

    def __init__(self, parts: Iterator[pl.DataFrame]) -> None:
        self._parts = parts
        self.rows: pl.DataFrame | None = next(parts, None)

    def drop_to(self, deal: int) -> None:
        """Skip all deals up to `deal`."""
        assert self.rows is not None
        rest = self.rows.filter(pl.col("deal") > deal)
        self.rows = rest if rest.height else next(self._parts, None)


def _common(left: _Feed, right: _Feed) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Return the next rows of both that are about the same deals; None after the last."""
    while left.rows is not None and right.rows is not None:
        one, other = left.rows, right.rows
        upto = min(int(one["deal"][-1]), int(other["deal"][-1]))
        both = set(one["deal"]) & set(other["deal"])
        pair = tuple(part.filter(pl.col("deal").is_in(list(both))).sort("deal") for part in (one, other))
        left.drop_to(upto)
        right.drop_to(upto)
        if both:
            return pair[0], pair[1]
    return None


def _apart(one: Experiment, other: Experiment, measures: list[Measure]) -> list[Found]:
    """Compare experiments with other deals: their variances add up (Welch)."""
    sides = []
    for experiment in (one, other):
        moments = Moments(len(measures), 2)
        for sums in _sums(experiment, measures):
            moments.add(sums.drop("deal").to_numpy().reshape(len(sums), len(measures), 2))
        sides.append(moments)
    compared: list[Found] = []
    for place, measure in enumerate(measures):
        groups = [(each.mean[place], each.covariance()[place], each.count) for each in sides]
        at, now = (ratio(*group, share=False).estimate for group in groups)
        gap = difference_apart(groups[1], groups[0], share=measure.share)
        compared.append((measure, at, now, gap, min(each.count for each in sides)))
    return compared

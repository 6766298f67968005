"""Turn the games of an experiment into figures with intervals, chunk by chunk, in memory that stays flat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bartizan.lab.batch import strength_of
from bartizan.lab.design import Cell, Design
from bartizan.lab.intervals import (
    NOT_MEASURED,
    UNKNOWN,
    Interval,
    Moments,
    difference,
    difference_apart,
    holm,
    ratio,
)

Floats = NDArray[np.float64]

WHAT_IF = "what-if"  # the group of what other rules change

SCHEMA: dict[str, pl.DataType] = {
    "group": pl.String(),
    "measure": pl.String(),
    "kind": pl.String(),  # level; difference from the first cell; worth: with something minus without
    "cell": pl.Int32(),
    "label": pl.String(),
    "estimate": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "n": pl.Int64(),  # deals, which are the units
    "games": pl.Int64(),
    "method": pl.String(),
    "p": pl.Float64(),  # of a difference: corrected for how many there are in its group (Holm)
    "words": pl.String(),
    "counts": pl.String(),  # of a share: successes of trials; of a difference: those of both groups
}


ONE = pl.lit(1.0)
PHRASES = {"opened": "from the start"}  # what a worth is called after a thing's name, if not as its measure


@dataclass(frozen=True)
class Measure:
    """One figure of each cell: the sum of `top` over games divided by that of `bottom`."""

    group: str
    name: str
    words: str  # what it is, as a phrase
    top: pl.Expr = field(repr=False)
    bottom: pl.Expr = field(default=ONE, repr=False)
    share: bool = False  # whether it lies between 0 and 1 and counts something
    bounds: tuple[float, float] | None = None  # of a game's `top`, where `bottom` is 1

    @property
    def is_binary(self) -> bool:
        """Whether it counts games that are one thing or the other."""
        return self.share and self.bounds is not None


def number_at(name: str, place: int) -> pl.Expr:
    """Return one place of a column of arrays, as numbers."""
    return pl.col(name).arr.get(place).cast(pl.Float64)


def total(parts: Sequence[pl.Expr]) -> pl.Expr:
    """Return the sum of some columns."""
    return reduce(lambda one, other: one + other, parts)


def number(name: str) -> pl.Expr:
    """Return a column as numbers that sums cannot overflow."""
    return pl.col(name).cast(pl.Float64)


@dataclass(frozen=True)
class Figure:
    """One row of the measures."""

    group: str
    measure: str
    kind: str
    cell: Cell
    interval: Interval
    deals: int
    games: int
    words: str

    def row(self) -> dict[str, object]:
        """Return it as a row of the frame."""
        at = self.interval
        return {
            "group": self.group,
            "measure": self.measure,
            "kind": self.kind,
            "cell": self.cell.number,
            "label": self.cell.label,
            "estimate": at.estimate,
            "low": at.low,
            "high": at.high,
            "n": self.deals,
            "games": self.games,
            "method": at.method,
            "p": at.p,
            "words": self.words,
            "counts": at.counts,
        }


def frame_of(figures: Iterable[Figure]) -> pl.DataFrame:
    """Return figures as a frame, those of what other rules change last.

    The chances of differences are corrected within each group and kind; then differences of cells are all
    of the group ``what-if``.
    """
    rows = [figure.row() for figure in figures]
    families: dict[tuple[object, object], list[dict[str, object]]] = {}
    for row in rows:
        if row["kind"] != "level":
            families.setdefault((row["group"], row["kind"]), []).append(row)
    for family in families.values():
        for row, p in zip(family, holm([float(str(row["p"])) for row in family]), strict=True):
            row["p"] = p
    for row in rows:
        if row["kind"] == "difference":
            row["group"] = WHAT_IF
    rows.sort(key=lambda row: row["group"] == WHAT_IF)
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


class Ratios:
    """The measures that are ratios of sums over games, and how each cell differs from the first."""

    source = "games"

    def __init__(self, design: Design, measures: Sequence[Measure]) -> None:
        self._design = design
        self.measures = list(measures)
        self._moments = [Moments(len(self.measures), 4) for _ in design.cells]
        self._whole = [0] * len(design.cells)  # games
        self._independent = all(design.games_of(cell) == 1 for cell in design.cells)

    def add(self, games: pl.DataFrame) -> None:
        """Add the games of a chunk, which contains complete deals."""
        if not self.measures:
            for cell in self._design.cells:
                self._whole[cell.number] += games.filter(pl.col("cell") == cell.number).height
            return
        sums = sums_by_deal(games, self.measures)
        base: Floats | None = None
        for cell in self._design.cells:
            own = sums.filter(pl.col("cell") == cell.number)
            rows = own.drop("cell", "deal", "games").to_numpy().reshape(len(own), len(self.measures), 2)
            self._whole[cell.number] += int(own["games"].sum())
            base = rows if base is None else base
            other = np.zeros_like(rows) if cell.confirms else base
            self._moments[cell.number].add(np.concatenate([rows, other], axis=2))

    def figures(self) -> list[Figure]:
        """Return every measure of every cell, then the differences."""
        figures: list[Figure] = []
        for cell in self._design.cells:
            moments = self._moments[cell.number]
            covariance = moments.covariance()
            for place, measure in enumerate(self.measures):
                whole = moments.count if self._independent and measure.is_binary else 0
                mean, spread = moments.mean[place], covariance[place]
                interval = ratio(
                    mean[:2],
                    spread[:2, :2],
                    moments.count,
                    share=measure.share,
                    whole=whole,
                    bounds=measure.bounds,
                )
                figures.append(self._figure(measure, "level", cell, interval))
        for cell in self._design.main_cells[1:]:
            moments = self._moments[cell.number]
            covariance = moments.covariance()
            for place, measure in enumerate(self.measures):
                interval = difference(
                    moments.mean[place], covariance[place], moments.count, share=measure.share
                )
                figures.append(self._figure(measure, "difference", cell, interval))
        return figures

    def _figure(self, measure: Measure, kind: str, cell: Cell, interval: Interval) -> Figure:
        deals, games = self._moments[cell.number].count, self._whole[cell.number]
        return Figure(measure.group, measure.name, kind, cell, interval, deals, games, measure.words)


class LaterRatios(Ratios):
    """Ratios of a column that games of earlier versions don't have: of those nothing is said."""

    def __init__(self, design: Design, measures: Sequence[Measure], needs: str) -> None:
        """Take the measures, and the column that they need."""
        super().__init__(design, measures)
        self._needs, self._is_there = needs, True

    def add(self, games: pl.DataFrame) -> None:
        """Add the games of a chunk."""
        self._is_there = self._is_there and self._needs in games.columns
        if self._is_there and self.measures:
            super().add(games)

    def figures(self) -> list[Figure]:
        """Return every measure of every cell, then the differences."""
        figures = super().figures()
        if self._is_there:
            return figures
        return [replace(figure, interval=replace(UNKNOWN, method=NOT_MEASURED)) for figure in figures]


class Contrast:
    """How much smaller a share is between the strongest players who confirm than in the first cell.

    Both play the same rules.  Where no stronger players confirm, there is no figure.
    """

    source = "games"

    def __init__(self, design: Design, measures: Sequence[Measure]) -> None:
        """Take measures of shares."""
        self._design, self._measures = design, measures
        first = design.main_cells[0]
        self._cells = [first, *_stronger(design, first)][:2]
        self._moments = [Moments(len(measures), 2) for _ in self._cells]
        self._games = 0  # of the first cell

    def add(self, games: pl.DataFrame) -> None:
        """Add the games of a chunk."""
        needed = {name for measure in self._measures for name in measure.top.meta.root_names()}
        if not needed <= set(games.columns):  # games of an earlier version
            self._cells = self._cells[:1]
        if len(self._cells) < 2:
            return
        numbers = [cell.number for cell in self._cells]
        sums = sums_by_deal(games.filter(pl.col("cell").is_in(numbers)), self._measures)
        self._games += int(sums.filter(pl.col("cell") == numbers[0])["games"].sum())
        for number, moments in zip(numbers, self._moments, strict=True):
            own = sums.filter(pl.col("cell") == number).drop("cell", "deal", "games").to_numpy()
            moments.add(own.reshape(len(own), len(self._measures), 2))

    def figures(self) -> list[Figure]:
        """Return the first cell's share minus that of the stronger players."""
        if len(self._cells) < 2:
            return []
        figures, (first, _), (weak, strong) = [], self._cells, self._moments
        spreads = weak.covariance(), strong.covariance()
        for place, measure in enumerate(self._measures):
            sides = [
                (moments.mean[place], spread[place], moments.count)
                for moments, spread in zip(self._moments, spreads, strict=True)
            ]
            interval = difference_apart(*sides, share=True)
            figures.append(
                Figure(
                    *(measure.group, measure.name, "worth", first, interval, weak.count, self._games),
                    measure.words,
                )
            )
        return figures


def _stronger(design: Design, first: Cell) -> list[Cell]:
    """Return the cells that play the first one's rules again with stronger players, the strongest first."""
    strength = {
        cell.number: min(strength_of(design.game, player) for player in cell.players) for cell in design.cells
    }
    again = [
        cell
        for cell in design.cells
        if cell.confirms and cell.options == first.options and strength[cell.number] > strength[first.number]
    ]
    return sorted(again, key=lambda cell: -strength[cell.number])


def sums_by_deal(games: pl.DataFrame, measures: Sequence[Measure]) -> pl.DataFrame:
    """Return for each cell and deal how many games, then the two sums of each measure."""
    parts = [
        part.alias(f"{place}.{side}")
        for place, measure in enumerate(measures)
        for side, part in (("top", measure.top), ("bottom", _of_each(measure.bottom)))
    ]
    if games.select("cell", "deal").n_unique() == games.height:  # nothing to add up, which takes longest
        one = pl.lit(1, pl.UInt32).alias("games")
        return games.select("cell", "deal", one, *parts).sort("cell", "deal")
    sums = [part.sum() for part in parts]
    return games.group_by("cell", "deal").agg(pl.len().alias("games"), *sums).sort("cell", "deal")


def _of_each(part: pl.Expr) -> pl.Expr:
    """Return an expression with a value for each game, also where it is a constant."""
    return part + 0.0 * pl.col("game").cast(pl.Float64)


class Worths:
    """What holding or using something is worth: win share of seats with it, without it, and the difference.

    All seats of all games of a deal are one unit, so that winners and losers of one game, and games with the
    same cards, are not taken for independent.
    """

    source = "games"

    def __init__(
        self, design: Design, group: str, names: Sequence[str], marks: dict[str, str], words: str
    ) -> None:
        """Take the names of the things, and the marker column of each thing to measure about them.

        A column may be missing from games of earlier versions: then nothing is said of it.
        """
        self._design, self._group, self._names, self._words = design, group, names, words
        self._marks = marks
        self._moments = {
            (cell.number, told): Moments(len(names), 4) for cell in design.main_cells for told in marks
        }
        self._games = [0] * len(design.cells)
        self._absent: set[str] = set()

    def add(self, games: pl.DataFrame) -> None:
        """Add the games of a chunk."""
        if not self._names:
            return
        self._absent |= {told for told, name in self._marks.items() if f"{name}_1" not in games.columns}
        seats = range(1, self._design.seats + 1)
        for cell in self._design.main_cells:
            own = games.filter(pl.col("cell") == cell.number)
            self._games[cell.number] += len(own)
            starts = np.flatnonzero(np.diff(own["deal"].to_numpy(), prepend=-1))
            won = np.stack([own[f"won_{seat}"].to_numpy() for seat in seats], axis=1).astype(float)
            for told, column in self._marks.items():
                if told in self._absent:
                    continue
                marks = np.stack([own[f"{column}_{seat}"].to_numpy() for seat in seats], axis=1) > 0
                has = marks.astype(float)
                lacks = 1.0 - has
                parts = [np.einsum("gs,gsp->gp", won, has), has.sum(axis=1)]
                parts += [np.einsum("gs,gsp->gp", won, lacks), lacks.sum(axis=1)]
                rows = np.stack([np.add.reduceat(part, starts, axis=0) for part in parts], axis=2)
                self._moments[cell.number, told].add(rows)

    def figures(self) -> list[Figure]:
        """Return for each thing how often seats have it, what those win, and the difference."""
        figures: list[Figure] = []
        for (number, told), moments in self._moments.items():
            covariance = moments.covariance()
            cell = self._design.cells[number]
            for place, name in enumerate(self._names):
                mean, spread = moments.mean[place], covariance[place]
                often = _share_with(mean, spread, moments.count)
                with_it = ratio(mean[:2], spread[:2, :2], moments.count, share=True)
                worth = difference(mean, spread, moments.count, share=True)
                if told in self._absent:
                    often = with_it = worth = replace(UNKNOWN, method=NOT_MEASURED)
                thing = f"{name} {PHRASES.get(told, told)}"
                rows = (
                    (f"{told}.{name}", "level", often, f"seats with {self._words} {thing}"),
                    (f"won_{told}.{name}", "level", with_it, "of these, those that won"),
                    (f"worth_{told}.{name}", "worth", worth, f"win share with {thing} minus without"),
                )
                for measure, kind, interval, words in rows:
                    games = self._games[number]
                    figures.append(
                        Figure(self._group, measure, kind, cell, interval, moments.count, games, words)
                    )
        return figures


def _share_with(mean: Floats, covariance: Floats, units: int) -> Interval:
    """Return how large a share of the seats has something: the second sum over the second and fourth."""
    turn = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
    spread = turn @ covariance @ turn.T if np.isfinite(covariance).all() else np.full((2, 2), math.inf)
    return ratio(turn @ mean, spread, units, share=True)

"""What other rules change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import polars as pl

from bartizan.lab.design import Cell, Design
from bartizan.lab.group import Collector, MeasureGroup
from bartizan.lab.intervals import Interval, Moments, difference, ratio
from bartizan.lab.measures import WHAT_IF, Figure, Floats
from bartizan.lab.whatif import NO_CLAUSE


class WhatIfGroup(MeasureGroup):
    """What other rules change: games they refuse, and winners."""

    name = WHAT_IF
    meaning = "what other rules change: games they refuse, and winners"
    heading = "What if"
    definitions: ClassVar[dict[str, str]] = {
        "refused": "share of the first cell's games that the cell's rules refuse or end early",
        "refused_at": "decisions until then",
        "refused_by.C, ended_by.C": (
            "the same by clause: C refuses the first refused move, or C ended the game"
        ),
        "goes_on": "share of games whose moves can all be played and that aren't over then",
        "flipped, flipped_anyway": (
            "share of games with another winner when the same players continue under the cell's rules; and "
            "under the first cell's rules"
        ),
        "flipped_by_rules": (
            "the difference of the two, paired by deal: the effect of the rules without that of new dice"
        ),
    }
    shares = (
        *("refused", "refused_by.*", "ended_by.*"),
        *("goes_on", "flipped", "flipped_anyway", "flipped_by_rules"),
    )

    def missing(self, design: Design) -> str:
        """Return why nothing changes where nothing is varied."""
        if len(design.main_cells) > 1:
            return ""
        return "Nothing is varied: there are no other rules that games could be tried by."

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what adds up the trials."""
        return [Trials(design)]

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Leave out what is only there to be compared with."""
        return levels.filter(pl.col("measure") != "flipped_anyway")


class Trials:
    """The games that were tried by the rules of other cells, from the frames of all chunks."""

    source = "what_if"

    def __init__(self, design: Design) -> None:
        self._design = design
        self._frames: list[pl.DataFrame] = []

    def add(self, trials: pl.DataFrame) -> None:
        """Add the trials of a chunk."""
        if trials.height:
            self._frames.append(trials)

    def figures(self) -> list[Figure]:
        """Return what the trials come to, cell by cell."""
        figures: list[Figure] = []
        if self._frames:
            whole = pl.concat(self._frames)
            for cell in self._design.main_cells[1:]:
                own = whole.filter(pl.col("cell") == cell.number).sort("deal", "game")
                if own.height:
                    figures += _CellTrials(self._design, cell, own).figures()
        return figures


class _CellTrials:
    """The trials of one cell's rules; deals are the units."""

    def __init__(self, design: Design, cell: Cell, rows: pl.DataFrame) -> None:
        self._cell, self._rows, self._design = cell, rows, design
        self._deals = rows["deal"].n_unique()

    def figures(self) -> list[Figure]:
        """Return every figure, the clauses that refuse most first."""
        refused = pl.col("refused_at") >= 0
        words = "games of the first variant that these rules refuse or end early"
        figures = [self._share("refused", refused, words)]
        at = pl.when(refused).then(pl.col("refused_at")).otherwise(0)
        words = "decisions before that happens"
        figures.append(self._figure("refused_at", self._ratio(at, refused, share=False), words))
        reasons = self._rows.filter(refused).group_by("clause", "ended").len()
        reasons = reasons.sort("len", "clause", "ended", descending=[True, False, False])
        for clause, ended, _ in reasons.iter_rows():
            why = (pl.col("clause") == clause) & (pl.col("ended") == ended) & refused
            measure = f"{'ended' if ended else 'refused'}_by.{clause}"
            figures.append(self._share(measure, why, f"games in which {self._spoken(clause, ended)}"))
        words = "games that continue under these rules after their last move"
        figures.append(self._share("goes_on", pl.col("goes_on"), words))
        words = "games with other winners, if the same players continue under these rules"
        figures.append(self._share("flipped", pl.col("flipped"), words))
        words = (
            "games with other winners anyway, if they continue under the first rules with the same new dice"
        )
        figures.append(self._share("flipped_anyway", pl.col("flipped_anyway"), words))
        sums = self._sums(pl.col("flipped"), pl.lit(1), pl.col("flipped_anyway"), pl.lit(1))
        moments = _moments(sums)
        interval = difference(moments.mean[0], moments.covariance()[0], moments.count, share=True)
        words = "games whose winners the rules change (other winners, minus those anyway)"
        figures.append(self._figure("flipped_by_rules", interval, words, "worth"))
        return figures

    def _spoken(self, clause: str, ended: bool) -> str:
        if clause == NO_CLAUSE:
            return "another seat is asked first, or what a move names is not there"
        title = self._design.game.clauses.get(clause).title
        return f"{clause} {'has ended the game' if ended else 'refuses'} first: {title}"

    def _sums(self, *parts: pl.Expr) -> Floats:
        """Return the sums of some expressions over the games of each deal (deals, parts)."""
        named = [
            (part.cast(pl.Float64) + 0.0 * pl.col("game")).sum().alias(str(place))
            for place, part in enumerate(parts)
        ]
        summed = self._rows.group_by("deal", maintain_order=True).agg(named)
        return summed.drop("deal").to_numpy().astype(float)

    def _ratio(self, top: pl.Expr, bottom: pl.Expr, *, share: bool, whole: float = 0.0) -> Interval:
        moments = _moments(self._sums(top, bottom))
        return ratio(moments.mean[0], moments.covariance()[0], moments.count, share=share, whole=whole)

    def _share(self, measure: str, top: pl.Expr, words: str) -> Figure:
        games = self._rows.height
        whole = games if games == self._deals else 0
        interval = self._ratio(top, pl.lit(1), share=True, whole=whole)
        return self._figure(measure, interval, words)

    def _figure(self, measure: str, interval: Interval, words: str, kind: str = "level") -> Figure:
        return Figure(WHAT_IF, measure, kind, self._cell, interval, self._deals, self._rows.height, words)


def _moments(rows: Floats) -> Moments:
    moments = Moments(1, rows.shape[1])
    moments.add(rows[:, None, :])
    return moments

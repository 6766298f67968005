"""How often each clause takes effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

import numpy as np
import polars as pl

from bartizan.lab.clauses import ClauseCounter
from bartizan.lab.design import Design
from bartizan.lab.group import Collector, MeasureGroup, Plan
from bartizan.lab.intervals import NOT_MEASURED, RULES_RUN, UNKNOWN, Moments, ratio
from bartizan.lab.measures import Figure, Floats


class ClauseGroup(MeasureGroup):
    """How often each clause of the rulebook takes effect."""

    name = "clauses"
    meaning = "how often each clause of the rulebook takes effect"
    heading = "Clauses"
    is_detail = True
    definitions: ClassVar[dict[str, str]] = {
        "in_games.C": "share of games (the first ten thousand of a cell) in which clause C takes effect",
        "times.C": "at how many actions of a game it does",
    }
    shares = ("in_games.*",)
    plans = (
        Plan(("in_games.*",), "In how many games each clause takes effect", "share of games", sort="least"),
    )

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what adds up the counted clauses."""
        return [Clauses(design)]

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Keep the share of games, the rarest clause first."""
        return levels.filter(pl.col("measure").str.starts_with("in_games")).sort("estimate")


class Clauses:
    """How often each clause takes effect, in the games of a cell that are counted."""

    source = "clauses"

    def __init__(self, design: Design) -> None:
        self._design = design
        counter = ClauseCounter(design.game)
        self._ids, self._certain = counter.told_apart, counter.certain
        self._moments = {cell.number: Moments(len(self._ids), 3) for cell in design.main_cells}
        self._games = [0] * len(design.cells)

    def add(self, clauses: pl.DataFrame) -> None:
        """Add the counts of a chunk, which contains complete deals."""
        for number, moments in self._moments.items():
            own = clauses.filter(pl.col("cell") == number).sort("deal", "game")
            if own.height == 0:
                continue
            self._games[number] += own.height
            times = own["times"].to_numpy().astype(float)
            starts = np.flatnonzero(np.diff(own["deal"].to_numpy(), prepend=-1))
            each = ((times > 0).astype(float), times, np.ones_like(times))
            moments.add(np.stack([np.add.reduceat(part, starts, axis=0) for part in each], axis=2))

    def figures(self) -> list[Figure]:
        """Return of each clause in which share of games it takes effect, and how often a game."""
        figures: list[Figure] = []
        for number, moments in self._moments.items():
            if moments.count:
                covariance = moments.covariance()
                for place, clause in enumerate(self._ids):
                    figures += self._of_clause(clause, number, moments.mean[place], covariance[place])
        return figures

    def _of_clause(self, clause: str, number: int, mean: Floats, covariance: Floats) -> list[Figure]:
        """Return the figures of a clause from the means of games with it, of its times, and of games."""
        cell, deals, games = self._design.cells[number], self._moments[number].count, self._games[number]
        shares, times = [0, 2], [1, 2]
        whole = games if games == deals else 0
        in_games = ratio(mean[shares], covariance[np.ix_(shares, shares)], deals, share=True, whole=whole)
        a_game = ratio(mean[times], covariance[np.ix_(times, times)], deals, share=False)
        title, acts = self._design.game.clauses.get(clause).title, f"{clause} takes effect"
        if clause not in self._certain:  # it may permit or refuse something without being noted
            acts = f"a rule of {clause} runs"
            if in_games.estimate == 0:
                in_games = a_game = replace(UNKNOWN, method=NOT_MEASURED)
            else:
                in_games = replace(in_games, method=f"{in_games.method}{RULES_RUN}")
        rows = (
            (f"in_games.{clause}", in_games, f"games in which {acts}: {title}"),
            (f"times.{clause}", a_game, f"times a game that {acts}"),
        )
        return [
            Figure("clauses", measure, "level", cell, interval, deals, games, words)
            for measure, interval, words in rows
        ]

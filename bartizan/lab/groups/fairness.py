"""Who wins, from which seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import polars as pl

from bartizan.lab.design import Cell, Design
from bartizan.lab.group import MeasureGroup, Plan
from bartizan.lab.measures import Measure, number, total


class FairnessGroup(MeasureGroup):
    """Measure who wins and how many points they get, by seat and by player."""

    name = "fairness"
    meaning = "who wins, from which seat; draws; points"
    heading = "Fairness"
    definitions: ClassVar[dict[str, str]] = {
        "won.seat_K": "share of games that seat K won, alone or shared (Ludii: win rate by role)",
        "advantage.seat_K": (
            "half the difference between seat K's return and the mean of all seats: how far its score is "
            "above the mean (Ludii: advantage P1)"
        ),
        "return.seat_K, points.seat_K": "mean of its return and of its points",
        "won.player.P, score.player.P": (
            "share of player P's seats that won, and its mean score, over all assignments"
        ),
        "drawn, unfinished": (
            "share of finished games that no one won (Ludii: drawishness); share of games cut off "
            "(completion)"
        ),
    }
    shares = ("won.*", "advantage.*", "score.*", "drawn", "unfinished")
    plans = (
        Plan(
            ("won.seat_*", "drawn", "unfinished"),
            "Who wins, with 95% intervals",
            "share of games",
            even=True,
        ),
        Plan(("advantage.seat_*",), "How far each seat scores above or below the mean of all", "advantage"),
        Plan(("won.player.*",), "What each player wins, over all seats", "share of its seats"),
        Plan(("points.seat_*",), "Points a game", "points"),
    )

    def missing(self, design: Design) -> str:
        """Return why one measure is left out."""
        if design.seats > 1:
            return ""
        return f"{design.game.title} is played alone here: no seat has an advantage over another."

    def applies(self, design: Design) -> bool:
        """Return True: only the advantage may be missing."""
        return True

    def ratios(self, design: Design) -> Iterator[Measure]:
        """Yield who wins and how many points they get, by seat and by player."""
        seats = range(1, design.seats + 1)
        alone = design.seats == 1
        for seat in seats:
            who = "won" if alone else f"won by seat {seat}"
            won = number(f"won_{seat}")
            yield Measure("fairness", f"won.seat_{seat}", f"games {who}", won, share=True, bounds=(0, 1))
        mean = total([number(f"return_{seat}") for seat in seats]) / design.seats
        for seat in seats:
            if not alone:
                ahead = (number(f"return_{seat}") - mean) / 2
                words = f"how far the score of seat {seat} is above the average seat"
                yield Measure("fairness", f"advantage.seat_{seat}", words, ahead, bounds=(-1, 1))
        for seat in seats:
            words = f"average result of seat {seat}, from -1 (lost) to 1 (won)"
            yield Measure("fairness", f"return.seat_{seat}", words, number(f"return_{seat}"), bounds=(-1, 1))
            if design.game.counts_points:
                points = number(f"points_{seat}")
                yield Measure("fairness", f"points.seat_{seat}", f"points of seat {seat}", points)
        if not alone:
            yield Measure(
                "fairness", "drawn", "games without a winner", number("drawn"), share=True, bounds=(0, 1)
            )
        unfinished = 1 - number("finished")
        yield Measure(
            "fairness", "unfinished", "games stopped before their end", unfinished, share=True, bounds=(0, 1)
        )
        yield from _by_player(design)


def _by_player(design: Design) -> Iterator[Measure]:
    """Yield what each player wins, where they differ; over all assignments seats cancel."""
    names = tuple(dict.fromkeys(design.players))
    if len(names) < 2:
        return
    orders = Cell(0, {}, "", design.players, 0).orders
    for name in names:
        won, score = pl.lit(0.0), pl.lit(0.0)
        for number_of_order, order in enumerate(orders):
            here = pl.col("order") == number_of_order
            for seat, player in enumerate(order, start=1):
                if player == name:
                    won = won + pl.when(here).then(number(f"won_{seat}")).otherwise(0.0)
                    score = score + pl.when(here).then((number(f"return_{seat}") + 1) / 2).otherwise(0.0)
        sits = pl.lit(float(design.players.count(name)))
        yield Measure(
            "fairness", f"won.player.{name}", f"share of its seats that {name} won", won, sits, share=True
        )
        yield Measure(
            "fairness", f"score.player.{name}", f"score of {name}, from 0 to 1", score, sits, share=True
        )

"""What there is to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.group import Collector, MeasureGroup, Plan
from bartizan.lab.measures import Contrast, LaterRatios, Measure, Worths, number, number_at, total


class ChoiceGroup(MeasureGroup):
    """How much there is to choose from, what is chosen, and what using it is worth."""

    name = "choice"
    meaning = "how many actions are legal, which kinds are chosen"
    heading = "Choice"
    definitions: ClassVar[dict[str, str]] = {
        "legal.median, legal.ninetieth": (
            "mean over games of the quantiles of the number of legal actions (Ludii: branching factor; TAG: "
            "action space)"
        ),
        "chosen.V": "share of decisions with a legal action of verb V at which it was chosen",
        "winners_more.V": (
            "mean over games with winners and losers: the share of the winners' actions that are V, minus "
            "that of the losers'"
        ),
        "points_from.S": (
            "share of the points that seats gained by their own actions that come from source S. The sources"
            " are the verbs, or what the game's `playtest.py` names. An action's points are those that its "
            "seat has more at the next decision, the end of its turn included; points that others gain by "
            "it, and lost points, don't count"
        ),
        "avoided.V": (
            "`chosen.V` in the first cell minus `chosen.V` for the strongest players of `[confirm]`; not "
            "measured if nobody stronger plays"
        ),
        "used.V, won_used.V, worth_used.V": (
            "share of seats that used it; of these, the share that won; and the difference in win share from"
            " seats that didn't use it"
        ),
    }
    shares = (
        *("chosen.*", "used.*", "won_used.*", "worth_used.*"),
        *("winners_more.*", "points_from.*", "avoided.*"),
    )
    plans = (
        Plan(("chosen.*",), "How often each kind of action is chosen where it is legal", "share"),
        Plan(
            ("worth_used.*",), "Win share of who used it less who did not", "difference", "worth", "largest"
        ),
        Plan(
            ("winners_more.*",),
            "Share of winners' actions less share of losers'",
            "difference",
            "level",
            "largest",
        ),
        Plan(("points_from.*",), "What points come from", "share of points", "level", "largest"),
        Plan(
            ("avoided.*",),
            "Share chosen by these players less that of stronger ones",
            "difference",
            "worth",
            "largest",
        ),
    )

    def ratios(self, design: Design) -> Iterator[Measure]:
        """Yield how much there is to choose from, and what is chosen."""
        words = "legal actions at a game's median decision"
        yield Measure("choice", "legal.median", words, number("median_legal"))
        words = "legal actions at most, in nine of ten decisions of a game"
        yield Measure("choice", "legal.ninetieth", words, number("ninetieth_legal"))
        for place, block in enumerate(design.game.actions.blocks):
            chosen, offered = summed("chosen", place, design.seats), summed("offered", place, design.seats)
            words = f"how often {block.name} is chosen where it is legal"
            yield Measure("choice", f"chosen.{block.name}", words, chosen, offered, share=True)
            if design.seats > 1:
                yield winners_more(block.name, place, design.seats)

    def collectors(self, design: Design) -> Iterator[Collector]:
        """Return what weighs the use of each kind of action, the points it brings, and who avoids it."""
        verbs = [block.name for block in design.game.actions.blocks]
        yield Worths(design, self.name, verbs, {"used": "chosen"}, "verb")
        yield Contrast(design, [avoided(verb, place, design.seats) for place, verb in enumerate(verbs)])
        if design.game.counts_points:
            yield LaterRatios(design, list(points_from(design)), "gained_1")

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Leave out how often each kind of action is used at all."""
        return levels.filter(pl.col("measure").str.contains(r"^(legal|chosen|winners_more|points_from)"))


def winners_more(verb: str, place: int, seats: int) -> Measure:
    """Return how much larger a share of the winners' actions is of this kind than of the losers'.

    Only games in which some seats won and others did not count, and in which both made decisions.
    """
    numbers = range(1, seats + 1)
    won = {seat: pl.col(f"won_{seat}").cast(pl.Float64) for seat in numbers}
    sides = (won, {seat: 1 - share for seat, share in won.items()})
    shares, decisions = [], []
    for side in sides:
        made = total([side[seat] * number(f"decisions_{seat}") for seat in numbers])
        shares.append(total([side[seat] * number_at(f"chosen_{seat}", place) for seat in numbers]) / made)
        decisions.append(made)
    both = (decisions[0] > 0) & (decisions[1] > 0)
    top = pl.when(both).then(shares[0] - shares[1]).otherwise(0.0)
    words = f"share of the winners' actions that are {verb}, minus that of the losers'"
    return Measure("choice", f"winners_more.{verb}", words, top, both.cast(pl.Float64))


def points_from(design: Design) -> Iterator[Measure]:
    """Yield the share of the points that comes from each source (see `bartizan.engine.playtest`).

    An action's points are those that its seat has more at the next decision, so they include what it gains at
    the end of its turn.  Points that others gain by it, and lost points, don't count.
    """
    seats = range(1, design.seats + 1)
    whole = total([pl.col(f"gained_{seat}").arr.sum().cast(pl.Float64) for seat in seats])
    for place, source in enumerate(design.game.sources):
        words = f"share of the points gained by own actions that come from {source.replace('_', ' ')}"
        top = summed("gained", place, design.seats)
        yield Measure("choice", f"points_from.{source}", words, top, whole, share=True)


def avoided(verb: str, place: int, seats: int) -> Measure:
    """Return how often a kind of action is chosen where it is legal, to compare players by."""
    words = f"how often {verb} is chosen where it is legal, minus how often stronger players do"
    chosen, offered = summed("chosen", place, seats), summed("offered", place, seats)
    return Measure("choice", f"avoided.{verb}", words, chosen, offered, share=True)


def summed(name: str, place: int, seats: int) -> pl.Expr:
    """Return the sum over all seats of one place of their columns of arrays."""
    return total([number_at(f"{name}_{seat}", place) for seat in range(1, seats + 1)])

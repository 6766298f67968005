"""What there is to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.group import Collector, MeasureGroup, Plan
from bartizan.lab.measures import Measure, Worths, number, total


class ChoiceGroup(MeasureGroup):
    """How much there is to choose from, what is chosen, and what using it is worth."""

    name = "choice"
    meaning = "how many actions are legal, which kinds are chosen"
    heading = "Choice"
    shares = ("chosen.*", "used.*", "won_used.*", "worth_used.*")
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
    )

    def ratios(self, design: Design) -> Iterator[Measure]:
        """Yield how much there is to choose from, and what is chosen."""
        words = "legal actions at a game's median decision"
        yield Measure("choice", "legal.median", words, number("median_legal"))
        words = "legal actions at most, in nine of ten decisions of a game"
        yield Measure("choice", "legal.ninetieth", words, number("ninetieth_legal"))
        for place, block in enumerate(design.game.actions.blocks):
            chosen, offered = (
                total([number_at(f"{kind}_{seat}", place) for seat in range(1, design.seats + 1)])
                for kind in ("chosen", "offered")
            )
            words = f"how often {block.name} is chosen where it is legal"
            yield Measure("choice", f"chosen.{block.name}", words, chosen, offered, share=True)
            if design.seats > 1:
                yield winners_more(block.name, place, design.seats)

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what weighs the use of each kind of action."""
        verbs = [block.name for block in design.game.actions.blocks]
        return [Worths(design, self.name, verbs, {"used": "chosen"}, "verb")]

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Leave out how often each kind of action is used at all."""
        return levels.filter(pl.col("measure").str.contains(r"^(legal|chosen|winners_more)"))


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


def number_at(name: str, place: int) -> pl.Expr:
    """Return one place of a column of arrays, as numbers."""
    return pl.col(name).arr.get(place).cast(pl.Float64)

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

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what weighs the use of each kind of action."""
        verbs = [block.name for block in design.game.actions.blocks]
        return [Worths(design, self.name, verbs, {"used": "chosen"}, "verb")]

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Leave out how often each kind of action is used at all."""
        return levels.filter(pl.col("measure").str.contains(r"^(legal|chosen)"))


def number_at(name: str, place: int) -> pl.Expr:
    """Return one place of a column of arrays, as numbers."""
    return pl.col(name).arr.get(place).cast(pl.Float64)

"""What cards and pieces are worth."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.group import Collector, MeasureGroup, Plan
from bartizan.lab.measures import Worths


class PiecesGroup(MeasureGroup):
    """What holding and playing each card or piece is worth."""

    name = "pieces"
    meaning = "what holding and playing each card or piece is worth"
    heading = "Cards and pieces"
    is_detail = True
    shares = ("held.*", "played.*", "won_held.*", "won_played.*", "worth_held.*", "worth_played.*")
    plans = (
        Plan(("worth_held.*",), "Win share with it less without", "difference", "worth", "largest"),
        Plan(
            ("worth_played.*",), "Win share having played it less without", "difference", "worth", "largest"
        ),
    )

    def missing(self, design: Design) -> str:
        """Return why nothing can be asked of a game without named pieces."""
        if design.game.playtest.PIECES:
            return ""
        return f"{design.game.title} names no cards or pieces whose worth could be asked."

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what weighs the pieces."""
        marks, playtest = {"held": "held", "played": "played"}, design.game.playtest
        return [Worths(design, self.name, playtest.PIECES, marks, playtest.PIECE)]

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Keep no level: what matters is the difference that a piece makes."""
        return levels.clear()

"""What cards and pieces are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.group import Collector, MeasureGroup, Plan
from bartizan.lab.measures import Contrast, Measure, Worths, number_at, total

RANKED: tuple[str, str, Literal["largest"]] = ("difference", "worth", "largest")


class PiecesGroup(MeasureGroup):
    """What holding and playing each card or piece is worth."""

    name = "pieces"
    meaning = "what holding and playing each card or piece is worth"
    heading = "Cards and pieces"
    is_detail = True
    definitions: ClassVar[dict[str, str]] = {
        "held.X, won_held.X, worth_held.X": (
            "share of seats that held X at a decision; of these, the share that won; and the difference in "
            "win share from seats that didn't hold it"
        ),
        "played.X, won_played.X, worth_played.X": "the same for seats that played X",
        "opened.X, won_opened.X, worth_opened.X": (
            "the same for seats that were dealt X before the first decision. Because deals are random, here "
            "X is the cause"
        ),
        "unplayed.X": (
            "of the seats that held X at a decision, the share that played it; minus that share for the "
            "strongest players of `[confirm]`"
        ),
    }
    shares = (
        *("held.*", "won_held.*", "worth_held.*"),
        *("played.*", "won_played.*", "worth_played.*"),
        *("opened.*", "won_opened.*", "worth_opened.*"),
        "unplayed.*",
    )
    plans = (
        Plan(("worth_held.*",), "Win share with it less without", *RANKED),
        Plan(("worth_played.*",), "Win share having played it less without", *RANKED),
        Plan(("worth_opened.*",), "Win share with it from the start less without", *RANKED),
        Plan(("unplayed.*",), "Share of holders that play it, less that of stronger players", *RANKED),
    )

    def missing(self, design: Design) -> str:
        """Return why nothing can be asked of a game without named pieces."""
        if design.game.playtest.PIECES:
            return ""
        return f"{design.game.title} names no cards or pieces to measure; a `playtest.py` does that."

    def collectors(self, design: Design) -> Iterator[Collector]:
        """Return what weighs the pieces, and who leaves them in the hand."""
        playtest = design.game.playtest
        marks = {each: each for each in ("held", "played", "opened")}
        yield Worths(design, self.name, playtest.PIECES, marks, playtest.PIECE)
        pieces = enumerate(playtest.PIECES)
        yield Contrast(design, [unplayed(piece, place, design.seats) for place, piece in pieces])

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Keep no level: what matters is the difference that a piece makes."""
        return levels.clear()


def unplayed(piece: str, place: int, seats: int) -> Measure:
    """Return which share of the seats that held a piece at a decision played it, to compare players by."""
    numbers = range(1, seats + 1)
    held = [number_at(f"held_{seat}", place) for seat in numbers]
    played = [number_at(f"played_{seat}", place) for seat in numbers]
    top = total([one * other for one, other in zip(held, played, strict=True)])
    words = f"seats that play {piece} of those that hold it, minus those of stronger players"
    return Measure("pieces", f"unplayed.{piece}", words, top, total(held), share=True)

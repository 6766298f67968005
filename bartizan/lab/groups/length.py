"""How long games are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import polars as pl

from bartizan.engine import playtest
from bartizan.lab.design import Design
from bartizan.lab.group import MeasureGroup, Plan
from bartizan.lab.measures import Measure, number


class LengthGroup(MeasureGroup):
    """How long games are, and how much of them is waiting."""

    name = "length"
    meaning = "decisions, turns, rounds, waits, turns without a choice"
    heading = "Length"
    definitions: ClassVar[dict[str, str]] = {
        "decisions, turns, rounds": "per game (Ludii: duration actions, moves, turns)",
        "decisions.seat_K": "decisions per game by seat K",
        "wait": "the longest run of other players' decisions between two of a seat's own, per game",
        "forced": "share of decisions with a single legal action",
        "dead_turns": "share of turns without a real choice",
        "stall, contact": (
            "longest stretch without progress, and decisions until the first contact, as the game's "
            "`playtest.py` defines them"
        ),
        "no_contact": "share of games without contact",
    }
    shares = ("forced", "dead_turns", "no_contact")
    picture = "lengths"
    plans = (Plan(("dead_turns", "forced", "no_contact"), "Where there is nothing to choose", "share"),)

    def ratios(self, design: Design) -> Iterator[Measure]:
        """Yield how long games are, and how much of them is waiting."""
        seats = range(1, design.seats + 1)
        yield Measure("length", "decisions", "decisions per game", number("plies"))
        yield Measure("length", "turns", "turns per game", number("turns"))
        yield Measure("length", "rounds", "rounds per game", number("rounds"))
        if design.seats > 1:
            for seat in seats:
                words = f"decisions per game by seat {seat}"
                yield Measure("length", f"decisions.seat_{seat}", words, number(f"decisions_{seat}"))
            longest = pl.max_horizontal(*(number(f"wait_{seat}") for seat in seats))
            words = "longest wait in a game, in decisions by others"
            yield Measure("length", "wait", words, longest)
        yield Measure(
            "length", "forced", "decisions with one legal action", number("forced"), number("plies"), True
        )
        words = "turns without any choice"
        yield Measure("length", "dead_turns", words, number("dead_turns"), number("turns"), True)
        if has_own(design, "progress"):
            yield Measure(
                "length", "stall", "longest stretch without progress in a game, in decisions", number("stall")
            )
        if has_own(design, "contact"):
            met = number("contact") >= 0
            words = "decisions until the sides first meet, if they do"
            at = pl.when(met).then(number("contact")).otherwise(0.0)
            yield Measure("length", "contact", words, at, met.cast(pl.Float64))
            words = "games in which the sides never meet"
            yield Measure("length", "no_contact", words, (~met).cast(pl.Float64), share=True, bounds=(0, 1))


def has_own(design: Design, name: str) -> bool:
    """Say whether a game itself tells a playtest something, which else stands for nothing."""
    return getattr(design.game.playtest, name) is not getattr(playtest, name)

"""List the measures that need no search: each is a ratio of two sums over games, with words that define it.

`docs/lab.md` has the definitions with formulas and sources.  A measure that makes no sense for a game (the
advantage of a seat in a game for one) is not in its list, and `missing` says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

import polars as pl

from bartizan.lab.design import Cell, Design

ONE = pl.lit(1.0)


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


def total(parts: Sequence[pl.Expr]) -> pl.Expr:
    """Return the sum of some columns."""
    return reduce(lambda one, other: one + other, parts)


def number(name: str) -> pl.Expr:
    """Return a column as numbers that sums cannot overflow."""
    return pl.col(name).cast(pl.Float64)


def catalogue(design: Design) -> list[Measure]:
    """Return the measures of the groups that an experiment asks for."""
    makers = {"fairness": fairness, "length": length, "choice": choice}
    return [
        measure for group, make in makers.items() if design.measures_group(group) for measure in make(design)
    ]


def watchable(design: Design) -> list[Measure]:
    """Return the measures that a run may be stopped by: means of numbers with known bounds."""
    return [each for each in catalogue(design) if each.bounds is not None]


def fairness(design: Design) -> Iterator[Measure]:
    """Yield who wins and what it is worth, by seat and by player."""
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
            words = f"how far seat {seat}'s score is above the mean of all seats"
            yield Measure("fairness", f"advantage.seat_{seat}", words, ahead, bounds=(-1, 1))
    for seat in seats:
        words = f"what a game is worth to seat {seat}, from -1 to 1"
        yield Measure("fairness", f"return.seat_{seat}", words, number(f"return_{seat}"), bounds=(-1, 1))
        if design.game.counts_points:
            points = number(f"points_{seat}")
            yield Measure("fairness", f"points.seat_{seat}", f"points of seat {seat}", points)
    if not alone:
        yield Measure(
            "fairness", "drawn", "games that nobody won", number("drawn"), share=True, bounds=(0, 1)
        )
    unfinished = 1 - number("finished")
    yield Measure("fairness", "unfinished", "games broken off", unfinished, share=True, bounds=(0, 1))
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
        yield Measure("fairness", f"won.player.{name}", f"seats of {name} that won", won, sits, share=True)
        yield Measure(
            "fairness", f"score.player.{name}", f"score of {name}, from 0 to 1", score, sits, share=True
        )


def length(design: Design) -> Iterator[Measure]:
    """Yield how long games are, and how much of them is waiting."""
    seats = range(1, design.seats + 1)
    yield Measure("length", "decisions", "decisions a game", number("plies"))
    yield Measure("length", "turns", "turns a game", number("turns"))
    yield Measure("length", "rounds", "rounds a game", number("rounds"))
    if design.seats > 1:
        for seat in seats:
            words = f"decisions of seat {seat} a game"
            yield Measure("length", f"decisions.seat_{seat}", words, number(f"decisions_{seat}"))
        longest = pl.max_horizontal(*(number(f"wait_{seat}") for seat in seats))
        words = "others' decisions in a game's longest wait of a seat"
        yield Measure("length", "wait", words, longest)
    yield Measure(
        "length", "forced", "decisions with one legal action", number("forced"), number("plies"), True
    )
    words = "turns with no choice at all"
    yield Measure("length", "dead_turns", words, number("dead_turns"), number("turns"), True)
    if has_own(design, "progress"):
        yield Measure(
            "length", "stall", "decisions in a game's longest stretch without progress", number("stall")
        )
    if has_own(design, "contact"):
        met = number("contact") >= 0
        words = "decisions before the sides first meet, where they do"
        at = pl.when(met).then(number("contact")).otherwise(0.0)
        yield Measure("length", "contact", words, at, met.cast(pl.Float64))
        words = "games in which the sides never meet"
        yield Measure("length", "no_contact", words, (~met).cast(pl.Float64), share=True, bounds=(0, 1))


def has_own(design: Design, name: str) -> bool:
    """Say whether a game itself tells a playtest something, which else stands for nothing."""
    from bartizan.engine import playtest

    return getattr(design.game.playtest, name) is not getattr(playtest, name)


def choice(design: Design) -> Iterator[Measure]:
    """Yield how much there is to choose from, and what is chosen."""
    words = "legal actions of a game's median decision"
    yield Measure("choice", "legal.median", words, number("median_legal"))
    words = "legal actions that nine tenths of a game's decisions do not pass"
    yield Measure("choice", "legal.ninetieth", words, number("ninetieth_legal"))
    for place, block in enumerate(design.game.actions.blocks):
        chosen, offered = (
            total([number_at(f"{kind}_{seat}", place) for seat in range(1, design.seats + 1)])
            for kind in ("chosen", "offered")
        )
        words = f"decisions with a legal {block.name} that are one"
        yield Measure("choice", f"chosen.{block.name}", words, chosen, offered, share=True)


def number_at(name: str, place: int) -> pl.Expr:
    """Return one place of a column of arrays, as numbers."""
    return pl.col(name).arr.get(place).cast(pl.Float64)


def missing(design: Design) -> dict[str, str]:
    """Return the groups that make no sense for a game, or lack something of it, with a sentence why."""
    found: dict[str, str] = {}
    game = design.game
    if design.measures_group("pieces") and not game.playtest.PIECES:
        found["pieces"] = f"{game.title} names no cards or pieces whose worth could be asked."
    if design.measures_group("luck") and not game.chance:
        found["luck"] = (
            f"{game.title} leaves nothing to chance: there is no deal whose share could be measured."
        )
    if design.measures_group("what-if") and len(design.main_cells) < 2:
        found["what-if"] = "Nothing is varied: there are no other rules that games could be tried by."
    if design.measures_group("fairness") and design.seats == 1:
        found["advantage"] = f"{game.title} is played alone here: no seat has an advantage over another."
    return found

"""Say what a group of measures is: its words, who makes its figures, and how a report shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol

import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.measures import Figure, Measure
from bartizan.lab.runner import Workers

Progress = Callable[[int, int], None]
Source = Literal["games", "clauses", "what_if"]  # the frames of a chunk


class Collector(Protocol):
    """Turns frames into figures, chunk by chunk."""

    @property
    def source(self) -> str:
        """Which frames of a chunk it takes, one of `Source`."""

    def add(self, frame: pl.DataFrame, /) -> None:
        """Add the frame of a chunk, which contains complete deals."""

    def figures(self) -> list[Figure]:
        """Return what the frames come to."""


class Search:
    """What takes long: thinking about an experiment's games, kept in its folder."""

    def __init__(self, design: Design, path: Path) -> None:
        """Take the experiment and its folder."""
        self.design, self.path = design, path

    def run(self, workers: Workers, progress: Progress | None = None) -> None:
        """Run the missing tasks; `progress` gets the number done and the total."""
        raise NotImplementedError

    def figures(self) -> list[Figure]:
        """Return the results so far."""
        raise NotImplementedError

    def faults(self) -> list[str]:
        """Return a sentence for each damaged file."""
        return []

    def forecast(self, threads: int = 1) -> float:
        """Return about how many seconds `run` will take, or 0 where that is not known."""
        return 0.0


@dataclass(frozen=True)
class Plan:
    """Which measures stand in one picture of the report."""

    patterns: tuple[str, ...]
    caption: str
    axis: str
    kind: str = "level"
    sort: Literal["", "largest", "least"] = ""  # by size; where there are too many, the last are left out
    even: bool = False  # a line where all seats would be equal


class MeasureGroup:
    """A group of measures.  A subclass fills in its words and overrides what makes its figures.

    It makes them by `ratios`, by `collectors` or by a `search`; the methods that make nothing stay away.
    """

    name: ClassVar[str]  # in experiments and tables
    meaning: ClassVar[str]  # after the name, in lists
    heading: ClassVar[str]  # in the report
    definitions: ClassVar[dict[str, str]]  # of its measures, for docs/measures.md, as its INTRODUCTION says
    shares: ClassVar[tuple[str, ...]] = ()  # patterns of its measures from 0 to 1; others are plain numbers
    plans: ClassVar[tuple[Plan, ...]] = ()  # of its pictures; without any they follow from its figures
    picture: ClassVar[Literal["", "lengths", "tension"]] = ""  # one that goes before these
    is_detail: ClassVar[bool] = False  # a long table, late in the report
    repeats: ClassVar[int] = 1  # how often it needs each deal played
    search: ClassVar[type[Search] | None] = None  # groups may share one

    def missing(self, design: Design) -> str:
        """Return why the group or a part of it makes no sense for an experiment, or ``""``."""
        return ""

    def applies(self, design: Design) -> bool:
        """Say whether it has anything to measure in an experiment."""
        return not self.missing(design)

    def ratios(self, design: Design) -> Iterable[Measure]:
        """Return its measures that are ratios of sums over games."""
        return ()

    def collectors(self, design: Design) -> Iterable[Collector]:
        """Return what makes its other figures from the frames of chunks, if it applies."""
        return ()

    def main(self, levels: pl.DataFrame) -> pl.DataFrame:
        """Return those of its figures that a terminal shows unasked, the most important first."""
        return levels

"""Read the thresholds that the report's sentences are made by (``thresholds.toml`` beside the Lab)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from bartizan.lab.report.figures import Unit, told, unit_of

FILE = Path(__file__).resolve().parent.parent / "thresholds.toml"
Verdict = Literal["good", "mixed", "bad"]


class Band(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said of a figure up to a bound."""

    verdict: Verdict
    words: Annotated[str, msgspec.Meta(min_length=1)]
    to: float | None = None  # the last band has none
    listed: bool = False


class Threshold(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of sentence; the fields are explained at the head of the file."""

    measure: str
    sentence: str
    bands: tuple[Band, ...]
    reason: Annotated[str, msgspec.Meta(min_length=20)]
    pick: Literal["furthest", "listed"] = "furthest"
    centre: float = 0.0
    size: bool = False
    seats: Literal["one", "two", "several", "any"] = "any"
    otherwise: str = ""
    most: float | None = None
    chances: int = 0
    rare: float = 0.05
    show: str = ""
    best: str = ""

    @property
    def unit(self) -> Unit:
        """What the bounds are counted in."""
        return unit_of(self.measure)

    def speaks_of(self, seats: int) -> bool:
        """Say whether the sentence is for games of so many seats."""
        return {"one": seats == 1, "two": seats == 2, "several": seats > 1, "any": True}[self.seats]

    def band_of(self, figure: float) -> int:
        """Return the number of the band that a figure lies in."""
        figure = abs(figure - self.centre) if self.size else figure
        return next(n for n, band in enumerate(self.bands) if band.to is None or figure <= band.to)

    def bands_of(self, low: float, high: float) -> range:
        """Return the numbers of all bands that an interval reaches into."""
        if self.size and low <= self.centre <= high:
            first, ends = 0, (self.band_of(low), self.band_of(high))
        else:
            ends = (self.band_of(low), self.band_of(high))
            first = min(ends)
        return range(first, max(ends) + 1)

    def bounds(self) -> str:
        """Return the bands in words: ``up to 2%: fair; up to 5%: …; above: …``."""
        parts = []
        for band in self.bands:
            at = f"up to {_bound(band.to, self.unit)}" if band.to is not None else "above"
            parts.append(f"{at}: {band.words}")
        return "; ".join(parts)


def _bound(figure: float, unit: Unit) -> str:
    if unit == "share":
        return f"{100 * figure:g}%"
    return f"{figure:g}" if figure < 1e6 else told(figure, unit)


@cache
def thresholds() -> dict[str, Threshold]:
    """Return all thresholds by name, in the order of the file."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    thresholds: dict[str, Threshold] = msgspec.convert(tables, dict[str, Threshold])
    for name, threshold in thresholds.items():
        bounds = [band.to for band in threshold.bands]
        known = [bound for bound in bounds[:-1] if bound is not None]
        if (
            not bounds
            or bounds[-1] is not None
            or len(known) < len(bounds) - 1
            or sorted(set(known)) != known
        ):
            raise ValueError(f"{FILE.name}: the bands of {name} must ascend, and the last have no bound")
    return thresholds

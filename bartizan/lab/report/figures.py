"""Say figures as people read them: shares as percent, differences in points, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Literal

from bartizan.lab.groups import GROUPS

Unit = Literal["share", "number"]

# Measures that lie between 0 and 1, or are differences of such; all others are plain numbers.
SHARES = tuple(pattern for group in GROUPS.values() for pattern in group.shares)
EVEN = 0.15  # how much longer one arm of an interval may be than the other and still be told as one ±


def unit_of(measure: str) -> Unit:
    """Return what a measure is counted in."""
    return "share" if any(fnmatchcase(measure, pattern) for pattern in SHARES) else "number"


def is_known(*figures: float | None) -> bool:
    """Say whether all figures are numbers; a measure of which nothing was counted has none."""
    return all(figure is not None and math.isfinite(figure) for figure in figures)


def told(figure: float | None, unit: Unit, width: float = 1.0, digits: int = 1) -> str:
    """Format a figure with as many decimals as its interval justifies.

    `width` is that of the interval, of whose half so many significant `digits` are told.
    """
    if figure is None or not math.isfinite(figure):
        return "–"
    if unit == "share":
        return f"{_rounded(100 * figure, 100 * width, digits)}%"
    return _rounded(figure, width, digits)


def _rounded(figure: float, width: float, digits: int) -> str:
    if width > 0 and math.isfinite(width):
        decimals = max(0, min(4, digits - 1 - math.floor(math.log10(width / 2) + 1e-9)))
    else:
        decimals = 0 if float(figure).is_integer() else 2
    text = f"{figure:,.{decimals}f}"
    return "0" if float(text.replace(",", "")) == 0 else text.replace("-", "−")


def with_interval(estimate: float | None, low: float | None, high: float | None, unit: Unit) -> str:
    """Return a figure with its interval: ``54% ± 2``, or ``3% (1 to 9%)`` where that is lopsided."""
    if estimate is None or not math.isfinite(estimate):
        return "unknown"
    if low is None or high is None or not is_known(low, high) or high <= low:
        return told(estimate, unit, 0)
    width, below, above = high - low, estimate - low, high - estimate
    if min(below, above) > 0 and max(below, above) <= (1 + EVEN) * min(below, above) + 1e-12:
        return f"{told(estimate, unit, width)} ± {told(width / 2, unit, width).removesuffix('%')}"
    return f"{told(estimate, unit, width)} ({interval(low, high, unit, 1)})"


def interval(low: float | None, high: float | None, unit: Unit, digits: int = 2) -> str:
    """Return an interval by itself."""
    if low is None or high is None or not is_known(low, high):
        return "–"
    ends = [told(end, unit, high - low, digits).removesuffix("%") for end in (low, high)]
    return f"{ends[0]} to {ends[1]}" + ("%" if unit == "share" else "")


def count(number: int | float | None) -> str:
    """Return a whole number with its thousands apart."""
    return f"{round(number):,}" if number is not None and math.isfinite(number) else "–"


def whole(figure: float) -> str:
    """Return a count as people say it: whole, with one decimal below ten."""
    return f"{figure:,.0f}" if figure >= 9.95 else f"{figure:.1f}".removesuffix(".0")


def minutes(time: float, *, alone: bool = True) -> str:
    """Return minutes as people say them."""
    text = whole(time)
    return text + ("" if not alone else " minute" if text == "1" else " minutes")


def points(row: Mapping[str, Any]) -> str:
    """Return a difference of shares in percentage points: ``−5.0 percentage points (−7.1 to −2.9)``."""
    width = 100 * (row["high"] - row["low"])
    at, low, high = (told(100 * row[name], "number", width, 2) for name in ("estimate", "low", "high"))
    signed = [text if text.startswith("−") or text == "0" else f"+{text}" for text in (at, low, high)]
    noun = "point" if signed[0] in ("+1", "−1") else "points"
    return f"{signed[0]} percentage {noun} ({signed[1]} to {signed[2]})"


def decisions(row: Mapping[str, Any]) -> str:
    """Return a number of decisions with its interval."""
    return f"{whole(row['estimate'])} decisions ({interval(row['low'], row['high'], 'number')})"

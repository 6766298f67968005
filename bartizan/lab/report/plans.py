"""Say which plan wins: what points come from, what winners and strong players do, which first hands win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from bartizan.lab.report.findings import CellInfo
from bartizan.lab.report.verdict import worst_about

# The thresholds that speak of plans, in the order in which they are told.
PLANS = ("points_from", "plans", "avoided", "opening", "unplayed")
NAMED = 3  # things of a kind on the first screen
NOTHING = "No kind of action, card or piece stands out."
NOBODY_STRONGER = "What strong players never do isn't measured: nobody stronger played."


@dataclass(frozen=True)
class PlanWords:
    """What is told of plans, and how it was measured."""

    sentence: str
    basis: str


def plan_words(measures: pl.DataFrame, seats: int, cells: Sequence[CellInfo]) -> PlanWords | None:
    """Name the plans that stand out in some cells; None if none of it was measured."""
    told = {each.key: each for each in worst_about(measures, seats, cells, NAMED) if each.key in PLANS}
    if not told:
        return None
    found = [told[key] for key in PLANS if key in told and told[key].verdict != "good"]
    heads = [f"{each.head}." for each in found] or [NOTHING]
    if not {"avoided", "unplayed"} & told.keys():
        heads.append(NOBODY_STRONGER)
    return PlanWords(" ".join(heads), "; ".join(f"{each.measure}: {each.basis}" for each in found))

"""Say which plan wins: what points come from, what winners and strong players do, which first hands win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from bartizan.lab.report.figures import is_known, unit_of, with_interval
from bartizan.lab.report.findings import CellInfo
from bartizan.lab.report.verdict import Sentence, worst_about

# The thresholds that speak of plans, in the order in which they are told.
PLANS = ("points_from", "plans", "avoided", "opening", "unplayed")
NAMED = 3  # things of a kind on the first screen
NOTHING = "No kind of action, card or piece stands out."
NOBODY_STRONGER = "What strong players never do isn't measured: nobody stronger played with these options."
NOT_COMPARED = (  # with any plan or figure of the first variant
    "The games of {players} aren't compared: an earlier version of the Lab played them with other options "
    "than the first variant's. Choose another folder to play them again."
)


@dataclass(frozen=True)
class PlanWords:
    """The sentences about plans, and how they were measured."""

    sentence: str
    basis: str


def plan_words(
    measures: pl.DataFrame, seats: int, cells: Sequence[CellInfo], stronger: Sequence[CellInfo] = ()
) -> PlanWords | None:
    """Name the plans that stand out in some cells; None if none of it was measured.

    `stronger` play the first cell's rules again, the strongest first: theirs stands beside a single figure.
    """
    told = {each.key: each for each in worst_about(measures, seats, cells, NAMED) if each.key in PLANS}
    if not told:
        return None
    found = [told[key] for key in PLANS if key in told and told[key].verdict != "good"]
    heads = [f"{each.head}{_against(each, measures, stronger)}." for each in found] or [NOTHING]
    if not {"avoided", "unplayed"} & told.keys():
        heads.append(NOBODY_STRONGER)
    return PlanWords(" ".join(heads), "; ".join(f"{each.measure}: {each.basis}" for each in found))


def _against(sentence: Sentence, measures: pl.DataFrame, stronger: Sequence[CellInfo]) -> str:
    """Return the figure of the strongest players where a sentence is about one figure of the first rules."""
    if not stronger or sentence.cell != 0:
        return ""
    rows = measures.filter(
        (pl.col("cell") == stronger[0].number)
        & (pl.col("measure") == sentence.measure)
        & (pl.col("kind") == "level")
    ).to_dicts()
    if not rows or not is_known(rows[0]["estimate"], rows[0]["low"], rows[0]["high"]):
        return ""
    row = rows[0]
    figure = with_interval(row["estimate"], row["low"], row["high"], unit_of(row["measure"]))
    return f", {figure} if {stronger[0].players[0]} plays"

"""Say what other rules change: figures beside the first variant's, and games that they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import polars as pl

from bartizan.lab.measures import WHAT_IF
from bartizan.lab.report.figures import is_known, unit_of, with_interval
from bartizan.lab.report.findings import CellInfo, Findings
from bartizan.lab.report.thresholds import thresholds
from bartizan.lab.report.verdict import SIGNIFICANT, Row, Sentence, basis

IS_WHAT_IF = (pl.col("kind") == "difference") | (pl.col("group") == WHAT_IF)
MOST_CHANGES = 12
LENGTHS = ("decisions", "rounds", "wait")


@dataclass(frozen=True)
class RuleChange:
    """What a cell changes against the first, where chance alone would hardly do so."""

    label: str
    text: str
    row: Row

    @property
    def sentence(self) -> Sentence:
        """It as a sentence that nothing is held against."""
        measure, method = str(self.row["measure"]), str(self.row["method"])
        return Sentence("", f"{self.label}: {self.text}.", None, WHAT_IF, measure, method)


def changes(findings: Findings, most: int = MOST_CHANGES) -> list[RuleChange]:
    """Return the surest changes of the figures that sentences are made of, the surest first."""
    patterns = [each.measure for each in thresholds().values()] + list(LENGTHS)
    changes: list[tuple[float, RuleChange]] = []
    for row in findings.measures.filter(pl.col("kind") == "difference").to_dicts():
        named = any(fnmatchcase(row["measure"], pattern) for pattern in patterns)
        if not named or not is_known(row["estimate"], row["low"], row["high"]):
            continue
        p = row["p"]
        if (p is not None and p >= SIGNIFICANT) or row["low"] <= 0 <= row["high"]:
            continue
        width = max(row["high"] - row["low"], 1e-12)
        unit = unit_of(row["measure"])
        low, high = sorted((abs(row["low"]), abs(row["high"])))
        figure = with_interval(abs(row["estimate"]), low, high, unit)
        if unit == "share":
            figure = f"{figure.replace('%', '')} percentage points"
        way = "more" if row["estimate"] > 0 else "less"
        way += f" ({row['counts']})" if row["counts"] else ""
        way += _disagreement(findings, row)
        what = row["words"] or row["measure"]
        changes.append(
            (abs(row["estimate"]) / width, RuleChange(row["label"], f"{what}: {figure} {way}", row))
        )
    changes.sort(key=lambda each: -each[0])
    return [change for _, change in changes[:most]]


def _disagreement(findings: Findings, change: Row) -> str:
    """Say where the rules change who wins on average, but not surely who wins the same games continued."""
    if not change["measure"].startswith(("won.", "advantage.", "drawn")):
        return ""
    flipped = (pl.col("measure") == "flipped_by_rules") & (pl.col("cell") == change["cell"])
    for row in findings.measures.filter(flipped).to_dicts():
        if is_known(row["estimate"], row["low"], row["high"]) and row["low"] <= 0 <= row["high"]:
            figure = with_interval(row["estimate"], row["low"], row["high"], "share")
            return (
                f"; but the rules are not shown to give other winners in the same games "
                f"({figure} of {row['games']:,} games tried)"
            )
    return ""


def tried(findings: Findings) -> list[Sentence]:
    """Return a sentence for each variant by whose rules games of the first were tried."""
    lines = []
    for cell in findings.main[1:]:
        rows = findings.measures.filter((pl.col("group") == WHAT_IF) & (pl.col("cell") == cell.number))
        known = {
            row["measure"]: row
            for row in rows.filter(pl.col("kind") != "difference").to_dicts()
            if is_known(row["estimate"], row["low"], row["high"])
        }
        if "refused" in known:
            text = " ".join(_of_trials(cell, known))
            lines.append(Sentence("", text, None, WHAT_IF, "refused", basis(known["refused"])))
    return lines


def _of_trials(cell: CellInfo, known: dict[str, Row]) -> Iterator[str]:
    """Yield sentences about the results of the games."""

    def figure(measure: str) -> str:
        row = known[measure]
        return with_interval(row["estimate"], row["low"], row["high"], unit_of(measure))

    if known["refused"]["estimate"] == 0:
        yield f"{cell.label}: these rules refuse no game of the first variant ({figure('refused')})."
    else:
        after = f", after {figure('refused_at')} decisions" if "refused_at" in known else ""
        yield f"{cell.label}: these rules refuse {figure('refused')} of the first variant's games{after}."
        reasons = [row for measure, row in known.items() if measure.startswith(("refused_by.", "ended_by."))]
        if reasons:
            most = max(reasons, key=lambda row: row["estimate"])
            yield f"Most often {most['words'].removeprefix('games in which ')}."
    if "flipped" in known and "flipped_anyway" in known:
        yield (
            f"Continued by the same players, {figure('flipped')} have other winners, "
            f"and {figure('flipped_anyway')} if the first rules stay."
        )

"""Make the reasons below a report's answers: sentences from measures and thresholds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import polars as pl

from bartizan.lab.intervals import RULES_RUN
from bartizan.lab.report.figures import count, is_known, told, unit_of, with_interval
from bartizan.lab.report.findings import CellInfo, Findings
from bartizan.lab.report.thresholds import Threshold, Verdict, thresholds

Row = dict[str, Any]
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
MOST_NAMED = 12  # things that one sentence lists
SIGNIFICANT = 0.05
FAIR = ("advantage", "won_alone")  # the thresholds that say whether a game is fair


@dataclass(frozen=True)
class Sentence:
    """One sentence of the verdict, and what it rests on."""

    key: str
    text: str
    verdict: Verdict | None  # None: a fact that nothing is held against
    group: str
    measure: str
    basis: str  # how it was measured: method and how many
    bounds: str = ""
    reason: str = ""
    show: str = ""  # which games show it
    best: str = ""
    cell: int = 0
    head: str = ""  # the text without what it means


def verdict_of(findings: Findings, cell: CellInfo) -> list[Sentence]:
    """Return the sentences about one cell, the worst first."""
    return sentences_about(findings.measures, findings.seats, cell)


def sentences_about(
    measures: pl.DataFrame, seats: int, cell: CellInfo, most: int = MOST_NAMED
) -> list[Sentence]:
    """Return the sentences about one cell, the worst first; one that lists things names at most so many."""
    levels = measures.filter((pl.col("cell") == cell.number) & (pl.col("kind") != "difference"))
    rows = levels.to_dicts()
    sentences = []
    for key, threshold in thresholds().items():
        if not threshold.speaks_of(seats):
            continue
        met = [
            row
            for row in rows
            if fnmatchcase(row["measure"], threshold.measure)
            and is_known(row["estimate"], row["low"], row["high"])
        ]
        if met:
            listed = threshold.pick == "listed"
            sentences.append(_listed(key, threshold, met, most) if listed else _furthest(key, threshold, met))
    return sorted(sentences, key=_badness)


def reasons(findings: Findings, judge: int = 0) -> list[Sentence]:
    """Return a sentence for each threshold, about the cell that is worst by it, the worst first.

    The sentence about fairness describes the games of `judge`, the cell that judges the first rules.
    """
    first, *others = findings.main
    told = worst_about(findings.measures, findings.seats, findings.main)
    if judge != first.number:
        cells = [replace(findings.cells[judge], label=first.label), *others]
        fair = [each for each in worst_about(findings.measures, findings.seats, cells) if each.key in FAIR]
        told = sorted([*fair, *(each for each in told if each.key not in FAIR)], key=_badness)
    return told


def worst_about(
    measures: pl.DataFrame, seats: int, cells: Sequence[CellInfo], most: int = MOST_NAMED
) -> list[Sentence]:
    """Return a sentence for each threshold, about the one of some cells that is worst by it."""
    worst: dict[str, Sentence] = {}
    for cell in cells:
        for sentence in sentences_about(measures, seats, cell, most):
            known = worst.get(sentence.key)
            if known is None or _badness(sentence) < _badness(known):
                where = f"With {cell.label}: " if len(cells) > 1 else ""
                worst[sentence.key] = replace(
                    sentence, text=f"{where}{sentence.text}", head=f"{where}{sentence.head}"
                )
    return sorted(worst.values(), key=_badness)


def _badness(sentence: Sentence) -> int:
    """Return 0 for the worst verdict."""
    return ("bad", "mixed", "good").index(sentence.verdict or "good")


def part_of(measure: str, pattern: str) -> str:
    """Return what tells a measure apart from others of its pattern: ``seat_2`` of ``won.seat_*``."""
    head, star, _ = pattern.partition("*")
    return measure[head.rfind(".") + 1 :] if star else ""


def spoken(part: str) -> str:
    """Return the part of a measure's name as people say it: ``seat_1`` is the first seat."""
    if part.startswith("seat_") and part[5:].isdigit() and 1 <= int(part[5:]) <= len(ORDINALS):
        return f"the {ORDINALS[int(part[5:]) - 1]} seat"
    return part.replace("_", " ")


def fill(text: str, words: Mapping[str, str]) -> str:
    """Put words for the names in braces, all at once: a word with braces in it stays a word."""
    return re.sub(r"\{(\w+)\}", lambda found: words.get(found.group(1), found.group(0)), text)


def _furthest(key: str, threshold: Threshold, rows: Sequence[Row]) -> Sentence:
    # Of two that are as far off, the one ahead speaks.
    row = max(rows, key=lambda row: (round(abs(row["estimate"] - threshold.centre), 9), row["estimate"]))
    part = part_of(row["measure"], threshold.measure)
    way = "below" if row["estimate"] < threshold.centre else "above"
    told_as = (row["estimate"], row["low"], row["high"])
    if threshold.size and way == "below":
        told_as = (-row["estimate"], -row["high"], -row["low"])
    words = {
        "what": spoken(part),
        "figure": with_interval(*told_as, unit_of(row["measure"])),
        "way": way,
    }
    head = fill(threshold.sentence, words)
    bands = threshold.bands_of(row["low"], row["high"])
    at = threshold.band_of(row["estimate"])
    text = f"{head[:1].upper()}{head[1:]}: {threshold.bands[at].words}"
    if len(bands) > 1:
        others = [threshold.bands[n].words for n in bands if n != at]
        text += f" (more games may show: {'; or '.join(others)})"
    seat = part.removeprefix("seat_") if part.startswith("seat_") and part[5:].isdigit() else "1"
    return Sentence(
        key=key,
        text=f"{text}.",
        verdict=threshold.bands[at].verdict,
        group=row["group"],
        measure=row["measure"],
        basis=basis(row),
        bounds=threshold.bounds(),
        reason=threshold.reason,
        show=fill(threshold.show, {"seat": seat}),
        best=fill(threshold.best, {"seat": seat}),
        cell=row["cell"],
        head=f"{head[:1].upper()}{head[1:]}",
    )


def _listed(key: str, threshold: Threshold, rows: Sequence[Row], most: int) -> Sentence:
    """Name all that lie in a listed band with their whole intervals, so that no doubtful one is named."""
    hits: list[Row] = []
    for row in rows:
        at = threshold.band_of(row["estimate"])
        whole = list(threshold.bands_of(row["low"], row["high"])) == [at]
        rare = row["p"] is not None and row["p"] > threshold.rare
        partly = row["method"].endswith(RULES_RUN)  # what else the clause does was not counted
        sure = (whole or row["estimate"] == 0) and not rare and not partly
        if threshold.bands[at].listed and sure and _is_avoided(threshold, row):
            hits.append(row)
    hits.sort(key=lambda row: (-abs(row["estimate"]) if threshold.size else row["estimate"], row["measure"]))
    band = next(band for band in threshold.bands if band.listed == bool(hits))
    if hits:
        point = partial(_point, is_difference=threshold.size) if threshold.most is None else _both
        names = [f"{spoken(part_of(row['measure'], threshold.measure))} ({point(row)})" for row in hits]
        more = f" and {count(len(names) - most)} more" if len(names) > most else ""
        head = fill(threshold.sentence, {"what": ", ".join(names[:most]) + more})
    else:
        head = threshold.otherwise
    return Sentence(
        key=key,
        text=f"{head}: {band.words}.",
        verdict=band.verdict,
        group=rows[0]["group"],
        measure=threshold.measure,
        basis=basis(rows[0]),
        bounds=threshold.bounds(),
        reason=threshold.reason,
        cell=rows[0]["cell"],
        head=head,
    )


def _sides(row: Row) -> list[tuple[int, int]]:
    """Return the successes and trials of both groups of a difference of shares."""
    found = re.findall(r"([\d,]+) of ([\d,]+)", row["counts"])
    return [(int(one.replace(",", "")), int(other.replace(",", ""))) for one, other in found]


def _is_avoided(threshold: Threshold, row: Row) -> bool:
    """Say whether the second group had enough chances and took few; true of what isn't about that."""
    if threshold.most is None:
        return True
    sides = _sides(row)
    return (
        len(sides) == 2 and sides[1][1] >= threshold.chances and sides[1][0] <= threshold.most * sides[1][1]
    )


def _both(row: Row) -> str:
    """Say the shares of both groups of a difference, the second first."""
    (one, all_of_one), (other, all_of_other) = _sides(row)
    shares = [
        told(successes / trials, "share", 0.02, 2)
        for successes, trials in ((other, all_of_other), (one, all_of_one))
    ]
    return f"{shares[0]} of {count(all_of_other)} chances; weaker players {shares[1]}"


def _point(row: Row, *, is_difference: bool = False) -> str:
    """Say how large a listed figure is, and on how much a "never" or a difference rests."""
    counts = row["counts"]
    if row["estimate"] == 0:
        return f"never, {counts}" if counts else f"never in {count(row['games'])} games"
    text = told(abs(row["estimate"]), unit_of(row["measure"]), row["high"] - row["low"])
    if is_difference:
        text += " more" if row["estimate"] > 0 else " less"
    return f"{text}, {counts}" if counts and row["kind"] != "level" else text


def basis(row: Row) -> str:
    """Say how a figure was measured, and on how much."""
    games = f"{count(row['games'])} games" if row["games"] is not None else ""
    deals = f"{count(row['n'])} deals" if row["n"] is not None else ""
    return ", ".join(
        filter(
            None, (row["method"], row["counts"], f"{games} of {deals}" if games and deals else games or deals)
        )
    )


def confirmed(findings: Findings, judge: int = 0) -> list[tuple[CellInfo, list[Sentence]]]:
    """Repeat the main verdict with others than its judge: balance must not depend on who plays."""
    return [
        (cell, [sentence for sentence in verdict_of(findings, cell) if sentence.key in FAIR])
        for cell in (findings.main[0], *(each for each in findings.cells if each.confirms))
        if cell.number != judge and not cell.other_rules
    ]

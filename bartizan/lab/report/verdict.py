"""Make the reasons below a report's answers: sentences from measures and thresholds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
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


def verdict_of(findings: Findings, cell: CellInfo) -> list[Sentence]:
    """Return the sentences about one cell, the worst first."""
    levels = findings.measures.filter((pl.col("cell") == cell.number) & (pl.col("kind") != "difference"))
    rows = levels.to_dicts()
    sentences = []
    for key, threshold in thresholds().items():
        if not threshold.speaks_of(findings.seats):
            continue
        met = [
            row
            for row in rows
            if fnmatchcase(row["measure"], threshold.measure)
            and is_known(row["estimate"], row["low"], row["high"])
        ]
        if met:
            say = _listed if threshold.pick == "listed" else _furthest
            sentences.append(say(key, threshold, met))
    return sorted(sentences, key=_badness)


def reasons(findings: Findings) -> list[Sentence]:
    """Return a sentence for each threshold, about the cell that is worst by it, the worst first."""
    worst: dict[str, Sentence] = {}
    for cell in findings.main:
        for sentence in verdict_of(findings, cell):
            known = worst.get(sentence.key)
            if known is None or _badness(sentence) < _badness(known):
                text = f"With {cell.label}: {sentence.text}" if len(findings.main) > 1 else sentence.text
                worst[sentence.key] = replace(sentence, text=text)
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
    )


def _listed(key: str, threshold: Threshold, rows: Sequence[Row]) -> Sentence:
    """Name all that lie in a listed band with their whole intervals, so that no doubtful one is named."""
    hits: list[Row] = []
    for row in rows:
        at = threshold.band_of(row["estimate"])
        whole = list(threshold.bands_of(row["low"], row["high"])) == [at]
        rare = row["p"] is not None and row["p"] > SIGNIFICANT
        partly = row["method"].endswith(RULES_RUN)  # what else the clause does was not counted
        if threshold.bands[at].listed and (whole or row["estimate"] == 0) and not rare and not partly:
            hits.append(row)
    hits.sort(key=lambda row: (-abs(row["estimate"]) if threshold.size else row["estimate"], row["measure"]))
    band = next(band for band in threshold.bands if band.listed == bool(hits))
    if hits:
        names = [f"{spoken(part_of(row['measure'], threshold.measure))} ({_point(row)})" for row in hits]
        more = f" and {count(len(names) - MOST_NAMED)} more" if len(names) > MOST_NAMED else ""
        head = fill(threshold.sentence, {"what": ", ".join(names[:MOST_NAMED]) + more})
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
    )


def _point(row: Row) -> str:
    """Say how large a listed figure is, and on how much a "never" or a difference rests."""
    counts = row["counts"]
    if row["estimate"] == 0:
        return f"never, {counts}" if counts else f"never in {count(row['games'])} games"
    text = told(row["estimate"], unit_of(row["measure"]), row["high"] - row["low"])
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


def confirmed(findings: Findings) -> list[tuple[CellInfo, list[Sentence]]]:
    """Repeat the main verdict with other players: balance must not depend on who plays."""
    main = ("advantage", "won_alone")
    return [
        (cell, [sentence for sentence in verdict_of(findings, cell) if sentence.key in main])
        for cell in findings.cells
        if cell.confirms
    ]

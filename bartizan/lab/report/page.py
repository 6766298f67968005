"""Put a report together: one HTML file with its pictures and records in it, that asks no one for anything.

Jinja2 escapes every word; the pictures alone go in as they are, and they have been cleaned (see `svg`).
"""

from __future__ import annotations

import base64
import shlex
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
from markupsafe import Markup

from bartizan import __version__
from bartizan.lab.groups import GROUPS
from bartizan.lab.measures import WHAT_IF
from bartizan.lab.report.answer import Answers
from bartizan.lab.report.answers import answers_about
from bartizan.lab.report.figures import count, interval, is_known, told, unit_of
from bartizan.lab.report.findings import CellInfo, Findings, Shown
from bartizan.lab.report.pictures import Picture, differences, pictures_of, shares_of
from bartizan.lab.report.variants import IS_WHAT_IF, changes, tried
from bartizan.lab.report.verdict import Sentence, confirmed, reasons

SERVER = "http://127.0.0.1:8765"  # where `bartizan serve` listens if nothing else is said
MOST_ROWS = 1_500  # of one table
MOST_IN_ALL = 6_000  # of all tables: about a megabyte
MOST_DETAILS = 50  # cells that an answer lists
OF_ALL = ("avoided", "unplayed")  # thresholds that compare the players
JUDGED = {"good": "works", "mixed": "look at it", "bad": "trouble"}


@dataclass(frozen=True)
class Section:
    """One group of measures: pictures first, then the table."""

    key: str
    group: str
    heading: str
    pictures: list[Picture]
    rows: list[dict[str, str]]
    left_out: int
    sentences: list[Sentence] = field(default_factory=list)  # about what other rules change
    facts: list[Sentence] = field(default_factory=list)  # of games that were tried by other rules
    missing: str = ""


@dataclass(frozen=True)
class Contents:
    """What a report shows: answers, their picture, and a section for each group of measures."""

    answers: Answers
    first: Picture | None
    sections: list[Section]


def render(findings: Findings, server: str = SERVER) -> str:
    """Return the report as HTML; its games are watched at `server`, nowhere if that is empty."""
    return page_of(findings, contents(findings), server)


def contents(findings: Findings) -> Contents:
    """Return what a report's page is made of, its pictures included."""
    answers = answers_about(findings)
    return Contents(answers, shares_of(answers), list(_sections(findings)))


def page_of(
    findings: Findings, content: Contents, server: str, files: Mapping[int, str] | None = None
) -> str:
    """Lay the page out; `files` has the name of each picture's files beside it, by the picture's `id`."""
    first, *others = findings.main
    answers, sections = content.answers, content.sections
    keys = {shown.key: shown.game for shown in findings.shown}
    return _template().render(
        findings=findings,
        others=others,
        players=", ".join(first.players),
        answers=answers,
        picture=content.first,
        sentences=reasons(findings, answers.judge),
        who=partial(_who, findings),
        judged=JUDGED,
        most_details=MOST_DETAILS,
        game_of=keys,
        confirmed=confirmed(findings, answers.judge),
        sections=sections,
        section_of={section.group: section.key for section in sections},
        command_folder=shlex.quote(findings.folder),
        experiment=_to_run_again(findings.experiment),
        shown=[
            {"game": each, "link": replay_link(each, server) if server else ""} for each in findings.shown
        ],
        is_published=files is not None,
        file_of=lambda picture: (files or {}).get(id(picture), ""),
        version=__version__,
        svg=lambda picture: Markup(picture.svg),
    )


def _who(findings: Findings, sentence: Sentence) -> str:
    """Say whose games a reason is about; nothing if only some play, or it is about all of them."""
    several = len(findings.cells) > len(findings.main)
    return f"{findings.cells[sentence.cell].names}: " if several and sentence.key not in OF_ALL else ""


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html")


def _to_run_again(text: str) -> str:
    """Return an experiment's TOML without the table of versions, which no experiment is given."""
    return text.partition("\n[made_with]")[0].rstrip() + "\n"


def replay_link(shown: Shown, server: str = SERVER) -> str:
    """Return where the browser client of a table server shows a record.

    The record is in the link itself, deflated and written in base64 for addresses, behind the #.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(shown.record.encode()) + packer.flush()
    return f"{server}/replay#record={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _sections(findings: Findings) -> Iterator[Section]:
    levels = findings.measures.filter(~IS_WHAT_IF)
    listed = sorted(GROUPS, key=lambda name: GROUPS[name].is_detail)
    names = [*listed, *levels["group"].unique(maintain_order=True).to_list(), *findings.missing]
    names = [name for name in names if name != WHAT_IF]
    left = MOST_IN_ALL
    for place, group in enumerate(dict.fromkeys(names)):
        own = levels.filter(pl.col("group") == group)
        missing = findings.missing.get(group, "")
        if own.height == 0 and not missing:
            continue
        rows = list(_rows(own.head(min(MOST_ROWS, left)), findings))
        left -= len(rows)
        yield Section(
            key=f"section-{place}",  # never a file's word: ids are for links
            group=group,
            heading=GROUPS[group].heading if group in GROUPS else group.capitalize(),
            pictures=pictures_of(group, findings),
            rows=rows,
            left_out=own.height - len(rows),
            missing=missing,
        )
    changed = findings.measures.filter(IS_WHAT_IF)
    missing = findings.missing.get(WHAT_IF, "")
    if changed.height or missing:
        comparisons = changes(findings)
        picture = differences(findings, [change.row for change in comparisons])
        rows = list(_rows(changed.head(min(MOST_ROWS, left)), findings))
        yield Section(
            key=WHAT_IF,
            group=WHAT_IF,
            heading=GROUPS[WHAT_IF].heading,
            pictures=[picture] if picture else [],
            rows=rows,
            left_out=changed.height - len(rows),
            sentences=[change.sentence for change in comparisons],
            facts=tried(findings),
            missing=missing,
        )


def _rows(frame: pl.DataFrame, findings: Findings) -> Iterator[dict[str, str]]:
    """Yield the rows of a table as texts."""
    for row in frame.to_dicts():
        unit, width = unit_of(row["measure"]), _width(row)
        yield {
            "words": row["words"] or row["measure"].replace("_", " "),
            "measure": row["measure"],
            "label": row["label"] or _players(findings.cells[row["cell"]]),
            "figure": told(row["estimate"], unit, width, 2),
            "interval": interval(row["low"], row["high"], unit),
            "n": count(row["n"]),
            "method": row["method"],
            "counts": row["counts"],
            "p": "" if row["p"] is None else "< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}",
        }


def _players(cell: CellInfo) -> str:
    return ", ".join(cell.players) if cell.confirms else "unchanged"


def _width(row: dict[str, Any]) -> float:
    return float(row["high"] - row["low"]) if is_known(row["low"], row["high"]) else 1.0

"""Read a balance sheet and judge its claims by what experiments came to (`sheet_pages` writes it).

A game's folder in docs/balance holds its experiments (``*.toml``), ``sheet.toml``, which binds each claim,
table and picture to measures of them, ``text.md``, the judgement in prose with places for these, and what is
made from them: ``measures.json``, the figures that are told, and the pictures.  The page beside the folder is
made too.  The prose holds no figure of its own, so a sheet cannot say another than its experiments came to.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.files import read_text
from bartizan.lab.design import Design
from bartizan.lab.intervals import LEVEL, Z95, holm
from bartizan.lab.reading import read_design
from bartizan.lab.report.figures import Unit, is_known, with_interval

SHEET, TEXT, KEPT = "sheet.toml", "text.md", "measures.json"

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]+$")]
Kind = Literal["level", "difference", "worth"]


class BadSheet(BartizanError):
    """A balance sheet that cannot be made as it is written; the text names the file and the thing."""

    code = "bad_sheet"


# --- What a sheet is made of --------------------------------------------------------


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything that stands in ``sheet.toml``."""


class Ratio(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A measure of the sheet's own: one sum over games by another, as SQL over the columns of games.

    There are also ``offered_VERB_SEAT`` and ``chosen_VERB_SEAT`` where the experiment measures choice.
    """

    name: Name
    experiment: str
    words: str
    top: str
    bottom: str = "1.0"
    share: bool = False


class Claim(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence with {figure} in it, which holds while the whole interval lies between two borders."""

    name: Name
    says: str
    experiment: str
    measure: str
    cell: str = ""
    kind: Kind = "level"
    low: float | None = None
    high: float | None = None


class Row(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a table or picture: a cell of an experiment, by its label."""

    name: str
    cell: str = ""
    experiment: str = ""  # the table's, where nothing is said


class Column(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column of a table: one measure."""

    head: str
    measure: str
    kind: Kind = "level"


class Table(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Measures of several cells; a star marks what differs from the first cell."""

    name: Name
    experiment: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


class Picture(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Measures of several cells, each a point with its interval."""

    name: Name
    experiment: str
    caption: str
    axis: str
    series: tuple[Column, ...]
    rows: tuple[Row, ...]
    mark: float | None = None


class Sheet(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a sheet tells."""

    ratio: tuple[Ratio, ...] = ()
    claim: tuple[Claim, ...] = ()
    table: tuple[Table, ...] = ()
    picture: tuple[Picture, ...] = ()

    def wanted(self, experiment: str) -> set[tuple[str, str]]:
        """Return which measures of an experiment are told, each with a cell's label."""
        found = {(each.measure, each.cell) for each in self.claim if each.experiment == experiment}
        parts = [(table, table.columns) for table in self.table]
        parts += [(picture, picture.series) for picture in self.picture]  # type: ignore[misc]
        for part, columns in parts:
            for row in part.rows:
                if (row.experiment or part.experiment) == experiment:
                    found |= {(column.measure, row.cell) for column in columns}
        return found


class KeptFigure(msgspec.Struct, frozen=True, kw_only=True):
    """One figure as an experiment had it."""

    measure: str
    share: bool  # whether it is told in percent
    kind: Kind
    cell: str
    estimate: float | None
    low: float | None
    high: float | None
    p: float | None  # of a difference, corrected (Holm)
    n: int  # deals
    games: int
    method: str


class KeptExperiment(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment came to, and what it was played with."""

    experiment: str  # a digest of its file's meaning
    made_with: dict[str, str]
    players: tuple[str, ...]
    seed: str
    games: int  # of all cells
    seconds: int  # of one processor
    figures: tuple[KeptFigure, ...]


Kept = dict[str, KeptExperiment]


def meaning(text: str) -> str:
    """Return a digest of what a TOML file says, whatever its comments and spaces."""
    plain = json.dumps(tomllib.loads(text), sort_keys=True)
    return hashlib.blake2b(plain.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Plan:
    """The folder of a game's sheet, read and checked; `name` is the game's."""

    folder: Path
    sheet: Sheet
    text: str
    designs: dict[str, Design]
    sources: dict[str, str]  # the experiments' files

    @property
    def name(self) -> str:
        """The game's name."""
        return self.folder.name

    @property
    def page(self) -> Path:
        """Where the page goes."""
        return self.folder.with_suffix(".md")


def read_plan(folder: Path) -> Plan:
    """Read a game's folder; raises `BadSheet` and `BadExperiment` for what cannot be a sheet."""
    try:
        sheet = msgspec.convert(tomllib.loads(read_text(folder / SHEET)), Sheet)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadSheet(f"{folder / SHEET}: {error}.") from error
    sources = {path.stem: read_text(path) for path in sorted(folder.glob("*.toml")) if path.name != SHEET}
    designs = {name: read_design(text, str(folder / f"{name}.toml")) for name, text in sources.items()}
    plan = Plan(folder, sheet, read_text(folder / TEXT), designs, sources)
    faults = list(_faults(plan))
    if faults:
        raise BadSheet("\n".join(faults))
    return plan


def _faults(plan: Plan) -> Iterator[str]:
    """Yield what is wrong with a sheet before any game is played."""
    where = plan.folder / SHEET
    for name, design in plan.designs.items():
        if design.game.name != plan.name:
            yield f"{plan.folder / name}.toml is about {design.game.name}; this is the sheet of {plan.name}."
    sheet = plan.sheet
    for parts in (sheet.claim, sheet.table, sheet.picture, sheet.ratio):
        names = [part.name for part in parts]
        yield from (f"{where}: {name!r} is there twice." for name in {*names} if names.count(name) > 1)
        for part in parts:
            told_of = {
                part.experiment,
                *(row.experiment for row in getattr(part, "rows", ()) if row.experiment),
            }
            for name in sorted(told_of - set(plan.designs)):
                yield f"{where}: {part.name}: there is no experiment {name!r}.{nearest(name, plan.designs)}"
    for name, cell in sorted(_cells_told(sheet)):
        labels = [each.label for each in plan.designs[name].cells] if name in plan.designs else [cell]
        if cell not in labels:
            yield f"{where}: {name} has no cell {cell!r}.{nearest(cell, labels)}"
    for claim in sheet.claim:
        if claim.low is None and claim.high is None:
            yield f"{where}: {claim.name}: a claim needs low or high, or it cannot fail."
        if claim.kind != "level" and not ((claim.low or 0) > 0 or (claim.high or 0) < 0):
            if not (claim.low == 0 or claim.high == 0):
                yield f"{where}: {claim.name}: the borders of a difference must keep it on one side of 0."
        if "{figure}" not in claim.says or _figures_in(claim.says.replace("{figure}", "")):
            yield f"{where}: {claim.name}: it must say {{figure}}, and no other figure."
    loose = _figures_in(re.sub(r"\{\{.*?\}\}", "", plan.text))
    if loose:
        yield f"{plan.folder / TEXT}: {loose[0]!r} is a figure that no claim holds to an experiment."


def _cells_told(sheet: Sheet) -> set[tuple[str, str]]:
    """Return each experiment with the labels of its cells that are told."""
    found = {(claim.experiment, claim.cell) for claim in sheet.claim}
    parts: tuple[Table | Picture, ...] = (*sheet.table, *sheet.picture)
    for part in parts:
        found |= {(row.experiment or part.experiment, row.cell) for row in part.rows}
    return found


def _figures_in(text: str) -> list[str]:
    """Return the numbers in prose, apart from what stands in backticks and where links go."""
    plain = re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->", "", text, flags=re.DOTALL)
    return re.findall(r"\S*\d\S*", plain)


# --- Figures and claims -------------------------------------------------------------


class Figures:
    """The kept figures of a sheet, found by experiment, measure, cell and kind."""

    def __init__(self, kept: Kept) -> None:
        self._by_place = {
            (name, each.measure, each.cell, each.kind): each
            for name, one in kept.items()
            for each in one.figures
        }

    def find(self, experiment: str, measure: str, cell: str, kind: Kind = "level") -> KeptFigure:
        """Return a figure; raises `BadSheet` with the nearest name for one that is not there."""
        found = self._by_place.get((experiment, measure, cell, kind))
        if found is not None:
            return found
        here = [place for place in self._by_place if place[0] == experiment and place[3] == kind]
        cells = sorted({place[2] for place in here})
        if cell not in cells:
            raise BadSheet(f"{experiment}: there is no cell {cell!r} with a {kind}.{nearest(cell, cells)}")
        measures = [place[1] for place in here if place[2] == cell]
        raise BadSheet(f"{experiment}: no {kind} {measure!r} was measured.{nearest(measure, measures)}")

    def maybe(self, experiment: str, measure: str, cell: str, kind: Kind) -> KeptFigure | None:
        """Return a figure, or None."""
        return self._by_place.get((experiment, measure, cell, kind))


def say(figure: KeptFigure) -> str:
    """Return a figure with its interval; of a difference the size, that of shares in percentage points."""
    unit = unit_in(figure)
    at, low, high = figure.estimate, figure.low, figure.high
    if figure.kind == "level" or not is_known(at, low, high):
        return with_interval(at, low, high, unit)
    assert at is not None
    assert low is not None
    assert high is not None
    if at < 0:
        at, low, high = -at, -high, -low
    text = with_interval(at, low, high, unit)
    return f"{text.replace('%', '')} percentage points" if unit == "share" else text


def unit_in(figure: KeptFigure) -> Unit:
    """Return what a figure is counted in."""
    return "share" if figure.share else "number"


def doubt(claim: Claim, figure: KeptFigure) -> float:
    """Return the chance of an estimate so far within a claim's borders if the truth lay on one of them.

    It is read off the interval, whose arm towards the border is 1.96 standard errors long.
    """
    from scipy.stats import norm

    at, low, high = figure.estimate, figure.low, figure.high
    if at is None or low is None or high is None:
        return 1.0
    worst = 0.0
    for array_rules, arm, ahead in ((claim.low, at - low, 1), (claim.high, high - at, -1)):
        if array_rules is None:
            continue
        inside = (at - array_rules) * ahead
        if inside <= 0:
            return 1.0
        worst = max(worst, 2 * float(norm.sf(Z95 * inside / arm)) if arm > 0 else 0.0)
    return worst


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, surely and with all claims of the sheet together, or fails, or is not sure."""

    claim: Claim
    figure: KeptFigure
    p: float  # corrected for the number of claims

    @property
    def holds(self) -> bool:
        """Whether it is sure."""
        return self.p < LEVEL

    @property
    def fails(self) -> bool:
        """Whether the whole interval lies beyond a border."""
        low, high = self.figure.low, self.figure.high
        if low is None or high is None:
            return False
        below = self.claim.low is not None and high < self.claim.low
        return below or (self.claim.high is not None and low > self.claim.high)

    def sentence(self) -> str:
        """Say what holds, or does not."""
        figure = say(self.figure)
        how = "holds" if self.holds else "does not hold" if self.fails else "not sure"
        return f"{self.claim.name}: {how}: {figure}, to be {borders(self.claim, unit_in(self.figure))}."


def borders(claim: Claim, unit: Unit) -> str:
    """Return the borders of a claim in words."""
    ends = ["" if end is None else _array_rules(end, unit) for end in (claim.low, claim.high)]
    if ends[0] and ends[1]:
        return f"{ends[0]} to {ends[1]}"
    return f"above {ends[0]}" if ends[0] else f"below {ends[1]}"


def _array_rules(end: float, unit: Unit) -> str:
    return f"{100 * end:g}%" if unit == "share" else f"{end:,g}"


def verdicts(sheet: Sheet, kept: Kept) -> list[Verdict]:
    """Judge every claim of a sheet; their chances are corrected together (Holm)."""
    figures = Figures(kept)
    found = [figures.find(each.experiment, each.measure, each.cell, each.kind) for each in sheet.claim]
    chances = holm([doubt(claim, figure) for claim, figure in zip(sheet.claim, found, strict=True)])
    return [Verdict(*each) for each in zip(sheet.claim, found, chances, strict=True)]


# --- What is kept ---------------------------------------------------------------------


def write_kept(kept: Kept) -> bytes:
    """Return the figures as JSON, a line each, so that a change is seen."""
    lines = []
    for name, one in kept.items():
        head = msgspec.to_builtins(one)
        figures = ",\n  ".join(map(_line, head.pop("figures")))
        lines.append(f'"{name}": {_line(head)[:-1]},"figures": [\n  {figures}\n]}}')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _line(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def read_kept(plan: Plan) -> Kept:
    """Return what was kept of a sheet's experiments; raises `BadSheet` where it is of other experiments."""
    path = plan.folder / KEPT
    try:
        kept = msgspec.json.decode(read_text(path), type=Kept)
    except msgspec.MsgspecError as error:
        raise BadSheet(f"{path}: {error}.") from error
    for name, text in plan.sources.items():
        if name not in kept or kept[name].experiment != meaning(text):
            raise BadSheet(f"{plan.folder / name}.toml has changed since it was played: run `make balance`.")
    return {name: kept[name] for name in plan.sources}


def rounded(figure: float | None) -> float | None:
    """Return a figure with six digits that count: what is beyond them is of no account."""
    if figure is None or not math.isfinite(figure):
        return None
    return float(f"{figure:.6g}")

"""Draw the pictures of a report: estimates with their intervals, and how long games are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any

import altair as alt
import polars as pl

from bartizan.lab.group import Plan
from bartizan.lab.groups import GROUPS
from bartizan.lab.report.answer import Answers
from bartizan.lab.report.figures import Unit, is_known, unit_of
from bartizan.lab.report.findings import CellInfo, Findings
from bartizan.lab.report.svg import draw, paint
from bartizan.lab.report.verdict import part_of, spoken

WIDTH = 420  # pixels of a plot, without what is written beside it
NARROW = 240  # of the first picture, which a phone shows whole
ROW = 22  # pixels of a row
MOST_CELLS = 6  # in one picture; the tables have all
MOST_ROWS = 30
COLOURS = [f"var(--series-{number})" for number in range(1, MOST_CELLS + 1)]
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


Values = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Picture:
    """One picture: its chart, its alternative text, and the figures that are drawn, a row each."""

    chart: alt.TopLevelMixin
    caption: str
    rows: Values

    @property
    def svg(self) -> str:
        """The picture as SVG, to be put into a page as it is."""
        return draw(self.chart)

    @property
    def png(self) -> bytes:
        """The picture as PNG, dark on white, at twice its size."""
        return paint(self.chart)

    @property
    def csv(self) -> str:
        """The figures that are drawn, as CSV with their names in the first line."""
        return pl.DataFrame(self.rows).write_csv()


def pictures_of(group: str, findings: Findings) -> list[Picture]:
    """Return the pictures of a group of measures, those that there are figures for."""
    known = GROUPS.get(group)
    first = DRAWN[known.picture](findings) if known and known.picture else None
    names = [first] if first else []
    own = findings.measures.filter(pl.col("group") == group)
    for plan in known.plans if known and known.plans else _plans_for(own):
        picture = _forest(plan, own, findings)
        if picture is not None:
            names.append(picture)
    return names


def _plans_for(own: pl.DataFrame) -> list[Plan]:
    """Return pictures for a group that none are planned for: shares in one, other figures in one each."""
    names = own.filter(pl.col("kind") == "level")["measure"].unique(maintain_order=True).to_list()
    shares = tuple(name for name in names if unit_of(name) == "share")
    plans = [Plan(shares, "Shares, with 95% intervals", "share", sort="largest")] if shares else []
    families = dict.fromkeys(name.partition(".")[0] for name in names if name not in shares)
    for family in families:
        words = family.replace("_", " ")
        plans.append(Plan((family, f"{family}.*"), f"{words.capitalize()}, with 95% intervals", words))
    return plans


def _forest(plan: Plan, own: pl.DataFrame, findings: Findings) -> Picture | None:
    """Draw a point and an interval for each measure and cell."""
    cells = findings.main[:MOST_CELLS]
    rows = _rows(plan, own, cells)
    names = list(dict.fromkeys(row["name"] for row in rows))
    if not names:
        return None
    caption = plan.caption
    if len(names) > MOST_ROWS:
        caption += f"; {MOST_ROWS} of {len(names)}, the table has all"
        names = names[:MOST_ROWS]
        rows = [row for row in rows if row["name"] in names]
    if len(findings.main) > MOST_CELLS:
        caption += f"; the first {MOST_CELLS} of {len(findings.main)} cells, the table has all"
    series = [_label(cell) for cell in cells]
    unit = unit_of(rows[0]["measure"])
    chart = forest(rows, plan.axis, unit, series=series, marks=_marks(plan, findings))
    return Picture(chart, caption, rows)


def forest(
    rows: Values,
    axis: str,
    unit: Unit,
    *,
    series: Sequence[str],
    marks: Sequence[float] = (),
    width: int = WIDTH,
) -> alt.TopLevelMixin:
    """Draw a point and its interval for each row.

    A row has an ``estimate`` in `unit`, ``low`` and ``high``, a ``name``, which has a line of its own, and a
    ``label``, one of `series`, of which there are `MOST_CELLS` at most.  At `marks` stand lines to compare.
    """
    names = list(dict.fromkeys(row["name"] for row in rows))
    chart = alt.Chart(pl.DataFrame(rows))
    y = alt.Y("name:N", title=None, sort=names)
    layers: list[Any] = [_rule(at) for at in marks]
    look: dict[str, Any] = {"color": alt.value(COLOURS[0])}
    if len(series) > 1:
        domain = list(series)
        look = {
            "color": alt.Color("label:N", scale=alt.Scale(domain=domain, range=COLOURS), title=None),
            "shape": alt.Shape("label:N", scale=alt.Scale(domain=domain, range=SHAPES), title=None),
            "yOffset": alt.YOffset("label:N", sort=domain),
        }
    lines = {key: value for key, value in look.items() if key != "shape"}
    x = alt.X("low:Q", title=axis, axis=_axis(unit), scale=alt.Scale(zero=unit == "share"))
    layers.append(chart.mark_rule(strokeWidth=2).encode(y=y, x=x, x2="high:Q", **lines))
    layers.append(chart.mark_point(filled=True, size=50, opacity=1).encode(y=y, x="estimate:Q", **look))
    step = max(ROW, 11 * len(series))
    return alt.layer(*layers).properties(width=width, height=step * len(names))


def shares_of(answers: Answers) -> Picture | None:
    """Draw the picture beside the three answers; None where there is nothing to show."""
    if not answers.bars:
        return None
    rows = [asdict(bar) for bar in answers.bars]
    marks = [] if answers.even is None else [answers.even]
    caption = answers.caption + ("; dashed: an even share" if marks else "")
    chart = forest(rows, "share of games", "share", series=[""], marks=marks, width=NARROW)
    return Picture(chart, caption, rows)


def _rows(plan: Plan, own: pl.DataFrame, cells: Sequence[CellInfo]) -> list[dict[str, Any]]:
    labels = {cell.number: _label(cell) for cell in cells}
    pictures = []
    for row in own.filter(pl.col("kind") == plan.kind).to_dicts():
        pattern = next((each for each in plan.patterns if fnmatchcase(row["measure"], each)), None)
        if pattern is None or row["cell"] not in labels:
            continue
        if is_known(row["estimate"], row["low"], row["high"]):
            name = spoken(part_of(row["measure"], pattern) or row["measure"])
            kept = {key: row[key] for key in ("measure", "estimate", "low", "high")}
            pictures.append({**kept, "name": name, "label": labels[row["cell"]]})
    if plan.sort:
        size: dict[str, float] = {}
        for row in pictures:
            size[row["name"]] = max(size.get(row["name"], 0.0), abs(row["estimate"]))
        way = -1 if plan.sort == "largest" else 1
        pictures.sort(key=lambda row: (way * size[row["name"]], row["name"]))
    return pictures


def _marks(plan: Plan, findings: Findings) -> list[float]:
    """Return where lines stand to compare with."""
    if plan.even and findings.seats > 1:
        return [1 / findings.seats]
    return [0.0] if plan.kind != "level" or plan.axis == "advantage" else []


def _rule(at: float) -> alt.Chart:
    """Return a line to compare with."""
    chart = alt.Chart(pl.DataFrame({"at": [at]}))
    line: alt.Chart = chart.mark_rule(color="var(--soft)", strokeWidth=1, strokeDash=[4, 3]).encode(x="at:Q")
    return line


def _axis(unit: Unit) -> alt.Axis:
    return alt.Axis(format="~%" if unit == "share" else "~s", tickCount=6, labelOverlap=True)


def _label(cell: CellInfo) -> str:
    return cell.label or "unchanged"


def _lengths(findings: Findings) -> Picture | None:
    """Draw how many decisions games take, as steps."""
    if findings.lengths is None or not findings.lengths.height:
        return None
    cells = findings.main[:MOST_CELLS]
    labels = {cell.number: _label(cell) for cell in cells}
    rows = [
        {"low": low, "high": high, "share": share, "label": labels[cell]}
        for cell, low, high, share in findings.lengths.select("cell", "low", "high", "share").iter_rows()
        if cell in labels
    ]
    chart = alt.Chart(pl.DataFrame(rows))
    x = alt.X("low:Q", title="decisions per game", scale=alt.Scale(zero=False))
    y = alt.Y("share:Q", title="share of games", axis=alt.Axis(format="%"))
    if len(cells) == 1:
        drawn = chart.mark_bar(color=COLOURS[0], binSpacing=1).encode(
            x=alt.X("low:Q", bin="binned", title="decisions per game"), x2="high:Q", y=y
        )
    else:
        domain = list(labels.values())
        scale = alt.Scale(domain=domain, range=COLOURS)
        drawn = chart.mark_line(interpolate="step-after", strokeWidth=2).encode(
            x=x, y=y, color=alt.Color("label:N", scale=scale, title=None)
        )
    return Picture(drawn.properties(width=WIDTH, height=180), "How long games are", rows)


def _tension(findings: Findings) -> Picture | None:
    """Draw how open games are from their beginning to their end."""
    if findings.tension is None or not findings.tension.height:
        return None
    labels = {cell.number: _label(cell) for cell in findings.main[:MOST_CELLS]}
    rows = [
        {"at": at, "entropy": entropy, "label": labels[cell]}
        for cell, at, entropy in findings.tension.select("cell", "at", "entropy").iter_rows()
        if cell in labels
    ]
    domain = list(labels.values())
    colour = alt.Color("label:N", scale=alt.Scale(domain=domain, range=COLOURS), title=None)
    look = {"color": colour} if len(domain) > 1 else {"color": alt.value(COLOURS[0])}
    share = alt.Scale(domain=[0, 1])
    drawn = (
        alt.Chart(pl.DataFrame(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("at:Q", title="part of the game that is over", axis=_axis("share"), scale=share),
            y=alt.Y("entropy:Q", title="uncertainty", scale=share),
            **look,
        )
    )
    caption = "How open games are: 1 where every seat may win, 0 where it is decided"
    return Picture(drawn.properties(width=WIDTH, height=180), caption, rows)


DRAWN = {"lengths": _lengths, "tension": _tension}


def differences(findings: Findings, rows: Sequence[dict[str, Any]]) -> Picture | None:
    """Draw the surest differences between cells on the same deals, shares only."""
    shares = [row for row in rows if unit_of(row["measure"]) == "share"]
    if not shares:
        return None
    values = [
        {
            **{key: row[key] for key in ("estimate", "low", "high")},
            "name": f"{row['measure']}, {row['label']}",
        }
        for row in shares
    ]
    names = [row["name"] for row in values]
    chart, y = alt.Chart(pl.DataFrame(values)), alt.Y("name:N", title=None, sort=names)
    x = alt.X("low:Q", title="difference", axis=_axis("share"))
    bars = chart.mark_rule(strokeWidth=2, color=COLOURS[0]).encode(y=y, x=x, x2="high:Q")
    points = chart.mark_point(filled=True, size=50, opacity=1, color=COLOURS[0])
    layers = alt.layer(_rule(0.0), bars, points.encode(y=y, x="estimate:Q"))
    picture = layers.properties(width=WIDTH, height=ROW * len(names))
    return Picture(picture, "What changes against the first cell, on the same deals", values)

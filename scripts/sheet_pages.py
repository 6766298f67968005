"""Write the page of a balance sheet and draw its pictures, from the figures that are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

import jinja2

from bartizan.engine.errors import nearest
from bartizan.lab.intervals import LEVEL
from bartizan.lab.report.figures import Unit, count, is_known
from bartizan.lab.report.pictures import forest
from bartizan.lab.report.svg import SVG, draw, tones
from scripts.sheets import (
    TEXT,
    BadSheet,
    Claim,
    Figures,
    Kept,
    Picture,
    Plan,
    Sheet,
    Table,
    borders,
    say,
    unit_in,
    verdicts,
)

SIDE, EDGE = 48, 12  # pixels of margin: where labels begin, and elsewhere
AS_IT_IS = "unchanged"  # what a cell is called that changes nothing


def pictures(plan: Plan, kept: Kept) -> dict[str, str]:
    """Return the pictures of a sheet as SVG, by the names of their files."""
    figures = Figures(kept)
    return {f"{each.name}.svg": on_paper(_drawn(each, figures)) for each in plan.sheet.picture}


def _drawn(picture: Picture, figures: Figures) -> str:
    unit: Unit = "number"
    rows = []
    for row in picture.rows:
        for column in picture.series:
            found = figures.find(row.experiment or picture.experiment, column.measure, row.cell, column.kind)
            if is_known(found.estimate, found.low, found.high):
                unit = unit_in(found)
                told_of = {"name": row.name, "label": column.head}
                rows.append({**told_of, "estimate": found.estimate, "low": found.low, "high": found.high})
    if not rows:
        raise BadSheet(f"The picture {picture.name!r} has nothing to show.")
    marks = [] if picture.mark is None else [picture.mark]
    series = [column.head for column in picture.series]
    return draw(forest(rows, picture.axis, unit, series=series, marks=marks))


def on_paper(svg: str) -> str:
    """Return a picture of a report with colours and a ground of its own, light or dark as its reader likes.

    In a report the page colours it; a picture in a Markdown page stands alone.  It gets a margin too: it was
    laid out for one font, and another's labels may be wider.
    """
    light, dark = ("".join(f"{name}:{tone[side]};" for name, *tone in tones()) for side in (0, 1))
    style = f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    root = ElementTree.fromstring(svg)
    width, height = (float(root.attrib[side]) for side in ("width", "height"))
    left, whole, high = -SIDE, width + SIDE + EDGE, height + 2 * EDGE
    head = f'<svg xmlns="{SVG}" role="img" width="{whole:g}" height="{high:g}"'
    ground = f'<rect x="{left}" y="{-EDGE}" width="{whole:g}" height="{high:g}" fill="var(--paper)"/>'
    inside = svg.partition(">")[2]
    return f'{head} viewBox="{left} {-EDGE} {whole:g} {high:g}">{style}{ground}{inside}\n'


def render(plan: Plan, kept: Kept) -> str:
    """Return the page of a sheet; raises `BadSheet` for a claim, table or picture that is told nowhere."""
    figures, sheet = Figures(kept), plan.sheet
    used: set[tuple[str, str]] = set()

    def teller(kind: str, parts: Sequence[Any], tell: Callable[[Any], str]) -> Callable[[str], str]:
        by_name = {part.name: part for part in parts}

        def told_of(name: str) -> str:
            if name not in by_name:
                raise BadSheet(f"{plan.folder / TEXT}: there is no {kind} {name!r}.{nearest(name, by_name)}")
            used.add((kind, name))
            return tell(by_name[name])

        return told_of

    def claim_of(claim: Claim) -> str:
        figure = figures.find(claim.experiment, claim.measure, claim.cell, claim.kind)
        return claim.says.replace("{figure}", f"**{say(figure)}**")

    calls = {
        "says": teller("claim", sheet.claim, claim_of),
        "table": teller("table", sheet.table, lambda table: _table(table, figures)),
        "picture": teller(
            "picture",
            sheet.picture,
            lambda each: f"![{each.caption}]({plan.name}/{each.name}.svg)\n\n*{each.caption}.*",
        ),
    }
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True
    )
    try:
        body = environment.from_string(plan.text).render(calls)
    except jinja2.TemplateError as error:
        raise BadSheet(f"{plan.folder / TEXT}: {error}.") from error
    every = [(kind, part.name) for kind, parts in _told(sheet) for part in parts]
    unused = [f"the {kind} {name!r}" for kind, name in every if (kind, name) not in used]
    if unused:
        raise BadSheet(f"{plan.folder / TEXT} does not tell {', '.join(unused)}.")
    note = f"<!-- Made by `make balance` from {plan.name}/{TEXT}; change that. -->\n\n"
    return "\n\n".join([note + body.strip(), _rests_on(plan, kept), _made(plan, kept)]) + "\n"


def _told(sheet: Sheet) -> list[tuple[str, tuple[Any, ...]]]:
    return [("claim", sheet.claim), ("table", sheet.table), ("picture", sheet.picture)]


def lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    cells = [list(head), ["---"] * len(head), *map(list, rows)]
    return "\n".join(f"| {' | '.join(each.replace('|', '/') for each in row)} |" for row in cells)


def _table(table: Table, figures: Figures) -> str:
    rows, starred = [], False
    for row in table.rows:
        cells = []
        for column in table.columns:
            place = (row.experiment or table.experiment, column.measure, row.cell)
            found = figures.find(*place, column.kind)
            differs = figures.maybe(*place, "difference")
            sure = (
                column.kind == "level" and differs is not None and differs.p is not None and differs.p < LEVEL
            )
            starred |= sure
            known = is_known(found.estimate, found.low, found.high)
            cells.append((say(found) if known else "–") + (" \\*" if sure else ""))
        rows.append([row.name, *cells])
    text = lines(["", *(column.head for column in table.columns)], rows)
    note = "\n\n\\* different from the unchanged rules on the same deals (95%, Holm over the experiment)"
    return text + note if starred else text


def _rests_on(plan: Plan, kept: Kept) -> str:
    """Return the table of claims, with what each rests on."""
    rows = []
    for verdict in verdicts(plan.sheet, kept):
        claim, figure = verdict.claim, verdict.figure
        what = claim.measure if claim.kind == "level" else f"{claim.measure}, {claim.kind}"
        rows.append(
            [
                f"`{claim.name}`",
                say(figure),
                borders(claim, unit_in(figure)),
                f"[{claim.experiment}]({plan.name}/{claim.experiment}.toml)",
                f"`{what}`",
                claim.cell or AS_IT_IS,
                f"{figure.method}; {count(figure.games)} games of {count(figure.n)} deals",
            ]
        )
    head = ["claim", "figure, 95%", "limits", "experiment", "measure", "cell", "method"]
    text = (
        "Each figure in the text comes from this table. A claim holds if its figure is within its limits by "
        "more than chance explains, for all claims of the sheet together (95%, Holm). If one doesn't hold, "
        "`make balance` fails."
    )
    return f"## The figures behind the text\n\n{text}\n\n{lines(head, rows)}"


def _made(plan: Plan, kept: Kept) -> str:
    rows = []
    for name, one in kept.items():
        link = f"[{name}]({plan.name}/{name}.toml)"
        rows.append([link, ", ".join(one.players), count(one.games), one.seed, f"{one.seconds:,} s"])
    made = [
        f"Bartizan {one.made_with['bartizan']}, rules {one.made_with['rules_digest']}"
        for one in kept.values()
    ]
    head = ["experiment", "players", "games", "seed", "time on one thread"]
    again = (
        f"`make balance ARGS={plan.name}` writes this page again; "
        f'with `ARGS="{plan.name} --seed WORD"` it checks the claims on other deals instead.'
    )
    return f"## How it was made\n\n{'; '.join(sorted({*made}))}. {again}\n\n{lines(head, rows)}"

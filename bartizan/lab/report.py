"""Write the report of an experiment: one HTML file that needs no network."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl

from bartizan.engine.files import write_atomically
from bartizan.lab import pictures
from bartizan.lab.design import GROUPS, BadExperiment
from bartizan.lab.experiment import Experiment
from bartizan.lab.measures import Figure, frame_of
from bartizan.lab.store import REPORT
from bartizan.lab.tables import number
from bartizan.lab.verdicts import Verdict, verdicts

STYLE = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
MOST_ROWS = 24  # of a picture
SURE = 0.05
RECORDS = 3  # games that show something, in full

ZERO = {"fairness": None, "pieces": 0.0}


def write_report(experiment: Experiment) -> Path:
    """Write ``report.html`` into the folder; raises `Unwritable`, and `BadExperiment` without games."""
    path = experiment.folder.path / REPORT
    write_atomically(path, page(experiment))
    return path


def page(experiment: Experiment) -> str:
    """Return the report's HTML."""
    if not experiment.folder.numbers:
        raise BadExperiment(
            f"{experiment.folder.path} has no finished games yet; `bartizan lab run` plays them."
        )
    design, figures = experiment.design, experiment.figures()
    title = f"{design.game.title}: does it work?"
    groups = [group for group in GROUPS if any(figure.group == group for figure in figures)]
    parts = [
        f"<h1>{_text(title)}</h1>",
        f"<p>{_text(_who(experiment, figures))}</p>",
        *(f'<p class="bad">{_text(fault)}</p>' for fault in experiment.faults),
        "<h2>In short</h2>",
        _verdict_list(verdicts(figures)),
        _confirmed(figures),
        *(_section(experiment, group, figures) for group in groups),
        *(f"<p>{_text(sentence)}</p>" for sentence in experiment.missing().values()),
        _games(experiment),
        _again(experiment),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"</body>\n</html>\n"
    )


def _text(words: object) -> str:
    return html.escape(str(words))


def _who(experiment: Experiment, figures: list[Figure]) -> str:
    design = experiment.design
    by_cell: dict[int, int] = {}
    for figure in figures:
        by_cell[figure.cell.number] = max(figure.games, by_cell.get(figure.cell.number, 0))
    games = sum(by_cell.values())
    players = ", ".join(design.players)
    seats = f"{design.seats} seats" if design.seats > 1 else "one seat"
    return (
        f"{games:,} games with {seats}, played by programs ({players}). "
        "What they show holds for such players; people may play otherwise. "
        "Figures come with their 95 % intervals."
    )


def _verdict_list(found: list[Verdict]) -> str:
    if not found:
        return "<p>There is no verdict: none of the measured figures has a threshold.</p>"
    items = [
        f'<li class="{verdict.tone}"><span class="mark">{_text(MARKS[verdict.tone])}</span> '
        f"{_text(verdict.sentence)} <small>Threshold {verdict.threshold.bound:g}: "
        f"{_text(verdict.threshold.reason)}</small></li>"
        for verdict in found
    ]
    return f'<ul class="verdicts">{"".join(items)}</ul>'


MARKS = {"good": "Good:", "bad": "Trouble:", "open": "Open:"}


def _confirmed(figures: list[Figure]) -> str:
    """Return the main figure with other players, where some were asked to confirm it."""
    main = next((each for each in figures if each.measure.startswith("won.seat_1")), None)
    others = [each for each in figures if each.cell.confirms and main and each.measure == main.measure]
    if main is None:
        return ""
    if not others:
        return (
            "<p>No weaker or stronger player was asked to confirm this ([confirm] in the experiment): "
            "a balance that holds for one player only is none.</p>"
        )
    rows = "".join(
        _row(("these players" if each is main else each.cell.label, each)) for each in [main, *others]
    )
    return (
        f"<h3>With other players</h3><table><thead><tr><th>players</th><th>{_text(main.words)}</th>"
        f"<th>95 % interval</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(named: tuple[str, Figure]) -> str:
    name, figure = named
    at = figure.interval
    return (
        f'<tr><th scope="row">{_text(name)}</th><td>{number(at.estimate)}</td>'
        f"<td>{number(at.low)} to {number(at.high)}</td></tr>"
    )


def _section(experiment: Experiment, group: str, figures: list[Figure]) -> str:
    """Return a group: the picture first, its table folded beneath."""
    own = [figure for figure in figures if figure.group == group and not figure.cell.confirms]
    frame = frame_of(own)
    drawn = [part for part in _pictures(experiment, group, frame) if part]
    pictured = "".join(f'<div class="picture">{part}</div>' for part in drawn)
    return (
        f"<h2>{_text(group.capitalize())}</h2><p>{_text(GROUPS[group])}.</p>{pictured}"
        f"<details><summary>{len(own):,} figures</summary>{_table(frame)}</details>"
    )


def _pictures(experiment: Experiment, group: str, frame: pl.DataFrame) -> Iterable[str]:
    """Yield the pictures of a group."""
    levels = frame.filter(pl.col("kind") == "level")
    gaps = frame.filter(pl.col("kind") != "level").sort("p", nulls_last=True, maintain_order=True)
    shares = levels.filter((pl.col("low") >= -1) & (pl.col("high") <= 1))
    if group in ("fairness", "choice", "drama", "weight", "skill", "luck"):
        yield pictures.intervals(shares.head(MOST_ROWS), "estimate and 95 % interval")
    if group == "length":
        yield pictures.histogram(_lengths(experiment), "decisions of a game")
        yield pictures.intervals(shares.head(MOST_ROWS), "estimate and 95 % interval")
    if group == "clauses":
        seldom = levels.filter(pl.col("measure").str.starts_with("in_games")).sort("estimate")
        yield pictures.intervals(seldom.head(MOST_ROWS), "share of games in which a clause takes effect")
    if group == "drama":
        yield pictures.curve(_uncertainty(experiment), "uncertainty")
    if group in ("pieces", "choice"):
        worth = gaps.filter(pl.col("kind") == "worth").head(MOST_ROWS).sort("estimate", descending=True)
        yield pictures.intervals(worth, "win share with it minus without", 0.0)
    changed = gaps.filter((pl.col("kind") == "difference") & (pl.col("p") < SURE)).head(MOST_ROWS)
    yield pictures.intervals(changed, "difference from the first cell, where it is no luck", 0.0)


def _lengths(experiment: Experiment) -> pl.DataFrame:
    first = experiment.games().filter(pl.col("cell") == 0)
    return first.group_by(pl.col("plies").alias("value")).agg(pl.len().alias("games")).sort("value").collect()


def _uncertainty(experiment: Experiment) -> pl.DataFrame:
    """Return the mean entropy of the chances over the games that were looked at, by part of the game."""
    from bartizan.lab.thinking import Thinking, entropies

    curves = [entropies(frame) for frame in Thinking(experiment.design, experiment.folder.path).frames()]
    if not curves:
        return pl.DataFrame()
    parts = np.linspace(0, 1, 41)
    mean = np.mean([np.interp(parts, np.linspace(0, 1, len(each)), each) for each in curves], axis=0)
    return pl.DataFrame({"x": parts, "y": mean})


def _table(frame: pl.DataFrame) -> str:
    many = frame["label"].n_unique() > 1
    head = [
        "measure",
        *(["cell"] if many else []),
        "estimate",
        "95 % interval",
        "deals",
        "method",
        "what it is",
    ]
    rows = []
    for row in frame.iter_rows(named=True):
        kind = {"difference": "Δ ", "worth": "", "level": ""}[row["kind"]]
        star = " *" if row["p"] is not None and row["p"] < SURE else ""
        cells = [
            *([row["label"]] if many else []),
            number(row["estimate"]) + star,
            f"{number(row['low'])} to {number(row['high'])}",
            f"{row['n']:,}",
            row["method"],
            row["words"],
        ]
        columns = "".join(f"<td>{_text(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{_text(kind + row["measure"])}</th>{columns}</tr>')
    heads = "".join(f'<th scope="col">{_text(name)}</th>' for name in head)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="figures of {_text(frame["group"][0])}">'
        f"<table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        "<p><small>* a difference that would come by luck less than once in twenty experiments, corrected "
        "for how many there are (Holm).</small></p>"
    )


def _games(experiment: Experiment) -> str:
    """Return games that show something, as records that `bartizan replay` and the browser open."""
    shown = []
    for words, best in (("the longest game", "plies"), ("the shortest game", "-plies")):
        found = experiment.select("finished", best, 1)
        for game in found["game"]:
            text = experiment.record(game).text()
            shown.append(
                f"<details><summary>Show me {words}: number {game}</summary>"
                f'<pre tabindex="0">{_text(text)}</pre></details>'
            )
    if not shown:
        return ""
    words = "Save one as a file; <code>bartizan replay FILE</code> shows it move by move."
    return f"<h2>Games</h2><p>{words}</p>{''.join(shown)}"


def _again(experiment: Experiment) -> str:
    settings = experiment.design.text()
    return (
        "<h2>Run it again</h2><p>Save this as <code>experiment.toml</code>; "
        "<code>bartizan lab run experiment.toml</code> plays the same games.</p>"
        f'<pre tabindex="0">{_text(settings)}</pre>'
    )

"""Lay figures out as lines for a terminal."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import polars as pl

from bartizan.lab.design import Design
from bartizan.lab.experiment import Experiment
from bartizan.lab.groups import GROUPS
from bartizan.lab.intervals import NOT_MEASURED, TOO_FEW
from bartizan.lab.report.answer import UNCHANGED, UNVARIED, Answers

STAR = 0.05  # a corrected chance below which a difference gets a star
WIDTH = 110  # signs of a line of an answer
SHOWN = ("game", "cell", "seed", "plies")  # columns that the line of a game has anyway
MOST = 12  # rows of a group where not everything is asked for


def answer_lines(answers: Answers, *, everything: bool = False) -> list[str]:
    """Format the three answers, the headline first; with everything, a line for each cell and the methods."""
    lines = []
    for each in answers.answers:
        hint = " Add `--vary OPTION=A,B` to compare." if each.sentence == UNVARIED else ""
        lines += textwrap.wrap(
            each.sentence + hint, WIDTH, initial_indent=f"{each.question:<24} ", subsequent_indent=" " * 25
        )
        if everything:
            found = [*each.details, each.basis] if each.basis else each.details
            lines += [f"{' ' * 25}- {detail}" for detail in found]
    return [*lines, *textwrap.wrap(answers.note, WIDTH)]


def lines(design: Design, frame: pl.DataFrame, *, everything: bool = False) -> list[str]:
    """Format the results of an experiment: a block for each group, a line for each measure."""
    cells = {cell.number: cell for cell in design.cells}
    lines = [f"{design.game.title}: {', '.join(design.players)}; {_games(frame):,} games, seed {design.seed}"]
    if len(cells) > 1:
        lines += [f"  cell {cell.number}: {cell.label or UNCHANGED}" for cell in cells.values()]
    for (group,), rows in frame.group_by("group", maintain_order=True):
        lines += ["", str(group)]
        shown = rows if everything else _main(rows)
        lines += [figure_line(row, many=len(cells) > 1) for row in shown.iter_rows(named=True)]
        if shown.is_empty():
            lines.append(f"  None of {len(rows):,} figures stands out: --all shows them")
        elif len(shown) < len(rows):
            lines.append(f"  … and {len(rows) - len(shown):,} more: --all shows them")
    return lines


def _games(frame: pl.DataFrame) -> int:
    per_cell = frame.group_by("cell").agg(pl.col("games").max())
    return int(per_cell["games"].sum() or 0)


def _main(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a group that matter most: levels first, then the surest differences."""
    levels = rows.filter(pl.col("kind") == "level")
    worths = rows.filter(pl.col("kind") != "level").filter(pl.col("p") < STAR).sort("p", maintain_order=True)
    group = GROUPS.get(rows["group"][0])
    levels = group.main(levels) if group else levels
    return pl.concat([levels.head(3 * MOST), worths.head(MOST)])


def figure_line(row: dict[str, Any], *, many: bool) -> str:
    """Return one figure: its name, the estimate with its interval, what it is."""
    cell = f"[{row['cell']}] " if many else ""
    kind = "Δ " if row["kind"] == "difference" else ""
    name = f"  {cell}{kind}{row['measure']:<24}"
    if row["method"].startswith((TOO_FEW, NOT_MEASURED)):
        return f"{name} {row['method']}  {row['words']}"
    counts = (
        f" [{row['counts']}]" if row["counts"] and (row["kind"] != "level" or not row["estimate"]) else ""
    )
    return (
        f"{name} {number(row['estimate']):>9}  "
        f"({number(row['low'])} to {number(row['high'])}){_star(row)}{counts}  {row['words']}"
    )


def _star(row: dict[str, Any]) -> str:
    return " *" if row["p"] is not None and row["p"] < STAR else ""


def number(value: float | None) -> str:
    """Write a figure with as many digits as it deserves."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.2f}" if abs(value) >= 10 else f"{value:z.4f}"


def game_lines(games: pl.DataFrame, column: str = "") -> list[str]:
    """Return games as lines: who played, decisions, who won, and the column they were chosen by."""
    if games.height == 0:
        return ["No game meets that."]
    shown = [f"{games.height} game{'s' if games.height > 1 else ''}:"]
    seats = [name.removeprefix("won_") for name in games.columns if name.startswith("won_")]
    for row in games.iter_rows(named=True):
        winners = [seat for seat in seats if row[f"won_{seat}"]]
        won = f"won by {', '.join(winners)}" if winners else "drawn" if row["finished"] else "not finished"
        extra = f", {column} {row[column]}" if column and column not in SHOWN else ""
        shown.append(
            f"  game {row['game']}, cell {row['cell']} ({row['players']}), seed {row['seed']}: "
            f"{row['plies']} decisions, {won}{extra}"
        )
    return shown


def comparison_lines(frame: pl.DataFrame, one: Experiment, other: Experiment) -> list[str]:
    """Return the differences of two experiments as lines."""
    firsts = [(each.folder.path, each.design.main_cells) for each in (one, other)]
    names = [f"{path} ({cells[0].label or UNCHANGED})" if len(cells) > 1 else path for path, cells in firsts]
    shown = [f"{names[1]} minus {names[0]}; * where it is no luck (Holm)"]
    if several := [str(path) for path, cells in firsts if len(cells) > 1]:
        shown.append(f"Only the first variant of {' and of '.join(several)} is compared.")
    for row in frame.iter_rows(named=True):
        counts = f" [{row['counts']}]" if row["counts"] else ""
        gap = (
            f"{number(row['estimate'])} ({number(row['low'])} to {number(row['high'])}){_star(row)}{counts}  "
        )
        shown.append(
            f"  {row['measure']:<24} {number(row['one'])} → {number(row['other'])}: "
            f"{'' if row['method'].startswith(TOO_FEW) else gap}{row['method']}"
        )
    return shown

"""Gather what a report tells from the folder of an experiment."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from bartizan.engine.errors import BartizanError, CorruptRecord
from bartizan.lab.batch import strength_of
from bartizan.lab.design import BadExperiment, Design
from bartizan.lab.experiment import Experiment
from bartizan.lab.report.answer import Answers
from bartizan.lab.report.answers import answer, answers_about
from bartizan.lab.report.findings import SECONDS, CellInfo, Findings, Shown, checked, read_measures
from bartizan.lab.report.verdict import reasons
from bartizan.lab.store import MEASURES
from bartizan.lab.thinking import GameAnalysis
from bartizan.match import Match

BINS = 40  # bars of the picture of lengths, at most
PARTS = 20  # of a game's time, in the picture of how open it is
MOST_SHOWN = 8  # games whose records stand in the report
LONGEST_RECORD = 100_000  # signs; a longer one is left to `bartizan lab games`
Progress = Callable[[int, int], None]


def answers_of(experiment: Experiment, measures: pl.DataFrame, seconds: float = SECONDS) -> Answers:
    """Answer the three questions from an experiment and its measures (see `bartizan.lab.report.answers`)."""
    cells = _cells(experiment.design)
    known = checked(measures, "The experiment", len(cells))
    return answer(known, cells, experiment.design.seats, _spans(experiment), seconds=seconds)


def _cells(design: Design) -> tuple[CellInfo, ...]:
    """Return the cells with the strength of their weakest players."""
    return tuple(
        CellInfo(
            cell.number,
            cell.label,
            cell.players,
            cell.confirms,
            min(strength_of(design.game, player) for player in cell.players),
            cell.confirms and cell.options != design.cells[0].options,
        )
        for cell in design.cells
    )


def _spans(experiment: Experiment) -> dict[int, tuple[float, float]]:
    """Return between how many decisions nine in ten games of each cell lie."""
    if not experiment.folder.numbers:
        return {}
    ends = [pl.col("plies").quantile(at, "nearest").alias(str(at)) for at in (0.05, 0.95)]
    spans = experiment.games().group_by("cell").agg(ends).collect()
    return {int(cell): (float(low), float(high)) for cell, low, high in spans.iter_rows()}


def gather(experiment: Experiment, progress: Progress | None = None, seconds: float = SECONDS) -> Findings:
    """Collect the content of a report; the sample games are replayed for their records.

    `progress` gets the number of replayed games and the total, `seconds` is how long a decision takes.
    Raises `BadExperiment` if no game is finished yet, `CorruptRecord` for unreadable files.
    """
    design, folder = experiment.design, experiment.folder
    if not folder.numbers:
        raise BadExperiment(f"{folder.path} has no finished games yet: there is nothing to report.")
    path, faults = folder.path / MEASURES, list(experiment.faults)
    if not path.is_file():
        experiment.write_measures()
    try:
        measures = read_measures(path, len(design.cells))
    except CorruptRecord as error:
        faults.append(f"{error} The measures are recomputed from the games.")
        experiment.write_measures()
        measures = read_measures(path, len(design.cells))
    cells = _cells(design)
    findings = Findings(
        title=design.game.title,
        author=design.game.author,
        seats=design.seats,
        folder=folder.path.resolve().name,
        settings=tuple(_settings(experiment)),
        experiment=(folder.path / "experiment.toml").read_text(encoding="utf-8", errors="replace"),
        cells=cells,
        measures=measures,
        missing=experiment.missing(),
        faults=tuple(faults),
        tension=_tension(experiment),
        lengths=_lengths(experiment, [cell.number for cell in cells if not cell.confirms]),
        spans=_spans(experiment),
        seconds=seconds,
    )
    return replace(findings, shown=tuple(_shown(experiment, findings, progress)))


def _settings(experiment: Experiment) -> Iterator[tuple[str, str]]:
    design = experiment.design
    yield "Game", design.game.title
    yield "Players", ", ".join(design.players)
    cells = design.main_cells
    if len(cells) > 1:
        yield (
            "Varied",
            "; ".join(f"{key}: {', '.join(map(str, values))}" for key, values in design.varied.items()),
        )
    played = dict(experiment.games().group_by("cell").len().collect().iter_rows())
    main = [int(played.get(cell.number, 0)) for cell in cells]
    many = f"{min(main):,}" if min(main) == max(main) else f"{min(main):,} to {max(main):,}"
    yield "Games", many + (f" in each of {len(cells)} variants" if len(cells) > 1 else "")
    if design.until is not None:
        until = design.until
        yield "Until", f"{until.measure} is known to {until.width:g}, by a confidence sequence"
    yield "Seed", design.seed
    yield "Thinking time", f"{experiment.folder.seconds:,.0f} s of one processor"


def _lengths(experiment: Experiment, cells: list[int]) -> pl.DataFrame:
    """Return how many decisions games take, in bins that all cells share: cell, low, high, share."""
    games = experiment.games().filter(pl.col("cell").is_in(cells))
    counted = games.group_by("cell", "plies").len("games").collect()
    if counted.height == 0:
        return pl.DataFrame(schema={"cell": pl.Int64, "low": pl.Int64, "high": pl.Int64, "share": pl.Float64})
    least, most = counted.select(pl.min("plies"), pl.max("plies").alias("most")).row(0)
    step = max(1, math.ceil((most - least + 1) / BINS))
    low = (least + (pl.col("plies") - least) // step * step).cast(pl.Int64)
    return (
        counted.with_columns(pl.col("cell").cast(pl.Int64), low=low)
        .group_by("cell", "low")
        .agg(pl.sum("games"))
        .with_columns(high=pl.col("low") + step, share=pl.col("games") / pl.sum("games").over("cell"))
        .select("cell", "low", "high", "share")
        .sort("cell", "low")
    )


def _tension(experiment: Experiment) -> pl.DataFrame | None:
    """Return how open games are in each part of their time, by a search's chances: cell, at, entropy."""
    design = experiment.design
    paths = sorted(GameAnalysis(design, experiment.folder.path).path.glob("*.parquet"))
    if not paths or not design.measures_group("drama"):
        return None
    names = [f"chance_{seat}" for seat in range(1, design.seats + 1)]
    chances = [pl.col(name).clip(0, 1) for name in names]
    chances += [1 - chances[0]] if design.seats == 1 else []
    bits = [pl.when(each > 0).then(-each * each.log(2)).otherwise(0.0) for each in chances]
    part = (pl.col("ply") * PARTS // pl.max_horizontal(pl.lit(1), pl.max("ply").over("game"))).cast(
        pl.Float64
    )
    games = [
        frame.select(
            "game", "cell", at=part / PARTS, entropy=pl.sum_horizontal(bits) / math.log2(len(chances))
        )
        for frame in map(_looked_at, paths)
        if frame is not None and {"game", "cell", "ply", *names} <= set(frame.columns)
    ]
    if not games:
        return None
    by_game = pl.concat(games).group_by("cell", "game", "at").agg(pl.mean("entropy"))
    return by_game.group_by("cell", "at").agg(pl.mean("entropy")).sort("cell", "at")


def _looked_at(path: Path) -> pl.DataFrame | None:
    """Read a game that was looked at; None where its file is damaged, which the measures have said."""
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return None


def _shown(experiment: Experiment, findings: Findings, progress: Progress | None) -> Iterator[Shown]:
    """Yield a game for each reason that can be shown, each game only once."""
    wanted = [each for each in reasons(findings, answers_about(findings).judge) if each.show][:MOST_SHOWN]
    taken: set[int] = set()
    for done, sentence in enumerate(wanted):
        if progress is not None:
            progress(done, len(wanted))
        try:
            games = experiment.select(
                f"cell = {sentence.cell} AND ({sentence.show})", sentence.best, len(wanted)
            )
            number = next((number for number in games["game"].to_list() if number not in taken), None)
            if number is None:
                continue
            match = experiment.match(number)
            record = match.record(secret_seed=True).text()
        except BartizanError:
            continue  # a column that this experiment did not measure, or a game that cannot be played again
        if len(record) > LONGEST_RECORD:
            continue
        taken.add(number)
        yield Shown(sentence.key, number, sentence.text, record, _moves(match))
    if progress is not None and wanted:
        progress(len(wanted), len(wanted))


def _moves(match: Match) -> tuple[str, ...]:
    """Return a game's moves with what happened, as anybody at the table could read them."""
    names = match.views.setting.seat_names
    moves = []
    for line in match.views.log(0, match.last_ply):
        who = f"{names[line.seat - 1]}: " if line.seat and len(names) > 1 else ""
        moves.append(" ".join([f"{who}{line.label or line.move}.", *line.events]))
    return tuple(moves)

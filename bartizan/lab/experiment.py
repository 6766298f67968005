"""Run an experiment and read its results: ``bartizan lab`` as a Python API."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import polars as pl

from bartizan.engine.errors import CorruptRecord, first_line, nearest
from bartizan.engine.files import read_text
from bartizan.lab.chunk import Chunk, ChunkPlayer
from bartizan.lab.design import BadExperiment, Cell, Design
from bartizan.lab.group import Collector, Search
from bartizan.lab.groups import groups_of, missing, ratios_of, searches_of, watchable
from bartizan.lab.intervals import ConfidenceSequence, Interval
from bartizan.lab.measures import Figure, Measure, Ratios, frame_of, sums_by_deal
from bartizan.lab.parquet import write_frame
from bartizan.lab.reading import design_of, read_design
from bartizan.lab.runner import Played, ThreadWorkers, Workers, play_chunks
from bartizan.lab.store import MEASURES, Folder
from bartizan.match import Match
from bartizan.match.record import GameRecord

Progress = Callable[[int, int], None]


class Experiment:
    """An experiment in its folder; `run` plays the missing games, everything else only reads."""

    def __init__(self, folder: Folder) -> None:
        """Take a folder; see `begin` and `open`."""
        self.folder = folder

    @classmethod
    def begin(cls, design: Design | Path | str | dict[str, Any], out: Path | str) -> Self:
        """Open the folder of an experiment, or begin it.

        `design` is a checked one, the path of a TOML file, or its text or tables.  Raises `BadExperiment` for
        what cannot be run, and where another experiment, or another version, has the folder.
        """
        if isinstance(design, str) and "=" not in design:  # which every experiment has
            design = Path(design)
        if isinstance(design, Path):
            design = read_design(read_text(design), str(design))
        elif isinstance(design, str):
            design = read_design(design)
        elif isinstance(design, dict):
            design = design_of(design)
        if not any(group.applies(design) for group in groups_of(design)):
            why = " ".join(missing(design).values())
            raise BadExperiment(f"This experiment measures nothing. {why} Add another group to measures.")
        return cls(Folder.create(Path(out), design))

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a folder, or the one of its ``experiment.toml``, to read it.

        Raises `BadExperiment` where no experiment is.
        """
        return cls(Folder.open(Path(path)))

    @property
    def design(self) -> Design:
        """What is played and measured."""
        return self.folder.design

    @property
    def faults(self) -> list[str]:
        """Sentences about damaged files, whose games are left out."""
        faults = [fault for search in self._searches() for fault in search.faults()]
        return [*self.folder.faults, *faults]

    # --- Playing

    def run(
        self, threads: int = 1, progress: Progress | None = None, workers: Workers | None = None
    ) -> pl.DataFrame:
        """Play the missing games, on threads or on `workers`, measure everything, and return the measures.

        However it ends, finished chunks are kept, and the next run continues from there.  `progress` gets
        the number of games played and the maximum number.
        Raises `InUse` if another process is running it, `Unwritable`, `KeyboardInterrupt`.
        """
        with self.folder.alone():
            return self._run(workers or ThreadWorkers(threads), progress)

    @property
    def is_finished(self) -> bool:
        """Whether `run` would play nothing: all games are there, or the watched figure is known well."""
        if not self.folder.missing():
            return True
        watch = _Watch(self.design)
        return self.design.until is not None and any(watch.see(frame) for frame in self.folder.frames())

    def _run(self, workers: Workers, progress: Progress | None) -> pl.DataFrame:
        watch = _Watch(self.design)
        for number in self.folder.numbers:
            if watch.see(self.folder.frame(number)):
                break
        missing_chunks = [] if watch.is_settled else self.folder.missing()
        done = self.folder.played
        try:
            with closing(self._played(workers, missing_chunks)) as played:
                for chunk, frames, seconds in played:
                    self.folder.write(chunk, frames, seconds)
                    done += frames["games"].height
                    if progress is not None:
                        progress(done, max(done, self.design.total_games))
                    if watch.see(frames["games"]):
                        break
        finally:
            self.folder.close()
        return self.write_measures()

    # --- Looking at games decision by decision

    def _searches(self) -> list[Search]:
        return [search(self.design, self.folder.path) for search in searches_of(self.design)]

    @property
    def thinks(self) -> bool:
        """Whether a group of measures needs a search."""
        return bool(searches_of(self.design))

    def forecast(self, threads: int = 1) -> float:
        """Return about how many seconds looking at games decision by decision will still take."""
        return sum(search.forecast(threads) for search in self._searches())

    def think(
        self, threads: int = 1, progress: Progress | None = None, workers: Workers | None = None
    ) -> pl.DataFrame:
        """Run all missing searches, on threads or on `workers`, and return all measures.

        `progress` counts games and rounds.  Raises `InUse`, `Unwritable`, `KeyboardInterrupt`.
        """
        workers = workers or ThreadWorkers(threads)
        with self.folder.alone():
            for search in self._searches():
                search.run(workers, progress)
            return self.write_measures()

    def _played(self, workers: Workers, chunks: list[Chunk]) -> Generator[Played]:
        """Yield finished chunks; in their order where that matters: to stop early, or for parts of one."""
        in_order = self.design.until is not None or self.design.confirms_slowly
        if chunks:
            yield from workers.do(play_chunks, self.design, chunks, in_order=in_order)

    # --- What it came to

    def figures(self) -> list[Figure]:
        """Return every figure of the games that are there.

        Raises `CorruptRecord` for files that hold something else than this experiment's games.
        """
        try:
            return self._figures()
        except pl.exceptions.PolarsError as error:
            held = f"{self.folder.path} holds files of other games than its experiment's"
            raise CorruptRecord(f"{held}: {first_line(error)}.") from error

    def _figures(self) -> list[Figure]:
        design = self.design
        collectors: list[Collector] = [Ratios(design, ratios_of(design))]
        for group in groups_of(design):
            collectors += group.collectors(design) if group.applies(design) else ()
        figures: list[Figure] = []
        for source in ("games", "clauses", "what_if"):
            takers = [each for each in collectors if each.source == source]
            for frame in self.folder.frames(source) if takers else ():
                for taker in takers:
                    taker.add(frame)
            figures += [figure for taker in takers for figure in taker.figures()]
        figures = self._watched(figures)
        for search in self._searches():
            figures += search.figures()
        return figures

    def _watched(self, figures: list[Figure]) -> list[Figure]:
        """Give the measure that decides when a run stops the interval that may be watched."""
        until = self.design.until
        if until is None:
            return figures
        watch = _Watch(self.design)
        for frame in self.folder.frames():
            watch.see(frame)
        return [
            replace(figure, interval=watch.interval(figure.cell, figure.interval.estimate))
            if (figure.measure, figure.kind, figure.cell.confirms) == (until.measure, "level", False)
            else figure
            for figure in figures
        ]

    def measures(self) -> pl.DataFrame:
        """Return the measures, a row each (see `bartizan.lab.measures.SCHEMA`), computed from the games."""
        return frame_of(self.figures())

    def write_measures(self) -> pl.DataFrame:
        """Compute the measures and keep them as ``measures.parquet``."""
        measures = self.measures()
        write_frame(self.folder.path / MEASURES, measures)
        return measures

    def missing(self) -> dict[str, str]:
        """Return the groups that make no sense for this game, with a sentence why."""
        return missing(self.design)

    def games(self) -> pl.LazyFrame:
        """Return all games, a row each (see `bartizan.lab.chunk`), read as they are wanted."""
        return self.folder.scan()

    def select(self, where: str = "", best: str = "", take: int = 5) -> pl.DataFrame:
        """Return games that meet a condition in SQL, such as ``plies > 300 AND won_1 = 1``.

        `best` is a column to sort by, the largest first (with ``-`` before it, the smallest).
        Raises `BadExperiment` for a wrong condition or column.
        """
        frame = self.games()
        names = frame.collect_schema().names()
        if where:
            try:
                condition = pl.sql_expr(where)
                for column in sorted(set(condition.meta.root_names()) - set(names)):
                    raise BadExperiment(
                        f"--where {where!r}: there is no column {column!r}. {_columns(names)}"
                    )
                frame = frame.filter(condition)
                frame.collect_schema()
            except pl.exceptions.PolarsError as error:
                raise BadExperiment(
                    f"--where {where!r} isn't a condition: {first_line(error)}. {_columns(names)}"
                ) from error
        if best:
            column = best.removeprefix("-")
            if column not in names:
                raise BadExperiment(
                    f"There is no column {column!r}.{nearest(column, names) or ' ' + _columns(names)}"
                )
            frame = frame.sort([column, "game"], descending=[not best.startswith("-"), False])
        try:
            return frame.head(take).collect()
        except pl.exceptions.PolarsError as error:
            raise BadExperiment(
                f"--where {where!r} cannot be asked: {first_line(error)}. {_columns(names)}"
            ) from error

    def record(self, game: int) -> GameRecord:
        """Return the record of a game by its number; raises as `match`."""
        return self.match(game).record(secret_seed=True)

    def match(self, game: int) -> Match:
        """Return a game by its number, at its end: played again, it comes out the same.

        Raises `BadExperiment` for a number that no game has.
        """
        if not hasattr(game, "__index__"):
            raise BadExperiment(f"game is {game!r}; it must be a game's number.")
        games = (
            self.games().filter(pl.col("game") == game).select("cell", "order", "repeat", "seed").collect()
        )
        if games.height == 0:
            raise BadExperiment(f"There is no game {game} in {self.folder.path}.")
        cell, order, repeat, seed = games.row(0)
        batch = ChunkPlayer(self.design).batch(cell, order)
        actions = batch.actions(seed, order * self.design.repeats + repeat)
        return batch.match(seed, actions)


def _columns(names: Iterable[str]) -> str:
    return f"The columns are {', '.join(names)}."


# --- Stopping when a figure is sure enough ----------------------------------------


class _Watch:
    """Look at a measure's confidence sequence in every cell as chunks come in, in order."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._sequences = [ConfidenceSequence() for _ in design.main_cells]
        self._measure: Measure | None = None
        if design.until is not None:
            self._measure = next(each for each in watchable(design) if each.name == design.until.measure)

    @property
    def _range(self) -> float:
        """How far apart the bounds of the measure are."""
        bounds = self._measure.bounds if self._measure else None
        return bounds[1] - bounds[0] if bounds else 1.0

    @property
    def is_settled(self) -> bool:
        """Whether the interval is narrow enough in every cell."""
        until = self._design.until
        return until is not None and all(each.width <= until.width / self._range for each in self._sequences)

    def interval(self, cell: Cell, estimate: float) -> Interval:
        """Return the results so far for a cell of the grid, corrected for repeated looks."""
        sequence = self._sequences[cell.number]
        low = self._measure.bounds[0] if self._measure and self._measure.bounds else 0.0
        ends = [low + each * self._range for each in (sequence.low, sequence.high)]
        return Interval(estimate, ends[0], ends[1], "confidence sequence")

    def see(self, games: pl.DataFrame) -> bool:
        """Add a chunk; say whether no further one is needed."""
        measure, until = self._measure, self._design.until
        if measure is None or until is None or measure.bounds is None:
            return False
        low, high = measure.bounds
        sums = sums_by_deal(games, [measure])
        for number, sequence in enumerate(self._sequences):
            own = sums.filter(pl.col("cell") == number)
            at = (own["0.top"] / own["games"]).to_numpy()
            sequence.add((at - low) / (high - low))
        return self.is_settled

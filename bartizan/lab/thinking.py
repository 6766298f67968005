"""Look at games with a search, decision by decision: what a decision is worth, and how the lead goes.

Each analysed game is a file ``plies_ITERATIONS/GAME.parquet`` with one row for each decision and one for the
end: each seat's chance to win, as far as the deciding seat can know; how far the best action is ahead of the
second best; and how many actions are about as good as the best.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bartizan.engine.rng import stream
from bartizan.lab.batch import deal_seed
from bartizan.lab.chunk import ChunkPlayer, Stopped
from bartizan.lab.design import Cell, Design
from bartizan.lab.group import Progress, Search
from bartizan.lab.parquet import write_frame
from bartizan.lab.runner import IsStopped, Workers
from bartizan.match.evaluate import MoveEvaluator, chance
from bartizan.match.match import Match

NEAR = 0.05  # of the chance to win: actions that are no further behind are about as good as the best
TRIAL = 6  # decisions analysed to estimate how long all will take

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AnalysisTask:
    """One game to analyse."""

    number: int
    cell: Cell
    order: int
    repeat: int
    deal: int


class GameAnalyst:
    """Play the games of an experiment again and look at them; in any number of threads at once."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.player = ChunkPlayer(design)

    def match(self, look: AnalysisTask) -> Match:
        """Return a game as a match."""
        batch = self.player.batch(look.cell.number, look.order)
        seed = deal_seed(self.design.seed, look.deal)
        slot = look.order * self.design.repeats + look.repeat
        return batch.match(seed, batch.actions(seed, slot))

    def look_at(self, look: AnalysisTask, is_stopped: IsStopped = lambda: False) -> pl.DataFrame:
        """Return what a search finds in a game: one row for each decision, and one for the end.

        Raises `Stopped` once `is_stopped` says so.
        """
        match = self.match(look)
        rows = []
        for ply in range(match.last_ply):
            if is_stopped():
                raise Stopped
            rows.append(self.row(match, ply))
        match.go_to(match.last_ply)
        if match.is_over:
            ends = [chance(each) for each in match.returns()]
            rows.append({**_chances(ends), "seat": 0, "legal": 0, "weight": math.nan, "near": 0})
        frame = pl.DataFrame(rows).with_row_index("ply")
        head = {"game": look.number, "cell": look.cell.number, "deal": look.deal}
        return frame.select(*(pl.lit(value).alias(name) for name, value in head.items()), pl.all())

    def row(self, match: Match, ply: int) -> dict[str, float | int]:
        """Return what a search finds at a ply of a match."""
        match.go_to(ply)
        legal, game_state = match.legal(), match.game_state()
        dice = stream(match.seed, "look", ply)
        evaluator = MoveEvaluator(match.game, game_state, legal, self.design.search.iterations, dice)
        seat = match.seat_to_move
        if len(legal) == 1:
            chances = evaluator.weigh(legal[0])
            return {**_chances(chances), "seat": seat, "legal": 1, "weight": math.nan, "near": 1}
        estimates = evaluator.estimates()
        weighed = [each.chances[seat - 1] for each in estimates if each.chances]
        near = sum(value >= weighed[0] - NEAR for value in weighed)
        return {
            **_chances(estimates[0].chances),
            "seat": seat,
            "legal": len(legal),
            "weight": weighed[0] - weighed[1],
            "near": near,
        }


def look_at_games(design: Design) -> Callable[[AnalysisTask, IsStopped], pl.DataFrame]:
    """Prepare to analyse games; each results in the frame of `GameAnalyst.look_at`."""
    return GameAnalyst(design).look_at


class GameAnalysis(Search):
    """The games of an experiment that a search looks at, in its folder."""

    def __init__(self, design: Design, path: Path) -> None:
        super().__init__(design, path / f"plies_{design.search.iterations}")
        self._looker = GameAnalyst(design)

    def looks(self) -> list[AnalysisTask]:
        """Return the games to look at: the first of each cell of the grid."""
        tasks: list[AnalysisTask] = []
        for cell in self.design.main_cells:
            slots = [(o, r) for o in range(len(cell.orders)) for r in range(self.design.repeats)]
            for at in range(min(self.design.search.games, cell.deals * len(slots))):
                deal, (order, repeat) = at // len(slots), slots[at % len(slots)]
                number = self._looker.player.number_of(deal, cell, order, repeat)
                tasks.append(AnalysisTask(number, cell, order, repeat, deal))
        return tasks

    def _file(self, look: AnalysisTask) -> Path:
        return self.path / f"{look.number:09d}.parquet"

    def missing(self) -> list[AnalysisTask]:
        """Return the games that no one has looked at yet, or whose file is damaged."""
        return [look for look in self.looks() if self._read(look) is None]

    def _read(self, look: AnalysisTask) -> pl.DataFrame | None:
        """Read an analysed game; None if there is no file, or it cannot be read."""
        try:
            return pl.read_parquet(self._file(look))
        except (OSError, pl.exceptions.PolarsError):
            return None

    def faults(self) -> list[str]:
        """Return a sentence for each file that cannot be read."""
        return [
            f"{self._file(look)} is damaged; its game is left out until it is looked at again."
            for look in self.looks()
            if self._file(look).is_file() and self._read(look) is None
        ]

    def forecast(self, threads: int = 1) -> float:
        """Estimate from a few decisions how many seconds the missing games will take."""
        left = self.missing()
        if not left:
            return 0.0
        match = self._looker.match(left[0])
        plies = max(1, match.last_ply)
        tried = sorted({plies * part // TRIAL for part in range(TRIAL)})
        self._looker.row(match, tried[0])  # compiles
        began = time.perf_counter()
        for ply in tried:
            self._looker.row(match, ply)
        return (time.perf_counter() - began) / len(tried) * plies * len(left) / threads

    def run(self, workers: Workers, progress: Progress | None = None) -> None:
        """Look at every game that is missing; each is kept when it is done."""
        left, whole = self.missing(), len(self.looks())
        self.path.mkdir(exist_ok=True)
        done = whole - len(left)
        with closing(workers.do(look_at_games, self.design, left)) as looked:
            for look, frame, _ in looked:
                write_frame(self._file(look), frame)
                done += 1
                if progress is not None:
                    progress(done, whole)

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield the games that were looked at, in order."""
        for look in self.looks():
            frame = self._read(look)
            if frame is not None:
                yield frame


def _chances(found: tuple[float, ...] | list[float]) -> dict[str, float]:
    return {f"chance_{seat}": float(each) for seat, each in enumerate(found, start=1)}

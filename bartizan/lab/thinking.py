"""AnalysisTask at games with a search, decision by decision: what a decision is worth, and how the lead goes.

Each looked-at game is a file ``plies_ITERATIONS/GAME.parquet`` with a row a decision, one for the end:
the chance of each seat to win by what the seat that decides can know, how much the best action is ahead of
the second, and how many are about as good as the best.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bartizan.engine.rng import stream
from bartizan.lab.batch import deal_seed
from bartizan.lab.chunk import ChunkPlayer, Stopped
from bartizan.lab.design import Cell, Design
from bartizan.lab.intervals import Interval, Moments, ratio
from bartizan.lab.measures import Figure
from bartizan.lab.runner import IsStopped, ThreadWorkers, Workers
from bartizan.lab.store import write_frame
from bartizan.match.evaluate import MoveEvaluator, chance
from bartizan.match.match import Match

NEAR = 0.05  # of the chance to win: actions that are so little behind are about as good as the best
TRIAL = 6  # decisions that are looked at to tell how long all will take

Progress = Callable[[int, int], None]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AnalysisTask:
    """One game that is to be looked at."""

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
        """Return the match that a game was."""
        batch = self.player.batch(look.cell.number, look.order)
        seed = deal_seed(self.design.seed, look.deal)
        slot = look.order * self.design.repeats + look.repeat
        return batch.match(seed, batch.actions(seed, slot))

    def look_at(self, look: AnalysisTask, is_stopped: IsStopped = lambda: False) -> pl.DataFrame:
        """Return what a search finds in a game, a row a decision and one for its end.

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
        legal, live = match.legal(), match.live()
        dice = stream(match.seed, "look", ply)
        evaluator = MoveEvaluator(match.game, live, legal, self.design.search.iterations, dice)
        seat = match.seat_to_move
        if len(legal) == 1:
            found = evaluator.weigh(legal[0])
            return {**_chances(found), "seat": seat, "legal": 1, "weight": math.nan, "near": 1}
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
    """Get ready to look at games; each comes to the frame of `GameAnalyst.look_at`."""
    return GameAnalyst(design).look_at


class GameAnalysis:
    """The games of an experiment that a search looks at, in its folder."""

    def __init__(self, design: Design, path: Path) -> None:
        self.design = design
        self.path = path / f"plies_{design.search.iterations}"
        self._looker = GameAnalyst(design)

    def looks(self) -> list[AnalysisTask]:
        """Return the games to look at: the first of each cell of the grid."""
        found: list[AnalysisTask] = []
        for cell in self.design.main_cells:
            slots = [(o, r) for o in range(len(cell.orders)) for r in range(self.design.repeats)]
            for at in range(min(self.design.search.games, cell.deals * len(slots))):
                deal, (order, repeat) = at // len(slots), slots[at % len(slots)]
                number = self._looker.player.number_of(deal, cell, order, repeat)
                found.append(AnalysisTask(number, cell, order, repeat, deal))
        return found

    def _file(self, look: AnalysisTask) -> Path:
        return self.path / f"{look.number:09d}.parquet"

    def missing(self) -> list[AnalysisTask]:
        """Return the games that nobody has looked at yet, or whose file is damaged."""
        return [look for look in self.looks() if self._read(look) is None]

    def _read(self, look: AnalysisTask) -> pl.DataFrame | None:
        """Read a game that was looked at; None where it was not, or its file cannot be read."""
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
        """Return about how many seconds looking at all that is missing will take, from a few decisions."""
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

    def run(self, workers: Workers | None = None, progress: Progress | None = None) -> None:
        """AnalysisTask at every game that is missing; each is kept when it is done."""
        left, whole = self.missing(), len(self.looks())
        self.path.mkdir(exist_ok=True)
        done = whole - len(left)
        with closing((workers or ThreadWorkers()).do(look_at_games, self.design, left)) as looked:
            for look, frame, _ in looked:
                write_frame(self._file(look), frame)
                done += 1
                if progress is not None:
                    progress(done, whole)

    # --- What it comes to

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield the games that were looked at, in order."""
        for look in self.looks():
            frame = self._read(look)
            if frame is not None:
                yield frame

    def figures(self) -> list[Figure]:
        """Return the measures of drama and of the weight of decisions."""
        rows: dict[int, dict[int, list[dict[str, float]]]] = {}
        for frame in self.frames():
            facts = drama_of(frame) | weight_of(frame)
            number, deal = int(frame["cell"][0]), int(frame["deal"][0])
            rows.setdefault(number, {}).setdefault(deal, []).append(facts)
        found: list[Figure] = []
        for cell_number, deals in sorted(rows.items()):
            cell = self.design.cells[cell_number]
            games = sum(map(len, deals.values()))
            for group, name, words, share in FACTS:
                if not self.design.measures_group(group):
                    continue
                interval = _mean(list(deals.values()), name, share=share)
                found.append(Figure(group, name, "level", cell, interval, len(deals), games, words))
        return found


FACTS = (
    ("drama", "lead_changes", "changes of the lead in a game, by the search's estimate", False),
    ("drama", "decided_at", "part of the game after which the later winner is ahead for good", True),
    ("drama", "comeback", "lowest chance of the later winner", True),
    ("drama", "uncertainty", "entropy of the chances over a game, 1 where all seats are equal", True),
    ("drama", "surprise", "how far the chances move from one decision to the next (root mean square)", True),
    ("weight", "weight", "chance that the best action is ahead of the second best", True),
    ("weight", "near", "of the three likeliest actions, those within five points of the best", False),
)


def _chances(found: tuple[float, ...] | list[float]) -> dict[str, float]:
    return {f"chance_{seat}": float(each) for seat, each in enumerate(found, start=1)}


def _mean(deals: list[list[dict[str, float]]], name: str, *, share: bool) -> Interval:
    """Return the mean of a fact over games that have it; deals are the units."""
    rows = []
    for games in deals:
        known = [game[name] for game in games if not math.isnan(game[name])]
        rows.append([sum(known), len(known)])
    moments = Moments(1, 2)
    moments.add(np.array(rows, float)[:, None, :])
    bounds = (0.0, 1.0) if share else None
    return ratio(moments.mean[0], moments.covariance()[0], moments.count, share=False, bounds=bounds)


def lines_of(frame: pl.DataFrame) -> Floats:
    """Return the chances (plies, sides) of a game; alone, the second side is that of losing."""
    names = [name for name in frame.columns if name.startswith("chance_")]
    chances = frame.select(names).to_numpy()
    return np.hstack([chances, 1 - chances]) if len(names) == 1 else chances


def entropies(frame: pl.DataFrame) -> Floats:
    """Return the entropy of the chances at each ply: 1 where all seats are equal, 0 at a sure end."""
    chances = lines_of(frame)
    shares = chances / np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = -np.nansum(shares * np.log(shares), axis=1) / math.log(shares.shape[1])
    return found


def drama_of(frame: pl.DataFrame) -> dict[str, float]:
    """Return what a game's curve of chances tells; NaN where a game has no such thing."""
    chances = lines_of(frame)
    over = int(frame["seat"][-1]) == 0
    leaders: list[int] = []
    for row in chances:  # who was ahead stays so until another is
        ahead = int(np.argmax(row))
        stays = bool(leaders) and row[leaders[-1]] >= row[ahead]
        leaders.append(leaders[-1] if stays else ahead)
    changes = sum(one != other for one, other in pairwise(leaders))
    end = chances[-1]
    winners = np.flatnonzero(end == end.max())
    decided, comeback = math.nan, math.nan
    if over and len(winners) == 1:
        behind = [ply for ply, leader in enumerate(leaders) if leader != winners[0]]
        decided = min(1.0, (behind[-1] + 1) / max(1, len(leaders) - 1)) if behind else 0.0
        comeback = float(chances[:, winners[0]].min())
    entropy = entropies(frame)
    steps = np.diff(chances, axis=0)
    surprise = float(np.sqrt((steps**2).mean())) if len(steps) else math.nan
    return {
        "lead_changes": float(changes),
        "decided_at": decided,
        "comeback": comeback,
        "uncertainty": float(entropy[:-1].mean()) if over and len(entropy) > 1 else float(entropy.mean()),
        "surprise": surprise,
    }


def weight_of(frame: pl.DataFrame) -> dict[str, float]:
    """Return the mean weight of a game's decisions, and how many actions are about as good as the best."""
    choices = frame.filter(pl.col("legal") > 1)
    if choices.height == 0:
        return {"weight": math.nan, "near": math.nan}
    weights, near = choices["weight"].to_numpy(), choices["near"].to_numpy()
    return {"weight": float(weights.mean()), "near": float(near.mean())}

"""Play many games between programs and count, with intervals.

Games are numbered and each has random streams of its own, so the figures
depend on the seed alone, not on the number of threads.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.lab.batch import Batch
from bartizan.lab.intervals import half_width, wilson
from bartizan.lab.threads import in_threads
from bartizan.match.match import check_seed
from bartizan.search import batch as columns
from bartizan.search.players import policy_of

CHUNK = 2_000  # games a thread plays before it reports


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with its 95 % interval, and the extremes."""

    mean: float
    low: float
    high: float
    min: float
    max: float


class SimulationReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a batch of games came to.

    `wins` is by seat, ``"1"`` the first; a victory that is shared counts for each of its winners.  `draws`
    are games of several that nobody has won.
    """

    games: int
    wins: dict[str, int]
    draws: int
    unfinished: int
    plies: Summary
    rounds: Summary
    actions_per_second: float
    seconds: float
    threads: int
    win_intervals: dict[str, tuple[float, float]]


def summary(values: NDArray[np.float64]) -> Summary:
    """Return the mean of `values` with its 95 % interval (Student's t)."""
    mean, count = float(values.mean()), len(values)
    half = half_width(float(values.std(ddof=1)) / math.sqrt(count), count) if count > 1 else 0.0
    return Summary(
        mean=mean, low=mean - half, high=mean + half, min=float(values.min()), max=float(values.max())
    )


def simulate(
    game: Game | str,
    games: int,
    players: Sequence[str] | None = None,
    seed: str = "0",
    threads: int = 1,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SimulationReport:
    """Play `games` games and count.

    The time measured is that of the games alone, without compiling.
    Raises `UnknownGame`, `UnknownPlayer`, `BadSeats`, `UnknownOption`, `BadSeed`.
    """
    game = game if isinstance(game, Game) else registry.get(game)
    names = list(players or ["random"] * game.min_seats)
    game.check_programs(options or {}, game.check_seats(len(names)))
    for name in names:
        policy_of(game, name)  # those that look ahead are told where they can play
    batch, seed = Batch(game, options or {}, names), check_seed(seed)
    batch.play_deals(seed, range(1))  # compiles
    counts = np.zeros((games, columns.FIXED + columns.PER_SEAT * batch.seats), np.int64)
    started = time.perf_counter()

    def play(chunk: range) -> NDArray[np.int64]:
        return batch.play_deals(seed, chunk).counts

    done = 0
    chunks = (range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK))
    for chunk, rows in in_threads(play, chunks, threads):
        counts[chunk.start : chunk.stop] = rows
        done += len(chunk)
        if progress is not None:
            progress(done, games)
    seconds = time.perf_counter() - started
    return _report(counts, batch.seats, seconds, threads)


def _report(counts: NDArray[np.int64], seats: int, seconds: float, threads: int) -> SimulationReport:
    games = len(counts)
    finished = counts[:, columns.FINISHED] == 1
    won = (
        np.stack([counts[:, columns.FIXED + columns.PER_SEAT * seat + columns.WON] for seat in range(seats)])
        == 1
    )
    wins = {str(seat + 1): int(won[seat].sum()) for seat in range(seats)}
    plies, rounds = (counts[:, column].astype(float) for column in (columns.PLIES, columns.ROUNDS))
    return SimulationReport(
        games=games,
        wins=wins,
        draws=int((finished & ~won.any(axis=0)).sum()) if seats > 1 else 0,
        unfinished=int((~finished).sum()),
        plies=summary(plies),
        rounds=summary(rounds),
        actions_per_second=float(plies.sum() / seconds) if seconds > 0 else 0.0,
        seconds=seconds,
        threads=threads,
        win_intervals={seat: wilson(count, games) for seat, count in wins.items()},
    )

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
from bartizan.lab.batch import GameBatch
from bartizan.lab.intervals import half_width, wilson
from bartizan.lab.threads import in_threads
from bartizan.match.progress import check_seed
from bartizan.search import batch as columns
from bartizan.search.players import policy_of

CHUNK = 2_000  # games a thread plays before it reports


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with its 95% interval, and the extremes."""

    mean: float
    low: float
    high: float
    min: float
    max: float


class SimulationReport(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a batch of games.

    `wins` is by seat, starting with ``"1"``; a shared victory counts for each of its winners.  `draws`
    counts the games for several players that no one won.
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


class Tally:
    """Whole numbers taken in as they come: their mean, its interval and the extremes, however many they are.

    Sums are exact, so that the order in which threads bring numbers does not matter.
    """

    def __init__(self) -> None:
        self.count = 0
        self._sum = self._squares = 0
        self._low = self._high = 0

    def add(self, values: NDArray[np.int64]) -> None:
        """Add up to a few million numbers, each at most 10^6."""
        low, high = int(values.min()), int(values.max())
        self._low = min(self._low, low) if self.count else low
        self._high = max(self._high, high) if self.count else high
        self.count += len(values)
        self._sum += int(values.sum())
        self._squares += int((values * values).sum())

    @property
    def total(self) -> int:
        """The sum of the numbers."""
        return self._sum

    def summary(self) -> Summary:
        """Return the mean with its 95% interval (Student's t)."""
        count, mean, half = self.count, self._sum / self.count, 0.0
        if count > 1:
            variance = (count * self._squares - self._sum**2) / (count * (count - 1))
            half = half_width(math.sqrt(variance / count), count)
        return Summary(mean=mean, low=mean - half, high=mean + half, min=self._low, max=self._high)


class Counts:
    """The results of games, added chunk by chunk, in constant memory."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.wins = [0] * seats
        self.draws = self.unfinished = 0
        self.plies, self.rounds = Tally(), Tally()

    def add(self, rows: NDArray[np.int64]) -> None:
        """Add the counts of some games (see `bartizan.search.batch.Sheet`)."""
        finished = rows[:, columns.FINISHED] == 1
        at = columns.FIXED + columns.WON
        won = rows[:, at : at + columns.PER_SEAT * self._seats : columns.PER_SEAT] == 1
        self.wins = [before + int(now) for before, now in zip(self.wins, won.sum(axis=0), strict=True)]
        self.draws += int((finished & ~won.any(axis=1)).sum()) if self._seats > 1 else 0
        self.unfinished += int((~finished).sum())
        self.plies.add(rows[:, columns.PLIES])
        self.rounds.add(rows[:, columns.ROUNDS])

    def report(self, seconds: float, threads: int) -> SimulationReport:
        """Return the report of at least one game."""
        games = self.plies.count
        wins = {str(seat): count for seat, count in enumerate(self.wins, start=1)}
        return SimulationReport(
            games=games,
            wins=wins,
            draws=self.draws,
            unfinished=self.unfinished,
            plies=self.plies.summary(),
            rounds=self.rounds.summary(),
            actions_per_second=self.plies.total / seconds if seconds > 0 else 0.0,
            seconds=seconds,
            threads=threads,
            win_intervals={seat: wilson(count, games) for seat, count in wins.items()},
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
    batch, seed = GameBatch(game, options or {}, names), check_seed(seed)
    batch.play_deals(seed, range(1))  # compiles
    counts = Counts(batch.seats)
    started = time.perf_counter()

    def play(chunk: range) -> NDArray[np.int64]:
        return batch.play_deals(seed, chunk).counts

    done = 0
    chunks = (range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK))
    for chunk, rows in in_threads(play, chunks, threads):
        counts.add(rows)
        done += len(chunk)
        if progress is not None:
            progress(done, games)
    seconds = time.perf_counter() - started
    return counts.report(seconds, threads)

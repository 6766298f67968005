"""Play many games between programs and count, with intervals.

Games are numbered and each has random streams of its own, so the figures
depend on the seed alone, not on the number of threads.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.engine.mode import COMPILED
from bartizan.engine.rng import stream
from bartizan.match.match import check_seed
from bartizan.search.players import action_array, policy_of

CHUNK = 2_000  # games a thread plays before it reports
MAX_PLIES = 1_000_000  # a game longer than this counts as unfinished
Z95 = 1.959963984540054  # the 97.5 % point of the normal distribution


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


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (Wilson 1927)."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    spread = Z95 * math.sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2))
    centre = share + Z95**2 / (2 * trials)
    scale = 1 + Z95**2 / trials
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == trials else (centre + spread) / scale
    return low, high


def summary(values: NDArray[np.float64]) -> Summary:
    """Return the mean of `values` with its 95 % interval (normal approximation)."""
    mean = float(values.mean())
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Summary(
        mean=mean, low=mean - half, high=mean + half, min=float(values.min()), max=float(values.max())
    )


class _Batch:
    """The compiled batch of one game with its options; `play` may run in many threads at once."""

    def __init__(self, game: Game, players: Sequence[str], seed: str, options: Mapping[str, object]) -> None:
        self.game = game
        self.seats = len(players)
        key = stream(seed, "simulate")
        self.key = np.uint64(key) if COMPILED else key
        self.blank = game.blank(game.option_set.read(options), self.seats, 0)
        self.policies = np.array([policy_of(game, name) for name in players], np.int64)
        self.play_batch: Any = game.bind("bartizan.search.rollout").play_batch

    def play(self, first: int, count: int) -> NDArray[np.float64]:
        """Play games `first` to `first + count` - 1; a row each, as `play_batch` writes it."""
        results = np.zeros((count, 3 + 2 * self.seats))
        work = [self.game.blank(self.game.option_set(), self.seats, 0) for _ in range(2)]
        states = self.blank.stack(*work)
        legal = action_array([0] * self.game.max_legal)
        self.play_batch(self.blank.cells, states, self.key, first, self.policies, legal, MAX_PLIES, results)
        return results


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
    batch = _Batch(game, names, check_seed(seed), options or {})
    batch.play(games, 1)  # compiles
    chunks = ((first, min(CHUNK, games - first)) for first in range(0, games, CHUNK))
    results = np.zeros((games, 3 + 2 * batch.seats))
    started = time.perf_counter()
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        # Two chunks a thread wait at a time: enough to keep it busy, and Ctrl-C has little left to wait for.
        waiting: dict[Future[NDArray[np.float64]], int] = {}
        while True:
            for first, count in itertools.islice(chunks, 2 * threads - len(waiting)):
                waiting[pool.submit(batch.play, first, count)] = first
            if not waiting:
                break
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                first = waiting.pop(future)
                rows = future.result()
                results[first : first + len(rows)] = rows
                done += len(rows)
            if progress is not None:
                progress(done, games)
    seconds = time.perf_counter() - started
    return _report(results, seconds, threads)


def _report(results: NDArray[np.float64], seconds: float, threads: int) -> SimulationReport:
    games = len(results)
    finished = results[:, 2] == 1
    seats = (results.shape[1] - 3) // 2
    won = (results[:, 3 + seats :] == 1) & finished[:, None]
    wins = {str(seat + 1): int(won[:, seat].sum()) for seat in range(seats)}
    return SimulationReport(
        games=games,
        wins=wins,
        draws=int((finished & ~won.any(axis=1)).sum()) if seats > 1 else 0,
        unfinished=int((~finished).sum()),
        plies=summary(results[:, 0]),
        rounds=summary(results[:, 1]),
        actions_per_second=float(results[:, 0].sum() / seconds) if seconds > 0 else 0.0,
        seconds=seconds,
        threads=threads,
        win_intervals={seat: wilson(count, games) for seat, count in wins.items()},
    )

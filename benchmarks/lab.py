"""Measure what measuring costs: bare games, an experiment's measures, threads, workers of a cluster.

What is counted: greedy games from the deal to the end.  On one thread a second is one of a processor's time,
and it covers all of an experiment: playing, writing its folder, reading it again, the figures.  Two threads
and two workers of Ray play the same experiment by the clock, without what it takes to start them; a task of
theirs is a chunk, and the game is the one whose chunks take longest, since Ray's part in a task does not grow
with it.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.lab.chunk import FAST
from bartizan.lab.experiment import Experiment
from bartizan.lab.groups import GROUPS
from bartizan.lab.runner import ThreadWorkers, Workers
from bartizan.lab.simulate import simulate

SECONDS = 4.0  # of processor that bare games of one row take
RUNS = 3  # the quickest one counts: what else the machine does only ever adds
CHUNKS = 8  # of the experiment that threads and workers play
FEW = ("fairness", "length")
ALL = tuple(group for group in GROUPS if GROUPS[group].search is None)


def run() -> None:
    """Print the figures."""
    print("\nThe Lab, greedy games a second of one processor (times the bare game's cost):")
    chunks: dict[str, float] = {}
    for name in registry.names():
        game = registry.get(name)
        games, bare = bare_cost(game)
        few, everything = (
            min(experiment_cost(game, games, groups) for _ in range(RUNS)) for groups in (FEW, ALL)
        )
        chunks[name] = FAST * bare / games
        print(
            f"  {game.title}: {games / bare:,.0f} bare,",
            f"{games / few:,.0f} with fairness and length ({few / bare:.2f}),",
            f"{games / everything:,.0f} with all that needs no search ({everything / bare:.2f})",
            flush=True,
        )
    slowest = registry.get(max(chunks, key=lambda name: chunks[name]))
    print(f"\nThe Lab, {slowest.title} for {slowest.max_seats}, by the clock:")
    for words in rates_by_workers(slowest):
        print(f"  {words}", flush=True)


def bare_cost(game: Game) -> tuple[int, float]:
    """Return how many games take about `SECONDS`, and the seconds of processor they take at best."""
    players = ["greedy"] * game.min_seats
    simulate(game, 100, players)
    trial = processor_time(lambda: simulate(game, 1_000, players))
    games = max(1_000, round(1_000 * SECONDS / trial))
    return games, min(processor_time(lambda: simulate(game, games, players)) for _ in range(RUNS))


def experiment_cost(game: Game, games: int, groups: tuple[str, ...]) -> float:
    """Return the seconds of processor that an experiment takes, from its first game to its figures."""
    with folder() as path:
        tables = {
            "game": game.name,
            "games": games,
            "measures": list(groups),
            "repeats": 1 + ("luck" in groups),
        }
        Experiment.begin({**tables, "games": 2}, path / "first").run()
        experiment = Experiment.begin(tables, path / "whole")
        return processor_time(experiment.run)


def rates_by_workers(game: Game) -> Iterator[str]:
    """Yield how fast two threads play, then two workers of Ray, where that is installed."""
    games, seconds = clock(game, ThreadWorkers(2))
    yield f"{games / seconds:,.0f} games/s on two threads, {2 * seconds / CHUNKS:.1f} s a chunk"
    from bartizan.engine.extras import MissingExtra
    from bartizan.lab.cluster import BadCluster, ray_workers

    try:
        with ray_workers("ray", 2, lambda sentence: None) as workers:
            clock(game, workers, 2)  # starts the workers
            _, other = clock(game, workers)
    except (BadCluster, MissingExtra) as error:
        yield f"not on Ray: {error}"
        return
    yield f"{games / other:,.0f} games/s by two workers of Ray ({seconds / other:.2f} of the threads' rate)"


def clock(game: Game, workers: Workers, chunks: int = CHUNKS) -> tuple[int, float]:
    """Return how many games an experiment has, and how long workers take to play it, by the clock."""
    games = chunks * FAST
    tables = {"game": game.name, "seats": game.max_seats, "games": games, "measures": list(FEW)}
    with folder() as path:
        experiment = Experiment.begin(tables, path / "whole")
        began = time.perf_counter()
        experiment.run(workers=workers)
        return games, time.perf_counter() - began


def processor_time(work: Callable[[], object]) -> float:
    """Return the seconds of this process's processors that a piece of work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Make a folder for as long as the body runs."""
    with tempfile.TemporaryDirectory(prefix=f"bartizan-{os.getpid()}-") as path:
        yield Path(path)

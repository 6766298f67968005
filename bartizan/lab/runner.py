"""Define the workers of an experiment, and run it on threads.

Tasks are chunks of games, games to analyse, and rounds of a ladder.  Each depends on the design and its
number alone, so the result is the same on any worker.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

import polars as pl

from bartizan.lab.chunk import Chunk, ChunkPlayer, Stopped
from bartizan.lab.design import Design
from bartizan.lab.threads import in_threads

T = TypeVar("T")
U = TypeVar("U")

IsStopped = Callable[[], bool]
# A module's function that prepares for an experiment and returns a function that runs one task.
Work = Callable[[Design], Callable[[T, IsStopped], U]]
Done = tuple[T, U, float]  # a task, its result, and the seconds that it took
Played = Done[Chunk, dict[str, pl.DataFrame]]


class Workers(Protocol):
    """Who does the work: threads of this process, or a cluster."""

    @property
    def capacity(self) -> int:
        """How many tasks are done at once."""

    def do(
        self, work: Work[T, U], design: Design, tasks: Iterable[T], *, in_order: bool = False
    ) -> Generator[Done[T, U]]:
        """Yield tasks as they are done, or in their order; closing the iterator stops those that run."""


class ThreadWorkers:
    """Threads of this process."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    @property
    def capacity(self) -> int:
        """How many threads there are."""
        return self._threads

    def do(
        self, work: Work[T, U], design: Design, tasks: Iterable[T], *, in_order: bool = False
    ) -> Generator[Done[T, U]]:
        """Yield tasks as they are done, or in their order."""
        stop = threading.Event()
        do_one = work(design)

        def timed(task: T) -> tuple[U, float]:
            began = time.perf_counter()
            result = do_one(task, stop.is_set)
            return result, time.perf_counter() - began

        try:
            for task, (found, seconds) in in_threads(timed, tasks, self._threads, stop, in_order=in_order):
                yield task, found, seconds
        except Stopped:
            return


def play_chunks(design: Design) -> Callable[[Chunk, IsStopped], dict[str, pl.DataFrame]]:
    """Prepare to play chunks of games; each results in the frames of `ChunkPlayer.play`."""
    player = ChunkPlayer(design)
    player.warm()
    return player.play

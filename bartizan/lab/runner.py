"""Play the chunks of an experiment on threads; other tasks that take long, too."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

import polars as pl

from bartizan.lab.chunk import Chunk, ChunkPlayer, Stopped
from bartizan.lab.design import Design

Progress = Callable[[int, int], None]
T = TypeVar("T")
U = TypeVar("U")
Played = tuple[Chunk, dict[str, pl.DataFrame], float]  # with the seconds that it took


class Crew(Protocol):
    """Who plays chunks: threads of this process, or a cluster."""

    def play(self, design: Design, chunks: Iterable[Chunk]) -> Iterator[Played]:
        """Yield chunks as they are finished, in any order; closing the iterator stops those that run."""


def in_threads(
    work: Callable[[T], U], tasks: Iterable[T], threads: int, stop: threading.Event | None = None
) -> Iterator[tuple[T, U]]:
    """Yield each task with what came of it, as they are done.

    Two tasks a thread wait at a time: enough to keep it busy, and an interruption waits for little.
    Whatever ends the iteration sets `stop` first, which tasks may look at.
    """
    left = iter(tasks)
    waiting: dict[Future[U], T] = {}
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                for task in itertools.islice(left, 2 * threads - len(waiting)):
                    waiting[pool.submit(work, task)] = task
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            if stop is not None:
                stop.set()
            for future in waiting:
                future.cancel()


class Threads:
    """A crew of threads."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads

    def play(self, design: Design, chunks: Iterable[Chunk]) -> Iterator[Played]:
        """Yield chunks as they are finished."""
        stop = threading.Event()
        player = ChunkPlayer(design)
        player.warm()

        def work(chunk: Chunk) -> tuple[dict[str, pl.DataFrame], float]:
            began = time.perf_counter()
            frames = player.play(chunk, stop.is_set)
            return frames, time.perf_counter() - began

        try:
            for chunk, (frames, seconds) in in_threads(work, chunks, self._threads, stop):
                yield chunk, frames, seconds
        except Stopped:
            return

"""Play the chunks of an experiment on threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Protocol

import polars as pl

from bartizan.lab.chunk import Chunk, ChunkPlayer, Stopped
from bartizan.lab.design import Design
from bartizan.lab.threads import in_threads

Played = tuple[Chunk, dict[str, pl.DataFrame], float]  # with the seconds that it took


class Crew(Protocol):
    """Who plays chunks: threads of this process, or a cluster."""

    def play(self, design: Design, chunks: Iterable[Chunk]) -> Iterator[Played]:
        """Yield chunks as they are finished, in any order; closing the iterator stops those that run."""


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

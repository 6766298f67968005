"""Work on games beside the tables' own, off the loop: looking back, and thinking."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from bartizan.tables.provider import GameProvider
from bartizan.tables.replay import ReplayedMatch
from bartizan.tables.store import TableRow
from bartizan.tables.waiting import shared

T = TypeVar("T")


class ReplayWorker:
    """A table's game once more, for one piece of work at a time in a pool."""

    def __init__(self, games: GameProvider, row: TableRow, seed: Callable[[], str], pool: Executor) -> None:
        """Work for the table of a row; `seed` tells its deal's when there is work, after the deal."""
        self._games = games
        self._row = row
        self._seed = seed
        self._pool = pool
        self._lock = asyncio.Lock()
        self._match: ReplayedMatch | None = None

    async def run(self, work: Callable[[ReplayedMatch], T]) -> T:
        """Return what comes of a piece of work, which is finished though who asked for it goes away."""
        return await shared(asyncio.ensure_future(self._run(work)))

    async def _run(self, work: Callable[[ReplayedMatch], T]) -> T:
        async with self._lock:

            def begin() -> T:
                if self._match is None:
                    self._match = ReplayedMatch(self._games, self._row, self._seed())
                return work(self._match)

            return await asyncio.get_running_loop().run_in_executor(self._pool, begin)

    def forget(self) -> None:
        """Forget what can be had again, unless it is in use."""
        if not self._lock.locked():
            self._match = None


class ThinkingPool:
    """The pool that programs think in, apart from all that must not wait for them.

    What they remember is bounded: the tables that thought longest ago forget first.
    """

    def __init__(self, pool: Executor, tables: int) -> None:
        self.pool = pool
        self._tables = tables  # that may remember
        self._recent: OrderedDict[ReplayWorker, None] = OrderedDict()

    def worker(self, games: GameProvider, row: TableRow, seed: Callable[[], str]) -> ReplayWorker:
        """Return a worker that thinks for a table; `seed` tells its deal's."""
        return ReplayWorker(games, row, seed, self.pool)

    def touch(self, worker: ReplayWorker) -> None:
        """Note that a table's worker thinks now."""
        self._recent[worker] = None
        self._recent.move_to_end(worker)
        while len(self._recent) > self._tables:
            self._recent.popitem(last=False)[0].forget()

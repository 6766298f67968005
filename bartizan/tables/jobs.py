"""Work on games beside the tables' own, off the loop: looking back, and thinking."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from bartizan.tables.provider import GameProvider
from bartizan.tables.state import Follower
from bartizan.tables.store import TableRow
from bartizan.tables.waiting import shared

T = TypeVar("T")


class ReplayWorker:
    """A table's game once more, for one piece of work at a time in a pool."""

    def __init__(self, host: GameProvider, row: TableRow, pool: Executor) -> None:
        self._host = host
        self._row = row
        self._pool = pool
        self._lock = asyncio.Lock()
        self._follower: Follower | None = None

    async def work(self, task: Callable[[Follower], T]) -> T:
        """Return what a task finds; who asked may go away, the next one waits for its end all the same."""
        return await shared(asyncio.ensure_future(self._work(task)))

    async def _work(self, task: Callable[[Follower], T]) -> T:
        async with self._lock:

            def begin() -> T:
                if self._follower is None:
                    self._follower = Follower(self._host, self._row)
                return task(self._follower)

            return await asyncio.get_running_loop().run_in_executor(self._pool, begin)

    def forget(self) -> None:
        """Forget what can be had again, unless it is in use."""
        if not self._lock.locked():
            self._follower = None


class ThinkingPool:
    """The pool that programs think in, apart from all that must not wait for them.

    What they remember is bounded: the tables that thought longest ago forget first.
    """

    def __init__(self, pool: Executor, most: int) -> None:
        self.pool = pool
        self._most = most
        self._used: OrderedDict[ReplayWorker, None] = OrderedDict()

    def new(self, host: GameProvider, row: TableRow) -> ReplayWorker:
        """Return room to think for a table."""
        return ReplayWorker(host, row, self.pool)

    def use(self, mind: ReplayWorker) -> None:
        """Note that a table thinks now."""
        self._used[mind] = None
        self._used.move_to_end(mind)
        while len(self._used) > self._most:
            self._used.popitem(last=False)[0].forget()

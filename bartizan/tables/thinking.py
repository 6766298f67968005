"""Work on a copy of a table's game, off the loop, for reviews and thinking."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from bartizan.tables.fair import FairQueue, Urgency
from bartizan.tables.provider import PERSON, GameProvider
from bartizan.tables.replay import ReplayedMatch
from bartizan.tables.store import TableRow
from bartizan.tables.waiting import shared

T = TypeVar("T")


class ReplayWorker:
    """A second copy of a table's game, for one piece of work at a time in a pool."""

    def __init__(self, games: GameProvider, row: TableRow, seed: Callable[[], str], pool: Executor) -> None:
        """Work for the table of a row; `seed` returns its deal's seed when there is work, after the deal."""
        self._games = games
        self._row = row
        self._seed = seed
        self._pool = pool
        self._lock = asyncio.Lock()
        self._match: ReplayedMatch | None = None

    async def run(self, work: Callable[[ReplayedMatch], T]) -> T:
        """Run a function and return its result; it runs to the end even if the caller is cancelled."""
        return await shared(asyncio.ensure_future(self._run(work)))

    async def _run(self, work: Callable[[ReplayedMatch], T]) -> T:
        async with self._lock:

            def begin() -> T:
                if self._match is None:
                    self._match = ReplayedMatch(self._games, self._row, self._seed())
                return work(self._match)

            return await asyncio.get_running_loop().run_in_executor(self._pool, begin)

    def forget(self) -> None:
        """Forget what can be computed again, unless it is in use."""
        if not self._lock.locked():
            self._match = None


class ThinkingPool:
    """The threads that programs think in, separate from everything that must not wait for them.

    Their memory is bounded: the least recently used tables forget first.
    """

    def __init__(self, queue: FairQueue, tables: int, watched: int) -> None:
        self._queue = queue
        # How many tables may keep search trees, and which do, least recently used first: tables of people,
        # and tables of programs only.
        self._most = {Urgency.PEOPLE: tables, Urgency.PROGRAMS: watched}
        self._recent: dict[Urgency, OrderedDict[ReplayWorker, None]] = {
            urgency: OrderedDict() for urgency in self._most
        }

    def worker(
        self, games: GameProvider, row: TableRow, seed: Callable[[], str], owner: Callable[[], str]
    ) -> ReplayWorker:
        """Return a worker that thinks for a table.

        `seed` returns the deal's seed; `owner` is called each time and returns the owner of the work.
        """
        return ReplayWorker(games, row, seed, self._queue.share(urgency_of(row), owner))

    def looking_back(self, owner: str) -> Executor:
        """Return the executor that reviews a finished game for `owner`."""
        return self._queue.share(Urgency.LOOKING_BACK, lambda: owner)

    def touch(self, worker: ReplayWorker, row: TableRow) -> None:
        """Record that a table's worker is thinking."""
        urgency = urgency_of(row)
        recent = self._recent[urgency]
        recent[worker] = None
        recent.move_to_end(worker)
        while len(recent) > self._most[urgency]:
            recent.popitem(last=False)[0].forget()


def urgency_of(row: TableRow) -> Urgency:
    """Return the urgency of a table's programs: low if no person plays, only spectators watch."""
    return Urgency.PEOPLE if PERSON in row.players else Urgency.PROGRAMS

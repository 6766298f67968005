"""Drop flags on time, even when no one is at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bartizan.engine.errors import BartizanError
from bartizan.tables.clock import MS, Timekeeper
from bartizan.tables.errors import StaleVersion, StorageError, UnknownTable
from bartizan.tables.report import report
from bartizan.tables.store import MoveLog

PERIOD = 5.0  # seconds: how often it is noted that a server is up, and looked which clocks run out soon
ALLOWANCE = 3 * PERIOD  # seconds of silence after which servers are taken for dead


class FlagWatch:
    """All clocks of one data folder, whichever process serves their tables.

    A clock that runs out soon has a timer here; the others are looked up in time.
    """

    def __init__(self, log: MoveLog, timekeeper: Timekeeper, fall: Callable[[str], Awaitable[None]]) -> None:
        self._log = log
        self._timekeeper = timekeeper
        self._fall = fall
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._falling: set[asyncio.Task[None]] = set()
        self._watching: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to watch; a loop is running."""
        self._watching = asyncio.ensure_future(self._watch())

    def close(self) -> None:
        """Stop."""
        for handle in self._timers.values():
            handle.cancel()
        for task in (*self._falling, *filter(None, [self._watching])):
            task.cancel()

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self._timekeeper.now()

    def note(self, table: str, deadline: int) -> None:
        """Record when a table's clock runs out, or with 0 that none is running there."""
        if handle := self._timers.pop(table, None):
            handle.cancel()
        rest = deadline / MS - self.now() / MS
        if deadline and rest < 2 * PERIOD:
            loop = asyncio.get_running_loop()
            self._timers[table] = loop.call_later(max(0.0, rest) + 0.001, self._run_out, table)

    def _run_out(self, table: str) -> None:
        self._timers.pop(table, None)
        falling = asyncio.ensure_future(self._let_fall(table))
        self._falling.add(falling)
        falling.add_done_callback(self._falling.discard)

    async def _let_fall(self, table: str) -> None:
        try:
            await self._fall(table)
        except StaleVersion:  # another process was first
            return
        except UnknownTable:
            await self._log.set_clock(table, 0, 0, self.now())
        except StorageError as error:  # such a table cannot be played: it would come again and again
            report(error)
            await self._log.set_clock(table, 0, 0, self.now())
        except Exception as error:  # noqa: BLE001 - the other clocks go on
            report(error)

    async def _watch(self) -> None:
        revived = False
        while True:
            try:
                if not revived:
                    await self._log.revive_clocks(self.now(), int(ALLOWANCE * MS))
                    revived = True
                await self._log.beat(self.now())
                for table, deadline in await self._log.due(self.now() + int(2 * PERIOD * MS)):
                    if table not in self._timers:
                        self.note(table, deadline)
            except BartizanError as error:  # the disk may be full for a while
                report(error)
            await asyncio.sleep(PERIOD)

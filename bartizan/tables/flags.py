"""Let clocks run out on time, even when no one is at the table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from bartizan.engine.errors import BartizanError
from bartizan.tables.clock import MS, Timekeeper
from bartizan.tables.errors import StaleVersion, StorageError, UnknownTable
from bartizan.tables.report import report
from bartizan.tables.store import MoveLog

MEASURE_SECONDS = 60.0  # how often this machine's clock is compared with the database's
PERIOD = 5.0  # seconds between two records that a server is up and checks of which clocks run out soon
ALLOWANCE = 3 * PERIOD  # seconds of silence after which servers are considered dead


class FlagWatch:
    """All clocks of one data folder, whichever process serves their tables.

    Clocks that run out soon have timers here; the others are looked up in time.
    """

    def __init__(self, log: MoveLog, timekeeper: Timekeeper, fall: Callable[[str], Awaitable[None]]) -> None:
        self._log = log
        self._timekeeper = timekeeper
        self._fall = fall
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._falling: set[asyncio.Task[None]] = set()
        self._watching: asyncio.Task[None] | None = None
        self._measuring = asyncio.Lock()
        self._measured_at = float("-inf")  # monotonic
        self._revived = False

    def open(self) -> None:
        """Start watching; requires a running loop."""
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

    async def settle(self) -> None:
        """Compare this machine's clock with the database's unless that was done recently.

        The first time, also postpone all clocks by the time in which no server ran. No clock is read before
        this, so no one loses on time because of a wrong clock or a stopped server. Raises `StorageError`.
        """
        if time.monotonic() - self._measured_at < MEASURE_SECONDS:
            return
        async with self._measuring:
            if time.monotonic() - self._measured_at >= MEASURE_SECONDS:
                await self._timekeeper.measure(self._log.time)
                if not self._revived:
                    await self._log.revive_clocks(self.now(), int(ALLOWANCE * MS))
                    self._revived = True
                self._measured_at = time.monotonic()

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
            await self._stop_clock(table)
        except StorageError as error:  # such a table can't be played, so this would repeat forever
            report(error)
            await self._stop_clock(table)
        except Exception as error:  # noqa: BLE001 - the other clocks go on
            report(error)

    async def _stop_clock(self, table: str) -> None:
        try:
            await self._log.set_clock(table, 0, 0, self.now())
        except StorageError as error:  # the database is unavailable
            report(error)

    async def _watch(self) -> None:
        while True:
            try:
                await self.settle()
                await self._log.beat(self.now())
                for table, deadline in await self._log.due(self.now() + int(2 * PERIOD * MS)):
                    if table not in self._timers:
                        self.note(table, deadline)
            except BartizanError as error:  # the disk may be full for a while
                report(error)
            await asyncio.sleep(PERIOD)

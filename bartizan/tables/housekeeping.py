"""Keep the number of tables bounded: unplayed ones are deleted after a while, and there is a quota."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable

from bartizan.engine.errors import BartizanError
from bartizan.tables.bus import Bus, Shut
from bartizan.tables.errors import TooMany
from bartizan.tables.limits import Limits
from bartizan.tables.report import report
from bartizan.tables.store import MoveLog

FIRST_AFTER = 60.0  # seconds after the start
PERIOD = 3600.0  # seconds between two checks
COUNT_HOLDS = 60.0  # seconds for which a count is used; our own new tables are added meanwhile
DAY = 86_400  # seconds


async def expire(log: MoveLog, before: int) -> AsyncIterator[str]:
    """Delete old tables that were never played, as `MoveLog.expire` does, and tell the other processes."""
    async for name in log.expire(before):
        Bus(log).publish(Shut(table=name))
        yield name


class Housekeeping:
    """One process's work to keep the number of tables bounded; several processes may do it at once."""

    def __init__(self, log: MoveLog, limits: Limits, shut: Callable[[str], None]) -> None:
        self._log = log
        self._shut = shut  # closes a table's pages in this process
        self._limits = limits
        self._count = 0
        self._counted_at = float("-inf")
        self._sweeping: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start checking regularly; requires a running loop."""
        if self._limits.keep_unplayed_days > 0:
            self._sweeping = asyncio.ensure_future(self._sweep())

    def close(self) -> None:
        """Stop."""
        if self._sweeping is not None:
            self._sweeping.cancel()

    async def make_room(self) -> None:
        """Count a new table; raises `TooMany` if there is no room."""
        now = time.monotonic()
        if now - self._counted_at > COUNT_HOLDS:
            self._count, self._counted_at = await self._log.count(), now
        if self._count >= self._limits.tables_kept:
            raise TooMany("This server has reached its limit of tables. Its host can delete old ones.")
        self._count += 1

    async def expire(self) -> int:
        """Delete old tables that were never played, and close their pages; return how many."""
        before = int(time.time() - self._limits.keep_unplayed_days * DAY)
        expired = 0
        async for name in expire(self._log, before):
            self._shut(name)
            expired += 1
        self._counted_at = float("-inf")
        return expired

    async def _sweep(self) -> None:
        await asyncio.sleep(FIRST_AFTER)
        while True:
            try:
                await self.expire()
            except BartizanError as error:  # the disk may be full for a while
                report(error)
            await asyncio.sleep(PERIOD)

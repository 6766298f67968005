"""Keep the number of tables bounded: those that no one ever played go after a while, and there is a quota."""

from __future__ import annotations

import asyncio
import time

from bartizan.engine.errors import BartizanError
from bartizan.tables.errors import TooMany
from bartizan.tables.limits import Limits
from bartizan.tables.report import report
from bartizan.tables.store import MoveLog

FIRST_AFTER = 60.0  # seconds after the start
PERIOD = 3600.0  # seconds from one look to the next
COUNT_HOLDS = 60.0  # seconds for which a count is believed; our own new tables are added meanwhile
DAY = 86_400  # seconds


class Housekeeping:
    """What one process does to keep the tables in bounds; several may do it at once."""

    def __init__(self, log: MoveLog, limits: Limits) -> None:
        self._log = log
        self._limits = limits
        self._count = 0
        self._counted_at = float("-inf")
        self._sweeping: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to look now and then; a loop is running."""
        if self._limits.keep_unplayed_days > 0:
            self._sweeping = asyncio.ensure_future(self._sweep())

    def close(self) -> None:
        """Stop."""
        if self._sweeping is not None:
            self._sweeping.cancel()

    async def make_room(self) -> None:
        """Count a new table in; raises `TooMany` where there are as many as may be."""
        now = time.monotonic()
        if now - self._counted_at > COUNT_HOLDS:
            self._count, self._counted_at = await self._log.count(), now
        if self._count >= self._limits.tables_kept:
            raise TooMany("This server has reached its limit of tables. Its host can delete old ones.")
        self._count += 1

    async def expire(self) -> int:
        """Delete what was made long ago and never played; return how many tables that were."""
        before = int(time.time() - self._limits.keep_unplayed_days * DAY)
        expired = await self._log.expire(before)
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

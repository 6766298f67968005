"""Give requests what they need beyond their table's state."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bartizan.engine.layout import Flown
from bartizan.engine.outcome import Outcome
from bartizan.tables.errors import TooMany
from bartizan.tables.limits import Bucket
from bartizan.tables.live import LiveTable
from bartizan.tables.services import Services
from bartizan.tables.store import TableRow

if TYPE_CHECKING:
    from bartizan.match.aim import Aim

DealAgain = Callable[[TableRow, Outcome | None], Awaitable[str]]


class TableSurroundings:
    """What one table's requests may need: see `bartizan.tables.entries.base.Surroundings`."""

    def __init__(self, table: LiveTable, services: Services, deal_again: DealAgain) -> None:
        self._table = table
        self._deal_again = deal_again
        self._limits = limits = services.limits
        self._pool = services.throwing
        self._throws = Bucket(limits.table_throws_per_second, limits.table_throw_burst)
        self._came: dict[int, float] = {}  # by seat: when its player came, before the deal; monotonic

    @property
    def here(self) -> tuple[int, ...]:
        """The seats with someone connected."""
        return self._table.presence.here

    def is_left(self, seat: int) -> bool:
        """Whether a seat has been empty for so long that the others may claim it."""
        return self._table.presence.is_left(seat)

    def note_arrival(self, seat: int) -> None:
        """Record that a seat's player is here, before the cards are dealt."""
        self._came.setdefault(seat, time.monotonic())

    def has_just_come(self, seat: int) -> bool:
        """Whether a seat's player came, or the round began, too recently to have added a share."""
        latest = time.monotonic() - self._limits.share_seconds
        began = max(self._came.get(seat, latest), self._table.round_began)
        return seat in self.here and began > latest

    async def fly(self, throw: Aim) -> Flown:
        """Simulate a throw off the loop; raises `TooMany`."""
        if not self._throws.take():
            raise TooMany("Throws are too fast at this table. Try again in a moment.")
        return await asyncio.get_running_loop().run_in_executor(self._pool, throw.fly)

    async def deal_again(self, outcome: Outcome | None) -> str:
        """Create the table of the rematch and return its name."""
        return await self._deal_again(self._table.row, outcome)

"""Deal a table's cards once all shares have arrived; if one is missing for too long, the deal is void."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from bartizan.engine.fairness import draw_secret
from bartizan.tables.entries.base import Entry
from bartizan.tables.entries.deal import Deal, VoidDeal
from bartizan.tables.errors import StaleVersion
from bartizan.tables.live import LiveTable
from bartizan.tables.report import report
from bartizan.tables.services import Services
from bartizan.tables.state import TableState


class Dealing:
    """The server's part in one table's deal; the log holds what has happened so far."""

    def __init__(self, table: LiveTable, services: Services, on_dealt: Callable[[], None]) -> None:
        self._table = table
        self._pool = services.pool
        self._patience = services.limits.share_seconds
        self._on_dealt = on_dealt
        self._round = -1  # the round whose shares are being waited for
        self._due = 0.0  # when the wait ends, monotonic
        self._timer: asyncio.TimerHandle | None = None
        self._looking: set[asyncio.Task[None]] = set()

    async def go_on(self, state: TableState) -> None:
        """Deal if all shares have arrived; end the round if its time is up; otherwise check again later."""
        exchange = state.exchange
        if not exchange.is_revealing:
            self._wait_no_longer()
        elif exchange.is_complete:
            dealt = await asyncio.get_running_loop().run_in_executor(self._pool, state.make_deal)
            await self._append(state, Deal(dealt=dealt))
        elif self._is_due(len(exchange.void)):
            here = self._table.presence.here
            given_up = tuple(seat for seat in exchange.silent if exchange.is_agreed(seat, here))
            await self._append(state, VoidDeal(secret=draw_secret(), given_up=given_up))

    def look(self) -> None:
        """Check whether there is something to deal, or a round to end, while someone is here."""
        if self._timer is None:
            return  # not waiting for anything
        if self._table.presence.is_empty:
            self._wait_no_longer()  # the next person to come has the full time again
            return
        looking = asyncio.ensure_future(self._look())
        self._looking.add(looking)
        looking.add_done_callback(self._looking.discard)

    async def _look(self) -> None:
        try:
            async with self._table.open() as state:
                await self.go_on(state)
            self._on_dealt()
        except Exception as error:  # noqa: BLE001 - who comes next has it tried again
            report(error)

    def _is_due(self, number: int) -> bool:
        """Whether the wait for a round's shares is over; if not, check again then.

        One process decides this, so that several don't write at once; the log would accept only one of them
        anyway.
        """
        now = time.monotonic()
        if number != self._round:
            self._round, self._due = number, now + self._patience
        if now >= self._due and self._table.presence.leads:
            return True
        self._cancel()
        waits = self._due - now if self._due > now else self._patience  # another process should end it
        self._timer = asyncio.get_running_loop().call_later(waits + 0.01, self.look)
        return False

    def _wait_no_longer(self) -> None:
        self._cancel()
        self._round = -1

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _append(self, state: TableState, entry: Entry) -> None:
        self._wait_no_longer()
        with contextlib.suppress(StaleVersion):  # another process was first
            await self._table.append(state, 0, entry)

"""Hold one table's log and its state in memory: one change at a time, durable before anybody hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bartizan.tables.errors import Conflict, StaleVersion, StorageError
from bartizan.tables.preparing import Preparations
from bartizan.tables.presence import Presence
from bartizan.tables.services import Services
from bartizan.tables.state import TableState
from bartizan.tables.store import Entry, TableRow

if TYPE_CHECKING:
    from bartizan.match import CheckedMove


class LiveTable:
    """A table's log, what it amounts to, and who is told of it.

    The state is read from the disk whenever it is wanted and not in memory.
    """

    def __init__(self, row: TableRow, services: Services) -> None:
        self.row = row
        self.presence = Presence(row, services.limits)
        self.preparations = Preparations(row.game, services, self.presence)
        self.state: TableState | None = None  # to look at; to work with it, `open` holds it still
        self._services = services
        self._lock = asyncio.Lock()  # held by whoever changes the log or reads the state

    @property
    def is_busy(self) -> bool:
        """Whether somebody holds the state."""
        return self._lock.locked()

    def forget(self) -> None:
        """Forget what can be had again from the log, unless it is in use."""
        if not self.is_busy:
            self.state = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[TableState]:
        """Hold the state still, read from the log if need be, once the game can be played.

        Raises `CompileError` and `StorageError`.
        """
        await self.preparations.ready("table")  # without the lock: this may take a minute
        async with self._lock:
            if self.state is None:
                self.state = await self._read()
            yield self.state

    async def _read(self) -> TableState:
        entries = await self._services.log.read(self.row.table)
        self.presence.forget()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._services.pool, lambda: TableState.begin(self._services.games, self.row, entries)
        )

    async def append(self, state: TableState, entry: Entry, move: CheckedMove | None = None) -> int:
        """Make an entry durable, then take it in and tell everybody; return the version that it made.

        `state` is held by whoever calls; `move` is what a move's entry says, checked on it.  Raises
        `StaleVersion` where another process came first, and `StorageError`.
        """
        try:
            await self._services.log.append(self.row.table, state.version + 1, entry)
        except Conflict as error:
            await self._take_in_rest(state)
            raise StaleVersion(
                f"Something else happened first; the table is at version {state.version}."
            ) from error
        except StorageError:
            self.state = None  # the log may hold it all the same: read it again
            raise
        self._take_in(state, [entry], move)
        return state.version

    async def catch_up(self) -> None:
        """Take in what another process wrote to the log."""
        async with self._lock:
            if self.state is not None:
                await self._take_in_rest(self.state)

    async def _take_in_rest(self, state: TableState) -> None:
        entries = await self._services.log.read(self.row.table, state.version)
        if entries:
            self._take_in(state, entries)

    def _take_in(self, state: TableState, entries: Sequence[Entry], move: CheckedMove | None = None) -> None:
        try:
            for entry in entries:
                state.apply(entry, move)
        except BaseException:
            self.state = None
            raise
        self.presence.tell_state(state)

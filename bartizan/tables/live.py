"""Hold one table's log and state in memory: one change at a time, durable before anyone hears of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec

from bartizan.tables.bus import Keys
from bartizan.tables.calls import called
from bartizan.tables.entries import replay, take_in
from bartizan.tables.entries.base import Entry
from bartizan.tables.errors import Conflict, Overtaken, StorageError
from bartizan.tables.linking import linked
from bartizan.tables.messages import ClockTimes
from bartizan.tables.preparing import Preparations
from bartizan.tables.presence import Presence
from bartizan.tables.report import report
from bartizan.tables.services import Services
from bartizan.tables.state import TableState
from bartizan.tables.store import TableRow


class LiveTable:
    """A table's log, the resulting state, and the people to notify about it.

    The state is read from disk when it is needed but not in memory.
    """

    def __init__(self, row: TableRow, services: Services) -> None:
        self.row = row
        self.presence = Presence(row, services.limits, services.peers)
        self.preparations = Preparations(row.game, services, self.presence)
        self.state: TableState | None = None  # for reading; to work with it, use `open`, which locks it
        self.seed = ""  # the deal, once it is made and the state has been read
        self.round_began = float("-inf")  # when the deal's current round began here, monotonic
        self._services = services
        self._deadline = 0  # when the running clock runs out, in milliseconds since 1970
        self._lock = asyncio.Lock()  # held while the log changes or the state is read

    @property
    def is_busy(self) -> bool:
        """Whether the state is in use."""
        return self._lock.locked()

    def forget(self) -> None:
        """Drop the state, which can be rebuilt from the log, unless it is in use."""
        if not self.is_busy:
            self.state = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[TableState]:
        """Lock the state, read it from the log if necessary, and wait until the game can be played.

        Raises `CompileError` and `StorageError`.
        """
        await self.preparations.ready("table")  # without the lock: this may take a minute
        async with self._lock:
            if self.state is None:
                self.state = await self._read()
                if self.state.version > self.presence.version:  # some of it no one here has been told
                    self.presence.tell_state(self.state)
                    self.tell_clock(self.state)
            if self.state.is_dealt:
                self.seed = self.state.exchange.seed
            yield self.state

    async def _read(self) -> TableState:
        entries = await self._services.log.read(self.row.table)
        self.presence.forget()
        loop = asyncio.get_running_loop()
        state = await loop.run_in_executor(
            self._services.pool, lambda: replay(self._services.games, self.row, entries)
        )
        await self._read_clock(state)
        return state

    async def append(
        self,
        state: TableState,
        seat: int,
        entry: Entry,
    ) -> int:
        """Make an entry durable, then apply it and notify everyone; return the new version.

        The caller holds `state`.  Raises `StorageError`, and `Overtaken` if another process wrote first.
        """
        now, calls = self._services.watch.now(), self._services.calls
        before = called(state) if calls else set()
        spent = 0
        if state.clocks and state.clocks.running:
            spent = min(state.clocks.remaining, max(0, state.clocks.remaining - (self._deadline - now)))
        try:
            row = linked(state.link, entry.to_row(seat, spent))
            await self._services.log.append(self.row.table, state.version + 1, row, entry.key)
        except Conflict as error:
            await self._take_in_rest(state)
            raise Overtaken(
                f"Something else happened first. The table is at version {state.version}."
            ) from error
        except StorageError:
            self.state = None  # the log may hold it all the same: read it again
            raise
        if entry.key is not None and entry.key[1] > 0:
            self.note_keys(msgspec.structs.replace(self.row, more_keys=(*self.row.more_keys, entry.key)))
            if self.row.blocked:
                self._services.peers.publish(Keys(table=self.row.table))
        state.link = row.link
        self._take_in(state, lambda: state.take_in(entry, seat, spent))
        if state.clocks:
            self._deadline = now + state.clocks.remaining if state.clocks.running else 0
            await self._keep_clock(state, now)
            self.tell_clock(state)
        if calls:
            for seat, what in sorted(called(state) - before):
                calls.call(self, seat, what)
        return state.version

    def note_keys(self, row: TableRow) -> None:
        """Load all keys, including those given to others since the table was made, and which are blocked."""
        before = self.row.blocked_seats
        keys = {"tokens": row.tokens, "more_keys": row.more_keys, "blocked": row.blocked}
        self.row = msgspec.structs.replace(self.row, **keys)
        if self.state is not None:
            self.state.row = self.row
        if self.row.blocked_seats != before:
            self.presence.block(self.row.blocked_seats)

    # Clocks ----------------------------------------------------------------------------------------------

    def is_out_of_time(self, state: TableState) -> bool:
        """Whether the seat to move has run out of time, and this isn't recorded yet."""
        clocks = state.clocks
        return bool(clocks and clocks.running and self._services.watch.now() >= self._deadline)

    def watch_clock(self) -> None:
        """Schedule the flag to fall on time."""
        self._services.watch.note(self.row.table, self._deadline)

    def times(self, state: TableState) -> ClockTimes | None:
        """Return how much time each seat has now; None without clocks."""
        clocks = state.clocks
        if clocks is None:
            return None
        left = clocks.left[1:]
        if clocks.running:
            left[clocks.running - 1] = max(0, self._deadline - self._services.watch.now())
        return ClockTimes(left=tuple(left), running=clocks.running)

    def tell_clock(self, state: TableState) -> None:
        """Send the clock times to everyone here."""
        if times := self.times(state):
            self.presence.tell_greeted(times)

    async def _keep_clock(self, state: TableState, now: int) -> None:
        """Store the clock's deadline; if that fails, it is stored again when the table is next read."""
        try:
            await self._services.log.set_clock(self.row.table, state.version, self._deadline, now)
        except StorageError as error:
            report(error)
        self._services.watch.note(self.row.table, self._deadline)

    async def _read_clock(self, state: TableState) -> None:
        """Find when the running clock runs out; if that wasn't stored, use the log."""
        self._deadline = 0
        if not state.clocks:
            return
        await self._services.watch.settle()
        deadline, version = await self._services.log.clock(self.row.table)
        if state.clocks.running and version == state.version:
            self._deadline = deadline
            self._services.watch.note(self.row.table, deadline)
        elif state.clocks.running or deadline:
            now = self._services.watch.now()
            self._deadline = now + state.clocks.remaining if state.clocks.running else 0
            await self._keep_clock(state, now)

    async def catch_up(self, version: int) -> None:
        """Apply the entries that another process wrote to the log, which is now at this version."""
        if self.state is None and not self.presence.is_empty:  # it was dropped from memory, or a write failed
            async with self.open():
                return
        if not self.is_busy and self._is_at(version):
            return
        async with self._lock:
            if self.state is not None and not self._is_at(version):
                await self._take_in_rest(self.state)

    def _is_at(self, version: int) -> bool:
        return self.state is None or self.state.version >= version

    async def _take_in_rest(self, state: TableState) -> None:
        entries = await self._services.log.read(self.row.table, state.version)
        if entries:
            for entry in entries:
                self.presence.note(entry.seat)
            self._take_in(state, lambda: take_in(state, *entries))
            await self._read_clock(state)
            self.tell_clock(state)

    def _take_in(self, state: TableState, apply: Callable[[], object]) -> None:
        rounds = len(state.exchange.void)
        try:
            apply()
        except BaseException:
            self.state = None
            raise
        if len(state.exchange.void) > rounds:
            self.round_began = time.monotonic()
        self.presence.tell_state(state)

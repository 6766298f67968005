"""Follow the other processes that serve the same tables: their entries, listeners and messages.

Everything important is in the log, where a process finds it even if it misses the messages. Messages are
faster, and carry what is never stored: who is watching a table through another process, and whether a
program is thinking there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.tables.bus import Alive, Bus, Here, Leaving, Shut, Talk, Who, decoded
from bartizan.tables.messages import Error
from bartizan.tables.report import report
from bartizan.tables.store import MoveLog

if TYPE_CHECKING:
    from bartizan.tables.session import TableSession

ALIVE_SECONDS = 2.0  # how often a process that has people at its tables gives a sign of life
DEAD_SECONDS = 7.0  # without one: its people are taken for gone
AWAY = (
    "Nothing can be kept just now: the database is away. What was acknowledged is safe; "
    "you can play on once it is back."
)


class OtherProcesses:
    """The other processes, as one registry of tables sees them."""

    def __init__(
        self,
        log: MoveLog,
        bus: Bus,
        session: Callable[[str], TableSession | None],
        sessions: Callable[[], Iterable[TableSession]],
        shut: Callable[[str], None],
    ) -> None:
        self._log = log
        self._bus = bus
        self._session = session
        self._sessions = sessions
        self._shut = shut
        self._heard: dict[str, float] = {}  # by process: when it gave a sign of life last
        self._catching_up: asyncio.Task[None] | None = None
        self._again = False
        self._living: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, replaces: str = "") -> None:
        """Begin to listen, and tell if this process takes the place of one that died; a loop is running."""
        self._log.listen(self)
        if replaces:
            self._bus.publish(Leaving(process=replaces))
        self._living = asyncio.ensure_future(self._game_state())

    def close(self) -> None:
        """Say goodbye and listen no more."""
        self._bus.publish(Leaving())
        self._log.listen(None)
        for task in filter(None, [self._living, self._catching_up, *self._tasks]):
            task.cancel()

    # What the log tells ----------------------------------------------------------------------------------

    def on_written(self) -> None:
        """Apply the entries that another process wrote to the log."""
        self._again = True
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.ensure_future(self._catch_up())

    async def _catch_up(self) -> None:
        while self._again:
            self._again = False
            try:
                news = await self._log.news()
            except BartizanError as error:  # it is looked for again when something is written
                report(error)
                return
            behind = [(session, version) for table, version in news if (session := self._session(table))]
            work = (session.catch_up(version) for session, version in behind)
            for outcome in await asyncio.gather(*work, return_exceptions=True):
                if isinstance(outcome, Exception):
                    report(outcome)

    def on_reached(self, *, reached: bool) -> None:
        """Tell everyone that the database is unreachable; once it is back, catch up on the log."""
        if not reached:
            for session in self._sessions():
                session.tell(Error(code="storage", sentence=AWAY))
            return
        # Whatever was sent meanwhile is lost, so forget who was where and ask everybody again.
        for process in tuple(self._heard):
            self._forget(process)
        self._bus.publish(Who())
        self.on_written()
        for session in self._sessions():
            session.announce()
            self._begin(session.hear_talk())
        self._begin(self._shut_closed_tables())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that reports its own errors."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _shut_closed_tables(self) -> None:
        """Drop tables that the host closed or deleted while this process was cut off."""
        try:
            for session in self._sessions():
                row = await self._log.table(session.row.table)
                if row is None or row.closed:
                    self._shut(session.row.table)
        except BartizanError as error:
            report(error)

    def on_message(self, sender: str, text: str) -> None:
        """Handle a message from another process."""
        try:
            message = decoded(text)
        except msgspec.DecodeError as error:  # a newer Bartizan, perhaps
            report(error)
            return
        is_new = sender not in self._heard
        self._heard[sender] = time.monotonic()
        if isinstance(message, Leaving):
            self._forget(message.process or sender)
            return
        if is_new:  # it has just started, or was silent for so long that it was forgotten: ask who is there
            self._bus.publish(Who())
        if isinstance(message, Who) and not message.table:
            self._announce_all()
        elif isinstance(message, Shut):
            self._shut(message.table)
        elif not isinstance(message, Alive) and (session := self._session(message.table)) is not None:
            if isinstance(message, Here):
                session.hear_here(sender, message.seats)
            elif isinstance(message, Who):
                session.announce()
            elif isinstance(message, Talk):
                self._begin(session.hear_talk())
            else:
                session.hear_thinking(sender, message.seat)

    def _announce_all(self) -> None:
        for session in self._sessions():
            session.announce()

    def _forget(self, process: str) -> None:
        """Take the people at a process for gone, and have our programs move where its would have."""
        # A dead process is named by host and number, ours have a third part.
        gone = [name for name in self._heard if name == process or name.startswith(f"{process}/")]
        for name in gone:
            del self._heard[name]
            for session in self._sessions():
                session.hear_here(name, ())

    async def _game_state(self) -> None:
        while True:
            await asyncio.sleep(ALIVE_SECONDS)
            self._bus.publish(Alive())
            latest = time.monotonic() - DEAD_SECONDS
            for process in [name for name, heard in self._heard.items() if heard < latest]:
                self._forget(process)

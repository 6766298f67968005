"""Follow the other processes that serve the same tables: their entries, connections and messages.

Everything important is in the log, where a process finds it even if it misses the messages. Messages are
faster, and carry what is never stored: who is watching a table through another process, and whether a
program is thinking there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.tables.bus import Keys, Leaving, Shut, Talk, Thinks, Who, decoded
from bartizan.tables.messages import Error
from bartizan.tables.peers import Change, Peers
from bartizan.tables.report import report
from bartizan.tables.store import MoveLog

if TYPE_CHECKING:
    from bartizan.tables.session import TableSession

AWAY = (
    "Moves can't be saved right now: the database can't be reached. Every confirmed move is safe, "
    "and you can play on once it is back."
)


class OtherProcesses:
    """The other processes, as a registry of tables sees them."""

    def __init__(
        self,
        log: MoveLog,
        peers: Peers,
        session: Callable[[str], TableSession | None],
        sessions: Callable[[], Iterable[TableSession]],
        shut: Callable[[str], None],
    ) -> None:
        self._log = log
        self._peers = peers
        self._session = session
        self._sessions = sessions
        self._shut = shut
        self._catching_up: asyncio.Task[None] | None = None
        self._again = False
        self._living: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, replaces: str = "") -> None:
        """Start listening, and report if this process replaces one that died; requires a running loop."""
        self._log.listen(self)
        if replaces:
            self._peers.publish(Leaving(process=replaces))
        self._peers.introduce()
        self._living = asyncio.ensure_future(self._live())

    def close(self) -> None:
        """Say goodbye and stop listening."""
        self._peers.publish(Leaving())
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
            except BartizanError as error:  # checked again when something is written
                report(error)
                return
            behind = [(session, version) for table, version in news if (session := self._session(table))]
            work = (session.catch_up(version) for session, version in behind)
            for outcome in await asyncio.gather(*work, return_exceptions=True):
                if isinstance(outcome, Exception):
                    report(outcome)

    def on_reached(self, *, reached: bool) -> None:
        """Tell everyone that the database is unreachable; once it is back, catch up on the log."""
        self._peers.set_deaf(deaf=not reached)
        if not reached:
            for session in self._sessions():
                session.tell(Error(code="storage", sentence=AWAY))
            return
        self.on_written()
        for session in self._sessions():
            session.repeat_thinking()
            self._begin(session.hear_talk())
        self._begin(self._read_keys(self._sessions()))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that reports its own errors."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_keys(self, sessions: Iterable[TableSession]) -> None:
        """Learn which keys the host blocked, and drop tables that the host closed or deleted."""
        try:
            for session in sessions:
                row = await session.read_keys()
                if row is None or row.closed:
                    self._shut(session.row.table)
        except BartizanError as error:
            report(error)

    def on_message(self, sender: str, text: str) -> None:
        """Handle a message from another process."""
        try:
            message = decoded(text)
        except msgspec.DecodeError as error:  # perhaps from a newer Bartizan
            report(error)
            return
        if isinstance(message, Leaving):
            self._take_in(self._peers.forget(message.process or sender))
            return
        self._take_in(self._peers.hear(sender, message))
        if isinstance(message, Who) and message.process in ("", self._peers.process):
            for each in self._sessions():
                each.repeat_thinking()
        elif isinstance(message, Shut):
            self._shut(message.table)
        elif isinstance(message, Talk | Thinks | Keys) and (session := self._session(message.table)):
            if isinstance(message, Talk):
                self._begin(session.hear_talk())
            elif isinstance(message, Keys):
                self._begin(self._read_keys([session]))
            else:
                session.hear_thinking(sender, message.seat)

    # Heartbeats ------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        while True:
            try:
                self.look_around()
            except Exception as error:  # noqa: BLE001 - without heartbeats the others take us for dead
                report(error)
            await asyncio.sleep(self._peers.wait())

    def look_around(self) -> None:
        """Send a heartbeat if one is due, and consider processes dead that were silent for too long."""
        may_lead_again = self._peers.beat()
        self._take_in(self._peers.forget_silent())
        if may_lead_again:
            for session in self._sessions():
                session.wake()

    def _take_in(self, changes: Iterable[Change]) -> None:
        """Tell the tables who came and went; our programs move in place of a dead process's."""
        for change in changes:
            if (session := self._session(change.table)) is not None:
                session.hear_change(change)

"""Know the other processes that serve the same tables: what they write, who is there, what they tell.

What matters is in the log, and a process that hears nothing finds it there. Messages make it quick, and
carry what is never kept: who looks at a table through another process, and that a program thinks there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from bartizan.engine.errors import BartizanError
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


class News(msgspec.Struct, tag_field="t"):
    """Base of what processes tell one another."""


class Here(News, tag="here"):
    """Tell from which seats of a table somebody looks through this process, 0 for spectators."""

    table: str
    seats: tuple[int, ...]


class Who(News, tag="who"):
    """Ask who is at a table, or with an empty name at any."""

    table: str = ""


class Talk(News, tag="talk"):
    """Tell that somebody said something at a table, or who they are."""

    table: str


class Thinks(News, tag="thinks"):
    """Tell that the program at a seat takes its time, or with 0 that none does."""

    table: str
    seat: int


class Alive(News, tag="alive"):
    """Give a sign of life."""


class Leaving(News, tag="leaving"):
    """Tell that a process is gone, this one where it has no name."""

    process: str = ""


class Shut(News, tag="shut"):
    """Tell that the host has closed or deleted a table."""

    table: str


_decoder: msgspec.json.Decoder[Here | Who | Talk | Thinks | Alive | Leaving | Shut] = msgspec.json.Decoder(
    Here | Who | Talk | Thinks | Alive | Leaving | Shut
)


def encoded(news: News) -> str:
    """Return news as the text that is published."""
    return msgspec.json.encode(news).decode()


class Bus:
    """What one table needs to tell other processes."""

    def __init__(self, log: MoveLog) -> None:
        self._log = log
        self.process = log.process

    def publish(self, news: News) -> None:
        """Tell the other processes; never waits."""
        self._log.publish(encoded(news))


class Neighbours:
    """The other processes, as one registry of tables sees them."""

    def __init__(
        self,
        log: MoveLog,
        session: Callable[[str], TableSession | None],
        sessions: Callable[[], Iterable[TableSession]],
        shut: Callable[[str], None],
    ) -> None:
        self._log = log
        self._session = session
        self._sessions = sessions
        self._shut = shut
        self._heard: dict[str, float] = {}  # by process: when it gave a sign of life last
        self._catching_up: asyncio.Task[None] | None = None
        self._again = False
        self._living: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to listen; a loop is running."""
        self._log.listen(self)
        self._living = asyncio.ensure_future(self._live())

    def close(self) -> None:
        """Say goodbye and listen no more."""
        self._log.publish(encoded(Leaving()))
        self._log.listen(None)
        for task in filter(None, [self._living, self._catching_up]):
            task.cancel()

    # What the log tells ----------------------------------------------------------------------------------

    def on_written(self) -> None:
        """Take in what another process wrote to the log."""
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
        """Tell everybody that the database is away; when it is back take in what happened meanwhile."""
        if not reached:
            for session in self._sessions():
                session.tell(Error(code="storage", sentence=AWAY))
            return
        self._log.publish(encoded(Who()))
        self.on_written()
        for session in self._sessions():
            session.announce()
            asyncio.ensure_future(session.hear_talk())  # noqa: RUF006 - it reports what goes wrong itself

    def on_message(self, sender: str, text: str) -> None:
        """Take in what another process tells."""
        try:
            news = _decoder.decode(text)
        except msgspec.DecodeError as error:  # a newer Bartizan, perhaps
            report(error)
            return
        self._heard[sender] = time.monotonic()
        if isinstance(news, Leaving):
            self._forget(news.process or sender)
        elif isinstance(news, Who) and not news.table:
            for session in self._sessions():
                session.announce()
        elif isinstance(news, Shut):
            self._shut(news.table)
        elif not isinstance(news, Alive) and (found := self._session(news.table)) is not None:
            session = found
            if isinstance(news, Here):
                session.hear_here(sender, news.seats)
            elif isinstance(news, Who):
                session.announce()
            elif isinstance(news, Talk):
                asyncio.ensure_future(session.hear_talk())  # noqa: RUF006 - likewise
            else:
                session.hear_thinking(news.seat)

    def _forget(self, process: str) -> None:
        """Take the people at a process for gone, and have our programs move where its would have."""
        self._heard.pop(process, None)
        for session in self._sessions():
            session.hear_here(process, ())

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(ALIVE_SECONDS)
            self._log.publish(encoded(Alive()))
            latest = time.monotonic() - DEAD_SECONDS
            for process in [name for name, heard in self._heard.items() if heard < latest]:
                self._forget(process)

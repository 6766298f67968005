"""Open the tables of a folder without a server, and listen at them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from bartizan.tables.entries import REQUESTS, allowed
from bartizan.tables.entries.base import Request
from bartizan.tables.limits import Limits
from bartizan.tables.provider import GameProvider
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from bartizan.tables.state import TableState
from bartizan.tables.storage.sqlite import SqliteLog
from bartizan.tables.store import MoveLog
from tests.waiting import until


@asynccontextmanager
async def opened(folder: Path, games: GameProvider, **limits: Any) -> AsyncIterator[TableRegistry]:
    log = SqliteLog.open(folder)
    tables = TableRegistry(log, games, Limits(table_burst=10_000, program_pause=0, **limits))
    try:
        yield tables
    finally:
        tables.close()
        log.close()


async def connected(*logs: MoveLog) -> None:
    """Wait until each log hears the others; on SQLite, it does at once."""
    await until(lambda: all(getattr(log, "_listener", log) is not None for log in logs))


class Ear:
    """A socket that only listens, and puts aside what does not tell of the game."""

    ASIDE: tuple[str, ...] = ("opened", "present", "clock", "chat", "fair")

    address = ""
    browser = ""
    patches = False

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.heard: list[Any] = []
        self.aside: list[Any] = []
        self.dismissed = False

    def send(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        (self.aside if message["type"] in self.ASIDE else self.heard).append(message)

    def dismiss(self) -> None:
        self.dismissed = True


def request(kind: str, id_: str, version: int, value: str | int = "") -> Request:
    """Return a request of a kind; `value` is what its own field holds, if it has one."""
    asked = next(each for each in REQUESTS if each.__struct_config__.tag == kind)
    own = [name for name in asked.__struct_fields__ if name not in ("id", "version")]
    return asked(id=id_, version=version, **dict.fromkeys(own[:1], value))


async def change(
    table: TableSession, seat: int, kind: str, id_: str, version: int, value: str | int = ""
) -> int:
    """Ask a table for an entry, as a socket does; return the version that it made."""
    return await table.change(seat, request(kind, id_, version, value))


def allows(state: TableState, seat: int, name: str) -> bool:
    """Whether a seat is told that it may ask for something."""
    return allowed(state, seat).get(name) == ""


async def present(table: TableSession, seat: int) -> dict[str, Any]:
    """Return what a seat is shown of a table now."""
    ear = Ear(seat)
    table.subscribe(ear)
    await table.greet(ear)
    table.leave(ear)
    return dict(ear.heard[-1])

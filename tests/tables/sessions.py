"""Open the tables of a folder without a server, and listen at them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from bartizan.tables.limits import Limits
from bartizan.tables.provider import GameProvider
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from bartizan.tables.storage.sqlite import SqliteLog


@asynccontextmanager
async def opened(folder: Path, games: GameProvider, **limits: Any) -> AsyncIterator[TableRegistry]:
    log = SqliteLog.open(folder)
    tables = TableRegistry(log, games, Limits(table_burst=10_000, program_pause=0, **limits))
    try:
        yield tables
    finally:
        tables.close()
        log.close()


class Ear:
    """A socket that only listens, and puts aside what does not tell of the game."""

    ASIDE: tuple[str, ...] = ("opened", "present", "clock", "chat")

    address = ""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.heard: list[Any] = []
        self.aside: list[Any] = []

    def send(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        (self.aside if message["type"] in self.ASIDE else self.heard).append(message)


async def present(table: TableSession, seat: int) -> dict[str, Any]:
    """Return what a seat is shown of a table now."""
    ear = Ear(seat)
    table.subscribe(ear)
    await table.greet(ear)
    table.leave(ear)
    return dict(ear.heard[-1])

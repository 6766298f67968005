"""Server processes that stall, and come back, in real processes; on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bartizan.tables.limits import Limits
from bartizan.tables.messages import NewTable, TableLinks
from bartizan.tables.registry import TableRegistry
from bartizan.tables.storage import open_log
from tests.tables.duel import DuelProvider
from tests.waiting import until

pytestmark = pytest.mark.anyio


class Child:
    """A server process with one person at the table."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.heard: list[dict[str, Any]] = []
        self.reading = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, folder: Path, database: str, table: str, token: str) -> Child:
        words = ["-m", "tests.tables.child", str(folder), database, table, token]
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(sys.executable, *words, stdin=pipe, stdout=pipe))

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.heard.append(json.loads(line))

    def last(self, kind: str) -> dict[str, Any] | None:
        return next((each for each in reversed(self.heard) if each["type"] == kind), None)

    @property
    def seats(self) -> list[int]:
        told = self.last("present")
        return list(told["seats"] or []) if told else []

    @property
    def name(self) -> str:
        told = self.last("process")
        return str(told["name"]) if told else ""

    @property
    def version(self) -> int:
        told = self.last("sync")
        return int(told["version"] or 0) if told else -1

    def send(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    async def end(self) -> None:
        self.send(signal.SIGCONT)
        self.process.kill()
        await self.process.wait()
        await self.reading


@asynccontextmanager
async def two_at(
    tmp_path: Path, database: str, players: list[str], keys: Callable[[TableLinks], tuple[str, str]]
) -> AsyncIterator[tuple[Child, Child]]:
    """Make a table, and let two processes come to it; the first leads."""
    log = open_log(tmp_path, database)
    tables = TableRegistry(log, DuelProvider(), Limits())
    links = await tables.create(NewTable(here="everyone", game="duel", seats=len(players), players=players))
    tables.close()
    await log.stop()
    children = [await Child.start(tmp_path, database, links.table, key) for key in keys(links)]
    try:
        await until(lambda: all(child.name for child in children))
        first, second = sorted(children, key=lambda child: child.name)
        yield first, second
    finally:
        for child in children:
            await child.end()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("postgres").database()) if request.param == "postgres" else ""


async def test_presence_heals_when_a_process_returns_from_a_stall(tmp_path: Path, database: str) -> None:
    people = ["person", "person"]
    async with two_at(tmp_path, database, people, lambda links: (links.seats[0], links.seats[1])) as children:
        for stalled, other in (children, children[::-1]):
            await until(lambda: all(child.seats == [1, 2] for child in children))
            stalled.send(signal.SIGSTOP)
            await until(lambda: len(other.seats) == 1)  # noqa: B023
            await asyncio.sleep(3)
            stalled.send(signal.SIGCONT)
            for _ in range(2):  # and it stays so, unless a busy machine holds up another of them
                await until(lambda: all(child.seats == [1, 2] for child in children))
                await asyncio.sleep(1)


async def test_programs_are_taken_over_when_their_process_stalls(tmp_path: Path, database: str) -> None:
    programs = ["greedy"] * 3
    async with two_at(tmp_path, database, programs, lambda links: (links.spectator, links.spectator)) as (
        leader,
        other,
    ):
        await until(lambda: other.version >= 2)
        leader.send(signal.SIGSTOP)
        before = other.version
        await until(lambda: other.version > before)
        leader.send(signal.SIGCONT)
        # Both go on together, and each move is made once.
        await until(lambda: leader.version == other.version > before + 3)
        for child in (leader, other):
            versions = [told["version"] for told in child.heard if told["type"] == "sync"]
            assert versions == sorted(set(versions))

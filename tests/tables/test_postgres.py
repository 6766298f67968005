"""What PostgreSQL alone does: it goes away and comes back, it is shared, it refuses what it cannot keep."""

from __future__ import annotations

import asyncio
import ssl
import tempfile
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from bartizan.tables import registry
from bartizan.tables.agreement import ClockRule
from bartizan.tables.clock import Timekeeper
from bartizan.tables.errors import StartError, StorageError
from bartizan.tables.limits import Limits
from bartizan.tables.messages import NewTable
from bartizan.tables.peers import DEAD_SECONDS
from bartizan.tables.registry import TableRegistry
from bartizan.tables.storage.postgres import PostgresLog, place_of, why_of
from bartizan.tables.storage.postgres_form import SCHEMA_VERSION
from bartizan.tables.store import EntryRow
from tests.postgres import Cluster
from tests.tables.duel import DuelProvider
from tests.tables.sessions import change, connected
from tests.tables.stores import move, row
from tests.tables.test_processes import Person
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio


class Switch:
    """Lets nobody into a database any more, or again; the others on its server stay."""

    def __init__(self, cluster: Cluster, address: str) -> None:
        self._ask = cluster.ask
        self._name = urlsplit(address).path.lstrip("/")

    def off(self) -> None:
        self._ask(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS false")
        self._ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._name}'")

    def on(self) -> None:
        self._ask(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS true")


async def test_a_database_that_goes_away_and_comes_back_loses_nothing_acknowledged(
    postgres: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    address = postgres.database()
    switch = Switch(postgres, address)
    log, other = PostgresLog.open(address), PostgresLog.open(address)
    tables = TableRegistry(log, DuelProvider(), Limits(program_pause=0))
    try:
        links = await tables.create(NewTable(here="everyone", game="duel"))
        ada = await Person.come(tables, links, 1)
        await connected(log)
        card = ada.sync["scene"]["choices"][0]["action"]
        assert await ada.do("move", card) == 1
        switch.off()
        told = await ada.until("error")
        assert "the database can't be reached" in told["sentence"]
        with pytest.raises(StorageError, match="right now"):
            await change(ada.table, 1, "move", "again", 1, "end")
        with pytest.raises(StorageError, match="right now"):
            await log.read(links.table)
        switch.on()
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(StorageError):
                    await other.append(links.table, 2, EntryRow("move", 1, "end", "elsewhere"))
                    break
                await asyncio.sleep(0.05)
        await ada.reach(2)  # what another process wrote meanwhile is heard of by itself
        entries = await log.read(links.table)
        assert [entry.id for entry in entries][1:] == ["elsewhere"]
        bo = await Person.come(tables, links, 2)
        assert await bo.do("move", bo.sync["scene"]["choices"][0]["action"]) == 3
        await ada.reach(3)
        for words in ("the connection to the database is lost", "the database can be reached again"):
            assert caplog.text.count(words) == 1
        assert "unexpected StorageError" not in caplog.text
    finally:
        switch.on()
        tables.close()
        await log.stop()
        await other.stop()


async def test_what_hinders_the_start_is_a_sentence_without_a_password(postgres: Cluster) -> None:
    for address in ("sqlite:///x", "postgresql://[::1/x"):
        with pytest.raises(StartError, match="wants an address"):
            PostgresLog.open(address)
    for address, words in (
        ("postgresql://me:secret@127.0.0.1:1/none", "the database can't be reached. Check its address"),
        (postgres.database() + "&port=notanumber", "cannot be read"),
        (postgres.database() + "&sslmode=nonsense", "cannot be read"),
        (postgres.address.replace("/postgres?", "/missing?"), "no such database"),
    ):
        with pytest.raises(StorageError, match="cannot be used") as refused:
            PostgresLog.open(address)
        assert words in str(refused.value)
        assert "secret" not in str(refused.value)
    assert why_of(asyncpg.InvalidPasswordError()) == "it rejects this user or password"
    assert "schema bartizan" in why_of(asyncpg.InsufficientPrivilegeError())
    for error in (ssl.SSLError("bad certificate"), ConnectionError('server at "db:1" rejected SSL upgrade')):
        assert why_of(error) == "it can't be reached with the sslmode in its address"
    assert place_of("postgresql://me:secret@db.example:5433/tables") == "PostgreSQL tables on db.example:5433"


async def test_a_newer_or_a_foreign_schema_is_refused(postgres: Cluster) -> None:
    address = postgres.database()
    await PostgresLog.open(address).stop()
    connection = await asyncpg.connect(address)
    await connection.execute(f"UPDATE bartizan.form SET version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StorageError, match="made by a newer Bartizan"):
        PostgresLog.open(address)
    await connection.execute("DELETE FROM bartizan.form")
    with pytest.raises(StorageError, match="not one of Bartizan's"):
        PostgresLog.open(address)
    await connection.execute("ALTER TABLE bartizan.form ALTER version TYPE TEXT")
    await connection.execute("INSERT INTO bartizan.form VALUES (1, 'one')")
    with pytest.raises(StorageError, match="not one of Bartizan's"):
        PostgresLog.open(address)
    await connection.execute("DROP TABLE bartizan.form")  # its other tables are there
    with pytest.raises(StorageError, match="its schema bartizan isn't as Bartizan made it"):
        PostgresLog.open(address)
    await connection.close()


async def test_a_schema_of_form_5_gets_checksums_and_reports(postgres: Cluster) -> None:
    address = postgres.database()
    log = PostgresLog.open(address)
    await log.create(row("t"))
    await log.append("t", 1, move(1))
    await log.stop()
    connection = await asyncpg.connect(address)
    await connection.execute("ALTER TABLE bartizan.log DROP COLUMN link, DROP COLUMN checksum")
    await connection.execute("ALTER TABLE bartizan.tokens DROP COLUMN blocked")
    await connection.execute("DROP TABLE bartizan.reports, bartizan.pushes")
    await connection.execute("UPDATE bartizan.form SET version = 5")
    log = PostgresLog.open(address)
    try:
        await log.append("t", 2, move(2))
        assert await log.read("t") == [move(1), move(2)]
        stored = await log.stored("t")
        assert stored is not None
        assert [each.checksum > 0 for each in stored.entries] == [False, True]
        assert await log.set_blocked("t", [1], blocked=True) == ["t"]
        assert await log.reports() == []
        assert await log.pushes("t", 1) == []
        await connection.execute("UPDATE bartizan.log SET text = 'play 7' WHERE ply = 2")
        with pytest.raises(StorageError, match="Entry 2 of table t was changed"):
            await log.read("t")
    finally:
        await log.stop()
        await connection.close()


async def test_many_processes_may_make_the_tables_at_once(postgres: Cluster) -> None:
    address = postgres.database()
    logs = await asyncio.gather(*(asyncio.to_thread(PostgresLog.open, address) for _ in range(6)))
    await logs[0].create(row("t"))
    await logs[5].append("t", 1, move(1))
    assert await logs[3].read("t") == [move(1)]
    for log in logs:
        await log.stop()


async def test_one_odd_write_does_not_spoil_those_that_wait_with_it(postgres: Cluster) -> None:
    log = PostgresLog.open(postgres.database())
    try:
        for name in ("t", "u"):
            await log.create(row(name))
        odd = EntryRow("move", 2**70, "x")  # no column holds that
        results = await asyncio.gather(
            log.append("t", 1, odd), log.append("u", 1, move(1)), return_exceptions=True
        )
        assert isinstance(results[0], StorageError)
        assert results[1] is None
        assert await log.read("u") == [move(1)]
    finally:
        await log.stop()


class Skewed(Timekeeper):
    """A machine's clock that is 80 seconds ahead."""

    def __init__(self) -> None:
        super().__init__()
        self._begun += 80


async def test_a_process_whose_clock_is_ahead_ends_no_game_early(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    address = postgres.database()
    logs = [PostgresLog.open(address) for _ in range(2)]
    tables = [TableRegistry(logs[0], DuelProvider(), Limits(program_pause=0))]
    monkeypatch.setattr(registry, "Timekeeper", Skewed)
    tables.append(TableRegistry(logs[1], DuelProvider(), Limits(program_pause=0)))
    true, ahead = tables
    try:
        links = await true.create(
            NewTable(here="everyone", game="duel", clock=ClockRule(kind="move", seconds=60))
        )
        ada, bo = await Person.come(true, links, 1), await Person.come(true, links, 2)
        for person in (ada, bo):
            await person.reach(2 * person.seat - 2)
            await person.do("move", person.sync["scene"]["choices"][0]["action"])
            await person.do("move", "end")
        await ada.reach(4)
        told = await ada.until("clock", lambda told: told.get("running") == 1)
        assert told["left"][0] > 30_000
        onlooker = await Person.come(ahead, links, 0)
        told = await onlooker.until("clock", lambda told: told.get("running") == 1)
        assert 30_000 < told["left"][0] <= 60_000
        await onlooker.table.let_flag_fall()
        await ahead._let_flag_fall(links.table)
        assert [entry.kind for entry in await logs[0].read(links.table)] == ["move"] * 4
        # The clock that a move through the skewed process starts is right, too.
        carl = await Person.come(ahead, links, 1)
        await carl.do("move", carl.sync["scene"]["choices"][0]["action"])
        await carl.do("move", "end")
        await bo.reach(6)
        told = await bo.until("clock", lambda told: told.get("running") == 2)
        assert 30_000 < told["left"][1] <= 60_000
        assert "80 s ahead of the database's" in caplog.text
    finally:
        for each, log in zip(tables, logs, strict=True):
            each.close()
            await log.stop()


async def test_presence_heals_when_the_database_is_back(postgres: Cluster) -> None:
    """People who came or went while the database was away are known everywhere soon after it is back."""
    address = postgres.database()
    switch = Switch(postgres, address)
    logs = [PostgresLog.open(address) for _ in range(2)]
    one, two = (TableRegistry(log, DuelProvider(), Limits(program_pause=0)) for log in logs)
    try:
        links = await one.create(NewTable(here="everyone", game="duel", seats=3))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        carl = await Person.come(two, links, 3)
        for person in (ada, bo):
            await person.until("present", lambda told: told.get("seats") == [1, 2, 3])
        switch.off()
        for person in (ada, bo):
            await person.until("error")
        carl.table.leave(carl)
        logs[1]._outbox.clear()  # what was said meanwhile is lost
        await asyncio.sleep(2.5)
        # Silence means nothing while no one can be heard.
        assert (await ada.until("present"))["seats"] == [1, 2, 3]
        ada.heard.clear()
        switch.on()
        await ada.until("present", lambda told: told.get("seats") == [1, 2])
        # A listening connection that breaks alone is made again.
        for log in logs:
            await connected(log)
            log._listener.terminate()
        bo.table.leave(bo)
        await ada.until("present", lambda told: told.get("seats") == [1])
    finally:
        switch.on()
        for each, log in zip((one, two), logs, strict=True):
            each.close()
            await log.stop()


class Cable:
    """The way to the database, which may swallow everything for a while without breaking."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._works = asyncio.Event()
        self._works.set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, path: str) -> None:
        self._server = await asyncio.start_unix_server(self._connect, path)

    def cut(self) -> None:
        self._works.clear()

    def mend(self) -> None:
        self._works.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_reader, to_writer = await asyncio.open_unix_connection(self._target)
        for pair in ((reader, to_writer), (to_reader, writer)):
            task = asyncio.ensure_future(self._carry(*pair))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._works.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    def close(self) -> None:
        self.mend()
        self._server.close()
        for task in self._tasks:
            task.cancel()


async def test_presence_heals_when_the_database_was_out_of_reach(postgres: Cluster) -> None:
    """The connection doesn't break; it only carries nothing for longer than a process is waited for."""
    address = postgres.database()
    folder = parse_qs(urlsplit(address).query)["host"][0]
    with tempfile.TemporaryDirectory() as place:
        cable = Cable(f"{folder}/.s.PGSQL.5432")
        await cable.open(f"{place}/.s.PGSQL.5432")
        logs = [PostgresLog.open(address), PostgresLog.open(address)]
        logs[1]._address = address.replace(folder, place)
        one, two = (TableRegistry(log, DuelProvider(), Limits(program_pause=0)) for log in logs)
        try:
            links = await one.create(NewTable(here="everyone", game="duel"))
            ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
            for person in (ada, bo):
                await person.until("present", lambda told: told.get("seats") == [1, 2])
            for seconds in (2.5, 7.0):
                ada.heard.clear()
                cable.cut()
                await ada.until("present", lambda told: told.get("seats") == [1])
                await asyncio.sleep(seconds - DEAD_SECONDS)
                ada.heard.clear()
                cable.mend()
                await ada.until("present", lambda told: told.get("seats") == [1, 2])
                await asyncio.sleep(2 * DEAD_SECONDS)
                assert (await bo.until("present"))["seats"] == [1, 2]
        finally:
            for each in (one, two):
                each.close()
            cable.mend()
            for log in logs:
                await log.stop()
            cable.close()

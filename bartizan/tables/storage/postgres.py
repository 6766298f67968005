"""Store tables in PostgreSQL, for any number of machines.

One task writes: it collects all pending writes, runs them in one transaction, and reports back once that is
durable.  One connection listens for notifications from other processes.  If the database becomes unreachable,
pending writes fail, and the connections are retried until it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.extras import require
from bartizan.tables.errors import Conflict, StartError, StorageError
from bartizan.tables.storage.postgres_form import LOCK, SCHEMA_NAME, prepare
from bartizan.tables.storage.rows import Ask, Rows
from bartizan.tables.storage.sql import SqlLog, Write
from bartizan.tables.store import Listening

require("postgres", "A PostgreSQL database")

import asyncpg  # noqa: E402

log = logging.getLogger("bartizan.server")

CHANNEL = "bartizan"
MOST_PER_COMMIT = 2048
READERS = 4  # connections at the most
CONNECT_SECONDS = 5.0
COMMAND_SECONDS = 15.0
STOP_SECONDS = 5.0
SETTINGS = {
    "search_path": SCHEMA_NAME,
    "application_name": "bartizan",
    "lock_timeout": "10s",  # another writer is faster, or was stopped midway
    "idle_in_transaction_session_timeout": "10s",
}
AWAY = "the database can't be reached"
PAUSES = (0.1, 0.2, 0.5)  # seconds between attempts to reach the database again
PING_SECONDS = 2.0  # how often the listening connection is tried
LISTEN_SECONDS = 3.0  # in which it must answer; otherwise it is replaced
PUBLISH_SECONDS = 0.005  # for which messages are collected
LARGEST = 7900  # bytes of a notification

INSERT_ENTRIES = """
INSERT INTO log (table_id, ply, kind, seat, text, id, at, throw, spent, link, checksum)
SELECT new.table_id, new.ply, new.kind, new.seat, new.text, new.id, new.at, new.throw, new.spent, new.link,
       new.checksum
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[],
            $8::bytea[], $9::bigint[], $10::bigint[], $11::bigint[])
     AS new (table_id, ply, kind, seat, text, id, at, throw, spent, link, checksum)
JOIN tables ON tables.id = new.table_id AND tables.closed = 0
WHERE new.ply = 1 + COALESCE((SELECT max(ply) FROM log WHERE log.table_id = new.table_id), 0)
ON CONFLICT DO NOTHING
RETURNING table_id, ply, sequence, (SELECT COALESCE(max(sequence), 0) FROM log)
"""
BEGIN = f"BEGIN; SELECT pg_advisory_xact_lock({LOCK})"


class _Job(msgspec.Struct, frozen=True):
    """Something to be written: an entry, other statements, or both."""

    done: asyncio.Future[None]
    entry: tuple[Any, ...] | None
    write: Write


class PostgresLog(SqlLog):
    """The logs of all tables in one PostgreSQL database; open it with `open`, close it with `stop`."""

    def __init__(self, address: str, known: int) -> None:
        super().__init__()
        self._address = address
        self._known = known  # all entries up to this one are known here
        self._jobs: deque[_Job] = deque()
        self._waiting = asyncio.Event()
        self._writer: Any = None  # asyncpg has no types
        self._readers: Any = None
        self._listener: Any = None
        self._listening: Listening | None = None
        self._outbox: deque[str] = deque(maxlen=10_000)
        self._published = 0
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._opening = asyncio.Lock()
        self._closed = False

    @property
    def place(self) -> str:
        """Where the tables are stored, without user name and password."""
        return place_of(self._address)

    @classmethod
    def open(cls, address: str) -> Self:
        """Check that a database can be used, and create or upgrade its tables.

        Raises `StartError` for an invalid address, and `StorageError`.
        """
        try:
            scheme = urlsplit(address).scheme
        except ValueError:  # half an IPv6 address
            scheme = ""
        if scheme not in ("postgresql", "postgres"):
            raise StartError(
                "--database or BARTIZAN_DATABASE wants an address such as postgresql://user@host/name; "
                "without it tables are kept in a file."
            )

        async def look() -> int:
            connection = await _connect(address)
            try:
                await prepare(connection, place_of(address))
                return int(await connection.fetchval("SELECT COALESCE(max(sequence), 0) FROM log"))
            finally:
                connection.terminate()

        try:
            return cls(address, _apart(look()))
        except BartizanError:
            raise
        except Exception as error:
            why = why_of(error)
            hint = " Check its address, and that it is running." if why == AWAY else ""
            raise StorageError(f"{place_of(address)} cannot be used: {why}.{hint}") from error

    async def stop(self) -> None:
        """Write everything that is pending and close all connections."""
        if self._closed:
            return
        self._closed = True
        self._listening = None
        self._waiting.set()
        if (writing := self._tasks.get("write")) is not None:
            await asyncio.wait([writing], timeout=STOP_SECONDS)
        with contextlib.suppress(Exception):  # it was the last message, and may be lost
            await self._flush()
        if self._readers is not None:  # readers return their connections first
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._readers.close(), STOP_SECONDS)
        self.close()

    def close(self) -> None:
        """Drop all connections; pending writes are lost."""
        self._closed = True
        for task in self._tasks.values():
            if not task.get_loop().is_closed():
                task.cancel()
        self._tasks.clear()
        for connection in (self._writer, self._listener, self._readers):
            if connection is not None:
                with contextlib.suppress(Exception):  # its loop may be gone
                    connection.terminate()
        self._writer = self._listener = self._readers = None

    # Reading ----------------------------------------------------------------------------------------------

    async def _ask(self, query: str, *values: object) -> Rows:
        if not all(map(_can_be_kept, values)):
            return []  # so it cannot be there
        if self._closed:
            raise StorageError("The server is stopping. Nothing was changed.")
        try:
            try:
                return await self._fetch(query, *values)
            except (OSError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError):
                return await self._fetch(query, *values)  # that connection was old; there may be a new one
        except Exception as error:
            raise StorageError(f"The tables can't be read right now: {why_of(error)}.") from error

    async def time(self) -> int | None:
        """Return the database's time, in milliseconds since 1970."""
        rows = await self._ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(rows[0][0])

    async def _fetch(self, query: str, *values: object) -> Rows:
        async with self._opening:
            if self._readers is None:
                self._readers = await asyncpg.create_pool(
                    self._address,
                    min_size=0,
                    max_size=READERS,
                    timeout=CONNECT_SECONDS,
                    command_timeout=COMMAND_SECONDS,
                    server_settings=SETTINGS,
                )
        rows: Rows = await self._readers.fetch(query, *values)
        return rows

    @asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[Ask]:
        try:
            connection = await _connect(self._address)
        except Exception as error:
            raise StorageError(f"{self.place} cannot be read: {why_of(error)}.") from error
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):

                async def ask(query: str, *values: object) -> Rows:
                    rows: Rows = await connection.fetch(query, *values)
                    return rows

                yield ask
        finally:
            connection.terminate()

    # Writing ---------------------------------------------------------------------------------------------

    async def _append(self, values: tuple[Any, ...], more: Write) -> None:
        await self._do(values, more)

    async def _submit(self, write: Write) -> None:
        await self._do(None, write)

    async def _do(self, entry: tuple[Any, ...] | None, write: Write) -> None:
        if self._closed:
            raise StorageError("The server is stopping. Nothing was changed.")
        self._start("write", self._write())
        job = _Job(asyncio.get_running_loop().create_future(), entry, write)
        self._jobs.append(job)
        self._waiting.set()
        await job.done

    async def _write(self) -> None:
        while not self._closed or self._jobs:
            await self._waiting.wait()
            self._waiting.clear()
            while self._jobs:
                batch = [self._jobs.popleft() for _ in range(min(len(self._jobs), MOST_PER_COMMIT))]
                outcomes = await self._commit(batch)
                if len(batch) > 1 and any(isinstance(each, _Odd) for each in outcomes):
                    # The database refused one of them; the others are tried separately.
                    outcomes = [(await self._commit([job]))[0] for job in batch]
                for job, outcome in zip(batch, outcomes, strict=True):
                    if not job.done.done():
                        _settle(job.done, outcome)

    async def _commit(self, batch: Sequence[_Job]) -> list[Exception | None]:
        """Carry out writes in one transaction; return each one's refusal, or why none happened."""
        try:
            if self._writer is None or self._writer.is_closed():
                self._writer = await _connect(self._address)
            db = self._writer
            await db.execute(BEGIN)
            outcomes = await self._carry_out(db, batch)
            wrote = any(
                job.entry is not None and outcome is None
                for job, outcome in zip(batch, outcomes, strict=True)
            )
            if wrote:
                await db.fetchval("SELECT pg_notify($1, $2)", CHANNEL, f"{self.process}\n")
            await db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever it was, no one in the batch is acknowledged
            log.error("commit failed: %s (%s)", why_of(error), type(error).__name__)
            if self._writer is not None:
                self._writer.terminate()  # this ends the transaction
                self._writer = None
            kind = _Odd if isinstance(error, asyncpg.PostgresError) and not _is_away(error) else StorageError
            sentence = f"This can't be saved right now: {why_of(error)}. Try again in a moment."
            return [kind(sentence)] * len(batch)
        return outcomes

    async def _carry_out(self, db: Any, batch: Sequence[_Job]) -> list[Exception | None]:
        outcomes: list[Exception | None] = [None] * len(batch)
        entries: dict[str, int] = {}  # by table: the job whose entry is inserted next

        async def insert() -> None:
            if not entries:
                return
            columns = zip(*(batch[at].entry or () for at in entries.values()), strict=True)
            rows = await db.fetch(INSERT_ENTRIES, *map(list, columns))
            inserted = {row[0] for row in rows}
            for table, at in entries.items():
                if table not in inserted:
                    outcomes[at] = Conflict(f"That version of table {table} is not the next.")
            if rows and rows[0][3] <= self._known:  # no other writer's entry came in between
                self._known = max(row[2] for row in rows)
            entries.clear()

        for at, job in enumerate(batch):
            if job.entry is not None:
                if job.entry[0] in entries:
                    await insert()
                entries[job.entry[0]] = at
            if job.write:
                await insert()
                if outcomes[at] is None:
                    outcomes[at] = await self._carry_out_one(db, job.write)
        await insert()
        return outcomes

    async def _carry_out_one(self, db: Any, write: Write) -> Exception | None:
        if len(write) > 1:
            await db.execute("SAVEPOINT write")
        for statement in write:
            changed = int((await db.execute(statement.sql, *statement.values)).split()[-1])
            if statement.refusal is not None and not changed:
                if len(write) > 1:
                    await db.execute("ROLLBACK TO write")
                return statement.refusal
        return None

    async def _load(self, groups: Iterator[tuple[str, list[tuple[Any, ...]]]]) -> None:
        try:
            db = await _connect(self._address, command_timeout=None)
        except Exception as error:
            raise StorageError(f"{self.place} cannot be written: {why_of(error)}.") from error
        try:
            async with db.transaction():
                await db.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
                for sql, rows in groups:
                    if rows:
                        await db.executemany(sql, [tuple(map(_without_nul, row)) for row in rows])
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError) as error:
            raise StorageError(f"{self.place} could not be written: {why_of(error)}.") from error
        finally:
            db.terminate()

    # Other processes --------------------------------------------------------------------------------------

    def listen(self, listening: Listening | None) -> None:
        """Set the listener for other processes' activity; requires a running loop."""
        self._listening = listening
        if listening is not None:
            self._start("listen", self._listen())
            self._start("publish", self._publish())

    def publish(self, text: str) -> None:
        """Send the other processes a message that isn't stored; it may be lost."""
        if len(text.encode()) <= LARGEST:
            # The number makes each payload unique: PostgreSQL drops repeated ones within a transaction.
            self._published += 1
            self._outbox.append(f"{self.process}\n{self._published}\n{text}")

    async def news(self) -> list[tuple[str, int]]:
        """Return the tables with entries since the last call, possibly our own, and their versions."""
        query = "SELECT table_id, max(ply), max(sequence) FROM log WHERE sequence > $1 GROUP BY table_id"
        rows = await self._ask(query, self._known)
        self._known = max([self._known, *(latest for _, _, latest in rows)])
        return [(table, version) for table, version, _ in rows]

    async def _listen(self) -> None:
        """Keep a connection that listens to other processes; if it breaks, open another."""
        attempt, reached, why = 0, True, AWAY
        while True:
            try:
                connection = await _connect(self._address, synchronous_commit="off")
                await connection.add_listener(CHANNEL, self._hear)
                self._listener = connection
                if not reached:
                    log.warning("the database can be reached again")
                attempt, reached, why = 0, True, AWAY
                if self._listening is not None:  # at first, too: earlier messages were missed
                    self._listening.on_reached(reached=True)
                await self._until_broken(connection)
            except Exception as error:  # noqa: BLE001 - whatever the library or the network says
                why = why_of(error)
            finally:
                if self._listener is not None:
                    self._listener.terminate()
                    self._listener = None
            if reached:
                log.error("the connection to the database is lost: %s", why)
                if self._listening is not None:
                    self._listening.on_reached(reached=False)
            reached = False
            await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            attempt += 1

    async def _until_broken(self, connection: Any) -> None:
        """Return, or raise, once a connection can't be used any more."""
        broken = asyncio.Event()
        connection.add_termination_listener(lambda _: broken.set())
        while not connection.is_closed():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(broken.wait(), PING_SECONDS)
                return
            await self._on_listener("SELECT 1")

    async def _on_listener(self, query: str, *values: object) -> None:
        async with self._opening:  # a connection does one thing at a time
            if self._listener is None:
                raise ConnectionError(AWAY)
            await self._listener.execute(query, *values, timeout=LISTEN_SECONDS)

    def _hear(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, _, message = payload.partition("\n")
        if self._listening is None or sender == self.process:
            return
        if message:
            self._listening.on_message(sender, message.partition("\n")[2])
        else:
            self._listening.on_written()

    async def _publish(self) -> None:
        while True:
            await asyncio.sleep(PUBLISH_SECONDS)
            if self._outbox and self._listener is not None:
                with contextlib.suppress(Exception):  # what could not be sent stays in the outbox
                    await self._flush()

    async def _flush(self) -> None:
        if not self._outbox:
            return
        if self._listener is None:  # no one listens here, but we can still send
            self._listener = await _connect(self._address)
        texts = list(self._outbox)
        await self._on_listener("SELECT pg_notify($1, m) FROM unnest($2::text[]) AS m", CHANNEL, texts)
        sent = set(texts)
        while self._outbox and self._outbox[0] in sent:  # more may have been published meanwhile
            self._outbox.popleft()

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        task = self._tasks.get(name)
        if task is None or task.done():
            self._tasks[name] = asyncio.ensure_future(work)
        else:
            work.close()


class _Odd(StorageError):
    """A write that the database refused although it was available."""


def place_of(address: str) -> str:
    """Return an address without its secret parts."""
    parts = urlsplit(address)
    where = parts.netloc.rpartition("@")[2] or "this machine"
    return f"PostgreSQL {parts.path.lstrip('/') or 'postgres'} on {where}"


async def _connect(address: str, **settings: Any) -> Any:
    command_timeout = settings.pop("command_timeout", COMMAND_SECONDS)
    return await asyncpg.connect(
        address,
        timeout=CONNECT_SECONDS,
        command_timeout=command_timeout,
        server_settings=SETTINGS | settings,
    )


def _apart(work: Coroutine[Any, Any, int]) -> int:
    """Run a coroutine on a separate loop, whether or not one is running here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def _is_away(error: Exception) -> bool:
    """Say whether an error means that the database is unavailable, rather than that it refused something."""
    if not isinstance(error, asyncpg.PostgresError):
        return True
    state = str(getattr(error, "sqlstate", None) or "")
    return state[:2] in (
        "08",
        "57",
        "53",
        "25",
        "55",
    )  # connection, shutdown, room, a broken transaction, locks


def why_of(error: Exception) -> str:
    """Say in a few words what is wrong, without secrets."""
    state = str(getattr(error, "sqlstate", None) or "")
    if state[:2] == "28":
        return "it rejects this user or password"
    if state[:2] == "3D":
        return "there is no such database"
    if state == "53100":
        return "its disk is full"
    if state == "53300":
        return "it has too many connections"
    if state == "42501":
        return f"this user isn't allowed to create or use its schema {SCHEMA_NAME}"
    if state == "42704":
        return "its address has a setting that it doesn't know"
    if state[:2] == "42":
        return f"its schema {SCHEMA_NAME} isn't as Bartizan made it"
    if isinstance(error, ssl.SSLError) or "rejected SSL upgrade" in str(error):
        return "it can't be reached with the sslmode in its address"
    if "certificate file" in str(error):
        return "the certificate that its address names, or root.crt in ~/.postgresql, can't be read"
    if isinstance(error, ValueError) and not state:
        return "its address cannot be read"
    return AWAY if _is_away(error) else f"the database refused it ({state})"


def _can_be_kept(value: object) -> bool:
    """Say whether PostgreSQL can store a text: no NUL, and no half of a surrogate pair."""
    if not isinstance(value, str):
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value


def _without_nul(value: object) -> object:
    return value.replace("\0", "") if isinstance(value, str) else value


def _settle(done: asyncio.Future[None], outcome: Exception | None) -> None:
    if outcome is None:
        done.set_result(None)
    else:
        done.set_exception(outcome)

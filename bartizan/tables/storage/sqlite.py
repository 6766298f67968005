"""Store tables in a file: SQLite in WAL mode with ``synchronous=FULL``.

One thread writes: it commits all pending writes together and reports back. So they share a commit's cost, and
the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import give_to_owner_of_folder, reason
from bartizan.tables.errors import Conflict, StorageError
from bartizan.tables.storage.local_bus import Datagram, LocalBus
from bartizan.tables.storage.marker import check_marker, write_marker
from bartizan.tables.storage.rows import Ask, Rows
from bartizan.tables.storage.sql import SqlLog, Write
from bartizan.tables.storage.sqlite_form import connect, prepare, sentence_of, transaction, why_of
from bartizan.tables.store import Listening

log = logging.getLogger("bartizan.server")

FILE_NAME = "tables.sqlite"
MOST_PER_COMMIT = 2048
POLL_SECONDS = 0.5  # how often to look for entries of a process that doesn't announce them

INSERT_ENTRY = """
INSERT INTO log (table_id, ply, kind, seat, text, id, at, throw, spent, link, checksum)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
WHERE (SELECT COALESCE(MAX(ply), 0) FROM log WHERE table_id = ?1) = ?2 - 1
AND EXISTS (SELECT 1 FROM tables WHERE id = ?1 AND closed = 0)
"""
LATEST = "SELECT COALESCE(MAX(sequence), 0) FROM log"

Work = Callable[[sqlite3.Connection], Exception | None]


class _Job(msgspec.Struct, frozen=True):
    work: Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]
    writes_entries: bool


class SqliteLog(SqlLog):
    """The logs of all tables in one data folder; open it with `open`, close it with `stop` or `close`."""

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        super().__init__()
        self.path = path
        self._writer = writer
        self._reader = reader
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="bartizan-read")
        self._closed = False
        self._listening: Listening | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: LocalBus | None = None
        # All entries up to this one are known here; others may have written later ones.
        self._known: int = reader.execute(LATEST).fetchone()[0]
        self._foreign = False  # others have written, and `news` hasn't been called since
        self._knowing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="bartizan-commit", daemon=True)
        self._thread.start()

    @property
    def place(self) -> str:
        """Where the tables are stored."""
        return str(self.path)

    @classmethod
    def open(cls, folder: Path, *, checked: bool = False) -> Self:
        """Open or create the log in a data folder.

        `checked` says that the file's integrity has just been checked.
        Raises `StorageError` if the folder isn't writable, or if the file is
        damaged, not ours, newer than this program, or missing although there was one.
        """
        path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            check_marker(path)
            if not path.exists():
                path.touch(mode=0o600, exist_ok=True)
                give_to_owner_of_folder(path)
            with path.open("ab"):
                pass
        except OSError as error:
            if error.filename == str(path):
                sentence = (
                    f"{path} cannot be used: {reason(error)}. Whoever runs this must be able to write it."
                )
            else:
                sentence = f"The data folder {folder} cannot be used: {reason(error)}. Name another."
            raise StorageError(sentence) from error
        writer = None
        try:
            writer = connect(path)
            prepare(writer, path, checked=checked)
            reader = connect(path)
            reader.execute("PRAGMA query_only = ON")
            write_marker(path)
            return cls(path, writer, reader)
        except sqlite3.Error as error:
            if writer:
                writer.close()
            raise StorageError(sentence_of(path, error)) from error
        except StorageError:
            if writer:
                writer.close()
            raise

    async def stop(self) -> None:
        """Commit everything that is pending and close the file."""
        self.close()

    def close(self) -> None:
        """Commit everything that is pending and close the file; append nothing after this."""
        if self._closed:
            return
        self._closed = True
        self._listening = None
        self._jobs.put(None)
        self._thread.join()
        if self._bus is not None:
            self._bus.close()
        self._reading.shutdown()
        self._reader.close()
        self._writer.close()

    # Other processes --------------------------------------------------------------------------------------

    def listen(self, listening: Listening | None) -> None:
        """Set the listener for other processes' activity; requires a running loop."""
        self._listening = listening
        if listening is not None and self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._bus = self._bus or LocalBus(self.path.parent, self.process)
            self._bus.listen(self._hear)

    def publish(self, text: str) -> None:
        """Send the other processes a message that isn't stored; it may be lost."""
        if self._bus is None:  # no one listens here, but we can still send
            self._bus = LocalBus(self.path.parent, self.process)
        self._bus.send(text)

    def _hear(self, datagram: Datagram) -> None:
        if self._listening is None:
            return
        if datagram.text:
            self._listening.on_message(datagram.sender, datagram.text)
        else:
            self._listening.on_written()

    async def news(self) -> list[tuple[str, int]]:
        """Return the tables with entries since the last call, possibly our own, and their versions."""
        with self._knowing:
            self._foreign, known = False, self._known
        query = "SELECT table_id, MAX(ply), MAX(sequence) FROM log WHERE sequence > $1 GROUP BY table_id"
        rows = await self._ask(query, known)
        with self._knowing:
            self._known = max([self._known, *(latest for _, _, latest in rows)])
        return [(table, version) for table, version, _ in rows]

    # Reading and writing ----------------------------------------------------------------------------------

    async def _ask(self, query: str, *values: object) -> Rows:
        def ask() -> Rows:
            return self._reader.execute(_translated(query), values).fetchall()

        if self._closed:
            raise StorageError("The server is stopping. Nothing was changed.")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, ask)
        except sqlite3.Error as error:
            raise StorageError(sentence_of(self.path, error)) from error

    @asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[Ask]:
        loop = asyncio.get_running_loop()
        db = connect(self.path)

        async def ask(query: str, *values: object) -> Rows:
            def work() -> Rows:
                return db.execute(_translated(query), values).fetchall()

            try:
                return await loop.run_in_executor(self._reading, work)
            except sqlite3.Error as error:
                raise StorageError(sentence_of(self.path, error)) from error

        try:
            db.execute("PRAGMA query_only = ON")
            db.execute("BEGIN")
            yield ask
        finally:
            db.close()

    async def _append(self, values: tuple[Any, ...], more: Write) -> None:
        def work(db: sqlite3.Connection) -> Exception | None:
            if db.execute(INSERT_ENTRY, values).rowcount != 1:
                return Conflict(f"Version {values[1]} of table {values[0]} is not the next.")
            for statement in more:
                db.execute(_translated(statement.sql), statement.values)
            return None

        await self._do(work, writes_entries=True)

    async def _submit(self, write: Write) -> None:
        def work(db: sqlite3.Connection) -> Exception | None:
            db.execute("SAVEPOINT write")
            try:
                for statement in write:
                    changed = db.execute(_translated(statement.sql), statement.values).rowcount
                    if statement.refusal is not None and changed < 1:
                        db.execute("ROLLBACK TO write")
                        return statement.refusal
            finally:
                db.execute("RELEASE write")
            return None

        await self._do(work)

    async def _load(self, groups: Iterator[tuple[str, list[tuple[Any, ...]]]]) -> None:
        def work(db: sqlite3.Connection) -> Exception | None:
            db.execute("SAVEPOINT load")
            try:
                for sql, rows in groups:
                    db.executemany(_translated(sql), rows)
            except BartizanError as error:
                db.execute("ROLLBACK TO load")
                return error
            finally:
                db.execute("RELEASE load")
            return None

        await self._do(work, writes_entries=True)

    async def _do(self, work: Work, *, writes_entries: bool = False) -> None:
        if self._closed:
            raise StorageError("The server is stopping. Nothing was changed.")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put(_Job(work, loop, done, writes_entries))
        await done

    # The commit thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        stop = False
        version = self._data_version()
        while not stop:
            try:
                jobs = [self._jobs.get(timeout=POLL_SECONDS)]
            except queue.Empty:
                jobs = []
            with contextlib.suppress(queue.Empty):
                while len(jobs) < MOST_PER_COMMIT:
                    jobs.append(self._jobs.get_nowait())
            stop = None in jobs
            batch = [job for job in jobs if job is not None]
            if batch:
                self._settle(batch, self._commit(batch))
            latest = self._data_version()
            self._take_note(batch, others_wrote=latest != version)
            version = latest

    def _take_note(self, batch: list[_Job], *, others_wrote: bool) -> None:
        """Tell other processes that we wrote, and our own listeners that others did."""
        wrote = any(job.writes_entries for job in batch)
        with self._knowing:
            self._foreign = self._foreign or others_wrote
            if wrote and not self._foreign:  # everything new is our own
                with contextlib.suppress(sqlite3.Error):
                    self._known = max(self._known, self._writer.execute(LATEST).fetchone()[0])
        if wrote and self._bus is not None:
            self._bus.send()
        listening, loop = self._listening, self._loop
        if others_wrote and listening is not None and loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is gone
                loop.call_soon_threadsafe(listening.on_written)

    def _data_version(self) -> int:
        try:
            return int(self._writer.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:
            return -1

    def _commit(self, batch: list[_Job]) -> list[Exception | None]:
        db = self._writer
        try:
            with transaction(db):
                return [job.work(db) for job in batch]
        except Exception as error:  # noqa: BLE001 - whatever it was, no one in the batch is acknowledged
            why = why_of(error) if isinstance(error, sqlite3.Error) else ""
            log.error("commit failed: %s", why or type(error).__name__)
            why = why and f" ({why})"
            return [StorageError(f"Can't save this right now{why}, so it didn't happen.")] * len(batch)

    def _settle(self, batch: list[_Job], outcomes: list[Exception | None]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
        for job, outcome in zip(batch, outcomes, strict=True):
            by_loop.setdefault(job.loop, []).append((job.done, outcome))
        for loop, pairs in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop is gone, with everyone who waited on it
                loop.call_soon_threadsafe(_tell, pairs)


def _translated(query: str) -> str:
    return query.replace("$", "?")


def _tell(pairs: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, outcome in pairs:
        if done.done():
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(outcome)

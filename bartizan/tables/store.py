"""Keep every table's moves on disk: an entry is acknowledged once it is durable.

SQLite in WAL mode with ``synchronous=FULL``.  One thread writes: it takes all
appends that wait, commits them together and reports back, so that a commit's
cost is shared and the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, Self

import msgspec

from bartizan.engine.files import reason
from bartizan.tables.agreement import Agreement
from bartizan.tables.database import connect, prepare, sentence_of, transaction, why_of
from bartizan.tables.errors import Conflict, StorageError

log = logging.getLogger("bartizan.server")

FILE_NAME = "tables.sqlite"
MOST_PER_COMMIT = 2048
CHAT_LINES = 200  # that are kept of a table
POLL_SECONDS = 0.5  # how often to look for what another process wrote

INSERT_ENTRY = """
INSERT INTO log (table_id, ply, kind, seat, text, id, at, throw, spent)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
WHERE (SELECT COALESCE(MAX(ply), 0) FROM log WHERE table_id = ?1) = ?2 - 1
"""

# A draw is offered, agreed upon and declined; a move taken back, or the game adjourned, is asked for, granted
# and refused.  How the deal was made stands in commit, share, close and deal (tables/exchange.py); after
# "told" the seed is known.
Kind = Literal[
    "move", "undo", "redo", "hint", "resign", "rematch", "offer", "agree", "decline",
    "ask", "grant", "refuse", "flag", "adjourn", "resume", "claim", "return",
    "commit", "share", "close", "deal", "told",
]  # fmt: skip


class Entry(msgspec.Struct, frozen=True):
    """One entry of a table's log."""

    kind: Kind
    seat: int
    # The move in canonical notation; of the rematch that all want, its table; what is asked for; whom a seat
    # that was left is given to; the ply that an undo goes back to, where that is not the one before.
    text: str = ""
    id: str = ""  # the client's message id, so that it is played once
    throw: bytes = b""  # of a move that reports a throw made at the table: what was seen of it, as JSON
    spent: int = 0  # milliseconds that it took of the running clock


class TableRow(msgspec.Struct, frozen=True):
    """What is known of a table before its first move; tokens are kept as hashes only."""

    table: str
    game: str
    rules: int  # the version of the game's rules
    options: dict[str, bool | int | str]
    seats: int
    players: tuple[str, ...]  # by seat: "person", or a program's name
    # Secret until the game is over: the seed, or since there are commitments the seed where it was chosen,
    # "/" and the server's secret (tables/exchange.py reads it).
    seed: str
    tokens: tuple[bytes, ...]  # SHA-256; the spectators' first, then by seat; b"" for none
    created: int = 0  # seconds since 1970
    agreement: Agreement = Agreement()
    more_keys: tuple[tuple[bytes, int], ...] = ()  # of seats that were left, given to others; with the seat


class PersonRow(msgspec.Struct, frozen=True):
    """Who somebody says they are, at one seat of one table."""

    seat: int
    name: str
    arms: str
    deaf: bool = False  # they have closed the chat for themselves


class ChatRow(msgspec.Struct, frozen=True):
    """One line of a table's chat; it is no part of the game."""

    number: int  # from 1, in the order in which they were said
    seat: int
    text: str
    emote: str
    at: int  # milliseconds since 1970


Write = Callable[[sqlite3.Connection], Exception | None]


class _Job(msgspec.Struct, frozen=True):
    write: Write
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class MoveLog:
    """The logs of all tables in one data folder; open with `open`, end with `close`."""

    def __init__(self, path: Path, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="bartizan-read")
        self._on_foreign: Callable[[], object] | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="bartizan-commit", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open or make the log in a data folder.

        Raises `StorageError` where the folder cannot be written, or the file
        is damaged, not ours, or newer than this program.
        """
        path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600, exist_ok=True)
            with path.open("ab"):
                pass
        except OSError as error:
            raise StorageError(
                f"The data folder {folder} cannot be used: {reason(error)}. Name another with --data."
            ) from error
        writer = None
        try:
            writer = connect(path)
            prepare(writer, path)
            reader = connect(path)
            reader.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            if writer:
                writer.close()
            raise StorageError(sentence_of(path, error)) from error
        except StorageError:
            if writer:
                writer.close()
            raise
        return cls(path, writer, reader)

    def close(self) -> None:
        """Commit what waits and close the file; append no more after this."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._thread.join()
        self._reading.shutdown()
        self._reader.close()
        self._writer.close()

    def on_foreign(self, call: Callable[[], object] | None) -> None:
        """Have `call` made, on the commit thread, when another process wrote to the file."""
        self._on_foreign = call

    async def append(
        self,
        table: str,
        version: int,
        entry: Entry,
        key: tuple[bytes, int] | None = None,
    ) -> None:
        """Add a table's `version`-th entry (from 1); return once it is durable.

        With it is kept another `key` of a seat, hashed.  Raises `Conflict` if the log does not end at
        ``version - 1``, and `StorageError` if it could not be written; then it may or may not be
        found there later, but it was not acknowledged.
        """
        row = (table, version, entry.kind, entry.seat, entry.text, entry.id, int(time.time()), entry.throw)

        def write(db: sqlite3.Connection) -> Exception | None:
            if db.execute(INSERT_ENTRY, (*row, entry.spent)).rowcount != 1:
                return Conflict(f"Version {version} of table {table} is not the next.")
            if key is not None:
                db.execute("INSERT OR IGNORE INTO tokens VALUES (?, ?, ?)", (key[0], table, key[1]))
            return None

        await self._submit(write)

    async def create(self, row: TableRow) -> None:
        """Add a table; raises `Conflict` if its name exists."""
        values = (
            row.table,
            row.game,
            row.rules,
            msgspec.json.encode(row.options, order="deterministic").decode(),
            row.seats,
            msgspec.json.encode(row.players).decode(),
            row.seed,
            row.created or int(time.time()),
            msgspec.json.encode(row.agreement).decode(),
        )
        tokens = [(hashed, row.table, seat) for seat, hashed in enumerate(row.tokens) if hashed]
        tokens += [(hashed, row.table, seat) for hashed, seat in row.more_keys]

        def write(db: sqlite3.Connection) -> Exception | None:
            db.execute("SAVEPOINT created")
            try:
                db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
                db.executemany("INSERT INTO tokens VALUES (?, ?, ?)", tokens)
            except sqlite3.IntegrityError:
                db.execute("ROLLBACK TO created")
                return Conflict(f"There is a table {row.table} already.")
            finally:
                db.execute("RELEASE created")
            return None

        await self._submit(write)

    async def read(self, table: str, after: int = 0) -> list[Entry]:
        """Return the entries after a version, in order; none for an unknown table."""
        query = (
            "SELECT kind, seat, text, id, throw, spent FROM log WHERE table_id = ? AND ply > ? ORDER BY ply"
        )
        return [Entry(*row) for row in await self._ask(query, (table, after))]

    async def table(self, table: str) -> TableRow | None:
        """Return what is known of a table."""
        rows = await self._ask("SELECT * FROM tables WHERE id = ?", (table,))
        if not rows:
            return None
        name, game, rules, options, seats, players, seed, created, agreement = rows[0]
        hashes, more = [b""] * (seats + 1), []
        query = "SELECT hash, seat FROM tokens WHERE table_id = ? ORDER BY hash"
        for hashed, seat in await self._ask(query, (table,)):
            if hashes[seat]:
                more.append((hashed, seat))
            else:
                hashes[seat] = hashed
        return TableRow(
            name,
            game,
            rules,
            msgspec.json.decode(options),
            seats,
            tuple(msgspec.json.decode(players)),
            seed,
            tuple(hashes),
            created,
            read_agreement(agreement),
            tuple(more),
        )

    async def find(self, token_hash: bytes) -> tuple[str, int] | None:
        """Return the table and seat that a token's hash opens; the newest of several tables."""
        query = """
            SELECT table_id, seat FROM tokens JOIN tables ON tables.id = table_id
            WHERE hash = ? ORDER BY created DESC LIMIT 1
        """
        rows = await self._ask(query, (token_hash,))
        return (rows[0][0], rows[0][1]) if rows else None

    # Clocks ----------------------------------------------------------------------------------------------

    async def revive_clocks(self, now: int, allowance: int) -> None:
        """Put off all clocks by the time in which no server ran, and note that one is up at `now`.

        Times are milliseconds since 1970.  The server that was up last is dead if its process is, or where
        that cannot be told if it was silent for longer than `allowance`.
        """

        def write(db: sqlite3.Connection) -> None:
            last = db.execute("SELECT at, pid FROM heartbeat").fetchone()
            if last is not None and (now - last[0] > allowance or not _is_other_process(last[1])):
                db.execute("UPDATE clocks SET deadline = deadline + ?", (max(0, now - last[0]),))
            db.execute("INSERT OR REPLACE INTO heartbeat VALUES (1, ?, ?)", (now, os.getpid()))

        await self._submit(write)

    async def beat(self, now: int) -> None:
        """Note that a server is up, where clocks run."""
        query = "INSERT OR REPLACE INTO heartbeat SELECT 1, ?, ? WHERE EXISTS (SELECT 1 FROM clocks)"

        def write(db: sqlite3.Connection) -> None:
            db.execute(query, (now, os.getpid()))

        await self._submit(write)

    async def set_clock(self, table: str, version: int, deadline: int, now: int) -> None:
        """Keep when the clock runs out that runs at a version of a table; 0 where none runs."""

        def write(db: sqlite3.Connection) -> None:
            if deadline:
                db.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?)", (table, version, deadline))
                db.execute("INSERT OR REPLACE INTO heartbeat VALUES (1, ?, ?)", (now, os.getpid()))
            else:
                db.execute("DELETE FROM clocks WHERE table_id = ?", (table,))

        await self._submit(write)

    async def clock(self, table: str) -> tuple[int, int]:
        """Return when a table's running clock runs out, and the version at which it ran; or zeros."""
        rows = await self._ask("SELECT deadline, version FROM clocks WHERE table_id = ?", (table,))
        return (rows[0][0], rows[0][1]) if rows else (0, 0)

    async def due(self, before: int) -> list[tuple[str, int]]:
        """Return the tables whose clocks run out before a moment, and when, the soonest first."""
        query = "SELECT table_id, deadline FROM clocks WHERE deadline < ? ORDER BY deadline LIMIT 1000"
        return await self._ask(query, (before,))

    # People and what they say ----------------------------------------------------------------------------

    async def persons(self, table: str) -> list[PersonRow]:
        """Return who people at a table say they are, by seat."""
        query = "SELECT seat, name, arms, deaf FROM persons WHERE table_id = ? ORDER BY seat"
        return [
            PersonRow(seat, name, arms, bool(deaf))
            for seat, name, arms, deaf in await self._ask(query, (table,))
        ]

    async def introduce(self, table: str, person: PersonRow) -> None:
        """Keep who somebody says they are."""
        values = (table, person.seat, person.name, person.arms, int(person.deaf))

        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO persons VALUES (?, ?, ?, ?, ?)", values)

        await self._submit(write)

    async def chat(self, table: str) -> list[ChatRow]:
        """Return what is kept of a table's chat, in its order."""
        query = "SELECT number, seat, text, emote, at FROM chat WHERE table_id = ? ORDER BY number"
        return [ChatRow(*row) for row in await self._ask(query, (table,))]

    async def say(self, table: str, line: ChatRow) -> None:
        """Keep a line of a table's chat, and forget those that are too old; raises `Conflict`."""
        values = (table, line.number, line.seat, line.text, line.emote, line.at)

        def write(db: sqlite3.Connection) -> Exception | None:
            if db.execute("INSERT OR IGNORE INTO chat VALUES (?, ?, ?, ?, ?, ?)", values).rowcount != 1:
                return Conflict(f"Line {line.number} of table {table} is not the next.")
            oldest = line.number - CHAT_LINES
            db.execute("DELETE FROM chat WHERE table_id = ? AND number <= ?", (table, oldest))
            return None

        await self._submit(write)

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[tuple]:  # type: ignore[type-arg]
        def ask() -> list[tuple]:  # type: ignore[type-arg]
            return self._reader.execute(query, values).fetchall()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, ask)
        except sqlite3.Error as error:
            raise StorageError(sentence_of(self.path, error)) from error

    async def _submit(self, write: Write) -> None:
        if self._closed:
            raise StorageError("The server is stopping; nothing was changed.")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put(_Job(write, loop, done))
        await done

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
            if batch := [job for job in jobs if job is not None]:
                self._settle(batch, self._commit(batch))
            latest = self._data_version()
            if latest != version and self._on_foreign:
                self._on_foreign()
            version = latest

    def _data_version(self) -> int:
        try:
            return int(self._writer.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:
            return -1

    def _commit(self, batch: list[_Job]) -> list[Exception | None]:
        db = self._writer
        try:
            with transaction(db):
                return [job.write(db) for job in batch]
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody in the batch is acknowledged
            log.error("commit failed: %s", type(error).__name__)
            reason = f" ({why_of(error)})" if isinstance(error, sqlite3.Error) else ""
            return [StorageError(f"The move could not be kept{reason}, so it was not played.")] * len(batch)

    def _settle(self, batch: list[_Job], outcomes: list[Exception | None]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
        for job, outcome in zip(batch, outcomes, strict=True):
            by_loop.setdefault(job.loop, []).append((job.done, outcome))
        for loop, pairs in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop is gone, and whoever waited with it
                loop.call_soon_threadsafe(_tell, pairs)


def _tell(pairs: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, outcome in pairs:
        if done.done():
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(outcome)


def _is_other_process(pid: int) -> bool:
    """Say whether another process of this number runs on this machine; where that cannot be asked: yes."""
    if pid == os.getpid():
        return False
    if sys.platform == "win32":  # there os.kill ends whatever it is asked about
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def read_agreement(text: str) -> Agreement:
    """Return what a table's people agreed upon; raises `StorageError` for what is none."""
    try:
        return msgspec.json.decode(text, type=Agreement)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise StorageError(f"What was agreed upon at a table cannot be read: {error}.") from error

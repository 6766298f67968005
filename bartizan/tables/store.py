"""Keep every table's moves on disk: an entry is acknowledged once it is durable.

SQLite in WAL mode with ``synchronous=FULL``.  One thread writes: it takes all
appends that wait, commits them together and reports back, so that a commit's
cost is shared and the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, Self

import msgspec

from bartizan.tables.errors import Conflict, StorageError

log = logging.getLogger("bartizan.server")

FILE_NAME = "tables.sqlite"
APPLICATION_ID = 0x42415254  # "BART", in the database's header
SCHEMA_VERSION = 3
MOST_PER_COMMIT = 2048
POLL_SECONDS = 0.5  # how often to look for what another process wrote

# The log's column `ply` holds the version that an entry made: it was named before the two were told apart.
SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules INTEGER NOT NULL, options TEXT NOT NULL,
    seats INTEGER NOT NULL, players TEXT NOT NULL, seed TEXT NOT NULL, created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE tokens (
    hash BLOB NOT NULL, table_id TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (hash, table_id)
) WITHOUT ROWID;
CREATE INDEX tokens_of_table ON tokens (table_id, seat);
CREATE TABLE log (
    table_id TEXT NOT NULL, ply INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
    text TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, throw BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (table_id, ply)
) WITHOUT ROWID;
"""

# Since form 2 a key may open several tables: those that followed one another as rematches.
FROM_FORM_1 = """
ALTER TABLE tokens RENAME TO tokens_1;
DROP INDEX tokens_of_table;
CREATE TABLE tokens (
    hash BLOB NOT NULL, table_id TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (hash, table_id)
) WITHOUT ROWID;
CREATE INDEX tokens_of_table ON tokens (table_id, seat);
INSERT INTO tokens SELECT hash, table_id, seat FROM tokens_1;
DROP TABLE tokens_1;
"""

# Since form 3 an entry may hold a throw that was made at the table.
FROM_FORM_2 = """
ALTER TABLE log ADD COLUMN throw BLOB NOT NULL DEFAULT x'';
"""

INSERT_ENTRY = """
INSERT INTO log (table_id, ply, kind, seat, text, id, at, throw)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
WHERE (SELECT COALESCE(MAX(ply), 0) FROM log WHERE table_id = ?1) = ?2 - 1
"""

Kind = Literal["move", "undo", "redo", "hint", "resign", "offer", "agree", "decline", "rematch"]


class Entry(msgspec.Struct, frozen=True):
    """One entry of a table's log."""

    kind: Kind
    seat: int
    text: str = ""  # the move in canonical notation; of the rematch that all want, its table
    id: str = ""  # the client's message id, so that it is played once
    throw: bytes = b""  # of a move that reports a throw made at the table: what was seen of it, as JSON


class TableRow(msgspec.Struct, frozen=True):
    """What is known of a table before its first move; tokens are kept as hashes only."""

    table: str
    game: str
    rules: int  # the version of the game's rules
    options: dict[str, bool | int | str]
    seats: int
    players: tuple[str, ...]  # by seat: "person", or a program's name
    seed: str  # secret until the game is over
    tokens: tuple[bytes, ...]  # SHA-256; the spectators' first, then by seat; b"" for none
    created: int = 0  # seconds since 1970


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
                f"The data folder {folder} cannot be used: {_reason(error)}. Name another with --data."
            ) from error
        writer = None
        try:
            writer = _connect(path)
            _prepare(writer, path)
            reader = _connect(path)
            reader.execute("PRAGMA query_only = ON")
        except sqlite3.Error as error:
            if writer:
                writer.close()
            raise StorageError(_sentence(path, error)) from error
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

    async def append(self, table: str, version: int, entry: Entry) -> None:
        """Add a table's `version`-th entry (from 1); return once it is durable.

        Raises `Conflict` if the log does not end at ``version - 1``, and
        `StorageError` if it could not be written; then it may or may not be
        found there later, but it was not acknowledged.
        """
        row = (table, version, entry.kind, entry.seat, entry.text, entry.id, int(time.time()), entry.throw)

        def write(db: sqlite3.Connection) -> Exception | None:
            if db.execute(INSERT_ENTRY, row).rowcount == 1:
                return None
            return Conflict(f"Version {version} of table {table} is not the next.")

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
        )
        tokens = [(hashed, row.table, seat) for seat, hashed in enumerate(row.tokens) if hashed]

        def write(db: sqlite3.Connection) -> Exception | None:
            db.execute("SAVEPOINT created")
            try:
                db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
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
        query = "SELECT kind, seat, text, id, throw FROM log WHERE table_id = ? AND ply > ? ORDER BY ply"
        return [Entry(*row) for row in await self._ask(query, (table, after))]

    async def table(self, table: str) -> TableRow | None:
        """Return what is known of a table."""
        rows = await self._ask("SELECT * FROM tables WHERE id = ?", (table,))
        if not rows:
            return None
        name, game, rules, options, seats, players, seed, created = rows[0]
        hashes = [b""] * (seats + 1)
        for hashed, seat in await self._ask("SELECT hash, seat FROM tokens WHERE table_id = ?", (table,)):
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
        )

    async def find(self, token_hash: bytes) -> tuple[str, int] | None:
        """Return the table and seat that a token's hash opens; the newest of several tables."""
        query = """
            SELECT table_id, seat FROM tokens JOIN tables ON tables.id = table_id
            WHERE hash = ? ORDER BY created DESC LIMIT 1
        """
        rows = await self._ask(query, (token_hash,))
        return (rows[0][0], rows[0][1]) if rows else None

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[tuple]:  # type: ignore[type-arg]
        def ask() -> list[tuple]:  # type: ignore[type-arg]
            return self._reader.execute(query, values).fetchall()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, ask)
        except sqlite3.Error as error:
            raise StorageError(_sentence(self.path, error)) from error

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
            with _transaction(db):
                return [job.write(db) for job in batch]
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody in the batch is acknowledged
            log.error("commit failed: %s", type(error).__name__)
            reason = f" ({_why(error)})" if isinstance(error, sqlite3.Error) else ""
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


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write all that is done within, or nothing of it; other processes' writes wait meanwhile."""
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _lay_out(db: sqlite3.Connection, script: str) -> None:
    """Execute statements that lead to today's form, one by one: `executescript` would commit before them."""
    for statement in filter(str.strip, script.split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Check that a database is ours and whole, or make it so; raises `StorageError` or `sqlite3.Error`."""
    db.execute("PRAGMA busy_timeout = 5000")
    owner = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if owner != APPLICATION_ID and not (empty and owner == 0):
        raise StorageError(f"{path} is not a database of Bartizan's. Name another folder with --data.")
    if version > SCHEMA_VERSION:
        raise StorageError(
            f"{path} was made by a newer Bartizan (form {version}, this one reads {SCHEMA_VERSION})."
        )
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise StorageError(_damaged(path))
    if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise StorageError(f"The data folder {path.parent} does not allow a shared database (WAL).")
    db.execute("PRAGMA synchronous = FULL")
    if empty:
        # Another process may be doing the same: whoever is second finds the tables made.
        with _transaction(db):
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                _lay_out(db, SCHEMA)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    else:
        _bring_up_to_date(db)
        for table in ("tables", "tokens", "log"):
            db.execute(f"SELECT 1 FROM {table} LIMIT 1")


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Change a database of an earlier form to today's, all or nothing; raises `sqlite3.Error`."""
    with _transaction(db):
        form = db.execute("PRAGMA user_version").fetchone()[0]
        scripts = (FROM_FORM_1, FROM_FORM_2)[form - 1 :] if form else ()
        for script in scripts:
            _lay_out(db, script)


def _damaged(path: Path) -> str:
    return f"{path} is damaged or no database. Move it away, or name another folder with --data."


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _why(error: sqlite3.Error) -> str:
    if "full" in str(error):
        return "the disk is full"
    if "locked" in str(error) or "busy" in str(error):
        return "another program holds the database"
    return "the disk could not be written"


def _sentence(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return f"The disk that holds {path} is full."
    if "locked" in text or "busy" in text:
        return f"Another program holds {path}."
    if "readonly" in text or "unable to open" in text or "disk I/O" in text:
        return f"{path} cannot be written. Name another folder with --data."
    return _damaged(path)

"""Create the SQLite database of tables, check that a file is ours and intact, and migrate older forms."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bartizan.tables.errors import StorageError

APPLICATION_ID = 0x42415254  # "BART", in the database's header
SCHEMA_VERSION = 8

# The log's column `ply` holds the version that an entry made: it was named before the two were told apart.
# Its `sequence` counts the entries of all tables in the order in which they came, and is never given twice,
# so that a process asks for what others wrote by one number. `FROM_FORM_5` adds its newest columns.
LOG = """
CREATE TABLE log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id TEXT NOT NULL, ply INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
    text TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, throw BLOB NOT NULL DEFAULT x'',
    spent INTEGER NOT NULL DEFAULT 0, UNIQUE (table_id, ply)
);
"""
# Since form 6 an entry has a link to the entries before it and a checksum; earlier ones have 0.
FROM_FORM_5 = """
ALTER TABLE log ADD COLUMN link INTEGER NOT NULL DEFAULT 0;
ALTER TABLE log ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
"""
# Since form 7 the host can block a key, and people can report one another.
FROM_FORM_6 = """
ALTER TABLE tokens ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
CREATE TABLE reports (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
    about INTEGER NOT NULL, about_name TEXT NOT NULL, reason TEXT NOT NULL, line TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (table_id, seat, id)
) WITHOUT ROWID;
"""
# Since form 8 browsers can be notified: the push services' addresses of them, by the key to a seat.
FROM_FORM_7 = """
CREATE TABLE pushes (
    table_id TEXT NOT NULL, hash BLOB NOT NULL, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL,
    auth TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (hash, endpoint)
) WITHOUT ROWID;
"""
# Which processes are up, while clocks run: by host and process number, and when they were heard of last.
SERVERS = """
CREATE TABLE servers (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
"""
# Beside the logs stand facts that are no part of any game: when clocks run out, who people say they are, what
# they say.
BESIDES = """
CREATE TABLE clocks (
    table_id TEXT PRIMARY KEY, version INTEGER NOT NULL, deadline INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX clocks_by_deadline ON clocks (deadline);
CREATE TABLE persons (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, arms TEXT NOT NULL,
    deaf INTEGER NOT NULL, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE chat (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL,
    emote TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
"""

SCHEMA = (
    """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules INTEGER NOT NULL, options TEXT NOT NULL,
    seats INTEGER NOT NULL, players TEXT NOT NULL, seed TEXT NOT NULL, created INTEGER NOT NULL,
    agreement TEXT NOT NULL DEFAULT '{}', closed INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE tokens (
    hash BLOB NOT NULL, table_id TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (hash, table_id)
) WITHOUT ROWID;
CREATE INDEX tokens_of_table ON tokens (table_id, seat);
"""
    + LOG
    + FROM_FORM_5
    + FROM_FORM_6
    + FROM_FORM_7
    + SERVERS
    + BESIDES
)

# Since form 2 a key may open several tables: a table and its rematches.
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

# Since form 4 an entry holds the time it took on a clock, and a table its agreement.
FROM_FORM_3 = (
    """
ALTER TABLE log ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN agreement TEXT NOT NULL DEFAULT '{}';
CREATE TABLE heartbeat (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL, pid INTEGER NOT NULL);
"""
    + BESIDES
)

# Since form 5 entries have a sequence number, tables can be closed, and each process has a heartbeat.
FROM_FORM_4 = (
    "ALTER TABLE log RENAME TO log_4;"
    + LOG
    + """
INSERT INTO log (table_id, ply, kind, seat, text, id, at, throw, spent)
SELECT table_id, ply, kind, seat, text, id, at, throw, spent FROM log_4 ORDER BY at, table_id, ply;
DROP TABLE log_4;
ALTER TABLE tables ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
"""
    + SERVERS
    + """
INSERT INTO servers SELECT 'an earlier server/' || pid, at FROM heartbeat;
DROP TABLE heartbeat;
"""
)
MIGRATIONS = (FROM_FORM_1, FROM_FORM_2, FROM_FORM_3, FROM_FORM_4, FROM_FORM_5, FROM_FORM_6, FROM_FORM_7)


def connect(path: Path) -> sqlite3.Connection:
    """Open a database that any thread may use, with transactions begun explicitly."""
    return sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write everything in the block atomically; other processes' writes wait until it ends."""
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def _lay_out(db: sqlite3.Connection, script: str) -> None:
    """Execute statements that lead to the current form, one by one, as `executescript` would commit first."""
    for statement in filter(str.strip, script.split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def prepare(db: sqlite3.Connection, path: Path, *, checked: bool = False) -> None:
    """Check that a database is ours and intact, or create it; raises `StorageError` or `sqlite3.Error`."""
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
    if not checked and db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise StorageError(_damaged(path))
    if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise StorageError(f"The data folder {path.parent} does not allow a shared database (WAL).")
    db.execute("PRAGMA synchronous = FULL")
    if empty:
        # Another process may be doing the same; the second one finds the tables created.
        with transaction(db):
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                _lay_out(db, SCHEMA)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    else:
        _bring_up_to_date(db)
        for table in ("tables", "tokens", "log", "clocks", "persons", "chat", "servers", "reports", "pushes"):
            db.execute(f"SELECT 1 FROM {table} LIMIT 1")


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Migrate a database to the current form, all or nothing; raises `sqlite3.Error`."""
    with transaction(db):
        form = db.execute("PRAGMA user_version").fetchone()[0]
        scripts = MIGRATIONS[form - 1 :] if form else ()
        for script in scripts:
            _lay_out(db, script)


def _damaged(path: Path) -> str:
    return (
        f"{path} is damaged or no database. `bartizan tables salvage` reads what can be read; or move it "
        "away, or name another folder with --data."
    )


def why_of(error: sqlite3.Error) -> str:
    """Say in a few words why something could not be written."""
    if "full" in str(error):
        return "the disk is full"
    if "locked" in str(error) or "busy" in str(error):
        return "another program holds the database"
    return "the disk could not be written"


def sentence_of(path: Path, error: sqlite3.Error) -> str:
    """Say in a sentence what is wrong with a database."""
    text = str(error)
    if "full" in text:
        return f"The disk that holds {path} is full."
    if "locked" in text or "busy" in text:
        return f"Another program holds {path}."
    if "readonly" in text or "unable to open" in text or "disk I/O" in text:
        return f"{path} cannot be written. Check its permissions, and the space on its disk."
    return _damaged(path)

"""Keep tables: in SQLite, the usual, or in PostgreSQL for several machines."""

from __future__ import annotations

from pathlib import Path

from bartizan.tables.store import MoveLog


def open_log(folder: Path, database: str = "", *, checked: bool = False) -> MoveLog:
    """Open what keeps the tables: the PostgreSQL database at an address, or without one a file in `folder`.

    `checked` says that somebody has just looked whether a file is whole.  Raises `StorageError`, and
    `MissingExtra` where packages for the database aren't installed.
    """
    if database:
        from bartizan.tables.storage.postgres import PostgresLog

        return PostgresLog.open(database)
    from bartizan.tables.storage.sqlite import SqliteLog

    return SqliteLog.open(folder, checked=checked)

"""Store tables: in SQLite by default, or in PostgreSQL for several machines."""

from __future__ import annotations

from pathlib import Path

from bartizan.tables.store import MoveLog


def open_log(folder: Path, database: str = "", *, checked: bool = False) -> MoveLog:
    """Open the storage of the tables: a PostgreSQL database, or without an address a file in `folder`.

    `checked` says that the file's integrity has just been checked.  Raises `StorageError`, and
    `MissingExtra` if the packages for the database aren't installed.
    """
    if database:
        from bartizan.tables.storage.postgres import PostgresLog

        return PostgresLog.open(database)
    from bartizan.tables.storage.sqlite import SqliteLog

    return SqliteLog.open(folder, checked=checked)

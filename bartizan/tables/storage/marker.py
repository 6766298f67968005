"""Detect that the database of tables is missing or empty although there was one.

SQLite treats an empty file as a new database, and discards the WAL beside it: after deleting the wrong file
you would get an empty server without a warning.  So a small marker file records that there is a database.
"""

from __future__ import annotations

import contextlib
import datetime
from pathlib import Path

from bartizan.engine.files import give_to_owner_of_folder
from bartizan.tables.errors import StorageError

MARKER = "tables.kept"


def check_marker(path: Path) -> None:
    """Raise `StorageError` if a database is missing or empty though there was one; change nothing.

    Raises `OSError` if the folder can't be read.
    """
    if path.exists() and path.stat().st_size > 0:
        return
    marker, wal = path.with_name(MARKER), path.with_name(path.name + "-wal")
    since = ""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        since = marker.read_text(encoding="utf-8").strip()[:10]
    left = wal.exists() and wal.stat().st_size > 0
    if not since and not left:
        return
    there = f"tables have been kept there since {since}" if since else "its last writes lie beside it"
    state = "empty" if path.exists() else "gone"
    raise StorageError(
        f"{path} is {state}, though {there}. Restore it, or start over in another folder (--data) and load "
        f"a backup there with `bartizan tables import`. To start over here, delete "
        f"{path.name}* and {MARKER}."
    )


def write_marker(path: Path) -> None:
    """Write a file that says that there is a database."""
    marker = path.with_name(MARKER)
    if not marker.exists():
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        with contextlib.suppress(OSError):  # the database itself is what counts
            marker.touch(mode=0o600)
            give_to_owner_of_folder(marker)
            marker.write_text(f"{today}\n", encoding="utf-8")

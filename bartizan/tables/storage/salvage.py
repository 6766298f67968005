"""Read everything readable from a damaged SQLite database of tables, and report what isn't.

The database itself isn't changed: a copy is read, table by table and from both ends, around damaged pages.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import reason
from bartizan.tables.errors import StorageError
from bartizan.tables.storage.archive import fault_of
from bartizan.tables.storage.sql import row_of
from bartizan.tables.store import ChatRow, EntryRow, PersonRow, StoredEntry, StoredTable

SOUGHT = 64  # jumps over damage, each twice as far as the last, before the end is assumed
_decoder = msgspec.json.Decoder(StoredTable)


class Salvage(msgspec.Struct, frozen=True):
    """What was found in a damaged database."""

    tables: tuple[StoredTable, ...]
    losses: tuple[str, ...]  # sentences


def salvage(path: Path) -> Salvage:
    """Read what can be read; raises `StorageError` if nothing can."""
    with tempfile.TemporaryDirectory(prefix="bartizan-salvage-") as folder:
        copy = Path(folder) / path.name
        try:
            for suffix in ("", "-wal"):
                beside = path.with_name(path.name + suffix)
                if beside.exists():
                    shutil.copyfile(beside, copy.with_name(copy.name + suffix))
        except OSError as error:
            raise StorageError(f"{path} cannot be read: {reason(error)}.") from error
        with contextlib.closing(sqlite3.connect(copy)) as db:
            db.text_factory = lambda data: data.decode("utf-8", "replace")
            try:
                columns = {
                    name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
                    for name in ("tables", "tokens", "log", "persons", "chat", "clocks")
                }
            except sqlite3.Error as error:
                raise StorageError(f"Nothing can be read of {path}: {error}.") from error
            if not columns["tables"] or not columns["log"]:
                raise StorageError(f"Nothing can be read of {path}: it has no tables of Bartizan's.")
            return _Reading(db, columns).result()


class _Reading:
    """One pass over a copy of a damaged database."""

    def __init__(self, db: sqlite3.Connection, columns: dict[str, list[str]]) -> None:
        self._db = db
        self._columns = columns
        self._losses: list[str] = []

    def result(self) -> Salvage:
        logs = self._logs()
        rows: dict[Any, dict[str, Any]] = {row["id"]: row for row in self._rows("tables", "id")}
        # A table between unreadable rows may be found by its name in the log.
        for name in sorted(map(str, logs.keys() - rows.keys())):
            for values in self._ask("SELECT * FROM tables WHERE id = ?", name):
                rows[name] = dict(zip(self._columns["tables"], values, strict=True))
        keys = self._grouped("tokens", "hash, table_id", "table_id")
        persons, chat = self._grouped("persons", "table_id, seat"), self._grouped("chat", "table_id, number")
        clocks = self._grouped("clocks", "table_id")
        tables = []
        for name, row in sorted(rows.items(), key=lambda pair: (str(pair[1].get("created")), str(pair[0]))):
            try:
                tables.append(
                    self._table(row, logs.get(name, {}), keys[name], persons[name], chat[name], clocks[name])
                )
            except (BartizanError, TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
                self._losses.append(f"Table {_shown(name)} is lost: its content is invalid ({error}).")
        for name in sorted(map(str, logs.keys() - rows.keys())):
            count = len(logs[name])
            self._losses.append(
                f"Table {_shown(name)} is lost with {count} entries: its game and its deal cannot be read."
            )
        return Salvage(tuple(tables), tuple(self._losses))

    def _table(self, row: dict[str, Any], log: dict[int, dict[str, Any]], *besides: Any) -> StoredTable:
        keys, persons, chat, clocks = besides
        names = ("id", "game", "rules", "options", "seats", "players", "seed", "created")
        table_row = row_of(
            [*(row[name] for name in names), row.get("agreement", "{}"), row.get("closed", 0)],
            [(key["hash"], key["seat"]) for key in keys],
        )
        entries: list[StoredEntry] = []
        while (one := log.get(len(entries) + 1)) is not None:
            entry = EntryRow(
                one["kind"], one["seat"], one["text"], one["id"], one.get("throw", b""), one.get("spent", 0)
            )
            entries.append(StoredEntry(len(entries) + 1, entry, one["at"]))
        last = max(log, default=0)
        if last > len(entries):
            self._losses.append(f"Table {table_row.table} ends at entry {len(entries)} of {last}.")
        if not any(table_row.tokens):
            self._losses.append(f"The keys of table {table_row.table} are lost: no one can join it.")
        clock = (clocks[0]["deadline"], clocks[0]["version"]) if clocks and last == len(entries) else (0, 0)
        table = StoredTable(
            table_row,
            tuple(entries),
            tuple(PersonRow(one["seat"], one["name"], one["arms"], bool(one["deaf"])) for one in persons),
            tuple(
                ChatRow(one["number"], one["seat"], one["text"], one["emote"], one["at"])
                for one in sorted(chat, key=lambda one: one["number"])
            ),
            clock,
        )
        if fault := fault_of(_decoder.decode(msgspec.json.encode(table))):
            raise ValueError(fault)
        return table

    def _logs(self) -> dict[Any, dict[int, dict[str, Any]]]:
        """Return the entries by table and version, as far as they can be read."""
        logs: dict[Any, dict[int, dict[str, Any]]] = defaultdict(dict)
        rows = self._numbered() if "sequence" in self._columns["log"] else self._rows("log", "table_id, ply")
        for one in rows:
            if isinstance(one["ply"], int):
                logs[one["table_id"]].setdefault(one["ply"], one)
        return logs

    def _numbered(self) -> Iterator[dict[str, Any]]:
        """Yield entries by number, jumping over unreadable ones."""
        at, jump, misses = 0, 1, 0
        while misses < SOUGHT:
            before = at
            try:
                query = "SELECT * FROM log NOT INDEXED WHERE sequence > ? ORDER BY sequence"
                for row in self._db.execute(query, (at,)):
                    one = dict(zip(self._columns["log"], row, strict=True))
                    at, jump, misses = one["sequence"], 1, 0
                    yield one
                return
            except sqlite3.Error:
                if not misses:
                    self._losses.append(
                        f"Entries after number {at} of the log can't be read: the last moves at some tables "
                        "may be lost, but nothing before them is missing."
                    )
                if at == before:
                    misses += 1
                at, jump = at + jump, jump * 2
                if at >= 2**62:
                    return

    def _rows(self, table: str, key: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table from both ends until damage; some may appear twice."""
        names = self._columns[table]
        if not names:
            return
        backwards = ", ".join(f"{each} DESC" for each in key.split(", "))
        for order in (key, backwards):
            try:
                for row in self._db.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                    yield dict(zip(names, row, strict=True))
                return
            except sqlite3.Error:
                continue
        self._losses.append(f"The middle of {table!r} may be lost: the file is damaged there.")

    def _grouped(self, table: str, key: str, by: str = "table_id") -> dict[Any, list[dict[str, Any]]]:
        groups: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for row in self._rows(table, key):
            if row not in groups[row[by]]:
                groups[row[by]].append(row)
        return groups

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error:
            return []


def _shown(name: object) -> str:
    text = str(name)
    return text if text.isprintable() and len(text) <= 40 else repr(text[:40])

"""Read everything readable from a damaged SQLite database of tables, and report what isn't.

The database itself isn't changed: a copy is read, table by table and from both ends, around damaged pages.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import reason, replacing
from bartizan.tables.bridging import bridge
from bartizan.tables.errors import StorageError
from bartizan.tables.linking import is_altered
from bartizan.tables.provider import GameProvider
from bartizan.tables.storage.archive import fault_of
from bartizan.tables.storage.pages import rows_of_pages
from bartizan.tables.storage.rows import row_of
from bartizan.tables.storage.sqlite_form import SCHEMA_VERSION
from bartizan.tables.store import ChatRow, EntryRow, PersonRow, ReportRow, StoredEntry, StoredTable

UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the latter if a damaged name is in SQLite's own message
SOUGHT = 64  # jumps over damage, each twice as far as the last, before the end is assumed
# What is stored beside the logs: the database table, its order, and its name in sentences.
BESIDES = {
    "tokens": ("hash, table_id", "keys"),
    "persons": ("table_id, seat", "names"),
    "chat": ("table_id, number", "chat"),
    "reports": ("table_id, seat, id", "reports"),
    "clocks": ("table_id", "clock"),
}
BEHIND = "unplayable.jsonl"  # the file for entries that can't be played
NEWER = "A newer Bartizan made this database; what only that one knows is left out."
MOST_NAMED = 10  # entries that a sentence names
BY_NUMBER = "SELECT * FROM log NOT INDEXED WHERE sequence"
_decoder = msgspec.json.Decoder(StoredTable)
_entry = msgspec.json.Decoder(StoredEntry)


class Salvage(msgspec.Struct, frozen=True):
    """What was found in a damaged database."""

    tables: tuple[StoredTable, ...]
    losses: tuple[str, ...]  # sentences
    behind: dict[str, tuple[StoredEntry, ...]] = {}  # by table: readable entries that can't be played


def salvage(path: Path, games: GameProvider | None = None) -> Salvage:
    """Read what can be read; raises `StorageError` if nothing can.

    With `games`, missing entries are worked out where that is possible.
    """
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
                    for name in ("tables", "log", *BESIDES)
                }
                is_newer = db.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION
            except UNREADABLE as error:
                raise StorageError(f"Nothing can be read of {path}: {error}.") from error
            if not columns["tables"] or not columns["log"]:
                raise StorageError(f"Nothing can be read of {path}: it has no tables of Bartizan's.")
            return _Reading(db, copy, columns, games, [NEWER] if is_newer else []).result()


def write_behind(path: Path, behind: Mapping[str, Sequence[StoredEntry]]) -> None:
    """Write the entries that can't be played, a line of JSON for each table; raises `Unwritable`."""
    if behind:
        with replacing(path, 0o600) as part, part.open("wb") as file:
            for table, entries in behind.items():
                file.write(msgspec.json.encode({"table": table, "entries": entries}) + b"\n")


class _Reading:
    """One pass over a copy of a damaged database."""

    def __init__(
        self,
        db: sqlite3.Connection,
        copy: Path,
        columns: dict[str, list[str]],
        games: GameProvider | None,
        losses: list[str],
    ) -> None:
        self._db = db
        self._copy = copy
        self._most = copy.stat().st_size
        self._columns = columns
        self._games = games
        self._losses = losses
        self._behind: dict[str, tuple[StoredEntry, ...]] = {}
        self._torn: set[str] = set()  # database tables whose middle can't be read in order

    def result(self) -> Salvage:
        rows: dict[Any, dict[str, Any]] = {row["id"]: row for row in self._rows("tables", "id")}
        logs = self._logs(rows.keys())
        # A table between unreadable rows may be found by its name in the log.
        for name in sorted(map(str, logs.keys() - rows.keys())):
            for values in self._ask("SELECT * FROM tables WHERE id = ?", name):
                rows[name] = dict(zip(self._columns["tables"], values, strict=True))
        besides = {table: self._grouped(table, key) for table, (key, _) in BESIDES.items()}
        tables = []
        if "tables" in self._torn:
            self._losses.append("Tables without readable entries may be lost: the list of tables is damaged.")
        for name, row in sorted(rows.items(), key=lambda pair: (str(pair[1].get("created")), str(pair[0]))):
            try:
                found = [self._besides(table, name, groups) for table, groups in besides.items()]
                tables.append(self._table(row, logs.get(name, {}), *found))
            except (BartizanError, TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
                self._losses.append(f"Table {_shown(name)} is lost: its content is invalid ({error}).")
        for name in sorted(map(str, logs.keys() - rows.keys())):
            known, _ = _sorted_out(str(name), logs[name])
            self._behind[str(name)] = tuple(known[at] for at in sorted(known))
            self._losses.append(f"Table {_shown(name)} is lost: only {_count(len(known))} can be read.")
        return Salvage(tuple(tables), tuple(self._losses), self._behind)

    def _table(self, row: dict[str, Any], log: dict[int, dict[str, Any]], *besides: Any) -> StoredTable:
        keys, persons, chat, reports, clocks = besides
        names = ("id", "game", "rules", "options", "seats", "players", "seed", "created")
        table_row = row_of(
            [*(row[name] for name in names), row.get("agreement", "{}"), row.get("closed", 0)],
            [(key["hash"], key["seat"], key.get("blocked", 0)) for key in keys],
        )
        name = table_row.table
        known, altered = _sorted_out(name, log)
        bridged = bridge(self._games, table_row, known, altered)
        entries = bridged.entries
        last = max([self._last(name), *log])
        for versions, why in (
            (bridged.proven, "the entries after it prove what was there"),
            (bridged.inferred, "by the rules, no other moves let the later ones follow"),
        ):
            if versions:
                self._losses.append(f"{_entries(versions)} of table {name} was restored: {why}.")
        if altered:
            self._losses.append(f"{_entries(sorted(altered))} of table {name} was changed in the file.")
        if last > len(entries):
            behind = ""
            if bridged.behind:
                self._behind[name] = bridged.behind
                behind = f" {_count(len(bridged.behind))} behind the gap can be read but not played."
            self._losses.append(f"Table {name} ends at entry {len(entries)} of {last}.{behind}")
        if not any(table_row.tokens):
            self._losses.append(f"The keys of table {table_row.table} are lost: no one can join it.")
        clock = (clocks[0]["deadline"], clocks[0]["version"]) if clocks and last == len(entries) else (0, 0)
        table = StoredTable(
            table_row,
            entries,
            tuple(PersonRow(one["seat"], one["name"], one["arms"], bool(one["deaf"])) for one in persons),
            tuple(
                ChatRow(one["number"], one["seat"], one["text"], one["emote"], one["at"])
                for one in sorted(chat, key=lambda one: one["number"])
            ),
            clock,
            tuple(
                msgspec.convert(one, ReportRow)
                for one in sorted(reports, key=lambda one: (one["at"], one["seat"], one["id"]))
            ),
        )
        if fault := fault_of(_decoder.decode(msgspec.json.encode(table))):
            raise ValueError(fault)
        return table

    def _logs(self, names: Collection[Any]) -> dict[Any, dict[int, dict[str, Any]]]:
        """Return the readable entries by table and version; `names` are the tables that are known."""
        logs: dict[Any, dict[int, dict[str, Any]]] = defaultdict(dict)
        rows = self._numbered() if "sequence" in self._columns["log"] else self._rows("log", "table_id, ply")
        for one in rows:
            if isinstance(one["ply"], int):
                logs[one["table_id"]].setdefault(one["ply"], one)
        if "log" in self._torn and "checksum" in self._columns["log"]:
            for one in self._unlinked():
                if one["table_id"] in names or one["table_id"] in logs:  # others were deleted
                    logs[one["table_id"]].setdefault(one["ply"], one)
        return logs

    def _unlinked(self) -> Iterator[dict[str, Any]]:
        """Yield the entries on pages that can't be found in order, if their checksums show them genuine."""
        names = self._columns["log"]
        with contextlib.suppress(*UNREADABLE):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        (size,) = self._ask("PRAGMA page_size")[0]
        for values in rows_of_pages(self._copy, size, len(names)):
            one: dict[str, Any] = dict(zip(names, values, strict=True))
            each = _stored(one["ply"], one)
            if each is not None and each.checksum and not is_altered(str(one["table_id"]), each):
                yield one

    def _last(self, name: str) -> int:
        """Return a table's last version by the index, which may outlast the entry itself; 0 if unknown."""
        return next((at for (at,) in self._ask("SELECT MAX(ply) FROM log WHERE table_id = ?", name) if at), 0)

    def _numbered(self) -> Iterator[dict[str, Any]]:
        """Yield entries by number, going around unreadable ones; some may appear twice."""
        at, jump, misses = 0, 1, 0
        while misses < SOUGHT:
            before, jumped = at, misses > 0
            try:
                for row in self._db.execute(f"{BY_NUMBER} > ? ORDER BY sequence", (at,)):
                    one = dict(zip(self._columns["log"], row, strict=True))
                    if one["sequence"] <= at:
                        raise sqlite3.DatabaseError("the order is damaged")
                    if jumped:  # what was jumped over may be readable from its other end
                        yield from self._backwards(one["sequence"])
                    at, jump, misses, jumped = one["sequence"], 1, 0, False
                    yield one
                return
            except UNREADABLE:
                self._torn.add("log")
                if at == before:
                    misses += 1
                at, jump = at + jump, jump * 2
                if at >= 2**62:
                    return

    def _backwards(self, end: int) -> Iterator[dict[str, Any]]:
        """Yield the entries before a number, the last first, as far as they can be read."""
        with contextlib.suppress(*UNREADABLE):
            for row in self._db.execute(f"{BY_NUMBER} < ? ORDER BY sequence DESC", (end,)):
                one = dict(zip(self._columns["log"], row, strict=True))
                if one["sequence"] >= end:
                    return
                end = one["sequence"]
                yield one

    def _rows(self, table: str, key: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table from both ends until damage; some may appear twice."""
        names = self._columns[table]
        if not names:
            return
        backwards = ", ".join(f"{each} DESC" for each in key.split(", "))
        for order in (key, backwards):
            try:
                for row in self._limited(f"SELECT * FROM {table} ORDER BY {order}"):
                    yield dict(zip(names, row, strict=True))
                return
            except UNREADABLE:
                continue
        self._torn.add(table)

    def _grouped(self, table: str, key: str) -> dict[Any, list[dict[str, Any]]]:
        groups: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for row in self._rows(table, key):
            if row not in groups[row["table_id"]]:
                groups[row["table_id"]].append(row)
        return groups

    def _besides(
        self, table: str, name: str, groups: dict[Any, list[dict[str, Any]]]
    ) -> list[dict[str, Any]]:
        """Return what a database table holds about a table, asking by its name where a scan was cut short."""
        found = list(groups[name])
        if table in self._torn:
            columns = ", ".join(self._columns[table])
            try:
                for values in self._limited(f"SELECT {columns} FROM {table} WHERE table_id = ?", name):
                    row = dict(zip(self._columns[table], values, strict=True))
                    if row not in found:
                        found.append(row)
            except UNREADABLE:
                self._losses.append(f"The {BESIDES[table][1]} of table {_shown(name)} may be incomplete.")
        return found

    def _limited(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield at most as many rows as the file has bytes: damaged pages may form a circle."""
        yield from islice(self._db.execute(query, values), self._most)

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except UNREADABLE:
            return []


def _shown(name: object) -> str:
    text = str(name)
    return text if text.isprintable() and len(text) <= 40 else repr(text[:40])


def _sorted_out(
    table: str, log: dict[int, dict[str, Any]]
) -> tuple[dict[int, StoredEntry], dict[int, StoredEntry]]:
    """Return a table's entries by version, and apart those that don't match their checksum."""
    known: dict[int, StoredEntry] = {}
    altered: dict[int, StoredEntry] = {}
    for version, one in log.items():
        if (each := _stored(version, one)) is not None:
            (altered if is_altered(table, each) else known)[version] = each
    return known, altered


def _stored(version: Any, one: dict[str, Any]) -> StoredEntry | None:
    """Return an entry from its columns, which may hold anything; None if they can't be an entry's."""
    try:
        row = EntryRow(
            one["kind"], one["seat"], one["text"], one["id"], one.get("throw", b""),
            one.get("spent", 0), one.get("link", 0),
        )  # fmt: skip
        stored = StoredEntry(version, row, one["at"], one.get("checksum", 0))
        return _entry.decode(msgspec.json.encode(stored))
    except (msgspec.ValidationError, TypeError, ValueError):
        return None


def _entries(versions: Sequence[int]) -> str:
    """Name entries, with a verb in the singular to follow."""
    names = ", ".join(map(str, versions[:MOST_NAMED]))
    more = f" and {len(versions) - MOST_NAMED} more" if len(versions) > MOST_NAMED else ""
    return f"Entry {names}{more}" if len(versions) == 1 else f"Each of the entries {names}{more}"


def _count(count: int) -> str:
    return f"{count} entries" if count != 1 else "1 entry"

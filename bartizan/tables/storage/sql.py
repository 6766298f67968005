"""Read and write tables with SQL that both SQLite and PostgreSQL understand.

Parameters have PostgreSQL's form, ``$1``; for SQLite they become ``?1``.
"""

from __future__ import annotations

import itertools
import os
import socket
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

import msgspec
from msgspec.json import decode

from bartizan.tables.errors import BadRequest, Conflict, DamagedTable, NotAllowed, StorageError, UnknownTable
from bartizan.tables.linking import checksum_of, is_altered
from bartizan.tables.storage.rows import (
    Ask,
    Rows,
    read_chat,
    read_entries,
    read_persons,
    read_reports,
    read_row,
    read_stored,
    reading,
    row_as,
)
from bartizan.tables.store import (
    CHAT_LINES,
    KEY_PUSHES,
    ChatRow,
    EntryRow,
    PersonRow,
    PushRow,
    ReportRow,
    StoredEntry,
    StoredTable,
    TableRow,
    TableSummary,
)

CLOSED = "The host has closed this table."
NO_TABLE = "This table doesn't exist."
SALVAGE = "`bartizan tables salvage` reads what can be read."
KEPT_OF_A_TABLE = ("tables", "tokens", "log", "clocks", "persons", "chat", "reports", "pushes")
EARLIER = "an earlier server"  # the host name in a row left by a migration
AT_ONCE = 500  # tables that one check for expired ones handles
_numbers = itertools.count(1)

INSERT_TABLE = """
INSERT INTO tables (id, game, rules, options, seats, players, seed, created, agreement, closed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
"""
# A key that is blocked at one table is blocked at each: a rematch may be dealt at the same moment.
INSERT_TOKEN = """
INSERT INTO tokens (hash, table_id, seat, blocked) VALUES ($1, $2, $3,
    CASE WHEN $4 = 1 OR EXISTS (SELECT 1 FROM tokens WHERE hash = $1 AND blocked = 1) THEN 1 ELSE 0 END)
ON CONFLICT DO NOTHING
"""
INSERT_STORED = """
INSERT INTO log (table_id, ply, kind, seat, text, id, at, throw, spent, link, checksum)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
INSERT_CHAT = """
INSERT INTO chat (table_id, number, seat, text, emote, at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING
"""
INSERT_REPORT = """
INSERT INTO reports (table_id, seat, id, name, about, about_name, reason, line, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
"""
SET_PUSH = """
INSERT INTO pushes (table_id, hash, endpoint, p256dh, auth, at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash, endpoint) DO UPDATE
SET p256dh = excluded.p256dh, auth = excluded.auth, at = excluded.at
"""
DROP_OLD_PUSHES = f"""
DELETE FROM pushes WHERE hash = $1 AND endpoint NOT IN
    (SELECT endpoint FROM pushes WHERE hash = $1 ORDER BY at DESC, endpoint LIMIT {KEY_PUSHES})
"""
THERE = "UPDATE tables SET closed = closed WHERE id = $1"  # until the write is durable
SET_PERSON = """
INSERT INTO persons (table_id, seat, name, arms, deaf) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (table_id, seat) DO UPDATE SET name = excluded.name, arms = excluded.arms, deaf = excluded.deaf
"""
SET_CLOCK = """
INSERT INTO clocks (table_id, version, deadline) VALUES ($1, $2, $3)
ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, deadline = excluded.deadline
"""
SET_SERVER = """
INSERT INTO servers (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at
"""
BEAT = """
INSERT INTO servers (name, at)
SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT) WHERE EXISTS (SELECT 1 FROM clocks)
ON CONFLICT (name) DO UPDATE SET at = excluded.at
"""
NEVER_PLAYED = "NOT EXISTS (SELECT 1 FROM log WHERE table_id = tables.id AND kind = 'move')"
SUMMARIES = """
SELECT tables.id, game, players, created, COALESCE(max(log.at), 0), count(log.ply),
       count(log.ply) FILTER (WHERE log.kind = 'move'), closed
FROM tables LEFT JOIN log ON log.table_id = tables.id GROUP BY tables.id ORDER BY created, tables.id
"""


class Statement(NamedTuple):
    """One statement, and the error if it changes nothing; then the whole write is undone."""

    sql: str
    values: tuple[Any, ...]
    refusal: Exception | None = None


Write = tuple[Statement, ...]


class SqlLog(ABC):
    """What the stores have in common: the statements. Each store executes them in its own way."""

    def __init__(self) -> None:
        self._server = f"{socket.gethostname()}/{os.getpid()}"
        self._process = f"{self._server}/{next(_numbers)}"

    @property
    def process(self) -> str:
        """The name of this process among those that share the tables."""
        return self._process

    @abstractmethod
    async def _ask(self, query: str, *values: object) -> Rows:
        """Return the rows of a query; raises `StorageError`."""

    @abstractmethod
    async def _submit(self, write: Write) -> None:
        """Carry out a write; return once it is durable.  Raises what was refused, and `StorageError`."""

    @abstractmethod
    async def _append(self, values: tuple[Any, ...], more: Write) -> None:
        """Add an entry and everything that belongs to it, if it is the log's next; raises `Conflict`."""

    @abstractmethod
    async def _load(self, groups: Iterator[tuple[str, list[tuple[Any, ...]]]]) -> None:
        """Execute many statements with many rows, all or none."""

    @abstractmethod
    def _snapshot(self) -> AbstractAsyncContextManager[Ask]:
        """Return a way to query a single snapshot."""

    # Tables ----------------------------------------------------------------------------------------------

    async def append(
        self, table: str, version: int, entry: EntryRow, key: tuple[bytes, int] | None = None
    ) -> None:
        """Add a table's `version`-th entry (from 1); return once it is durable.  See `MoveLog`."""
        if "\0" in entry.id or "\0" in entry.text:
            raise BadRequest("A text with a NUL in it cannot be kept.")
        more: Write = ()
        if key is not None:
            more = (Statement(INSERT_TOKEN, (key[0], table, key[1], 0)),)
        try:
            at = int(time.time())
            checksum = checksum_of(table, version, entry, at)
            await self._append(_values(table, StoredEntry(version, entry, at, checksum)), more)
        except Conflict:
            rows = await self._ask("SELECT closed FROM tables WHERE id = $1", table)
            if not rows:
                raise UnknownTable(NO_TABLE) from None
            if rows[0][0]:
                raise NotAllowed(CLOSED) from None
            raise

    async def create(self, row: TableRow) -> None:
        """Add a table; raises `Conflict` if its name exists."""
        exists = Conflict(f"There is a table {row.table} already.")
        row = msgspec.structs.replace(row, created=row.created or int(time.time()))
        tokens = (Statement(INSERT_TOKEN, values) for values in _tokens(row))
        await self._submit((Statement(INSERT_TABLE, _table(row), exists), *tokens))

    async def read(self, table: str, after: int = 0) -> list[EntryRow]:
        """Return the entries after a version, in order; none for an unknown table.

        Raises `StorageError` if one is missing or was changed.
        """
        entries = await read_entries(self._ask, table, after)
        for version, each in enumerate(entries, after + 1):
            if each.version != version:
                raise StorageError(f"Entry {version} of table {table} is missing. {SALVAGE}")
            if is_altered(table, each):
                raise StorageError(f"Entry {version} of table {table} was changed in the database. {SALVAGE}")
        return [each.entry for each in entries]

    async def table(self, table: str) -> TableRow | None:
        """Return the row of a table."""
        return await read_row(self._ask, table)

    async def find(self, token_hash: bytes) -> tuple[str, int] | None:
        """Return the newest table that a token's hash opens, and the seat, negative for an invitation."""
        query = """
            SELECT table_id, seat FROM tokens JOIN tables ON tables.id = table_id
            WHERE hash = $1 ORDER BY created DESC LIMIT 1
        """
        rows = await self._ask(query, token_hash)
        return (rows[0][0], rows[0][1]) if rows else None

    # Clocks ----------------------------------------------------------------------------------------------

    async def time(self) -> int | None:
        """Return the database's time; None if it is this machine's."""
        return None

    async def revive_clocks(self, now: int, allowance: int) -> None:
        """Postpone all clocks by the time in which no server ran; see `MoveLog`."""
        servers = await self._ask("SELECT name, at FROM servers")
        last = max((at for _, at in servers), default=now)
        dead = [name for name, at in servers if not self._is_up(name, now - at <= allowance)]
        writes = []
        if servers and len(dead) == len(servers):
            # Of several processes that start at once, the first does it: after that its own row is newer.
            query = """
                UPDATE clocks SET deadline = deadline + $1
                WHERE NOT EXISTS (SELECT 1 FROM servers WHERE at > $2)
            """
            writes.append(Statement(query, (max(0, now - last), last)))
        writes += [
            Statement("DELETE FROM servers WHERE name = $1 AND at <= $2", (name, last)) for name in dead
        ]
        await self._submit((*writes, Statement(SET_SERVER, (self._server, now))))

    def _is_up(self, name: str, heard_of: bool) -> bool:
        """Say whether a server runs; `heard_of` is whether it gave a sign of life recently."""
        host, _, pid = name.rpartition("/")
        if name == self._server or host == EARLIER:
            return False  # this process has just started: another had its number
        if host != self._server.rpartition("/")[0] or not pid.isdecimal():
            return heard_of
        return heard_of and _runs(int(pid))

    async def beat(self, now: int) -> None:
        """Record that this server is up, if clocks are running."""
        await self._submit((Statement(BEAT, (self._server, now)),))

    async def set_clock(self, table: str, version: int, deadline: int, now: int) -> None:
        """Store when the clock that runs at a version of a table runs out; 0 if none runs."""
        if deadline:
            await self._submit(
                (
                    Statement(SET_CLOCK, (table, version, deadline)),
                    Statement(SET_SERVER, (self._server, now)),
                )
            )
        else:
            await self._submit((Statement("DELETE FROM clocks WHERE table_id = $1", (table,)),))

    async def clock(self, table: str) -> tuple[int, int]:
        """Return when a table's running clock runs out, and the version at which it ran; or zeros."""
        rows = await self._ask("SELECT deadline, version FROM clocks WHERE table_id = $1", table)
        return (rows[0][0], rows[0][1]) if rows else (0, 0)

    async def due(self, before: int) -> list[tuple[str, int]]:
        """Return the tables whose clocks run out before a moment, and when, the earliest first."""
        query = "SELECT table_id, deadline FROM clocks WHERE deadline < $1 ORDER BY deadline LIMIT 1000"
        return [(table, deadline) for table, deadline in await self._ask(query, before)]

    # People and what they say ----------------------------------------------------------------------------

    async def persons(self, table: str) -> list[PersonRow]:
        """Return the names and coats of arms of a table's people, by seat."""
        return await read_persons(self._ask, table)

    async def introduce(self, table: str, person: PersonRow) -> None:
        """Store a person's name and coat of arms."""
        await self._submit((Statement(SET_PERSON, _person(table, person)),))

    async def chat(self, table: str) -> list[ChatRow]:
        """Return the stored lines of a table's chat, in order."""
        return await read_chat(self._ask, table)

    async def say(self, table: str, line: ChatRow) -> None:
        """Store a line of a table's chat, and delete old ones; raises `Conflict`."""
        refusal = Conflict(f"Line {line.number} of table {table} is not the next.")
        oldest = line.number - CHAT_LINES
        await self._submit(
            (
                Statement(INSERT_CHAT, _chat(table, line), refusal),
                Statement("DELETE FROM chat WHERE table_id = $1 AND number <= $2", (table, oldest)),
            )
        )

    async def reports(self, table: str = "") -> list[tuple[str, ReportRow]]:
        """Return the reports from a table, or from all, with the table's name; the oldest first."""
        return await read_reports(self._ask, table)

    async def report(self, table: str, report: ReportRow) -> bool:
        """Store a report; return whether it is new. Raises `UnknownTable`."""
        again = Conflict("This report is stored already.")
        try:
            await self._submit(
                (
                    Statement(THERE, (table,), UnknownTable(_no(table))),
                    Statement(INSERT_REPORT, _report(table, report), again),
                )
            )
        except Conflict:
            return False
        return True

    # Notifications ---------------------------------------------------------------------------------------

    async def pushes(self, table: str, seat: int) -> list[PushRow]:
        """Return the browsers to notify for a seat, whose keys aren't blocked; the oldest first."""
        query = """
            SELECT pushes.table_id, pushes.hash, endpoint, p256dh, auth, at
            FROM pushes JOIN tokens ON tokens.hash = pushes.hash
            WHERE tokens.table_id = $1 AND seat = $2 AND blocked = 0 ORDER BY at, endpoint
        """
        found = await self._ask(query, table, seat)
        return [PushRow(there, bytes(key), *rest) for there, key, *rest in found]

    async def set_push(self, push: PushRow) -> None:
        """Notify a browser from now on, at every table that its key opens; see `MoveLog`."""
        await self._submit(
            (
                Statement(THERE, (push.table,), UnknownTable(_no(push.table))),
                Statement(SET_PUSH, msgspec.structs.astuple(push)),
                Statement(DROP_OLD_PUSHES, (push.key,)),
            )
        )

    async def drop_push(self, endpoint: str, key: bytes = b"") -> None:
        """Don't notify a browser any more, for one key or for any."""
        query = "DELETE FROM pushes WHERE endpoint = $1 AND (hash = $2 OR $3 = 0)"
        await self._submit((Statement(query, (endpoint, key, len(key))),))

    # Blocked keys ----------------------------------------------------------------------------------------

    async def is_blocked(self, token_hash: bytes) -> bool:
        """Whether the host has blocked a key."""
        return bool(
            await self._ask("SELECT 1 FROM tokens WHERE hash = $1 AND blocked = 1 LIMIT 1", token_hash)
        )

    async def set_blocked(self, table: str, seats: Iterable[int], *, blocked: bool) -> list[str]:
        """Block all keys to seats of a table, wherever else they open one, or unblock them; see `MoveLog`."""
        keys = "hash IN (SELECT hash FROM tokens WHERE table_id = $1 AND seat = $2)"
        seats = tuple(seats)
        query = f"UPDATE tokens SET blocked = $3 WHERE {keys}"
        await self._submit(tuple(Statement(query, (table, seat, int(blocked))) for seat in seats))
        query = f"SELECT DISTINCT table_id FROM tokens WHERE {keys}"
        return sorted({name for seat in seats for (name,) in await self._ask(query, table, seat)})

    # Housekeeping -----------------------------------------------------------------------------------------

    async def count(self) -> int:
        """Count the stored tables."""
        return int((await self._ask("SELECT count(*) FROM tables"))[0][0])

    async def summaries(self) -> list[TableSummary]:
        """List all tables, the oldest first."""
        found = []
        for table, game, players, *counts, closed in await self._ask(SUMMARIES):
            with reading(table):
                found.append(row_as(TableSummary, (table, game, decode(players), *counts, bool(closed))))
        return found

    async def stored(self, table: str) -> StoredTable | None:
        """Return everything that is stored about a table."""
        row = await self.table(table)
        return None if row is None else await read_stored(self._ask, row)

    async def expire(self, before: int) -> AsyncIterator[str]:
        """Delete the tables made before a moment (seconds since 1970) and never played; yield their names."""
        query = f"SELECT id FROM tables WHERE created < $1 AND {NEVER_PLAYED} LIMIT {AT_ONCE}"
        while names := [name for (name,) in await self._ask(query, before)]:
            for name in names:
                played = Conflict(f"Table {name} was played after all.")
                first = Statement(f"DELETE FROM tables WHERE id = $1 AND {NEVER_PLAYED}", (name,), played)
                try:
                    await self._submit((first, *_deletions(name)))
                except Conflict:
                    continue
                yield name
            if len(names) < AT_ONCE:
                break

    async def set_closed(self, table: str, *, closed: bool) -> None:
        """Close a table so that no one can enter, or reopen it; raises `UnknownTable`."""
        query = "UPDATE tables SET closed = $2 WHERE id = $1"
        await self._submit((Statement(query, (table, int(closed)), UnknownTable(_no(table))),))

    async def delete(self, table: str) -> None:
        """Delete a table and everything stored about it; raises `UnknownTable`."""
        first = Statement("DELETE FROM tables WHERE id = $1", (table,), UnknownTable(_no(table)))
        await self._submit((first, *_deletions(table)))

    async def dump(self, damaged: list[DamagedTable] | None = None) -> AsyncIterator[StoredTable]:
        """Yield all tables as of one moment, the oldest first; `damaged` collects errors."""
        async with self._snapshot() as ask:
            for (name,) in await ask("SELECT id FROM tables ORDER BY created, id"):
                try:
                    row = await read_row(ask, name)
                    stored = None if row is None else await read_stored(ask, row)
                except DamagedTable as error:
                    if damaged is None:
                        raise
                    damaged.append(error)
                    continue
                if stored is not None:
                    yield stored

    async def restore(self, tables: Iterable[StoredTable]) -> int:
        """Add complete tables, all or none; return how many. Raises `Conflict` if one exists."""
        count = 0
        there = {name for (name,) in await self._ask("SELECT id FROM tables")}

        def groups() -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
            nonlocal count
            for stored in tables:
                if stored.row.table in there:
                    raise Conflict(f"There is a table {stored.row.table} already.")
                there.add(stored.row.table)
                yield from _insertions(stored)
                count += 1

        await self._load(groups())
        return count


def _values(table: str, each: StoredEntry) -> tuple[Any, ...]:
    entry = each.entry
    return (
        table, each.version, entry.kind, entry.seat, entry.text, entry.id, each.at, entry.throw, entry.spent,
        entry.link, each.checksum,
    )  # fmt: skip


def _table(row: TableRow) -> tuple[Any, ...]:
    return (
        row.table,
        row.game,
        row.rules,
        msgspec.json.encode(row.options, order="deterministic").decode(),
        row.seats,
        msgspec.json.encode(row.players).decode(),
        row.seed,
        row.created,
        msgspec.json.encode(row.agreement).decode(),
        int(row.closed),
    )


def _tokens(row: TableRow) -> list[tuple[Any, ...]]:
    keys = [*row.keys, *((hashed, -seat) for hashed, seat in row.invitations)]
    return [(hashed, row.table, seat, int(hashed in row.blocked)) for hashed, seat in keys]


def _person(table: str, person: PersonRow) -> tuple[Any, ...]:
    return table, person.seat, person.name, person.arms, int(person.deaf)


def _chat(table: str, line: ChatRow) -> tuple[Any, ...]:
    return table, line.number, line.seat, line.text, line.emote, line.at


def _report(table: str, report: ReportRow) -> tuple[Any, ...]:
    return table, *msgspec.structs.astuple(report)


def _insertions(stored: StoredTable) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    row, name = stored.row, stored.row.table
    yield INSERT_TABLE, [_table(row)]
    yield INSERT_TOKEN, _tokens(row)
    yield INSERT_STORED, [_values(name, each) for each in stored.entries]
    yield SET_PERSON, [_person(name, person) for person in stored.persons]
    yield INSERT_CHAT, [_chat(name, line) for line in stored.chat]
    yield INSERT_REPORT, [_report(name, report) for report in stored.reports]
    if stored.clock[0]:
        yield SET_CLOCK, [(name, stored.clock[1], stored.clock[0])]


def _deletions(table: str) -> Write:
    """Return the statements that delete everything but a table's own row."""
    kept = (each for each in KEPT_OF_A_TABLE if each != "tables")
    return tuple(Statement(f"DELETE FROM {each} WHERE table_id = $1", (table,)) for each in kept)


def _no(table: str) -> str:
    return f"There is no table {table} here."


def _runs(pid: int) -> bool:
    """Say whether a process with this number runs on this machine; yes if that can't be checked."""
    if sys.platform == "win32":  # there os.kill ends the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

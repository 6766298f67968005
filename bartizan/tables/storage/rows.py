"""Read what is kept of a table from the rows of its database, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from msgspec.json import decode

from bartizan.tables.errors import DamagedTable
from bartizan.tables.store import (
    ChatRow,
    EntryRow,
    PersonRow,
    ReportRow,
    StoredEntry,
    StoredTable,
    TableRow,
)

S = TypeVar("S", bound=msgspec.Struct)
Rows = Sequence[Sequence[Any]]
Ask = Callable[..., Awaitable[Rows]]


async def read_row(ask: Ask, table: str) -> TableRow | None:
    """Return a table's own row, or nothing if there is none; raises `DamagedTable` if it is invalid."""
    query = """
        SELECT id, game, rules, options, seats, players, seed, created, agreement, closed
        FROM tables WHERE id = $1
    """
    rows = await ask(query, table)
    if not rows:
        return None
    keys = await ask("SELECT hash, seat, blocked FROM tokens WHERE table_id = $1 ORDER BY hash", table)
    return row_of(rows[0], keys)


def row_of(values: Sequence[Any], keys: Rows) -> TableRow:
    """Return a table's row from its columns and keys; raises `DamagedTable` if they are invalid.

    A key with a negative seat is an invitation to that seat.
    """
    name, game, rules, options, seats, players, seed, created, agreement, closed = values
    with reading(name):
        first = (name, game, rules, decode(options), seats, decode(players), seed)
        row = row_as(TableRow, (*first, (), created, decode(agreement), (), bool(closed)))
        if not all(-row.seats <= seat <= row.seats for _, seat, _ in keys):
            raise TypeError("a key opens a seat that it doesn't have")
    hashes, more, invitations = [b""] * (row.seats + 1), [], []
    for hashed, seat, _ in keys:
        if seat < 0:
            invitations.append((bytes(hashed), -seat))
        elif hashes[seat]:
            more.append((bytes(hashed), seat))
        else:
            hashes[seat] = bytes(hashed)
    return msgspec.structs.replace(
        row,
        tokens=tuple(hashes),
        more_keys=tuple(more),
        invitations=tuple(invitations),
        blocked=tuple(bytes(hashed) for hashed, _, blocked in keys if blocked),
    )


async def read_persons(ask: Ask, table: str) -> list[PersonRow]:
    """Return who sits at a table, by seat."""
    query = "SELECT seat, name, arms, deaf FROM persons WHERE table_id = $1 ORDER BY seat"
    rows = await ask(query, table)
    with reading(table):
        return [row_as(PersonRow, (seat, name, arms, bool(deaf))) for seat, name, arms, deaf in rows]


async def read_chat(ask: Ask, table: str) -> list[ChatRow]:
    """Return the lines of a table's chat, the first one first."""
    query = "SELECT number, seat, text, emote, at FROM chat WHERE table_id = $1 ORDER BY number"
    rows = await ask(query, table)
    with reading(table):
        return [row_as(ChatRow, row) for row in rows]


async def read_reports(ask: Ask, table: str) -> list[tuple[str, ReportRow]]:
    """Return the reports about a table, or about all of them, each with the table's name."""
    query = """
        SELECT table_id, seat, id, name, about, about_name, reason, line, at FROM reports
        WHERE table_id = $1 OR $1 = '' ORDER BY at, table_id, seat, id
    """
    found = []
    for name, *row in await ask(query, table):
        with reading(name):
            found.append((name, row_as(ReportRow, row)))
    return found


async def read_entries(ask: Ask, table: str, after: int = 0) -> list[StoredEntry]:
    """Return the entries of a table's log after a version."""
    query = """
        SELECT ply, kind, seat, text, id, throw, spent, link, at, checksum FROM log
        WHERE table_id = $1 AND ply > $2 ORDER BY ply
    """
    rows = await ask(query, table, after)
    with reading(table):
        return [
            row_as(
                StoredEntry,
                (version, dict(zip(EntryRow.__struct_fields__, entry, strict=True)), at, checksum),
            )
            for version, *entry, at, checksum in rows
        ]


async def read_stored(ask: Ask, row: TableRow) -> StoredTable:
    """Return everything that is kept of a table."""
    clocks = await ask("SELECT deadline, version FROM clocks WHERE table_id = $1", row.table)
    with reading(row.table):
        clock = msgspec.convert(tuple(clocks[0]), tuple[int, int]) if clocks else (0, 0)
    return StoredTable(
        row=row,
        entries=tuple(await read_entries(ask, row.table)),
        persons=tuple(await read_persons(ask, row.table)),
        chat=tuple(await read_chat(ask, row.table)),
        clock=clock,
        reports=tuple(report for _, report in await read_reports(ask, row.table)),
    )


@contextmanager
def reading(table: str) -> Iterator[None]:
    """Raise `DamagedTable` for what is wrong with a table's columns."""
    try:
        yield
    except (msgspec.DecodeError, TypeError) as error:
        raise DamagedTable(f"Table {table} can't be read: {error}.") from error


def row_as(kind: type[S], columns: Sequence[Any]) -> S:
    """Return a row of one of the types of tables/store.py, its columns checked; see `reading`."""
    return msgspec.convert(dict(zip(kind.__struct_fields__, columns, strict=False)), kind)

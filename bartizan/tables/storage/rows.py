"""Read what is kept of a table from the rows of its database, be it SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from bartizan.tables.agreement import Agreement
from bartizan.tables.errors import StorageError
from bartizan.tables.store import (
    ChatRow,
    EntryRow,
    PersonRow,
    ReportRow,
    StoredEntry,
    StoredTable,
    TableRow,
)

Rows = Sequence[Sequence[Any]]
Ask = Callable[..., Awaitable[Rows]]


async def read_row(ask: Ask, table: str) -> TableRow | None:
    """Return a table's own row, or nothing if there is none; raises `StorageError` if it is invalid."""
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
    """Return a table's row from its columns and keys; raises `StorageError` if they are invalid.

    A key with a negative seat is an invitation to that seat.
    """
    name, game, rules, options, seats, players, seed, created, agreement, closed = values
    hashes, more, invitations = [b""] * (seats + 1), [], []
    for hashed, seat, _ in keys:
        if seat < 0:
            invitations.append((bytes(hashed), -seat))
        elif hashes[seat]:
            more.append((bytes(hashed), seat))
        else:
            hashes[seat] = bytes(hashed)
    return TableRow(
        table=name,
        game=game,
        rules=rules,
        options=decoded(options),
        seats=seats,
        players=tuple(decoded(players)),
        seed=seed,
        tokens=tuple(hashes),
        created=created,
        agreement=read_agreement(agreement),
        more_keys=tuple(more),
        closed=bool(closed),
        invitations=tuple(invitations),
        blocked=tuple(bytes(hashed) for hashed, _, blocked in keys if blocked),
    )


async def read_persons(ask: Ask, table: str) -> list[PersonRow]:
    """Return who sits at a table, by seat."""
    query = "SELECT seat, name, arms, deaf FROM persons WHERE table_id = $1 ORDER BY seat"
    return [PersonRow(seat, name, arms, bool(deaf)) for seat, name, arms, deaf in await ask(query, table)]


async def read_chat(ask: Ask, table: str) -> list[ChatRow]:
    """Return the lines of a table's chat, the first one first."""
    query = "SELECT number, seat, text, emote, at FROM chat WHERE table_id = $1 ORDER BY number"
    return [ChatRow(*row) for row in await ask(query, table)]


async def read_reports(ask: Ask, table: str) -> list[tuple[str, ReportRow]]:
    """Return the reports about a table, or about all of them, each with the table's name."""
    query = """
        SELECT table_id, seat, id, name, about, about_name, reason, line, at FROM reports
        WHERE table_id = $1 OR $1 = '' ORDER BY at, table_id, seat, id
    """
    return [(name, ReportRow(*row)) for name, *row in await ask(query, table)]


async def read_entries(ask: Ask, table: str, after: int = 0) -> list[StoredEntry]:
    """Return the entries of a table's log after a version."""
    query = """
        SELECT ply, kind, seat, text, id, throw, spent, link, at, checksum FROM log
        WHERE table_id = $1 AND ply > $2 ORDER BY ply
    """
    return [
        StoredEntry(version, EntryRow(*rest), at, checksum)
        for version, *rest, at, checksum in await ask(query, table, after)
    ]


async def read_stored(ask: Ask, row: TableRow) -> StoredTable:
    """Return everything that is kept of a table."""
    clock = await ask("SELECT deadline, version FROM clocks WHERE table_id = $1", row.table)
    return StoredTable(
        row=row,
        entries=tuple(await read_entries(ask, row.table)),
        persons=tuple(await read_persons(ask, row.table)),
        chat=tuple(await read_chat(ask, row.table)),
        clock=(clock[0][0], clock[0][1]) if clock else (0, 0),
        reports=tuple(report for _, report in await read_reports(ask, row.table)),
    )


def read_agreement(text: str) -> Agreement:
    """Return what a table's people agreed on; raises `StorageError` if it is invalid."""
    try:
        return msgspec.json.decode(text, type=Agreement)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise StorageError(f"What was agreed upon at a table cannot be read: {error}.") from error


def decoded(text: str) -> Any:
    """Return what a column of JSON says; raises `StorageError` if it is invalid."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise StorageError(f"What is kept of a table cannot be read: {error}.") from error

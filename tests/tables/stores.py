"""Rows and entries for the tests of stores."""

from __future__ import annotations

from bartizan.tables.store import EntryRow, TableRow


def row(name: str, *tokens: bytes) -> TableRow:
    return TableRow(
        name, "duel", 1, {"high": True}, 2, ("person", "random"), "abc", tokens or (b"1", b"2", b"")
    )


def move(number: int) -> EntryRow:
    return EntryRow("move", 1, f"play {number}", f"id{number}")

"""Compute the two numbers that a stored entry carries, so that damage to the log is found and repaired.

The *checksum* covers everything in an entry's own row: a changed row no longer matches it. The *link* covers
what this and all earlier entries of the table did. So if an entry is missing, the link of a later one says
whether a guess at it is right. Zero means that there is none, as in entries of earlier versions.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence

import msgspec

from bartizan.tables.store import EntryRow, StoredEntry

LINK_BYTES = 6  # below 2**53, so that any JSON reader can read it


def next_link(link: int, kind: str, seat: int, text: str) -> int:
    """Return an entry's link from the link of the entry before it, or 0 for the first."""
    line = f"{link} {kind} {seat} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(line, digest_size=LINK_BYTES).digest()) or 1


def link_after(link: int, row: EntryRow) -> int:
    """Return the link that a row should have, from the link of the entry before it."""
    return next_link(link, row.kind, row.seat, row.text)


def linked(link: int, row: EntryRow) -> EntryRow:
    """Return a row with its link, from the link of the entry before it."""
    return msgspec.structs.replace(row, link=link_after(link, row))


def checksum_of(table: str, version: int, row: EntryRow, at: int) -> int:
    """Return the checksum of an entry's row; never 0."""
    line = "\0".join(
        (table, str(version), row.kind, str(row.seat), row.text, row.id, f"{at} {row.spent} {row.link}")
    )
    return zlib.crc32(row.throw, zlib.crc32(line.encode("utf-8", "surrogatepass"))) or 1


def is_altered(table: str, stored: StoredEntry) -> bool:
    """Whether an entry's row was changed after it was written; False if it has no checksum."""
    return stored.checksum not in (0, checksum_of(table, stored.version, stored.entry, stored.at))


def first_fault(table: str, entries: Sequence[StoredEntry]) -> str:
    """Return a sentence about the first entry that was changed or doesn't follow the others, or nothing."""
    link = 0
    for each in entries:
        link = link_after(link, each.entry)
        if is_altered(table, each):
            return f"Entry {each.version} of table {table} was changed in the database."
        if each.entry.link not in (0, link):
            return f"Entry {each.version} of table {table} doesn't follow the entries before it."
    return ""

"""Write all tables of a server to one file, and read such a file: for backups and for changing databases.

The file is gzipped text: a line that says what it is, a line of JSON for each table, and a line with their
number and a digest of everything before it, so that a file that was cut off is recognised.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec
from msgspec import Meta

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import reason, replacing
from bartizan.tables.agreement import check_clock
from bartizan.tables.entries import KINDS
from bartizan.tables.state import LONGEST_LOG
from bartizan.tables.store import CHAT_LINES, MoveLog, StoredTable

FORM = "bartizan tables 1"
LARGEST_LINE = 128 * 1024 * 1024  # bytes: more than the longest log with a throw in every entry
LARGEST_NUMBER = 2**53
LONGEST_TEXT = 4000  # characters
NAME = re.compile(r"[0-9A-Za-z_-]{1,64}")
KEY_BYTES = 32  # of a SHA-256
Progress = Callable[[int, int], None]
_decoder = msgspec.json.Decoder(StoredTable)


class BadArchive(BartizanError):
    """A file that doesn't contain complete tables."""

    code = "bad_archive"


class _End(msgspec.Struct, forbid_unknown_fields=True):
    """The last line."""

    tables: Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
    digest: str  # SHA-256 of all lines before it, in hex


async def write_archive(log: MoveLog, path: Path, progress: Progress = lambda *_: None) -> int:
    """Write all tables to a file atomically; return how many.

    Raises `Unwritable` and `StorageError`.
    """
    total, count, digest = await log.count(), 0, hashlib.sha256()
    # It contains seeds, so no one else may read it.
    with replacing(path, 0o600) as part, gzip.open(part, "wb", compresslevel=6) as packed:

        def write(line: bytes) -> None:
            digest.update(line + b"\n")
            packed.write(line + b"\n")

        write(FORM.encode())
        tables: AsyncIterator[StoredTable] = log.dump()
        async for stored in tables:
            write(msgspec.json.encode(stored))
            count += 1
            progress(count, max(total, count))
        packed.write(msgspec.json.encode(_End(count, digest.hexdigest())) + b"\n")
    return count


def is_archive(path: Path) -> bool:
    """Say whether a file begins as `write_archive` begins one; raises `BadArchive` if it can't be read."""
    try:
        with gzip.open(path) as packed:
            return packed.readline(len(FORM) + 2) == FORM.encode() + b"\n"
    except (gzip.BadGzipFile, EOFError, zlib.error):
        return False
    except OSError as error:
        raise BadArchive(f"{path} cannot be read: {reason(error)}.") from error


def check_archive(path: Path) -> int:
    """Read a whole file and check everything in it; return the number of its tables.

    Raises `BadArchive`, which says in which line what is wrong.
    """
    names: set[str] = set()
    for number, stored in enumerate(read_archive(path), 2):
        if stored.row.table in names:
            raise BadArchive(f"{path}, line {number}: table {stored.row.table} is listed twice.")
        names.add(stored.row.table)
    return len(names)


def read_archive(path: Path) -> Iterator[StoredTable]:
    """Yield the tables of a file, each checked; raises `BadArchive`, at the latest after the last one."""
    try:
        with gzip.open(path, "rb") as packed:
            yield from _tables(path, packed)  # type: ignore[arg-type]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadArchive(
            f"{path} is not what `bartizan tables export` writes, or was cut off or changed."
        ) from error
    except OSError as error:
        raise BadArchive(f"{path} cannot be read: {reason(error)}.") from error


def _tables(path: Path, packed: BinaryIO) -> Iterator[StoredTable]:
    digest, count, number = hashlib.sha256(), 0, 1
    line = packed.readline(len(FORM) + 2)
    if line.rstrip(b"\n").decode("utf-8", "replace") != FORM:
        raise BadArchive(
            f"{path} does not begin with {FORM!r}: it was not written by `bartizan tables export`."
        )
    while True:
        digest.update(line)
        number += 1
        line = packed.readline(LARGEST_LINE + 1)
        if not line:
            raise BadArchive(f"{path} was cut off after line {number - 1}: its last line is missing.")
        if len(line) > LARGEST_LINE:
            raise BadArchive(f"{path}, line {number}: it is longer than any table.")
        if line.startswith(b'{"tables":'):
            break
        try:
            stored = _decoder.decode(line)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
            raise BadArchive(f"{path}, line {number} was cut off or changed: {error}.") from error
        if fault := fault_of(stored):
            raise BadArchive(f"{path}, line {number}: {fault}")
        count += 1
        yield stored
    try:
        end = msgspec.json.decode(line, type=_End)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadArchive(f"{path}, line {number} was cut off or changed: {error}.") from error
    if end.tables != count or end.digest != digest.hexdigest():
        raise BadArchive(f"{path} was changed or cut off: its tables don't match its last line.")
    if packed.read(1):
        raise BadArchive(f"{path} continues after its last line.")


def fault_of(stored: StoredTable) -> str:
    """Say what makes a table invalid, or nothing; its moves are only checked when it is played."""
    row = stored.row
    if fault := _plain_fault(msgspec.to_builtins(stored, builtin_types=(bytes,))):
        return fault
    if not NAME.fullmatch(row.table):
        return "A table has an invalid name."
    if len(row.players) != row.seats:
        return f"Table {row.table} has {row.seats} seats and {len(row.players)} players."
    if row.seats + 1 != len(row.tokens):
        return f"Table {row.table} has {row.seats} seats and {len(row.tokens)} keys."
    keys = [*filter(None, row.tokens), *(key for key, _ in (*row.more_keys, *row.invitations))]
    if any(len(key) != KEY_BYTES for key in keys) or len(set(keys)) != len(keys):
        return f"Table {row.table} has invalid keys."
    if not {*row.blocked} <= {*keys}:
        return f"Table {row.table} has blocked keys that don't open it."
    if row.agreement.series and len(row.agreement.series) != row.seats:
        return f"The series of table {row.table} has another number of seats."
    if row.agreement.clock is not None:
        try:
            check_clock(row.agreement.clock, row.seats)
        except BartizanError as error:
            return f"Table {row.table}: {error}"
    if len(stored.entries) > LONGEST_LOG:
        return f"The log of table {row.table} is longer than {LONGEST_LOG} entries."
    for version, each in enumerate(stored.entries, 1):
        if each.version != version:
            return f"The log of table {row.table} has version {each.version} where {version} follows."
        if each.entry.kind not in KINDS:
            return f"The log of table {row.table} has an entry of the unknown kind {each.entry.kind!r}."
    seats = [each.entry.seat for each in stored.entries] + [line.seat for line in stored.chat]
    seats += [seat for _, seat in (*row.more_keys, *row.invitations)] + [
        person.seat for person in stored.persons
    ]
    seats += [seat for report in stored.reports for seat in (report.seat, report.about)]
    if any(not 0 <= seat <= row.seats for seat in seats):
        return f"Table {row.table} has no seat {max(seats)}."
    numbers = [line.number for line in stored.chat]
    if len(numbers) > CHAT_LINES or numbers != sorted(set(numbers)):
        return f"The chat of table {row.table} is too long or out of order."
    if len({person.seat for person in stored.persons}) != len(stored.persons):
        return f"A seat at table {row.table} is listed twice."
    if len({(report.seat, report.id) for report in stored.reports}) != len(stored.reports):
        return f"A report from table {row.table} is listed twice."
    return ""


def _plain_fault(value: Any) -> str:
    """Describe the first number or text that exceeds the storage limits, at any depth."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            return f"A text has {len(value)} characters."
        try:
            value.encode()
        except UnicodeEncodeError:
            return "A text has half of a character."
        return "A text has a NUL in it." if "\0" in value else ""
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return "A number is too large."
    parts: Iterator[Any] = iter(())
    if isinstance(value, dict):
        parts = iter([*value, *value.values()])
    elif isinstance(value, list | tuple):
        parts = iter(value)
    return next(filter(None, map(_plain_fault, parts)), "")

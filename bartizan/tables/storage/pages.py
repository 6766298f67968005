"""Read rows from the pages of an SQLite file directly, for pages that no intact page leads to.

Only leaf pages of ordinary tables are read, as https://www.sqlite.org/fileformat.html describes them. A page
may belong to any table, or hold rows that were deleted: whoever uses the rows must know which are genuine.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path

Value = None | int | float | str | bytes

LEAF = 13  # the first byte of a table's leaf page
MOST_BYTES = 1_000_000  # of a row; a longer one isn't genuine
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes by type


def rows_of_pages(path: Path, size: int, columns: int) -> Iterator[list[Value]]:
    """Yield every row with so many columns; `size` is that of a page in bytes.

    The first column is the row's number if the row itself has none there. Raises `OSError`.
    """
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        yield from _rows(data, size, columns)


def _rows(data: mmap, size: int, columns: int) -> Iterator[list[Value]]:
    for start in range(0, len(data) - size + 1, size):
        top = start + (100 if start == 0 else 0)
        if data[top] != LEAF:
            continue
        count = int.from_bytes(data[top + 3 : top + 5])
        for at in range(top + 8, min(top + 8 + 2 * count, start + size - 1), 2):
            try:
                number, values = _row(data, start, int.from_bytes(data[at : at + 2]), size)
            except (IndexError, ValueError, struct.error):
                continue
            if len(values) == columns:
                yield [number if values[0] is None else values[0], *values[1:]]


def _row(data: mmap, start: int, offset: int, size: int) -> tuple[int, list[Value]]:
    """Return a row's number and values; raises `IndexError`, `ValueError` or `struct.error` for garbage."""
    length, at = _varint(data, start + offset)
    number, at = _varint(data, at)
    if length > MOST_BYTES:
        raise ValueError(length)
    own = _own_bytes(length, size)
    payload, at = bytearray(data[at : at + own]), at + own
    while len(payload) < length:  # the rest is in a chain of pages
        page = int.from_bytes(data[at : at + 4])
        at = (page - 1) * size
        if page < 2 or at + size > len(data):
            raise IndexError(page)
        payload += data[at + 4 : at + size][: length - len(payload)]
    return number, list(_values(bytes(payload)))


def _own_bytes(length: int, size: int) -> int:
    """Return how much of a row is on its leaf page."""
    if length <= size - 35:
        return length
    least = (size - 12) * 32 // 255 - 23
    most = least + (length - least) % (size - 4)
    return most if most <= size - 35 else least


def _values(payload: bytes) -> Iterator[Value]:
    end, head = _varint(payload, 0)
    body = end
    while head < end:
        kind, head = _varint(payload, head)
        if kind >= 12:
            length = (kind - 12) // 2
            part = payload[body : body + length]
            yield part if kind % 2 == 0 else part.decode()
        elif kind == 7:
            length = 8
            yield float(struct.unpack(">d", payload[body : body + 8])[0])
        else:
            length = INTEGERS.get(kind, 0)
            small = {8: 0, 9: 1}.get(kind)
            part = payload[body : body + length]
            yield int.from_bytes(part, signed=True) if length else small
        body += length


def _varint(data: bytes | mmap, at: int) -> tuple[int, int]:
    """Return a number and where it ends."""
    value = 0
    for step in range(8):
        value = value << 7 | data[at + step] & 127
        if data[at + step] < 128:
            return value, at + step + 1
    return value << 8 | data[at + 8], at + 9

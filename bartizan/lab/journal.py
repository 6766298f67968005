"""Keep what long work finds in a file of JSON lines, so that it can be stopped and gone on with.

The first line says what the work is; each further one is a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, Self, TypeVar

import msgspec

from bartizan.engine.errors import CorruptRecord, first_difference
from bartizan.engine.files import Unwritable, reason

T = TypeVar("T", bound=msgspec.Struct)
MOST_SHOWN = 80  # characters of a value in a message


class Journal(Generic[T]):
    """An open file of findings; each is a line, written when it is found.  Without a path nothing is."""

    def __init__(
        self, path: Path | None, work: Mapping[str, Any], kind: type[T], *, reading: bool = False
    ) -> None:
        """Open a file or begin it, and read the findings in it; a last line that was cut off is dropped.

        `reading` changes nothing in the file, which another process may be writing.
        Raises `CorruptRecord` for a file that is no such journal, or one of other work;
        `OSError` for one that cannot be opened.
        """
        self.findings: list[T] = []
        self._path = path
        self._kind = kind
        self._file: BinaryIO | None = None
        if path is None:
            return
        head = msgspec.json.encode(work, order="deterministic")
        if reading:
            with path.open("rb") as file:
                self._read(path, file, head)
            return
        path.touch()
        self._file = path.open("r+b")
        try:
            whole = self._read(path, self._file, head)
            self._file.seek(whole)
            self._file.truncate()
            if whole == 0:
                self._write(head)
        except BaseException:
            self._file.close()
            raise

    def _read(self, path: Path, file: BinaryIO, head: bytes) -> int:
        """Read the complete lines; return their size in bytes."""
        whole = 0
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                break
            if number == 1:
                _check_head(path, line, head)
            else:
                self._take_in(path, number, line)
            whole += len(line)
        return whole

    def _take_in(self, path: Path, number: int, line: bytes) -> None:
        try:
            self.findings.append(msgspec.json.decode(line, type=self._kind))
        except msgspec.MsgspecError as error:
            raise CorruptRecord(f"{path}: line {number} doesn't belong to this work: {error}.") from error

    def _write(self, line: bytes) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line + b"\n")
            self._file.flush()
        except OSError as error:  # a line that is half there is dropped when it is opened again
            with suppress(OSError):
                self._file.close()
            self._file = None
            raise Unwritable(f"{self._path} cannot be written: {reason(error)}.") from error

    def add(self, finding: T) -> None:
        """Write a finding down; it is in the file when this returns.  Raises `Unwritable`."""
        self.findings.append(finding)
        self._write(msgspec.json.encode(finding))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()


def _check_head(path: Path, line: bytes, head: bytes) -> None:
    """Raise `CorruptRecord` where a first line is not the head of this work."""
    try:
        one: Any = msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise CorruptRecord(f"{path} doesn't say what work it belongs to. Choose another file.") from error
    two = msgspec.json.decode(head)
    where: list[str] = []
    if one == two:
        return
    while isinstance(one, dict) and isinstance(two, dict):
        key, one, two = first_difference(one, two)
        where.append(key)
        if isinstance(one, list) and isinstance(two, list):
            one, two = ({str(n): each for n, each in enumerate(part, 1)} for part in (one, two))
    found, wanted = (
        "missing" if value is None else msgspec.json.encode(value).decode()[:MOST_SHOWN]
        for value in (one, two)
    )
    raise CorruptRecord(
        f"{path} is about other work: its {' '.join(where)} is {found}, and here it is {wanted}. "
        "Choose another file."
    )

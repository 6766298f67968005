"""Write files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bartizan.engine.errors import BartizanError

try:
    import fcntl
except ImportError:  # not on Windows, where two runs at once are not kept apart
    fcntl = None  # type: ignore[assignment]

LARGEST = 8 * 1024 * 1024  # bytes of a text file that is read


class Unwritable(BartizanError):
    """A file that cannot be written; what was there before is untouched."""

    code = "unwritable"


class InUse(BartizanError):
    """A folder in which another process is at work."""

    code = "in_use"


class Unreadable(BartizanError):
    """A file that cannot be read as text."""

    code = "unreadable"


def reason(error: OSError) -> str:
    """Say in a word what the system had against it: ``"permission denied"``."""
    return (error.strerror or str(error) or type(error).__name__).lower()


@contextmanager
def _told(path: Path, doing: str, kind: type[BartizanError] = Unwritable) -> Iterator[None]:
    """Turn what the system has against a file into an error with a sentence."""
    try:
        yield
    except OSError as error:
        raise kind(f"{path} cannot be {doing}: {reason(error)}.") from error


def _part_of(path: Path) -> tuple[Path, Path]:
    """Return the file that `path` stands for, and an empty one beside it."""
    target = path.resolve() if path.is_symlink() else path
    if target.is_dir():
        raise IsADirectoryError(21, "it is a folder")
    if target.exists() and not target.is_file():
        raise OSError(22, "it is no file")
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(descriptor)
    return target, Path(name)


def check_replaceable(path: Path) -> None:
    """Raise `Unwritable` at once where `replacing` would after hours of work."""
    with _told(path, "written"):
        _part_of(path)[1].unlink()


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Yield a file to write, which then replaces `path`: there is always the old one or the new one.

    `mode` says who may use a new one, as far as the umask allows.  Raises `Unwritable` with a sentence.
    """
    with _told(path, "written"):
        target, part = _part_of(path)
        try:
            yield part
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.chmod(target.stat().st_mode & 0o777 if target.exists() else mode & ~_umask())
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def alone(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock file `path`, which goes with the process that holds it, however that ends.

    Raises `InUse` where another holds it and no one is to wait; `Unwritable` where there can be no file.
    """
    with _told(path, "written"):
        handle = path.open("w")
    with handle:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError as error:
                raise InUse(f"Another process is at work in {path.parent}.") from error
            except OSError as error:
                raise Unwritable(f"{path} cannot be locked: {reason(error)}.") from error
        yield


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` so that there is always the old file or the new one, whole.

    A device or a pipe, which has nothing to lose, is written to.  Raises `Unwritable` with a sentence.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with _told(path, "written"):
            path.write_text(text, encoding="utf-8")
        return
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def keep_old(path: Path) -> Path | None:
    """Move what lies at `path` aside under a free name; return that name, None if there was nothing.

    Raises `Unwritable` with a sentence.
    """
    with _told(path, "replaced"):
        if not path.is_file() or path.stat().st_size == 0:
            return None
        number = 1
        while (aside := path.with_name(f"{path.name}.{number}")).exists():
            number += 1
        path.rename(aside)
    return aside


def read_text(path: Path) -> str:
    """Read a text file; raises `Unreadable` with a sentence."""
    with _told(path, "read", Unreadable):
        if path.is_dir():
            raise Unreadable(f"{path} is a folder, not a file.")
        with path.open("rb") as source:
            data = source.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unreadable(f"{path} is larger than {LARGEST // 2**20} MiB, which no record is.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path} is no text: byte {error.start + 1} is not UTF-8.") from error

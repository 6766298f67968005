"""Write files atomically: completely or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bartizan.engine.errors import BartizanError

try:
    import fcntl
except ImportError:  # not on Windows, where nothing keeps two runs apart
    fcntl = None  # type: ignore[assignment]

LARGEST = 8 * 1024 * 1024  # bytes of a text file that are read


class Unwritable(BartizanError):
    """A file that can't be written; the old one is untouched."""

    code = "unwritable"


class InUse(BartizanError):
    """A folder that another process is using."""

    code = "in_use"


class Unreadable(BartizanError):
    """A file that can't be read as text."""

    code = "unreadable"


def reason(error: OSError) -> str:
    """Say in a few words why the system refused: ``"permission denied"``."""
    if isinstance(error, FileExistsError):  # it was to be a folder
        return "it is a file"
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    return (error.strerror or str(error) or type(error).__name__).lower()


@contextmanager
def _told(path: Path, doing: str, kind: type[BartizanError] = Unwritable) -> Iterator[None]:
    """Turn an OSError about a file into an error with a sentence."""
    try:
        yield
    except OSError as error:
        raise kind(f"{path} cannot be {doing}: {reason(error)}.") from error


def _part_of(path: Path) -> tuple[Path, Path]:
    """Return the real file behind `path`, and an empty one beside it."""
    target = path.resolve() if path.is_symlink() else path
    if target.is_dir():
        raise IsADirectoryError
    if target.exists() and not target.is_file():
        raise OSError(22, "it isn't a file")
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(descriptor)
    return target, Path(name)


def check_replaceable(path: Path) -> None:
    """Raise `Unwritable` now if `replacing` would fail after hours of work."""
    with _told(path, "written"):
        _part_of(path)[1].unlink()


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Yield a file to write, which then replaces `path`: either the old or the new file is there, complete.

    `mode` is that of a new file, as far as the umask allows.  Raises `Unwritable` with a sentence.
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
    """Hold the lock file `path`, which is released when the process ends, however it ends.

    Raises `InUse` if another process holds it, unless told to wait; `Unwritable` if the file can't be made.
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
    """Write `text` to `path` atomically.

    A device or a pipe, which has nothing to lose, is written to.  Raises `Unwritable` with a sentence.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with _told(path, "written"):
            path.write_text(text, encoding="utf-8")
        return
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def write_secret(path: Path, text: str) -> None:
    """Write a new file that only its owner can read; raises `FileExistsError`, and `Unwritable` otherwise."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        give_to_owner_of_folder(path)
    except FileExistsError:
        raise
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {reason(error)}.") from error


def give_to_owner_of_folder(path: Path) -> None:
    """Give a new file to the owner of its folder if root made it: a server must be able to use it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder = path.parent.stat()
        with contextlib.suppress(OSError):  # root of a container may not be allowed to
            os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def keep_old(path: Path) -> Path | None:
    """Rename an existing file at `path` to a free name; return that name, or None if there was no file.

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
        raise Unreadable(f"{path} isn't text: byte {error.start + 1} is not UTF-8.") from error

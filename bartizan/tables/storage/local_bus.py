"""Carry short messages between the processes of one machine that share a data folder.

Each process has a datagram socket in a folder that only its user may enter.  A message may be lost where a
reader is slow; whatever matters is in the database, and looked for there twice a second besides.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import socket
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

LARGEST = 60_000  # bytes of a message
MOST_AT_ONCE = 200  # messages that are read before others have a turn


class Datagram(msgspec.Struct, array_like=True):
    """What one process tells the others: text, or with none that it wrote entries."""

    sender: str
    text: str = ""


_decoder = msgspec.msgpack.Decoder(Datagram)


def meeting_place(folder: Path) -> Path | None:
    """Return a folder for the sockets of those who share a data folder; None where there can be none.

    It is not the data folder itself: a socket's path may have about a hundred characters.
    """
    if not hasattr(socket, "AF_UNIX") or not hasattr(os, "getuid"):
        return None
    name = hashlib.blake2b(os.fsencode(folder.resolve()), digest_size=8).hexdigest()
    place = Path(tempfile.gettempdir()) / f"bartizan-{os.getuid()}-{name}"
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        found = place.lstat()
    except OSError:
        return None
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return place if private else None


class LocalBus:
    """One process's place on the bus; without a meeting place it is silent."""

    def __init__(self, folder: Path, process: str) -> None:
        self._process = process
        self._place = meeting_place(folder)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._socket: socket.socket | None = None
        self._own: Path | None = None
        self._hear: Callable[[Datagram], None] = lambda _: None
        if self._place is None:
            return
        try:
            own = self._place / f"{process.replace('/', '-')}.sock"
            with contextlib.suppress(FileNotFoundError):
                own.unlink()
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            self._socket.bind(str(own))
            self._own = own
        except OSError:  # a very long temporary folder: then what others do is looked for
            self.close()

    def listen(self, hear: Callable[[Datagram], None]) -> None:
        """Have every message of others handed to `hear`, on the running loop."""
        self._hear = hear
        if self._socket is not None and self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._socket.fileno(), self._read)

    def send(self, text: str = "") -> None:
        """Send a message to all others, from any thread; never waits."""
        if self._socket is None or self._place is None:
            return
        data = msgspec.msgpack.encode(Datagram(self._process, text))
        if len(data) > LARGEST:
            return
        with contextlib.suppress(OSError):
            for other in os.listdir(self._place):  # noqa: PTH208 - names are enough, and it is done often
                if other != (self._own and self._own.name):
                    self._send_to(self._place / other, data)

    def _send_to(self, other: Path, data: bytes) -> None:
        try:
            if self._socket is not None:
                self._socket.sendto(data, str(other))
        except ConnectionRefusedError:  # whoever it was is gone
            with contextlib.suppress(OSError):
                other.unlink()
        except OSError:  # gone this moment, or slow
            return

    def _read(self) -> None:
        for _ in range(MOST_AT_ONCE):
            try:
                data = self._socket.recv(LARGEST + 1) if self._socket is not None else b""
            except OSError:
                return
            if not data:
                return
            with contextlib.suppress(msgspec.DecodeError):
                self._hear(_decoder.decode(data))

    def close(self) -> None:
        """Leave."""
        if self._loop is not None and self._socket is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._socket.fileno())
        self._loop = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._own is not None:
            with contextlib.suppress(OSError):
                self._own.unlink()

"""Carry short messages between the processes of one machine that share a data folder.

Each process has a datagram socket in a folder that only its user may enter. Linux queues as few as ten
datagrams for a reader, so what doesn't fit waits here for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import socket
import stat
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

LARGEST = 60_000  # bytes of a message
MOST_AT_ONCE = 200  # messages that are read before others have a turn
MOST_WAITING = 10_000  # messages for slow readers; beyond that, the oldest are dropped
RETRY_SECONDS = 0.005
KEEP_SECONDS = 10.0  # after this silence, a process is asked for everything again


class Datagram(msgspec.Struct, array_like=True):
    """A message between processes: a text, or without one the news that entries were written."""

    sender: str
    text: str = ""


_decoder = msgspec.msgpack.Decoder(Datagram)


def meeting_place(folder: Path) -> Path | None:
    """Return a folder for the sockets of everyone who shares a data folder; None if that is impossible.

    It isn't the data folder itself, because a socket's path is limited to about a hundred characters.
    """
    if not hasattr(socket, "AF_UNIX") or not hasattr(os, "getuid"):
        return None
    name = hashlib.blake2b(os.fsencode(folder.resolve()), digest_size=8).hexdigest()
    place = Path(tempfile.gettempdir()) / f"bartizan-{os.getuid()}-{name}"
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        status = place.lstat()
    except OSError:
        return None
    private = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    return place if private else None


class LocalBus:
    """One process's place on the bus; without a meeting place it does nothing."""

    def __init__(self, folder: Path, process: str) -> None:
        self._process = process
        self._place: Path | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._socket: socket.socket | None = None
        self._own: Path | None = None
        self._hear: Callable[[Datagram], None] = lambda _: None
        self._waiting: dict[Path, deque[tuple[float, bytes]]] = {}  # by reader: until when, and what
        self._retry: asyncio.TimerHandle | None = None
        self._enter(folder)
        if self._own is None:  # perhaps the last of the others was just removing the meeting place
            self._enter(folder)

    def _enter(self, folder: Path) -> None:
        place = meeting_place(folder)
        if place is None:
            return
        own = place / f"{self._process.replace('/', '-')}.sock"
        try:
            with contextlib.suppress(FileNotFoundError):
                own.unlink()
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            self._socket.bind(str(own))
        except OSError:  # the path of the temporary folder is too long: then we poll
            self.close()
        else:
            self._place, self._own = place, own

    def listen(self, hear: Callable[[Datagram], None]) -> None:
        """Pass every message from other processes to `hear`, on the running loop."""
        self._hear = hear
        if self._socket is not None and self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self._socket.fileno(), self._read)

    def send(self, text: str = "") -> None:
        """Send a message to all others without waiting; texts from the loop's thread, the rest from any."""
        if self._socket is None or self._place is None:
            return
        data = msgspec.msgpack.encode(Datagram(self._process, text))
        if len(data) > LARGEST:
            return
        with contextlib.suppress(OSError):
            for other in os.listdir(self._place):  # noqa: PTH208 - names are enough, and it is done often
                if other == (self._own and self._own.name):
                    continue
                to = self._place / other
                # A message must not overtake another. News of written entries can be lost: it is polled too.
                if (to in self._waiting or not self._send_to(to, data)) and text and self._loop is not None:
                    self._send_later(to, data)

    def _send_to(self, other: Path, data: bytes) -> bool:
        """Send a datagram; return whether it is done with."""
        try:
            if self._socket is not None:
                self._socket.sendto(data, str(other))
        except BlockingIOError:
            return False
        except ConnectionRefusedError:  # that process has ended
            with contextlib.suppress(OSError):
                other.unlink()
        except OSError:  # it is just ending
            pass
        return True

    def _send_later(self, to: Path, data: bytes) -> None:
        waiting = self._waiting.setdefault(to, deque(maxlen=MOST_WAITING))
        waiting.append((time.monotonic() + KEEP_SECONDS, data))
        self._plan_retry()

    def _plan_retry(self) -> None:
        if self._waiting and self._retry is None and self._loop is not None:
            self._retry = self._loop.call_later(RETRY_SECONDS, self._send_waiting)

    def _send_waiting(self) -> None:
        self._retry = None
        now = time.monotonic()
        for to, waiting in tuple(self._waiting.items()):
            while waiting and (waiting[0][0] <= now or self._send_to(to, waiting[0][1])):
                waiting.popleft()
            if not waiting:
                del self._waiting[to]
        self._plan_retry()

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
        """Leave the bus."""
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        if self._loop is not None and self._socket is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._socket.fileno())
        self._loop = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._own is not None:
            with contextlib.suppress(OSError):
                self._own.unlink()
                self._own.parent.rmdir()  # refused while others are in it

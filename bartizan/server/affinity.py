"""Bring everyone at a table into one worker process, by passing connections on to the right worker.

All workers accept from one socket. The worker that gets a connection reads its request's first line. If
another worker owns the table, the open connection and what was read from it go there through a Unix socket.
This saves work but isn't necessary: every worker can serve every table, and does if the owner accepts no
more.
"""

from __future__ import annotations

import asyncio
import re
import socket
import zlib
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 32 * 1024  # bytes of a request that are passed on; a longer one is served where it arrived
TABLE = re.compile(rb"[A-Z]{3,7} [^ ?]*?/(?:ws|api/tables)/([0-9A-Za-z_-]{1,64})[/? ]")
ALONE = re.compile(rb"[A-Z]{3,7} [^ ?]*?/api/lab[/? ]")  # experiments run in the first worker


def owner(line: bytes, workers: int) -> int:
    """Return the worker that serves a request, by its first line; -1 for any."""
    if match := TABLE.match(line):
        return zlib.crc32(match[1]) % workers
    return 0 if ALONE.match(line) else -1


class Hands:
    """The Unix sockets through which workers pass connections to one another; made before the workers fork.

    Connections waiting in a socket outlive its worker: the replacement takes them.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(workers)]
        for pair in self._pairs:
            for each in pair:
                each.setblocking(False)

    def give(self, slot: int, data: bytes, connection: socket.socket) -> bool:
        """Pass a connection to another worker; return whether it was accepted."""
        try:
            socket.send_fds(self._pairs[slot][0], [data], [connection.fileno()])
        except OSError:  # it is too busy
            return False
        return True

    def take(self, slot: int) -> tuple[bytes, socket.socket] | None:
        """Return a connection that was passed on, with what had been read of it."""
        try:
            data, descriptors, _, _ = socket.recv_fds(self._pairs[slot][1], LARGEST_HEAD + 1, 1)
        except OSError:
            return None
        return (data, socket.socket(fileno=descriptors[0])) if descriptors else None

    def watch(self, slot: int, call: Callable[[], None]) -> None:
        """Register a callback for waiting connections; requires a running loop."""
        asyncio.get_running_loop().add_reader(self._pairs[slot][1].fileno(), call)

    def ignore(self, slot: int) -> None:
        """Stop watching."""
        asyncio.get_running_loop().remove_reader(self._pairs[slot][1].fileno())

    def close(self) -> None:
        """Close all sockets."""
        for pair in self._pairs:
            for each in pair:
                each.close()


def affine(protocol: type[HttpToolsProtocol], hands: Hands, slot: int) -> type[HttpToolsProtocol]:
    """Return a protocol that passes requests on that another worker owns."""

    class AffineProtocol(protocol):  # type: ignore[valid-type,misc]
        """Read the first line of each request before it is parsed."""

        def __init__(self, *args: Any, read_already: bytes = b"", **options: Any) -> None:
            super().__init__(*args, **options)
            self._read_already = read_already
            self._within_message = False

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            if self._read_already:  # it was passed to us, so it is ours
                super().data_received(self._read_already)
                self._read_already = b""

        def on_message_begin(self) -> None:
            self._within_message = True
            super().on_message_begin()

        def on_message_complete(self) -> None:
            self._within_message = False
            super().on_message_complete()

        def data_received(self, data: bytes) -> None:
            if self._between_requests() and len(data) <= LARGEST_HEAD:
                to = owner(data, hands.workers)
                if to not in (-1, slot) and hands.give(to, data, self.transport.get_extra_info("socket")):
                    self.transport.abort()  # here; it is open there
                    return
            super().data_received(data)

        def _between_requests(self) -> bool:
            return not self._within_message and (self.cycle is None or self.cycle.response_complete)

    return AffineProtocol

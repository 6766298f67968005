"""Serve HTTP and WebSocket without letting idle clients hold connections.

These are uvicorn's protocols with three additions: open connections are counted, unfinished requests time
out, and malformed requests are answered but not logged.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from bartizan.server.guard import ENCODED_HEADERS
from bartizan.server.schema import Problem
from bartizan.server.site import Site, is_loopback
from bartizan.tables.limits import Limits

log = logging.getLogger("bartizan.server")
PHRASES = {400: b"Bad Request", 408: b"Request Timeout", 503: b"Service Unavailable"}


class OpenConnections:
    """Count the open connections: all of them, and those of each address that isn't a proxy."""

    def __init__(self, limits: Limits, site: Site, most: int) -> None:
        self.limits = limits
        self._site = site
        self._most = most
        self._open: dict[Any, str] = {}  # by transport: its address, or nothing if it isn't counted
        self._by_address: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()  # connections that were refused or sent nonsense

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._open)

    def enter(self, transport: Any) -> bool:
        """Count a connection; return whether it may stay open."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        counted = "" if is_loopback(address) or self._site.trusts(address) else address
        if len(self._open) >= self._most:
            self.faults["full"] += 1
            log.error("%d connections are open, as many as the limit of open files allows", self._most)
            return False
        if counted and self._by_address[counted] >= self.limits.connections_per_address:
            self.faults["full"] += 1
            return False
        self._open[transport] = counted
        self._by_address[counted] += 1
        return True

    def leave(self, transport: Any) -> None:
        """Stop counting a connection."""
        address = self._open.pop(transport, None)
        if address is None:
            return
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class RequestProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with connections counted."""

    open_connections: OpenConnections  # set on a subclass by `behind`

    def connection_made(self, transport: Any) -> None:
        """Accept a connection, or respond that there is no room."""
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = None
        if self.open_connections.enter(transport):
            self._wait(self.open_connections.limits.head_seconds)
        else:
            self._refuse(503, "The server has too many connections. Try again later.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._stop_waiting()
        self.open_connections.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a request that has begun must be completed soon."""
        if self.transport.is_closing():
            return
        cycle: Any = self.cycle
        if self._late is None and (cycle is None or cycle.response_complete):
            self._wait(self.open_connections.limits.head_seconds)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Start the response, and wait for the rest of the request."""
        self._wait(self.open_connections.limits.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop waiting: the request is complete."""
        self._stop_waiting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Pass the connection on."""
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Respond to what isn't HTTP."""
        self.open_connections.faults["malformed"] += 1
        self._refuse(400, "Can't read this request.")

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._late = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self._late = None
        if self.transport.is_closing():
            return
        self.open_connections.faults["late"] += 1
        cycle: Any = self.cycle
        if cycle is not None and cycle.response_started and not cycle.response_complete:
            self.transport.abort()  # the response has begun already
        else:
            self._refuse(408, "The request took too long.")

    def _refuse(self, status: int, sentence: str) -> None:
        body = msgspec.json.encode(
            Problem(code="bad_request" if status < 500 else "too_many", sentence=sentence)
        )
        lines = [b"HTTP/1.1 %d %s" % (status, PHRASES[status])]
        lines += [name + b": " + value for name, value in ENCODED_HEADERS]
        lines += [b"content-type: application/json", b"content-length: %d" % len(body), b"connection: close"]
        self.transport.write(b"\r\n".join([*lines, b"", body]))
        self.transport.close()


class TableProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol that can also cut off a dead connection.

    A polite close waits until everything written has been read, which never happens if the other side has
    stopped reading.
    """

    open_connections: OpenConnections

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self.open_connections.leave(self.transport)
        super().connection_lost(exc)

    def handle_connect(self, event: Any) -> None:
        """Offer `abort` and `send_now` to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"]["bartizan.abort"] = self.transport.abort  # type: ignore[assignment]
            self.scope["extensions"]["bartizan.send"] = self.send_now  # type: ignore[assignment]

    def send_now(self, data: bytes) -> bool:
        """Write a text message without waiting; return False if that isn't possible.

        Everything written in one turn of the loop goes out together.
        """
        closing = self.disconnected or self.close_sent or self.conn.state is not State.OPEN
        if closing or not self.writable.is_set():
            return False
        self.conn.send_text(data)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def keepalive_timeout(self) -> None:
        """Drop a silent connection; if nothing is being read from it, its answer may be waiting unread."""
        if self.read_paused and self.ping_timeout is not None:
            self.pong_timer = self.loop.call_later(self.ping_timeout, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)


def behind(open_connections: OpenConnections) -> tuple[type[RequestProtocol], type[TableProtocol]]:
    """Return the protocols of a server that counts its open connections."""
    return (
        type("RequestProtocol", (RequestProtocol,), {"open_connections": open_connections}),
        type("TableProtocol", (TableProtocol,), {"open_connections": open_connections}),
    )

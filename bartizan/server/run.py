"""Start the server: check what can go wrong first, say where it is, stop in good order."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bartizan.engine.errors import BartizanError
from bartizan.server.app import create_app, default_data_dir
from bartizan.server.guard import is_loopback
from bartizan.server.operator import FILE, VARIABLE, Operator, operator_key
from bartizan.tables.errors import StartError
from bartizan.tables.limits import Limits
from bartizan.tables.provider import GameProvider
from bartizan.tables.storage import open_log
from bartizan.tables.store import MoveLog

PORT = 8765
PORTS_TO_TRY = 50
PING_SECONDS = 2.5
PONG_SECONDS = 6.5  # after a ping: a socket that says nothing for 9 s is dead
LARGEST_FRAME = 256 * 1024  # above this the protocol itself ends the connection
STOP_SECONDS = 3


class TableProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol that can also cut a dead connection off.

    A polite close waits until what was written has been read, which is never
    where the other side has stopped reading.
    """

    def handle_connect(self, event: Any) -> None:
        """Offer `abort` to the application."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"]["bartizan.abort"] = self.transport.abort  # type: ignore[assignment]

    def keepalive_timeout(self) -> None:
        """Give up on a silent connection."""
        super().keepalive_timeout()
        self.loop.call_later(1.0, self.transport.abort)


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, address: str, open_browser: bool) -> None:
        super().__init__(config)
        self._address = address
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then tell the address."""
        await super().startup(sockets)
        if not self.started or self.should_exit:
            return
        print(f"Bartizan is at {self._address} (stop it with Ctrl-C).", flush=True)
        if self._open_browser:
            # In a thread: some browsers' starters return only when the browser is closed.
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises `StartError` naming what is wrong with the host, or the next free
    port where this one is taken.
    """
    if not 0 <= port <= 65535:
        raise StartError(f"{port} is no port; ports go from 1 to 65535 (0 takes any free one).")
    try:
        addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise StartError(
            f"There is no address {host!r} to listen on; 127.0.0.1 is this machine alone."
        ) from error
    family, _, _, _, address = addresses[0]
    try:
        return _listen(family, address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            free = _next_free(family, address)
            advice = f" Port {free} is free: --port {free}." if free else ""
            raise StartError(
                f"Port {port} of {host} is in use, perhaps by another Bartizan.{advice}"
            ) from error
        if error.errno == errno.EACCES:
            raise StartError(
                f"Port {port} is not for ordinary users; take one from 1024, such as {PORT}."
            ) from error
        raise StartError(f"{host!r} is no address of this machine; 127.0.0.1 is.") from error


def _listen(family: int, address: Any) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
        listening.set_inheritable(True)
    except OSError:
        listening.close()
        raise
    return listening


def _next_free(family: int, address: Any) -> int:
    for port in range(address[1] + 1, min(address[1] + PORTS_TO_TRY, 65536)):
        try:
            _listen(family, (address[0], port, *address[2:])).close()
        except OSError:
            continue
        return port
    return 0


def _address(host: str, listening: socket.socket) -> str:
    """Return what to type into a browser."""
    port = listening.getsockname()[1]
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1" if host != "::" else "::1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _stop(*_: object) -> None:
    raise KeyboardInterrupt  # uvicorn hands the signal on once it has stopped in good order


def serve(
    host: str = "127.0.0.1",
    port: int = PORT,
    data_dir: Path | None = None,
    open_browser: bool = False,
    *,
    games: GameProvider | None = None,
    limits: Limits | None = None,
) -> int:
    """Serve until SIGINT or SIGTERM, then return 0.

    Raises `StartError` for a bad host or port and `StorageError` for a data
    folder that cannot be used; both are one sentence.
    """
    with contextlib.suppress(ValueError):  # not in the main thread: then signals are somebody else's
        signal.signal(signal.SIGTERM, _stop)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    listening = bind(host, port)
    moves: MoveLog | None = None
    try:
        data = data_dir or default_data_dir()
        moves = open_log(data)
        bound = listening.getsockname()[0]
        alone = is_loopback(bound)
        key = operator_key(data, loopback_only=alone)  # before the start: its fault is a sentence
        operator = Operator(key)
        app = create_app(
            data, moves=moves, games=games, limits=limits, loopback_only=alone, operator=operator
        )
        config = uvicorn.Config(
            app,
            loop="uvloop" if sys.platform != "win32" else "asyncio",
            http="httptools",
            ws=TableProtocol,
            ws_max_size=LARGEST_FRAME,
            ws_ping_interval=PING_SECONDS,
            ws_ping_timeout=PONG_SECONDS,
            ws_per_message_deflate=False,
            log_config=None,  # no log of addresses: tokens are in some of them
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        if key and not os.environ.get(VARIABLE):
            print(f"Running experiments needs the operator's key, which stands in {data / FILE}.")
        Server(config, _address(host, listening), open_browser).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
        if moves is not None:
            moves.close()
    return 0


if __name__ == "__main__":
    # For tests and tools; people use `bartizan serve`.
    try:
        code = serve(
            port=int(sys.argv[1]) if len(sys.argv) > 1 else PORT,
            data_dir=Path(sys.argv[2]) if len(sys.argv) > 2 else None,
        )
    except BartizanError as error:
        print(error, file=sys.stderr)
        code = 2
    raise SystemExit(code)

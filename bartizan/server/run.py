"""Start the server: check everything that can go wrong, print the address, stop properly."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bartizan.engine.errors import BartizanError
from bartizan.server import logs
from bartizan.server.affinity import affine
from bartizan.server.app import create_app
from bartizan.server.hosting import USUAL, Hosting, default_data_dir, site_of
from bartizan.server.memory import calm_collector
from bartizan.server.operator import FILE, VARIABLE, Operator, operator_key
from bartizan.server.protocols import OpenConnections, behind
from bartizan.server.site import Site
from bartizan.server.watching import Measures
from bartizan.server.workers import ONE, Processes, Supervisor, Worker, check_workers
from bartizan.tables.errors import StartError
from bartizan.tables.limits import Limits, shared_out
from bartizan.tables.provider import GameProvider
from bartizan.tables.report import report
from bartizan.tables.storage import open_log
from bartizan.tables.store import MoveLog
from bartizan.tables.webpush import read_keys

PORT = 8765
PORTS_TO_TRY = 50
PING_SECONDS = 2.5
PONG_SECONDS = 6.5  # after a ping: a socket that is silent for 9 s is dead
LARGEST_FRAME = 256 * 1024  # larger messages make the protocol end the connection
STOP_SECONDS = 3
KEPT_FILES = 128  # files that are open in addition to connections
WITHOUT_A_LIMIT = 65536  # connections


class Server(uvicorn.Server):
    """A server that reports when it is ready."""

    def __init__(
        self,
        config: uvicorn.Config,
        address: str,
        open_browser: bool,
        url: str = "",
        worker: Worker | None = None,
    ) -> None:
        super().__init__(config)
        self._url = url
        self._address = address
        self._open_browser = open_browser
        self._worker = worker
        self._taking: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then print the address."""
        await super().startup(sockets)
        if not self.started or self.should_exit:
            return
        calm_collector()
        if self._worker is not None:
            self._worker.hands.watch(self._worker.slot, self._take)
            if not self._worker.is_first:
                return
        others = f" and for others at {self._url}" if self._url else ""
        print(f"Bartizan is at {self._address}{others} (stop it with Ctrl-C).", flush=True)
        if self._open_browser:
            # In a thread: some systems' launchers return only when the browser is closed.
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and end the open ones."""
        if self._worker is not None:
            self._worker.hands.ignore(self._worker.slot)
        await super().shutdown(sockets)

    def _take(self) -> None:
        """Serve a connection that another worker passes on."""
        assert self._worker is not None
        taken = self._worker.hands.take(self._worker.slot)
        if taken is None:
            return
        data, connection = taken

        def protocol() -> asyncio.Protocol:
            kind: Any = self.config.http_protocol_class
            made: asyncio.Protocol = kind(
                config=self.config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
                read_already=data,
            )
            return made

        loop = asyncio.get_running_loop()
        taking = loop.create_task(loop.connect_accepted_socket(protocol, connection))
        self._taking.add(taking)
        taking.add_done_callback(self._taken)

    def _taken(self, taking: asyncio.Task[Any]) -> None:
        self._taking.discard(taking)
        if not taking.cancelled() and (error := taking.exception()) is not None:
            report(error)  # it was already gone


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises `StartError`, which says what is wrong with the host, or names the next free port if this one is
    taken.
    """
    if not 0 <= port <= 65535:
        raise StartError(f"{port} isn't a port; ports are 1 to 65535 (0 takes any free one).")
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise StartError(
            f"Can't listen on {host!r}: there is no such address. 127.0.0.1 is this machine only."
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
                f"Ordinary users can't use port {port}; choose 1024 or higher, such as {PORT}."
            ) from error
        raise StartError(f"{host!r} isn't an address of this machine; 127.0.0.1 is.") from error


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


def _address(host: str, listening: socket.socket, site: Site) -> str:
    """Return the address for a browser on this machine, with the base path."""
    port = listening.getsockname()[1]
    if host in ("", "0.0.0.0", "::"):
        host = "127.0.0.1" if host != "::" else "::1"
    place = f"[{host}]" if ":" in host else host
    return f"http://{place}:{port}{site.base}/"


def most_connections() -> int:
    """Return how many connections may be open, after raising the limit of open files as far as possible.

    Some are reserved for the disk and for compiling processes.
    """
    if sys.platform == "win32":
        return WITHOUT_A_LIMIT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    if soft == resource.RLIM_INFINITY:
        return WITHOUT_A_LIMIT
    return max(16, soft - KEPT_FILES)


def listen(measures: Measures, where: str) -> Callable[[], None]:
    """Serve metrics at HOST:PORT; return a stop function. Raises `StartError`."""
    host, _, port = where.rpartition(":")
    host = host.strip("[]")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise StartError(f"--metrics {where!r} isn't an address and port, such as 127.0.0.1:9100.")
    try:
        return measures.listen(host, int(port))
    except OSError as error:
        raise StartError(f"Can't listen on --metrics {where}: {error.strerror}.") from error


def _stop(*_: object) -> None:
    raise KeyboardInterrupt  # uvicorn raises the signal again once it has stopped properly


def serve(
    host: str = "127.0.0.1",
    port: int = PORT,
    data_dir: Path | None = None,
    open_browser: bool = False,
    *,
    games: GameProvider | None = None,
    limits: Limits | None = None,
    processes: Processes = ONE,
    hosting: Hosting = USUAL,
) -> int:
    """Serve until SIGINT or SIGTERM, then return 0.

    `hosting` holds the server's names and proxies.  Raises `StartError` for a bad host or port or
    an unsafe setting, and `StorageError` for an unusable data folder, each with a message of one
    sentence.
    """
    with contextlib.suppress(ValueError):  # not in the main thread: the caller handles signals
        signal.signal(signal.SIGTERM, _stop)
    logs.set_up(hosting.log, requests=hosting.log_requests)
    workers, database, prepare = processes
    check_workers(workers)
    listening = bind(host, port)
    opened: MoveLog | None = None
    try:
        data = data_dir or default_data_dir()
        site = site_of(hosting, listening.getsockname()[0], data)  # before anything is created there
        opened = open_log(data, database)
        key = operator_key(
            data, loopback_only=site.loopback_only and not (site.url or site.proxies or site.names)
        )  # before the start, so that its error is a sentence
        if key and not os.environ.get(VARIABLE):
            print(f"To run experiments you need the host's key, which is in {data / FILE}.")
        read_keys(data)  # for the same reason
        address = _address(host, listening, site)
        limits = limits or Limits()

        def work(moves: MoveLog, worker: Worker | None = None) -> int:
            stop_measures: Callable[[], None] | None = None
            taken = limits if worker is None else shared_out(limits, workers)
            try:
                if prepare is not None:
                    prepare()
                app = create_app(
                    data,
                    moves=moves,
                    games=games,
                    limits=taken,
                    site=site,
                    operator=Operator(key, data),
                    replaces=worker.replaces if worker else "",
                )
                open_connections = OpenConnections(taken, site, most_connections())
                app.state.measures.open_connections = lambda: (
                    open_connections.connections,
                    dict(open_connections.faults),
                )
                if hosting.metrics and (worker is None or worker.slot == 0):
                    stop_measures = listen(app.state.measures, hosting.metrics)
                server = Server(
                    _config(app, open_connections, worker), address, open_browser, site.url, worker
                )
                app.state.stopping = lambda: server.should_exit
                server.run(sockets=[listening])
            except KeyboardInterrupt:
                pass
            finally:
                if stop_measures is not None:
                    stop_measures()
                moves.close()
            return 0

        if workers == 1:
            return work(opened)
        opened.close()  # opened only to report errors as a sentence; each worker opens its own
        return Supervisor(workers, lambda worker: work(open_log(data, database, checked=True), worker)).run()
    finally:
        listening.close()
        if opened is not None:
            opened.close()


def _config(app: Any, open_connections: OpenConnections, worker: Worker | None) -> uvicorn.Config:
    requests, sockets = behind(open_connections)
    http: type[HttpToolsProtocol] = requests
    return uvicorn.Config(
        app,
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        http=http if worker is None else affine(http, worker.hands, worker.slot),
        ws=sockets,
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        ws_per_message_deflate=False,
        log_config=None,  # no access log: some addresses contain tokens
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


if __name__ == "__main__":
    # For tests and tools; people use `bartizan serve`.
    try:
        code = serve(
            port=int(sys.argv[1]) if len(sys.argv) > 1 else PORT,
            data_dir=Path(sys.argv[2]) if len(sys.argv) > 2 else None,
            processes=Processes(
                int(sys.argv[3]) if len(sys.argv) > 3 else 1, sys.argv[4] if len(sys.argv) > 4 else ""
            ),
        )
    except BartizanError as error:
        print(error, file=sys.stderr)
        code = 2
    raise SystemExit(code)

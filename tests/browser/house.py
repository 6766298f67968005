"""Run a real server for the browser, and plan games for it beside its own rules."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bartizan.engine.scene import Choice
from bartizan.match import Match

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0  # seconds to start, the rules' compiling included


class Table(msgspec.Struct, frozen=True):
    """A table's name and keys."""

    table: str
    seat: str
    spectator: str


class House:
    """A server in a process of its own, which can be killed and started again where it was."""

    def __init__(self, data: Path, module: str = "", base: str = "") -> None:
        """Start a server; `module` runs another one than ours, with a port and a folder.

        `base` is the folder of addresses in which it lies, as behind a proxy.
        """
        self.data = data
        self._module = module
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.base = base
        self.address = f"http://127.0.0.1:{self.port}{base}"
        self._errors = data.with_name(data.name + ".stderr")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        port, data = str(self.port), str(self.data)
        ours = ["bartizan", "serve", "--port", port, "--data", data]
        if self.base:
            ours += ["--public-url", self.address, "--proxy", "127.0.0.1"]
        with self._errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *([self._module, port, data] if self._module else ours)],
                cwd=ROOT,
                env=dict(os.environ) | {"PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        assert self._process.stdout is not None
        end = time.monotonic() + PATIENCE
        line = ""
        while self.address not in line and time.monotonic() < end and self._process.poll() is None:
            ready, _, _ = select.select([self._process.stdout], [], [], end - time.monotonic())
            line = self._process.stdout.readline().decode() if ready else ""
        assert self.address in line, self._errors.read_text()

    def kill(self) -> None:
        """End the server as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(20)

    def stop(self, warning: str = "") -> None:
        """Stop in good order; nothing but a warning may have been logged meanwhile."""
        assert self._process is not None
        self._process.terminate()
        assert self._process.wait(30) == 0
        said = self._errors.read_text().splitlines()
        assert [line for line in said if not warning or warning not in line] == []

    def ask(self, path: str, body: object = None, key: str = "") -> Any:
        if path == "/api/tables" and isinstance(body, dict):  # all keys are known, as at one screen
            body = {"here": "everyone", **body}
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
        request = Request(self.address + path, data, headers)
        with urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read().decode()
            return json.loads(text) if "json" in answer.headers["content-type"] else text

    def deal(self, **more: object) -> Table:
        links = self.ask("/api/tables", {"game": "alcazar", **more})
        return Table(links["table"], links["seats"][0], links["spectator"])

    def link(self, table: Table) -> str:
        return f"{self.address}/t/{table.table}#{table.seat}"

    def socket(self, table: str) -> str:
        """Return where a table's socket is."""
        return f"ws://127.0.0.1:{self.port}{self.base}/ws/{table}"

    @contextmanager
    def wire(self, table: str, key: str) -> Iterator[ClientConnection]:
        """Come to a table without a browser."""
        with connect(self.socket(table), origin=Origin(self.address), max_size=None, max_queue=None) as wire:
            wire.send(json.dumps({"type": "enter", "key": key}))
            yield wire

    def watch(self, table: Table) -> str:
        return f"{self.address}/t/{table.table}#{table.spectator}"

    def record(self, table: Table) -> str:
        return str(self.ask(f"/api/tables/{table.table}/record", key=table.seat))

    def moves(self, table: Table) -> list[str]:
        """Return the moves that the server has of a table."""
        lines = self.record(table).splitlines()
        return [line.split(". ", 1)[1] for line in lines if line.split(".")[0].isdigit()]

    def play(self, table: Table, moves: Iterable[str]) -> None:
        """Play moves without a browser, from wherever the table is."""
        with self.wire(table.table, table.seat) as wire:
            version = version_of(wire)
            for move in moves:
                version = make(wire, move, version)


def version_of(wire: ClientConnection) -> int:
    """Return the version at which a table is."""
    wire.send(json.dumps({"type": "hello"}))
    return int(hear(wire, "sync")["version"])


def make(wire: ClientConnection, move: str, version: int) -> int:
    """Make a move at the version at which the table is; return the next one."""
    wire.send(json.dumps({"type": "move", "id": f"m{version}", "version": version, "move": move}))
    return int(hear(wire, "ack")["version"])


def hear(wire: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind; an error ends the test."""
    while (message := json.loads(wire.recv(timeout=PATIENCE)))["type"] != kind:
        assert message["type"] != "error", message
    return dict(message)


class Plan(msgspec.Struct, frozen=True):
    """A deal and the choices that lead through it as the hints advise."""

    seed: str
    won: bool
    choices: tuple[Choice, ...]
    record: str


def planned(seed: str, player: str = "search") -> Plan:
    """Play a deal to its end as the hints advise, those by search or those of the greedy player."""
    match = Match("alcazar", seed=seed)
    choices = []
    while not match.is_over:
        hint = match.views.hints(1, player=player)[0]
        choices.append(next(one for one in match.views.scene(1).choices if one.action == hint.action))
        match.play(hint.action)
    result = match.views.scene(1).result
    assert result is not None
    return Plan(seed, 1 in result.outcome.winners, tuple(choices), match.record(secret_seed=True).text())


def winning() -> Plan:
    """Find a deal that the hints win, in a game with many kinds of move."""
    for seed in map("{:x}".format, range(1, 200)):
        if not planned(seed, "greedy").won:  # a quick look: such a deal is an easy one
            continue
        plan = planned(seed)
        verbs = {choice.text.split()[0] for choice in plan.choices}
        if plan.won and len(plan.choices) <= 45 and {"defend", "repair", "reinforce", "end"} <= verbs:
            return plan
    raise AssertionError("The hints win no deal of the first 200.")

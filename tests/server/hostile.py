"""Throw hostile messages at a server and watch its memory.

The suite does it some thousand times; ``python -m tests.server.hostile`` a million times.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.serving import Serving

SOME = (
    *("move", "undo", "redo", "resign", "why", "hint", "at", "say", "claim", "introduce", "ask"),
    *("enter", "hello"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 2**70, 1.5, "", "end", "play 3", "x" * 500, "\x00", "é" * 70),
    *([], [1], ["a"] * 70, {}, {"a": {}}),
)
FIELDS = (
    "id",
    "version",
    "move",
    "items",
    "text",
    "emote",
    "seat",
    "how",
    "what",
    "name",
    "arms",
    "key",
)


def message(chance: random.Random) -> str | bytes:
    """Return something that no client of ours says."""
    kind = chance.randrange(10)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        return "".join(map(chr, (chance.randrange(1, 0xD7FF) for _ in range(chance.randrange(200)))))
    if kind == 2:
        return chance.choice(["[", '{"a":', '"']) * chance.randrange(1, 5000)
    said = {chance.choice(FIELDS): chance.choice(VALUES) for _ in range(chance.randrange(6))}
    text = json.dumps({"type": chance.choice(SOME), **said})
    return text[: chance.randrange(len(text))] if kind == 3 else text


def request(chance: random.Random, port: int, table: str) -> bytes:
    """Return the bytes of a request that is none, or a strange one."""
    path = chance.choice(
        ["/", "/api/tables", f"/api/tables/{table}/record", "/api/replay", f"/ws/{table}", "/%00", "/a" * 500]
    )
    host = chance.choice([f"127.0.0.1:{port}", "127.0.0.1:99999", "evil.example", "", "\xff", "a" * 300])
    method, version = chance.choice(["GET", "POST", "PUT", "X", ""]), chance.choice(["1.1", "1.0", "7"])
    head = f"{method} {path} HTTP/{version}\r\n"
    body = chance.randbytes(chance.randrange(60)) + json.dumps(chance.choice(VALUES)).encode()
    head += f"Host: {host}\r\nContent-Length: {chance.choice([len(body), 0, -1, 10**9, 'x'])}\r\n"
    more = ["", "Authorization: Bearer x", "Upgrade: websocket", "Content-Type: application/json"]
    head += chance.choice(more)
    return head.encode("latin-1") + b"\r\n\r\n" + body


def memory(process: int) -> float:
    """Return what a process holds in memory, in MiB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("no such process")


def shout(port: int, data: bytes) -> None:
    """Send bytes and do not listen for long."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=0.2) as raw:
            raw.sendall(data)
            raw.recv(1000)
    except OSError:
        pass


async def attack(
    serving: Serving, messages: int, chance: random.Random, *, told: float = 0.0
) -> dict[str, float]:
    """Send so many messages over sockets, with requests between them; return what it did to the server.

    Every `told` seconds, if any, it prints how far it is.
    """
    process = serving.process.pid
    links = serving.table()
    sent = sockets = requests = 0
    await asyncio.to_thread(shout, serving.port, b"GET / HTTP/1.1\r\n\r\n")
    begin, first, next_told = time.monotonic(), 0.0, time.monotonic() + told
    while sent < messages:
        key = chance.choice([*links["seats"], links["spectator"], "nonsense", ""])
        sockets += 1
        try:
            address = f"ws://127.0.0.1:{serving.port}/ws/{links['table']}"
            async with connect(address, compression=None, close_timeout=0.2) as wire:
                if chance.random() < 0.9:
                    await wire.send(json.dumps({"type": "enter", "key": key}))
                for _ in range(chance.randrange(1, 400)):
                    await wire.send(message(chance))
                    sent += 1
        except (ConnectionClosed, InvalidHandshake, OSError):
            sent += 1
        for _ in range(chance.randrange(3)):
            requests += 1
            await asyncio.to_thread(shout, serving.port, request(chance, serving.port, links["table"]))
        if not first and sent > messages / 5:
            first = memory(process)  # warm by now
        if told and time.monotonic() > next_told:
            next_told += told
            print(f"{sent} messages, {sockets} sockets, {requests} requests", flush=True)
            print(f"{memory(process):.0f} MiB", flush=True)
    held = memory(process)
    return {
        "messages": sent,
        "sockets": sockets,
        "requests": requests,
        "seconds": round(time.monotonic() - begin, 1),
        "mib": round(held, 1),
        "grown_mib": round(held - first, 1),
        "log_bytes": serving.errors.stat().st_size,
    }


def main() -> None:
    parsing = argparse.ArgumentParser(description=__doc__)
    parsing.add_argument("--messages", type=int, default=1_000_000)
    parsing.add_argument("--seed", type=int, default=1)
    args = parsing.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Serving("tests.server.duel", Path(folder) / "data") as serving,
    ):
        figures = asyncio.run(attack(serving, args.messages, random.Random(args.seed), told=20.0))
        print(figures, flush=True)
        assert serving.stop() == 0
        print(serving.errors.read_text()[:2000])


if __name__ == "__main__":
    main()

"""Measure a server on this machine: durable moves a second, and how long one takes.

A server of its own, on loopback, in a folder that is thrown away; the players
are tasks in this process, so that the machine's cores serve both sides.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from bartizan.engine.errors import BartizanError
from bartizan.tables.errors import Conflict
from bartizan.tables.limits import Limits
from bartizan.tables.storage.sqlite import SqliteLog
from bartizan.tables.store import EntryRow, TableRow
from benchmarks.load import MOST_SECONDS, MOST_SOCKETS, Figures, Load, figures

ROOT = Path(__file__).resolve().parents[1]  # where the server that is measured finds this module
WARMING = 1.0  # seconds of play before it is counted
REFUSED_PAUSE = 0.03  # seconds: about as many messages as one connection may send
FLOOD = 20  # tables at which cards are thrown without a pause
PACED, PACE = 20, 0.1  # sockets, and seconds between a socket's moves, where it is not how many but how late


async def measure_log(writers: int, seconds: float) -> Figures:
    """Measure the move log alone: `writers` tables append as fast as they are answered."""
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="bartizan-bench-") as folder:
        log = SqliteLog.open(Path(folder))
        end = time.perf_counter() + seconds

        async def write(table: str) -> None:
            version = 0
            await log.create(TableRow(table, "none", 1, {}, 1, ("person",), "", (b"",)))
            while (begin := time.perf_counter()) < end:
                version += 1
                try:
                    await log.append(table, version, EntryRow("move", 1, "end", f"{version}"))
                except Conflict:
                    raise AssertionError("a table of its own cannot conflict") from None
                times.append(time.perf_counter() - begin)

        await asyncio.gather(*(write(f"table {number}") for number in range(writers)))
        log.close()
    return figures("move log alone", writers, seconds, times)


async def measure_server(
    game: str, sockets: int, seconds: float, pause: float = 0.0, thinking: int = 0, throwing: int = 0
) -> Figures:
    """Measure a whole server: every socket sits at a table of its own and plays random legal moves.

    `pause` seconds lie between the moves of one socket; 0 plays as fast as
    the server answers.  At `thinking` tables more, programs of the strongest
    level play each other; at `throwing` tables somebody throws cards as fast as the server answers.
    """
    if not 1 <= sockets <= MOST_SOCKETS or not 0 < seconds <= MOST_SECONDS:
        raise BartizanError(
            f"The bench takes 1 to {MOST_SOCKETS} sockets and at most {MOST_SECONDS:.0f} seconds."
        )
    async with served() as (port, _):
        return await _play(game, port, sockets, seconds, pause, thinking, throwing)


async def measure_load(
    game: str, seats: int, tables: int, seconds: float, rates: Sequence[float] = (0.0,)
) -> list[Figures]:
    """Measure a whole server under load (see `benchmarks.load`): people play at some tables, then leave.

    `rates` are moves a second over all tables, one run after the other at the same tables; 0 plays as fast
    as the server answers.  The first second is not counted: machines and caches are cold.
    """
    if not 1 <= seats * tables <= MOST_SOCKETS or not 0 < seconds <= MOST_SECONDS:
        raise BartizanError(
            f"The bench takes 1 to {MOST_SOCKETS} sockets and at most {MOST_SECONDS:.0f} seconds."
        )
    found = []
    async with served() as (port, pid):
        load = Load(port, game, seats)
        try:
            await load.join(tables)
            await load.run("", pid, WARMING)
            for rate in rates:
                await load.settle()
                what = f"{game}, {tables} tables of {seats}" + (f", {rate:g} moves/s asked" if rate else "")
                found.append(await load.run(what, pid, seconds, rate))
        finally:
            load.close()
    return found


@asynccontextmanager
async def served() -> AsyncIterator[tuple[int, int]]:
    """Run a server on a folder that is thrown away; give its port and its process's id."""
    with tempfile.TemporaryDirectory(prefix="bartizan-bench-") as folder:
        command = [sys.executable, "-m", "benchmarks.server", "--serve", folder]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=ROOT
        )
        try:
            assert process.stdout is not None
            line = await asyncio.to_thread(process.stdout.readline)
            yield int(line.split("127.0.0.1:")[1].split("/")[0]), process.pid
        finally:
            process.terminate()
            process.wait(15)


async def _play(
    game: str, port: int, sockets: int, seconds: float, pause: float, thinking: int, throwing: int
) -> Figures:
    times: list[float] = []
    ready = asyncio.Semaphore(32)
    begin = asyncio.Event()
    end = 0.0

    async def player(number: int, seated: asyncio.Semaphore) -> None:
        chance = random.Random(number)
        prefix = secrets.token_hex(4)
        async with ready:
            links = await asyncio.to_thread(_deal, port, {"game": game})
            socket = await _sit(port, links)
            await _enter(socket, links)
            sync = await _next_sync(socket)
        seated.release()
        await begin.wait()
        while time.perf_counter() < end:
            choices = sync["scene"].get("choices")
            if pause:
                await asyncio.sleep(chance.uniform(0.5, 1.5) * pause)
            asked = time.perf_counter()
            # A finished game is taken back to its start by undoing: no new table is needed.
            kind = f'"type":"move","move":{chance.choice(choices)["action"]}' if choices else '"type":"undo"'
            version = sync["version"]
            await socket.send(f'{{{kind},"id":"{prefix}-{version}","version":{version}}}')
            sync = await _next_sync(socket)
            times.append(time.perf_counter() - asked)
        await socket.close()

    try:
        async with asyncio.TaskGroup() as tasks:  # one that fails ends all
            watching = []
            for _ in range(thinking):
                moved = asyncio.Semaphore(0)
                watching.append(tasks.create_task(_watch(game, port, moved)))
                await moved.acquire()
            for _ in range(throwing):
                moved = asyncio.Semaphore(0)
                watching.append(tasks.create_task(_flood(port, moved)))
                await moved.acquire()
            seated = asyncio.Semaphore(0)
            players = [tasks.create_task(player(number, seated)) for number in range(sockets)]
            for _ in range(sockets):
                await seated.acquire()
            start = time.perf_counter()
            end = start + seconds
            begin.set()
            await asyncio.gather(*players)
            for watcher in watching:
                watcher.cancel()
    except* OSError as errors:
        raise BartizanError(f"The bench lost its server: {errors.exceptions[0]}.") from errors
    what = f"{game} over sockets" + (f", a move every {pause:g} s each" if pause else "")
    what += f", while strong programs think at {thinking} tables" if thinking else ""
    what += f", while cards are thrown at {throwing} tables as fast as it goes" if throwing else ""
    return figures(what, sockets, time.perf_counter() - start, times)


def _deal(port: int, wanted: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/tables",
        json.dumps(wanted).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return dict(json.load(answer))


def _sit(port: int, links: dict[str, Any]) -> connect:
    address = f"ws://127.0.0.1:{port}/ws/{links['table']}"
    return connect(address, max_size=None, compression=None, ping_interval=None, open_timeout=60)


async def _enter(socket: Any, links: dict[str, Any]) -> None:
    await socket.send(json.dumps({"type": "enter", "key": links["seats"][0]}))
    await socket.send('{"type":"hello"}')


async def _watch(game: str, port: int, seated: asyncio.Semaphore) -> None:
    """Look on while strong programs play each other, at one table after the other."""
    from bartizan.engine import registry
    from bartizan.engine.levels import TOP

    wanted = {"game": game, "players": [TOP] * registry.get(game).min_seats}
    while True:
        links = await asyncio.to_thread(_deal, port, wanted)
        async with _sit(port, links) as socket:
            await _enter(socket, links)
            sync = await _next_sync(socket)
            while not sync["scene"].get("result"):
                sync = await _next_sync(socket)
                seated.release()  # a program has moved: it is ready, and thinks again


async def _flood(port: int, ready: asyncio.Semaphore) -> None:
    """Throw cards, take them back and throw them again, in a game in which that is possible."""
    from bartizan.engine import registry

    name = next(name for name in registry.names() if registry.get(name).throwing is not None)
    options = {spec.key: spec.proposed for spec in registry.get(name).options if spec.proposed}
    links = await asyncio.to_thread(_deal, port, {"game": name, "options": options, "seats": 1})
    async with _sit(port, links) as socket:
        await _enter(socket, links)
        sync = await _next_sync(socket)
        number = 0
        while True:
            choices = sync["scene"].get("choices", ())
            throws = [each["text"] for each in choices if each.get("throw")]
            wish: dict[str, Any] = {"type": "undo"}
            if throws:
                wish = {"type": "move", "move": f"{throws[0]} lob"}
            elif not sync["scene"].get("flown"):
                wish = {"type": "move", "move": choices[0]["action"]}
            number += 1
            await socket.send(json.dumps({**wish, "id": f"flood-{number}", "version": sync["version"]}))
            try:
                sync = await _next_sync(socket)
            except BartizanError:  # too fast: it only tries again
                await asyncio.sleep(REFUSED_PAUSE)
            ready.release()


async def _next_sync(socket: Any) -> dict[str, Any]:
    """Return the next sync; its move has been acknowledged by then, as the log comes first."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "sync":
            return dict(message)
        if message["type"] in ("error", "refused"):
            raise BartizanError(f"The bench was refused a move: {message}")


def _serve(folder: str) -> int:
    from bartizan.server.run import serve

    limits = Limits(
        messages_per_second=1e6,
        message_burst=1e6,
        tables_per_second=1e6,
        table_burst=1e6,
        tables_in_memory=4096,
        program_pause=0.0,
    )
    return serve("127.0.0.1", 0, Path(folder), limits=limits)


def main(arguments: list[str] | None = None) -> int:
    """Print the figures, one JSON object a line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--game", default="alcazar")
    parser.add_argument("--sockets", type=int, default=50, help=f"1 to {MOST_SOCKETS} (50)")
    parser.add_argument("--seconds", type=float, default=5.0, help=f"up to {MOST_SECONDS:.0f} (5)")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between one socket's moves (0)")
    given = parser.parse_args(arguments)
    if given.serve:
        return _serve(given.serve)
    try:
        for figures in (
            asyncio.run(measure_log(given.sockets, given.seconds)),
            asyncio.run(measure_server(given.game, given.sockets, given.seconds, given.pause)),
            *(
                asyncio.run(measure_server(given.game, PACED, given.seconds, PACE, tables))
                for tables in (0, 2)
            ),
            asyncio.run(measure_server(given.game, PACED, given.seconds, PACE, 0, FLOOD)),
        ):
            print(msgspec.json.encode(figures).decode(), flush=True)
    except BartizanError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    raise SystemExit(main())

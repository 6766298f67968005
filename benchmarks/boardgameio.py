"""Put boardgame.io's server under the same load as ours: ``python -m benchmarks.boardgameio``.

Its server keeps matches in memory and plays its smallest game, one number that counts up, so this is what
its sockets and its state's history cost, without rules, hidden information or a disk.  The client is ours
(`benchmarks.load`), over WebSocket from the beginning.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.load import Socket, connect, figures, processor_seconds
from benchmarks.tables import line
from scripts.setup import npm

VERSION = "0.50.2"
FOLDER = Path(__file__).parents[1] / ".build" / "rivals"
JOINING = 64


class Match:
    """One match with one player, who moves as soon as the last move came back."""

    def __init__(self, name: str, times: list[float]) -> None:
        self.name = name
        self.socket: Socket | None = None
        self.end = 0.0
        self.ready = asyncio.Event()
        self._times = times
        self._state = 0
        self._asked = 0.0

    def hear(self, data: bytes) -> None:
        """Go through the handshake, then answer each update with the next move."""
        if data == b"2":
            self._send(b"3")
        elif data.startswith(b"40/count,"):
            self._send(b'42/count,["sync","%s","0",null,1]' % self.name.encode())
        elif data.startswith(b'42/count,["sync"'):
            self.ready.set()
        elif data.startswith(b'42/count,["update"'):
            now = time.perf_counter()
            self._times.append(now - self._asked)
            self._state += 1
            if now < self.end:
                self.move()

    def begin(self, socket: Socket) -> None:
        """Ask for the game's room; the match is asked for once that is answered."""
        self.socket = socket
        self._send(b"40/count,")

    def move(self) -> None:
        """Make a move."""
        self._asked = time.perf_counter()
        action = '{"type":"MAKE_MOVE","payload":{"type":"play","args":[],"playerID":"0","credentials":null}}'
        self._send(f'42/count,["update",{action},{self._state},"{self.name}","0"]'.encode())

    def _send(self, text: bytes) -> None:
        assert self.socket is not None
        self.socket.send(text)


@asynccontextmanager
async def served() -> AsyncIterator[tuple[int, int]]:
    """Run its server; give its port and its process's id."""
    script = Path(__file__).with_suffix(".cjs")
    process = subprocess.Popen([npm()[0], str(script), str(FOLDER)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while not (told := await asyncio.to_thread(process.stdout.readline)).startswith("port "):
            if not told:
                raise SystemExit("boardgame.io's server did not start.")
        yield int(told.split()[1]), process.pid
    finally:
        process.terminate()
        process.wait(15)


async def measure(sockets: int, seconds: float) -> str:
    """Return the figures of some sockets, each at a match of its own, as a line."""
    times: list[float] = []
    async with served() as (port, pid):
        room = asyncio.Semaphore(JOINING)

        async def join() -> Match:
            async with room:
                match = Match(secrets.token_hex(6), times)  # it makes one when it is first asked for
                match.begin(await connect(port, "/socket.io/?EIO=4&transport=websocket", match.hear))
                await asyncio.wait_for(match.ready.wait(), 60)
                return match

        matches = await asyncio.gather(*(join() for _ in range(sockets)))
        before, start = processor_seconds(pid), time.perf_counter()
        for match in matches:
            match.end = start + seconds
            match.move()
        await asyncio.sleep(seconds)
        found = figures(f"boardgame.io {VERSION}, {sockets} sockets", sockets, seconds, times)
        after = processor_seconds(pid)
        if before is not None and after is not None and times:
            found.processor = round(1000 * (after - before) / len(times), 3)
        for match in matches:
            if match.socket:
                match.socket.close()
    return line(found)


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; say how to install it where it is not there."""
    parsing = argparse.ArgumentParser(prog="python -m benchmarks.boardgameio", description=__doc__)
    parsing.add_argument("--sockets", type=int, nargs="*", default=[50, 1000])
    parsing.add_argument("--seconds", type=float, default=5.0)
    args = parsing.parse_args(words)
    if not (FOLDER / "node_modules" / "boardgame.io").is_dir():
        install = f"npm install --ignore-scripts --prefix {FOLDER} boardgame.io@{VERSION}"
        print(f"boardgame.io is not there: {install}", file=sys.stderr)
        return 2
    for sockets in args.sockets:
        print(asyncio.run(measure(sockets, args.seconds)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

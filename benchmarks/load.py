"""Put a table server under load: many sockets that play, each answer timed, the server's processor time read.

It speaks WebSocket itself, in few lines and with nothing parsed that is not needed, so that the client is
cheaper than the server that it measures; it is run in a process of its own.  A game for one that has ended
is taken back move by move to its beginning, each an entry of the log as a move is; a game of several is
followed by another table.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import json
import os
import random
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from bartizan.engine.errors import BartizanError

MOST_SOCKETS = 5000
MOST_SECONDS = 60.0
JOINING = 64  # tables that are made and joined at once
PATIENCE = 60.0  # seconds to wait for a table, or for the sockets' last answers
# How a frame begins whose length is told in it, in 2 bytes, or in 8.
SHORT, MIDDLE, LONG = 125, 126, 127
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Figures(msgspec.Struct, kw_only=True):
    """What was measured; times in milliseconds."""

    what: str
    sockets: int
    seconds: float
    moves: int
    moves_per_second: float
    p50: float
    p95: float
    p99: float
    longest: float = 0.0
    processor: float | None = None  # of the server for each move, system calls included; None where not told
    received: int = 0  # bytes for each move, at all sockets of its table together


def figures(what: str, sockets: int, seconds: float, times: list[float]) -> Figures:
    """Sum up answers' times, given in seconds."""
    times = sorted(times) or [0.0]

    def at(percent: int) -> float:
        return round(1000 * times[min(len(times) - 1, len(times) * percent // 100)], 2)

    return Figures(
        what=what,
        sockets=sockets,
        seconds=round(seconds, 2),
        moves=len(times),
        moves_per_second=round(len(times) / seconds, 1),
        p50=at(50),
        p95=at(95),
        p99=at(99),
        longest=round(1000 * times[-1], 2),
    )


def processor_seconds(pid: int) -> float | None:
    """Return the processor time that a process has had, its threads together; None where that is not told."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# A socket -------------------------------------------------------------------------------------------------


class Socket(asyncio.Protocol):
    """A WebSocket of a client: whole text messages in and out, pings answered."""

    def __init__(self, address: str, path: str, hear: Callable[[bytes], None]) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = 0  # bytes
        self._hear = hear
        self._address = address
        self._path = path
        self._data = bytearray()
        self._transport: Any = None
        self._is_open = False

    def connection_made(self, transport: Any) -> None:
        """Ask for the protocol."""
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {self._path} HTTP/1.1",
            f"Host: {self._address}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        )
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell who still waits for the beginning."""
        if not self.opened.done():
            self.opened.set_exception(BartizanError("The bench was not let in."))

    def send(self, text: bytes) -> None:
        """Send a message; its mask of zeros changes nothing, as it has to be there and no more."""
        size = len(text)
        head = bytes((0x81, 0x80 | size)) if size <= SHORT else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Go without a word."""
        self._hear = _ignore
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in what came, and hand on the messages that are whole."""
        self.received += len(data)
        have = self._data
        have += data
        if not self._is_open and not self._begin():
            return
        start = 0
        while len(have) - start >= 2:
            size, body = have[start + 1], start + 2
            if size >= MIDDLE:
                wide = 2 if size == MIDDLE else 8
                if len(have) < body + wide:
                    break
                size, body = int.from_bytes(have[body : body + wide], "big"), body + wide
            if len(have) < body + size:
                break
            kind, start = have[start] & 15, body + size
            if kind == TEXT:
                self._hear(bytes(have[body:start]))
            elif kind == PING:
                pong = bytes((0x80 | PONG, 0x80 | size)) + b"\0\0\0\0" + bytes(have[body:start])
                self._transport.write(pong)
        del have[:start]

    def _begin(self) -> bool:
        end = self._data.find(b"\r\n\r\n")
        if end < 0:
            return False
        if b" 101 " not in self._data[:end]:
            self._transport.abort()
            return False
        del self._data[: end + 4]
        self._is_open = True
        if not self.opened.done():
            self.opened.set_result(None)
        return True


def _ignore(_: bytes) -> None:
    """Hear nothing more."""


async def connect(port: int, path: str, hear: Callable[[bytes], None]) -> Socket:
    """Open a socket on loopback; raises `BartizanError` where it is refused."""
    loop = asyncio.get_running_loop()
    address = f"127.0.0.1:{port}"
    _, socket = await loop.create_connection(lambda: Socket(address, path, hear), "127.0.0.1", port)
    async with asyncio.timeout(PATIENCE):
        await socket.opened
    return socket


async def ask(port: int, path: str, body: object) -> Any:
    """Send a request and return the answer's JSON; raises `BartizanError` for a refusal."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        data = json.dumps(body).encode()
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode()
            + data
        )
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
    finally:
        writer.close()
    head, _, body_bytes = answer.partition(b"\r\n\r\n")
    if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
        raise BartizanError(f"The bench was refused: {body_bytes.decode(errors='replace')[:200]}")
    return json.loads(body_bytes)


# A table --------------------------------------------------------------------------------------------------


class _Choice(msgspec.Struct):
    action: int


class _Status(msgspec.Struct):
    seat: int
    ply: int


class _Scene(msgspec.Struct):
    status: _Status
    choices: list[_Choice] = []


class _News(msgspec.Struct):
    """The little of a message that the bench reads."""

    type: str
    version: int = 0
    id: str = ""
    sentence: str = ""
    scene: _Scene | None = None


_news = msgspec.json.Decoder(_News)


class Table:
    """One table, a socket at each of its seats: it tells when it waits for a move, and makes one."""

    def __init__(self, load: Load, number: int) -> None:
        self.sockets: list[Socket] = []
        self.is_ready = False  # somebody is asked, and nothing is under way
        self._load = load
        self._dice = random.Random(number)
        self._actions: list[list[int]] = []
        self._version = 0
        self._asked = 0  # whose move it is, from 0
        self._next = 0  # who is asked after that one
        self._is_over = False
        self._is_left = False
        self._goes_back = False  # a finished game for one is being taken back
        self._due = 0.0  # when the move that is under way was to be made
        self._mine = 0  # the version that it makes
        self._received = 0  # by sockets of tables that were left

    @property
    def received(self) -> int:
        """How many bytes came for its people."""
        return self._received + sum(socket.received for socket in self.sockets)

    async def begin(self) -> None:
        """Make a table, take its seats, and wait until somebody is asked for a move."""
        load = self._load
        self._received = self.received
        for socket in self.sockets:
            socket.close()
        links = await load.deal()
        self._version, self.is_ready, self.sockets = -1, False, []
        self._asked, self._next, self._is_over, self._is_left = 0, 0, False, False
        self._actions = [[] for _ in links["seats"]]
        for seat, token in enumerate(links["seats"]):
            hear = functools.partial(self._hear, seat)
            socket = await connect(load.port, f"/ws/{links['table']}", hear)
            self.sockets.append(socket)
            socket.send(b'{"type":"enter","key":"%s"}' % token.encode())
            socket.send(b'{"type":"hello"}')

    def move(self, due: float) -> None:
        """Make a random legal move, or take one back, which was `due` then."""
        actions = self._actions[self._asked]
        self.is_ready = False
        self._due, self._mine = due, self._version + 1
        if self._goes_back:
            wish = b'{"type":"undo","id":"m%d","version":%d}' % (self._mine, self._version)
        else:
            action = actions[self._dice.randrange(len(actions))]
            wish = b'{"type":"move","id":"m%d","version":%d,"move":%d}' % (self._mine, self._version, action)
        self.sockets[self._asked].send(wish)

    def _hear(self, seat: int, data: bytes) -> None:
        news = _news.decode(data)
        if news.type in ("error", "refused"):
            self._load.fail(f"The bench was refused a move: {data.decode()[:300]}")
        if news.scene is None:
            return
        scene = news.scene
        if self._due and seat == self._asked and news.version >= self._mine:
            # The mover sees its move done, which is durable by then.
            self._load.times.append(time.perf_counter() - self._due)
            self._due = 0.0
        self._version = max(self._version, news.version)
        self._actions[seat] = [choice.action for choice in scene.choices]
        if len(self.sockets) == 1:
            self._goes_back = scene.status.ply > 0 and (self._goes_back or scene.status.seat == 0)
        elif scene.status.seat == 0:
            self._is_over = True
        if scene.status.seat == seat + 1:
            self._next = seat
        if self._due:
            return
        if self._is_over:
            if not self._is_left:
                self._is_left = True
                self._load.ended(self)
        elif (self._actions[self._next] or self._goes_back) and not self.is_ready:
            self._asked, self.is_ready = self._next, True
            self._load.ready(self)


class Load:
    """Tables of one game under load."""

    def __init__(self, port: int, game: str, seats: int = 1) -> None:
        self.port = port
        self.times: list[float] = []
        # A seed that everyone knows: without one, the cards wait for a share from each person.
        self._wanted = {"game": game, "seats": seats, "here": "everyone", "open_seed": seats > 1}
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tables: list[Table] = []
        self._renewing: set[asyncio.Task[None]] = set()
        self._end = 0.0
        self._is_paced = False

    async def deal(self) -> dict[str, Any]:
        """Make a table and return its links."""
        return dict(await ask(self.port, "/api/tables", {**self._wanted, "seed": secrets.token_hex(8)}))

    def fail(self, sentence: str) -> None:
        """End the run: something went wrong that would make its figures worthless."""
        if not self._failed.done():
            self._failed.set_exception(BartizanError(sentence))

    def ready(self, table: Table) -> None:
        """Have a table's next move made at once, where the load is not paced."""
        if self._end and not self._is_paced and time.perf_counter() < self._end:
            table.move(time.perf_counter())

    def ended(self, table: Table) -> None:
        """Go on at a new table."""
        task = asyncio.ensure_future(table.begin())
        self._renewing.add(task)
        task.add_done_callback(self._renewed)

    def _renewed(self, task: asyncio.Task[None]) -> None:
        self._renewing.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(str(error))

    async def join(self, tables: int) -> None:
        """Make so many tables and take their seats."""
        room = asyncio.Semaphore(JOINING)

        async def one(number: int) -> Table:
            async with room:
                table = Table(self, number)
                await table.begin()
                return table

        self._tables = await asyncio.gather(*(one(number) for number in range(tables)))
        async with asyncio.timeout(PATIENCE):
            while not all(table.is_ready for table in self._tables):
                await asyncio.sleep(0.01)

    async def run(self, what: str, pid: int, seconds: float, rate: float = 0.0) -> Figures:
        """Play for some seconds: as fast as the server answers, or so many moves a second in all.

        A paced move's time counts from when it was due, so that a server that holds up the bench
        does not hide it.
        """
        self.times = []
        self._is_paced = rate > 0
        sockets = sum(len(table.sockets) for table in self._tables)
        received = sum(table.received for table in self._tables)
        before, start = processor_seconds(pid), time.perf_counter()
        self._end = start + seconds
        playing = asyncio.ensure_future(self._pace(rate, start) if rate else self._rush(seconds))
        await asyncio.wait([playing, self._failed], return_when=asyncio.FIRST_COMPLETED)
        if self._failed.done():
            playing.cancel()
            self._failed.result()
        await playing
        took, after = time.perf_counter() - start, processor_seconds(pid)
        self._end = 0.0
        found = figures(what, sockets, took, self.times)
        if before is not None and after is not None and self.times:
            found.processor = round(1000 * (after - before) / len(self.times), 3)
        if self.times:
            found.received = (sum(table.received for table in self._tables) - received) // len(self.times)
        return found

    async def _rush(self, seconds: float) -> None:
        for table in self._tables:
            if table.is_ready:
                table.move(time.perf_counter())
        await asyncio.sleep(seconds)

    async def _pace(self, rate: float, start: float) -> None:
        """Make moves at even distances, at one table after the other; one that is not ready is left out."""
        number, at = 0, 0
        while (now := time.perf_counter()) < self._end:
            due = start + number / rate
            if due > now:
                await asyncio.sleep(min(due - now, 0.002))
                continue
            for _ in self._tables:
                table = self._tables[at]
                at = (at + 1) % len(self._tables)
                if table.is_ready:
                    table.move(due)
                    break
            else:
                await asyncio.sleep(0.001)
                continue
            number += 1

    async def settle(self) -> None:
        """Wait for what is under way, so that another run can follow."""
        async with asyncio.timeout(PATIENCE):
            while self._renewing or not all(table.is_ready for table in self._tables):
                await asyncio.sleep(0.01)

    def close(self) -> None:
        """Leave all tables."""
        for task in self._renewing:
            task.cancel()
        for table in self._tables:
            for socket in table.sockets:
                socket.close()

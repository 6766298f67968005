"""Serve one browser at one table over a WebSocket.

Each socket has three tasks. The handler reads and never waits for a table, so that pings are answered at
once. One task handles the messages in order, and one sends the queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from bartizan.engine.errors import BartizanError, IllegalMove, in_words
from bartizan.server.admission import Admission
from bartizan.tables.entries.base import Request
from bartizan.tables.entries.invitations import hashed
from bartizan.tables.errors import BadRequest, BadToken, Blocked, NotAllowed, TooMany, UnknownTable
from bartizan.tables.limits import Bucket, Limits
from bartizan.tables.messages import (
    AskHint,
    At,
    CloseChat,
    Done,
    Enter,
    Error,
    Given,
    Hello,
    Hints,
    Introduce,
    Message,
    Ping,
    Pong,
    Refused,
    ReportPerson,
    Say,
    View,
    Why,
    encoder,
)
from bartizan.tables.registry import TableRegistry
from bartizan.tables.report import report
from bartizan.tables.requests import ClientMessage, decoder
from bartizan.tables.session import TableSession
from bartizan.tables.turns import refusal_of

log = logging.getLogger("bartizan.server")

# Close codes; a client gives up after 4000–4499 and reconnects after others.
NO_TABLE = 4404
NO_SEAT = 4403
ABUSE = 4429
TRY_LATER = 1013
BROWSER_DIGITS = 16  # of the hash by which a table recognises a browser
GREET_AFTER = 0.25  # seconds to wait for a client's hello before sending it everything
FLUSH_SECONDS = 1.0  # how long a closing socket may take to send its last messages


class _Id(msgspec.Struct):
    """The id, read from a message that is otherwise invalid."""

    id: str | None = None


_id_decoder = msgspec.json.Decoder(_Id)
_enter_decoder = msgspec.json.Decoder(Enter)


class Closing(Exception):
    """The server closes the connection with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """One socket at one table."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        table: TableSession,
        seat: int,
        limits: Limits,
        address: str = "",
        browser: str = "",
        *,
        patches: bool = False,
    ) -> None:
        self.seat = seat
        self.address = address
        self.browser = browser
        self.patches = patches
        self._socket = socket
        self._table = table
        self._limits = limits
        self._inbox: asyncio.Queue[ClientMessage] = asyncio.Queue(limits.waiting_messages)
        self._outbox: deque[bytes] = deque()
        self._out_bytes = 0
        self._out_ready = asyncio.Event()
        self._out_empty = asyncio.Event()
        self._slow = asyncio.Event()
        self._dismissed = asyncio.Event()
        self._is_writing = False  # a message that has left the outbox is being sent
        offered: Any = socket.scope.get("extensions") or {}
        self._send_now: Callable[[bytes], bool] | None = offered.get("bartizan.send")
        self._rate = Bucket(limits.messages_per_second, limits.message_burst)
        self._says = Bucket(limits.say_per_second, limits.say_burst)
        self._faults = Bucket(limits.faults_per_second, limits.fault_burst)

    def send(self, data: bytes) -> None:
        """Send a message, or queue it; a client whose queue is full is dropped and may reconnect."""
        if self._slow.is_set():
            return
        if not self._outbox and not self._is_writing and self._send_now is not None and self._send_now(data):
            return
        if (
            len(self._outbox) >= self._limits.queued_messages
            or self._out_bytes + len(data) > self._limits.queued_bytes
        ):
            self._slow.set()
            self._outbox.clear()
            return
        self._outbox.append(data)
        self._out_bytes += len(data)
        self._out_empty.clear()
        self._out_ready.set()

    def dismiss(self) -> None:
        """Close the connection after the queued messages, and read no more: the table or the seat is gone."""
        self._dismissed.set()

    async def _until_dismissed(self) -> None:
        await self._dismissed.wait()
        raise Closing(NO_TABLE, "the table or the seat is closed")

    def say(self, message: Message) -> None:
        """Queue a message for this socket only."""
        self.send(encoder.encode(message))

    async def run(self) -> None:
        """Serve until either side ends it."""
        dealing = asyncio.ensure_future(self._deal())
        works = (self._read(), self._write(), self._slow.wait(), self._until_dismissed())
        others = [asyncio.ensure_future(work) for work in works]
        tasks: list[asyncio.Future[Any]] = [dealing, *others]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            self._table.leave(self)
            ended = next((task.exception() for task in done if task.exception()), None)
            if self._slow.is_set():
                self._abort()
            elif isinstance(ended, Closing):
                dealing.cancel()  # its other requests are not answered
                await self._close(ended)
            elif ended is not None:
                report(ended)
        finally:
            self._table.leave(self)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _abort(self) -> None:
        """Cut off a client that reads nothing: a polite close would wait for it."""
        offered: Any = self._socket.scope.get("extensions") or {}
        if abort := offered.get("bartizan.abort"):
            abort()

    async def _close(self, closing: Closing) -> None:
        with contextlib.suppress(Exception):  # it may be gone already
            async with asyncio.timeout(FLUSH_SECONDS):
                if self._outbox:
                    await self._out_empty.wait()
                await self._socket.close(closing.code, closing.reason)
                return
        self._abort()

    async def _write(self) -> None:
        send = self._socket.send
        try:
            while True:
                await self._out_ready.wait()
                while self._outbox:
                    data = self._outbox.popleft()
                    self._out_bytes -= len(data)
                    self._is_writing = True
                    await send({"type": "websocket.send", "bytes": None, "text": data.decode()})
                    self._is_writing = False
                self._out_ready.clear()
                self._out_empty.set()
        except Exception:  # noqa: BLE001 - however the server says it: the client is gone
            return

    async def _read(self) -> None:
        while True:
            event = await self._socket.receive()
            await asyncio.sleep(
                0
            )  # many may have come in one packet: let answers go out, and others have a turn
            if event["type"] != "websocket.receive":
                return
            text = event.get("text")
            size = len(text) if text is not None else len(event.get("bytes") or b"")
            if not self._rate.take():
                self._fault(TooMany("Too many messages. Slow down."), text, size)
                continue
            try:
                message = self._parse(text, size)
            except BartizanError as error:
                self._fault(error, text, size)
                continue
            if isinstance(message, Ping):
                self.say(Pong(id=message.id))
                continue
            try:
                self._inbox.put_nowait(message)
            except asyncio.QueueFull:
                self._fault(TooMany("Too many messages are waiting. Slow down."), text, size)

    def _parse(self, text: str | None, size: int) -> ClientMessage:
        most = self._limits.message_bytes
        if text is None:
            raise BadRequest("Messages are JSON in text frames, not binary.")
        if size > most or len(data := text.encode("utf-8", "surrogatepass")) > most:
            raise BadRequest(f"This message is too large: the most is {most} bytes.")
        try:
            return decoder.decode(data)
        except msgspec.ValidationError as error:
            raise BadRequest(f"This message can't be read: {in_words(error)}.") from error
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadRequest("This message isn't valid JSON.") from error

    def _fault(self, error: BartizanError, text: str | None, size: int) -> None:
        """Answer an invalid message; raises `Closing` after too many of them."""
        id_ = None
        if text is not None and size <= self._limits.message_bytes:
            with contextlib.suppress(msgspec.DecodeError, RecursionError, UnicodeEncodeError):
                id_ = _id_decoder.decode(text).id
        self._fail(error, id_ if id_ is not None and len(id_) <= 64 else None)
        if not self._faults.take():
            self._fail(TooMany("Too many faulty messages. Closing the connection."), None)
            raise Closing(ABUSE, "too many faulty messages")

    def _fail(self, error: BartizanError, id_: str | None) -> None:
        code, sentence = error.code, str(error)
        self.say(Error(code=code, sentence=sentence, id=msgspec.UNSET if id_ is None else id_))

    async def _deal(self) -> None:
        first: ClientMessage | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GREET_AFTER):
                first = await self._inbox.get()
        await self._guarded(first if isinstance(first, Hello) else Hello())
        if first is not None and not isinstance(first, Hello):
            await self._guarded(first)
        while True:
            message = await self._inbox.get()
            if not self._dismissed.is_set():
                await self._guarded(message)

    async def _guarded(self, message: ClientMessage) -> None:
        """Handle one message, whatever happens; our own errors are logged, and answered with a sentence."""
        id_: str | None = getattr(message, "id", None)
        try:
            answer = await self._answer(message)
        except IllegalMove as error:
            answer = Refused(id=id_ or "", refusal=refusal_of(error))
        except BartizanError as error:
            self._fail(error, id_)
            return
        except Exception as error:  # noqa: BLE001 - nothing a client sends may end the server or this socket
            report(error)
            sentence = "Something went wrong on the server. Your moves so far are saved."
            self.say(Error(code="internal", sentence=sentence, id=msgspec.UNSET if id_ is None else id_))
            return
        if answer is not None:
            self.say(answer)

    async def _answer(self, message: ClientMessage) -> Message | None:
        table, seat = self._table, self.seat
        match message:
            case Request():
                # Sent at once, so that it shares a packet with the new state of the table.
                await table.change(seat, message, self.say)
                return None
            case Why():
                return Refused(
                    id=message.id, refusal=await table.questions.why(seat, message.items, message.move)
                )
            case AskHint():
                return Hints(id=message.id, hints=tuple(await table.hint(seat, message.id)))
            case At():
                scene = await table.questions.view(seat, message.version)
                return View(id=message.id, version=message.version, scene=scene)
            case Introduce():
                await table.introduce(seat, message.name, message.arms)
                return Done(id=message.id)
            case Say():
                if not self._says.take():
                    raise TooMany("You're sending too much. Wait a moment.")
                await table.people.say(seat, message.id, message.text, message.emote)
                return Done(id=message.id)
            case CloseChat():
                await table.people.close_chat(seat, closed=message.closed)
                return Done(id=message.id)
            case ReportPerson():
                await table.people.report(seat, message)
                return Done(id=message.id)
            case Enter():
                raise BadRequest("You're at this table already.")
            case Hello():
                await table.greet(self, message.version)
                return None
            case Ping():
                return Pong(id=message.id)


async def converse(
    socket: WebSocket[Any, Any, Any], name: str, tables: TableRegistry, admission: Admission
) -> None:
    """Accept a socket if there is room, find the seat of its key, and serve it."""
    await socket.accept()
    try:
        with admission.socket(socket.scope) as address:
            await _serve(socket, name, tables, address)
    except TooMany as error:
        await _turn_away(socket, error, TRY_LATER)


async def _serve(socket: WebSocket[Any, Any, Any], name: str, tables: TableRegistry, address: str) -> None:
    connection: Connection | None = None
    try:
        enter = await _enter(socket, tables.limits)
        table, seat, key = await tables.enter(name, enter.key, enter.invitation)
        browser = hashed(f"{name} {enter.browser}")[:BROWSER_DIGITS] if enter.browser else ""
        connection = Connection(socket, table, seat, tables.limits, address, browser, patches=enter.patches)
        table.subscribe(connection)
        if key:
            connection.say(Given(id="", version=0, seat=seat, token=key))
    except (UnknownTable, BadToken, NotAllowed, TooMany) as error:
        code = {UnknownTable: NO_TABLE, NotAllowed: NO_TABLE, BadToken: NO_SEAT, Blocked: NO_SEAT}.get(
            type(error), TRY_LATER
        )
        await _turn_away(socket, error, code)
        return
    except BartizanError as error:
        await _turn_away(socket, error, TRY_LATER)
        return
    except WebSocketDisconnect:
        return
    except Exception as error:  # noqa: BLE001 - logged without its secrets instead of by the server with them
        report(error)
        await _turn_away(socket, BartizanError("Something went wrong on the server."), TRY_LATER)
        return
    await connection.run()


async def _enter(socket: WebSocket[Any, Any, Any], limits: Limits) -> Enter:
    """Return a socket's first message.

    Raises `BadToken` for any other message, `TooMany` if none arrives, and `WebSocketDisconnect`.
    """
    try:
        async with asyncio.timeout(limits.enter_seconds):
            event = await socket.receive()
    except TimeoutError:
        raise TooMany("The connection timed out. Try again.") from None
    if event["type"] != "websocket.receive":
        raise WebSocketDisconnect(detail="gone before it said who comes")
    try:
        return _enter_decoder.decode(str(event.get("text") or ""))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise BadToken('The first message gives the key of a link: {"type": "enter", "key": …}.') from error


async def _turn_away(socket: WebSocket[Any, Any, Any], error: BartizanError, code: int) -> None:
    answer = encoder.encode(Error(code=error.code, sentence=str(error)))
    with contextlib.suppress(Exception):
        await socket.send({"type": "websocket.send", "bytes": None, "text": answer.decode()})
        await socket.close(code, error.code)

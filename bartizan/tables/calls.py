"""Notify people who aren't at their table when it's their turn, by way of their browsers' push services.

This is for games with a clock that counts days, and only if the host has made keys (tables/webpush.py).  The
process that wrote an entry sends what follows from it, so each call is sent once.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from bartizan.tables.agreement import Agreement
from bartizan.tables.errors import BadRequest, NotAllowed
from bartizan.tables.messages import PushState, PushWish
from bartizan.tables.provider import PERSON, GameProvider
from bartizan.tables.report import report
from bartizan.tables.state import TableState
from bartizan.tables.store import MoveLog, PushRow, TableRow
from bartizan.tables.webpush import PushKeys, padded, sealed

log = logging.getLogger("bartizan.server")

SETTLING = 15.0  # seconds in which a connection that is dead without having been closed is noticed
PAUSES = (10.0, 60.0, 300.0)  # seconds before trying again
AT_ONCE = 8  # requests to push services
MOST_WAITING = 1000  # calls that are being sent or tried again
PATIENCE = 10.0  # seconds for a push service to answer
LONGEST_TITLE = 100
GONE = (404, 410)


class Attendance(Protocol):
    """The people at a table."""

    @property
    def here(self) -> tuple[int, ...]:
        """The seats with someone watching, in any process."""


class Calling(Protocol):
    """A table that calls its players."""

    @property
    def row(self) -> TableRow:
        """What is known about it."""

    @property
    def presence(self) -> Attendance:
        """The people there."""

    @property
    def state(self) -> TableState | None:
        """The state, if it is in memory."""


class Calls:
    """Turn notifications on and off, and send them."""

    def __init__(self, log: MoveLog, games: GameProvider, keys: PushKeys, transport: Any = None) -> None:
        """Prepare to send; `transport` is httpx's, for tests."""
        import httpx

        logging.getLogger("httpx").setLevel(logging.WARNING)  # below, it writes addresses into the log
        self._log = log
        self._games = games
        self._keys = keys
        self._client = httpx.AsyncClient(transport=transport, timeout=PATIENCE, follow_redirects=False)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._calling: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Stop sending; what hasn't been sent is forgotten."""
        for task in tuple(self._calling.values()):
            task.cancel()
        await self._client.aclose()

    async def settle(self, row: TableRow, seat: int, key: bytes, wish: PushWish) -> PushState:
        """Turn notifications on or off for a browser and a hashed key to a seat, and say how it stands.

        Raises `BadRequest` and `NotAllowed`.
        """
        offered = counts_days(row.agreement) and seat > 0 and row.players[seat - 1] == PERSON
        if wish.on:
            if not offered:
                raise NotAllowed("Notifications are for players in games that last days.")
            if not self._keys.allows(wish.endpoint):
                raise BadRequest("This server doesn't send to your browser's push service.")
            try:
                sealed(b"", wish.p256dh, wish.auth)
            except ValueError:
                raise BadRequest("p256dh and auth aren't the keys of a browser's subscription.") from None
            browser = wish.endpoint, wish.p256dh, wish.auth
            await self._log.set_push(PushRow(row.table, key, *browser, int(time.time() * 1000)))
        elif wish.on is False:
            await self._log.drop_push(wish.endpoint, key)
        stored = await self._log.pushes(row.table, seat) if offered else []
        on = any((each.key, each.endpoint) == (key, wish.endpoint) for each in stored)
        return PushState(key=self._keys.public if offered else "", on=on)

    def call(self, table: Calling, seat: int, what: str) -> None:
        """Begin to notify whoever holds a seat, unless they are at the table; replaces an earlier call."""
        of = table.row.table, seat
        if earlier := self._calling.get(of):
            earlier.cancel()
        elif len(self._calling) >= MOST_WAITING:
            return
        task = self._calling[of] = asyncio.ensure_future(self._call(table, seat, what))
        task.add_done_callback(lambda done: self._done(of, done))

    def _done(self, of: tuple[str, int], task: asyncio.Task[None]) -> None:
        if self._calling.get(of) is task:
            del self._calling[of]
        if not task.cancelled() and (error := task.exception()):
            report(error)

    async def _call(self, table: Calling, seat: int, what: str) -> None:
        row = table.row
        title = self._games.game(row.game).title[:LONGEST_TITLE]
        told = {"title": title, "body": f"{what} at table {row.table}."}
        pushes = list({each.endpoint: each for each in await self._log.pushes(row.table, seat)}.values())
        for pause in (SETTLING if seat in table.presence.here else 0.0, *PAUSES):
            await asyncio.sleep(pause)
            is_over = table.state is not None and (seat, what) not in called(table.state)
            if is_over or seat in table.presence.here:
                return
            sent = await asyncio.gather(*(self._send(each, row, told) for each in pushes))
            pushes = [each for each, done in zip(pushes, sent, strict=True) if not done]
            if not pushes:
                return

    async def _send(self, push: PushRow, row: TableRow, told: dict[str, str]) -> bool:
        """Send a message to one browser; return False if that should be tried again."""
        import httpx

        assert row.agreement.clock is not None
        try:
            if not self._keys.allows(push.endpoint):
                raise ValueError("The host doesn't allow this push service any more.")
            # Without a key: the browser knows its own.  For a rematch it may know only the table before.
            link = f"t/{row.table}#@{push.table}"
            content = sealed(padded(msgspec.json.encode(told | {"link": link})), push.p256dh, push.auth)
        except ValueError:
            await self._log.drop_push(push.endpoint)
            return True
        headers = {
            "authorization": self._keys.signed(push.endpoint),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(row.agreement.clock.seconds),
            # Of several calls to one table, the push service keeps the last; it can't tell which table it is.
            "topic": hashlib.sha256(f"{row.table} {push.auth}".encode()).hexdigest()[:32],
        }
        try:
            request = self._client.stream("POST", push.endpoint, content=content, headers=headers)
            async with self._room, asyncio.timeout(2 * PATIENCE), request as answer:
                status = answer.status_code  # the content isn't read
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            status = 0
        if status in GONE:
            await self._log.drop_push(push.endpoint)
        elif not 200 <= status < 300:
            said = f"answered {status}" if status else "can't be reached"
            log.warning("the push service %s %s", urlsplit(push.endpoint).hostname, said)
        return 0 < status < 500 and status != 429


def counts_days(agreement: Agreement) -> bool:
    """Whether a table's clock counts days."""
    return agreement.clock is not None and agreement.clock.kind == "days"


def called(state: TableState) -> set[tuple[int, str]]:
    """Return what each person is called for: the seat, and the beginning of a sentence.

    It says only what everyone at the table may know.
    """
    if not state.is_dealt or not counts_days(state.row.agreement):
        return set()
    persons = [seat for seat, player in enumerate(state.players) if seat and player == PERSON]
    if state.is_over:
        return {(seat, "The game is over") for seat in persons}
    asked: set[tuple[int, str]] = set()
    if state.seat_to_move in persons and not state.adjourned:
        asked.add((state.seat_to_move, "It's your turn"))
    if state.draw_offer:
        asked |= {(seat, "You're offered a draw") for seat in persons if seat != state.draw_offer}
    if state.proposal:
        answered = (state.proposal.seat, *state.proposal.agreed)
        asked |= {(seat, "You're asked to agree to something") for seat in persons if seat not in answered}
    return asked

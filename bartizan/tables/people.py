"""Keep the names of the people at one table, and pass on their chat.

None of this is part of the game: it is stored beside the log, and never in a record.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import deque

from bartizan.engine.errors import BartizanError
from bartizan.tables.bus import Talk
from bartizan.tables.errors import BadRequest, Conflict, NotAllowed, TooMany
from bartizan.tables.limits import Bucket, Buckets
from bartizan.tables.messages import Chat, ChatLine, Emote, Person, ReportPerson, encoder
from bartizan.tables.names import LONGEST_LINE, LONGEST_REASON, check_arms, clean, clean_name
from bartizan.tables.presence import Listener, Presence
from bartizan.tables.provider import PERSON
from bartizan.tables.services import Services
from bartizan.tables.store import CHAT_LINES, SEAT_REPORTS, ChatRow, PersonRow, ReportRow, TableRow

log = logging.getLogger("bartizan.server")

KNOWN_IDS = 64  # of chat lines, so that a resent line is not posted twice


class People:
    """The people at one table; the chat is read from disk once someone is there to read it."""

    def __init__(self, row: TableRow, services: Services, presence: Presence) -> None:
        self._row = row
        self._log = services.log
        self._games = services.games
        self._now = services.watch.now
        self._peers = services.peers
        self._presence = presence
        self._lines: deque[ChatLine] | None = None
        self._ids: deque[tuple[int, str]] = deque(maxlen=KNOWN_IDS)
        limits = services.limits
        self._says = Bucket(limits.table_says_per_second, limits.table_say_burst)
        self._changes = Bucket(limits.table_says_per_second, limits.table_say_burst)
        self._reports = Buckets(limits.reports_per_second, limits.report_burst, row.seats)
        self._lock = asyncio.Lock()

    @property
    def talks(self) -> bool:
        """Whether people can chat here: several play, and the table allows it."""
        return self._row.players.count(PERSON) > 1 and self._row.agreement.chat != "closed"

    async def load(self) -> None:
        """Read the names and the chat, unless they are known; raises `StorageError`."""
        async with self._lock:
            await self._load()

    async def _load(self) -> deque[ChatLine]:
        if self._lines is None:
            name = self._row.table
            persons = await self._log.persons(name) if self._row.seats > 1 else []
            said = await self._log.chat(name) if self.talks else []
            self._presence.persons = {
                each.seat: Person(seat=each.seat, name=each.name, arms=each.arms, deaf=each.deaf)
                for each in persons
            }
            self._lines = deque(map(_line, said), CHAT_LINES)
        return self._lines

    def forget(self) -> None:
        """Forget what can be read from the disk again."""
        if not self._lock.locked():
            self._lines = None

    def greet(self, listener: Listener) -> None:
        """Send the chat to a newcomer."""
        if self._lines and self._hears(listener.seat):
            listener.send(encoder.encode(Chat(lines=tuple(self._lines))))

    def _hears(self, seat: int) -> bool:
        person = self._presence.persons.get(seat)
        return person is None or not person.deaf

    def _check_person(self, seat: int) -> None:
        if not seat:
            raise NotAllowed("Spectators can't write. You need a seat's invite link.")
        if self._row.players[seat - 1] != PERSON:
            raise NotAllowed(f"Seat {seat} is played by {self._row.players[seat - 1]!r}.")

    async def introduce(self, seat: int, name: str, arms: str, seat_names: tuple[str, ...]) -> None:
        """Store and announce a person's name; raises `BadRequest`, `NotAllowed`, `TooMany`."""
        self._check_person(seat)
        if self._row.seats == 1:
            raise NotAllowed("There's no one else at this table.")
        async with self._lock:
            await self._load()
            persons = self._presence.persons
            others = [each.name for each in persons.values() if each.seat != seat and each.name]
            programs = self._games.game(self._row.game).players()
            person = Person(
                seat=seat,
                name=clean_name(name, [*programs, *seat_names, *others]),
                arms=check_arms(arms),
                deaf=not self._hears(seat),
            )
            if person != persons.get(seat, Person(seat=seat)):
                await self._keep(person)

    async def close_chat(self, seat: int, *, closed: bool) -> None:
        """Close the chat for a seat, or open it again; raises `NotAllowed`, `TooMany`."""
        self._check_person(seat)
        async with self._lock:
            await self._load()
            known = self._presence.persons.get(seat, Person(seat=seat))
            if known.deaf != closed:
                await self._keep(Person(seat=seat, name=known.name, arms=known.arms, deaf=closed))
        if not closed and self._lines:
            said = encoder.encode(Chat(lines=tuple(self._lines)))
            self._presence.send_where(lambda listener: listener.seat == seat, said)

    async def _keep(self, person: Person) -> None:
        if not self._changes.take():
            raise TooMany("You're changing that too often. Wait a moment.")
        row = PersonRow(person.seat, person.name, person.arms, person.deaf)
        await self._log.introduce(self._row.table, row)
        self._presence.persons[person.seat] = person
        self._presence.tell_present()
        self._peers.publish(Talk(table=self._row.table))

    async def say(self, seat: int, id_: str, text: str, emote: Emote | None) -> None:
        """Store and send a chat line; raises `BadRequest`, `NotAllowed`, `TooMany`."""
        self._check_person(seat)
        if self._row.players.count(PERSON) < 2:
            raise NotAllowed("There's no one else at this table to chat with.")
        allowed = self._row.agreement.chat
        if allowed == "closed" or (allowed == "emotes" and text):
            raise NotAllowed(
                f"At this table {'chat is off' if allowed == 'closed' else 'only emotes are allowed'}."
            )
        line = clean(text, LONGEST_LINE, "A line")
        if bool(line) == (emote is not None):
            raise BadRequest("A line has either words or an emote.")
        async with self._lock:
            lines = await self._load()
            if not self._hears(seat):
                raise NotAllowed("You've turned the chat off. Turn it on to write.")
            if (seat, id_) in self._ids:
                return
            if not self._says.take():
                raise TooMany("Too many chat messages at this table. Wait a moment.")
            said = await self._append(lines, seat, line, emote or "")
            self._ids.append((seat, id_))
        self._tell((said,))
        self._peers.publish(Talk(table=self._row.table))

    async def report(self, seat: int, request: ReportPerson) -> None:
        """Store a report for the host; raises `BadRequest`, `NotAllowed`, `TooMany`."""
        if not seat:
            raise NotAllowed("Spectators can't report anyone. You need a seat's invite link.")
        about = request.seat
        if about == seat or about > self._row.seats or self._row.players[about - 1] != PERSON:
            raise NotAllowed(f"Seat {about} isn't another person's seat.")
        reason = clean(request.reason, LONGEST_REASON, "A reason")
        if not reason:
            raise BadRequest("Say in a few words what happened.")
        id_ = hashlib.sha256(request.id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        async with self._lock:
            said = next((line for line in await self._load() if line.number == request.line), None)
            if request.line is not None and (said is None or said.seat != about):
                raise BadRequest("That chat line isn't stored any more. Report the person instead.")
            stored = [each.id for _, each in await self._log.reports(self._row.table) if each.seat == seat]
            if id_ in stored:
                return
            if len(stored) >= SEAT_REPORTS or not self._reports.take(str(seat)):
                raise TooMany("You've sent several reports. The host will see them.")
            persons = self._presence.persons
            names = (persons[each].name if each in persons else "" for each in (seat, about))
            line = "" if said is None else said.text or said.emote
            row = ReportRow(seat, id_, next(names), about, next(names), reason, line, self._now())
            await self._log.report(self._row.table, row)
        log.warning("table %s has a new report: see `bartizan tables reports`", self._row.table)

    async def hear(self) -> None:
        """Pick up chat lines and names from another process, and pass them on."""
        async with self._lock:
            if self._lines is None:
                return  # it is read when someone connects
            last = self._lines[-1].number if self._lines else 0
            self._lines = None
            new = tuple(line for line in await self._load() if line.number > last)
        self._presence.tell_present()
        self._tell(new)

    def _tell(self, lines: tuple[ChatLine, ...]) -> None:
        if lines:
            data = encoder.encode(Chat(lines=lines))
            self._presence.send_where(lambda listener: self._hears(listener.seat), data)

    async def _append(self, lines: deque[ChatLine], seat: int, text: str, emote: str) -> ChatLine:
        """Store a line; if another process was first, read its lines and try again."""
        for _ in range(3):
            number = lines[-1].number + 1 if lines else 1
            said = ChatLine(number=number, seat=seat, at=self._now(), text=text, emote=emote)
            try:
                await self._log.say(self._row.table, ChatRow(number, seat, text, emote, said.at))
            except Conflict:
                rows = map(_line, await self._log.chat(self._row.table))
                missed = tuple(each for each in rows if each.number >= number)
                lines.extend(missed)
                self._tell(missed)
            else:
                lines.append(said)
                return said
        raise BartizanError("Someone else wrote at the same time. Send it again.")


def _line(row: ChatRow) -> ChatLine:
    return ChatLine(number=row.number, seat=row.seat, at=row.at, text=row.text, emote=row.emote)

"""Keep track of who is at a table, and send everyone what they may see of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import chain
from typing import Protocol

import msgspec

from bartizan.tables.bus import Thinks
from bartizan.tables.errors import Blocked, TooMany
from bartizan.tables.limits import Limits
from bartizan.tables.messages import Error, Fair, Message, Person, Present, Sync, Thinking, Tick, encoder
from bartizan.tables.patching import patch
from bartizan.tables.peers import Change, Peers
from bartizan.tables.provider import PERSON
from bartizan.tables.report import report
from bartizan.tables.showing import news, opened
from bartizan.tables.state import TableState
from bartizan.tables.store import TableRow


class Listener(Protocol):
    """A socket as a table sees it."""

    seat: int
    address: str  # the key of its limits; empty for this machine
    browser: str  # hashed; empty for a client that doesn't name its browser
    patches: bool  # whether it understands `Patch`

    def send(self, data: bytes) -> None:
        """Queue a message without waiting."""

    def dismiss(self) -> None:
        """Close the connection after the queued messages, without waiting."""


class Presence:
    """The sockets at one table, and what was last sent to them."""

    def __init__(self, row: TableRow, limits: Limits, peers: Peers) -> None:
        self._row = row
        self._peers = peers  # other processes with people at the table
        self._limits = limits
        self._listeners: set[Listener] = set()
        self._greeted: set[Listener] = set()  # the sockets that have received the table
        self._last_syncs: dict[int, Sync | Fair] = {}  # by seat
        self.version = 0  # of the table, when everyone was last told of it
        self._last_present = Present(seats=())
        self._blocked = row.blocked_seats
        self.persons: dict[int, Person] = {}  # the people's names and arms, by seat
        self._seen_at: dict[int, float] = {}  # by seat: when its player was last here, by the monotonic clock
        self._reminder: asyncio.TimerHandle | None = None  # a timer to report who has been away too long
        self._thinking = 0  # the seat whose program is thinking
        self._thinker = ""  # the process in which it is thinking

    @property
    def here(self) -> tuple[int, ...]:
        """The seats with someone watching, in ascending order."""
        return self._here()

    @property
    def is_empty(self) -> bool:
        """Whether no one is here."""
        return not self._listeners

    def join(self, listener: Listener) -> None:
        """Add a socket, which gets changes once it is greeted; raises `TooMany`."""
        self._check_room(listener)
        if not self._listeners and not self._peers.at(self._row.table):  # no one was waiting before
            self._seen_at = {}
        self._listeners.add(listener)

    def owner(self) -> str:
        """Return the owner of the programs' computing time: a listener's address, or else the table."""
        here = sorted((one.seat == 0, one.address) for one in self._listeners)
        return here[0][1] if here and here[0][1] else f"table {self._row.table}"

    def _check_room(self, listener: Listener) -> None:
        """Raise `TooMany` if the table is full; spectators don't take up players' places."""
        limits, alike = self._limits, [one for one in self._listeners if one.seat == listener.seat]
        if listener.seat and len(alike) >= limits.sockets_per_seat:
            raise TooMany("This seat is open in too many windows.")
        if not listener.seat and len(alike) >= limits.sockets_per_table:
            raise TooMany("This table has too many spectators.")
        near = sum(one.address == listener.address for one in alike)
        if not listener.seat and listener.address and near >= limits.onlookers_per_address:
            raise TooMany("Too many spectators at this table from your network.")

    def leave(self, listener: Listener) -> None:
        """Remove a socket."""
        self._listeners.discard(listener)
        if listener in self._greeted:
            self._greeted.discard(listener)
            self._seen_at[listener.seat] = self._peers.now()
            self.tell_present()
            self._announce()

    def greet(self, listener: Listener, state: TableState, version: int | None = None) -> None:
        """Send a socket the table, or only that it is still at the client's `version`."""
        if listener not in self._greeted:
            listener.send(encoder.encode(opened(state)))
        if listener in self._listeners:
            self._greeted.add(listener)
            self._announce()
        fair = state.exchange.told(state.version, listener.seat)
        if fair is not None and state.is_dealt:
            listener.send(encoder.encode(fair))
        news = (
            Tick(version=version, head=state.head)
            if version == state.version
            else self._sync(state, listener.seat)
        )
        listener.send(encoder.encode(news))
        self.tell_present(listener)
        if self._thinking:
            listener.send(encoder.encode(Thinking(seat=self._thinking)))

    def tell_state(self, state: TableState) -> None:
        """Send each seat what it may see; seats that see no change get only the version."""
        self.version = state.version
        told: dict[tuple[int, bool], bytes] = {}
        before, self._last_syncs = self._last_syncs, {}
        for listener in tuple(self._greeted):
            if state.was_just_dealt and (fair := state.exchange.told(state.version, listener.seat)):
                listener.send(encoder.encode(fair))
            way = listener.seat, listener.patches
            if way not in told:
                told[way] = self._news(state, *way, before.get(listener.seat))
            listener.send(told[way])

    def tell_thinking(self, seat: int) -> None:
        """Tell everyone that the program at a seat is thinking, or with 0 that none is."""
        if seat or self._thinking:
            self.hear_thinking(self._peers.process, seat)
            self._peers.publish(Thinks(table=self._row.table, seat=seat))

    def hear_thinking(self, process: str, seat: int) -> None:
        """Record that a program is thinking in some process, or with 0 that it has finished."""
        self._thinking, self._thinker = seat, process
        self.tell_all(Thinking(seat=seat))

    def tell_all(self, message: Message) -> None:
        """Send everyone here a message that needs no knowledge of the table."""
        data = encoder.encode(message)
        for listener in tuple(self._listeners):
            listener.send(data)

    def dismiss(self, message: Message) -> None:
        """Send everyone here a last message, and close the connections."""
        self.tell_all(message)
        for listener in tuple(self._listeners):
            listener.dismiss()

    def block(self, seats: tuple[int, ...]) -> None:
        """Record the seats that the host has blocked, and close their connections."""
        self._blocked = seats
        for listener in tuple(self._listeners):
            if listener.seat in seats:
                listener.send(encoder.encode(Error(code=Blocked.code, sentence=str(Blocked()))))
                listener.dismiss()
        self.tell_present()

    def tell_greeted(self, message: Message) -> None:
        """Send a message to everyone here who has received the table."""
        self.send_where(lambda _: True, encoder.encode(message))

    def send_where(self, chosen: Callable[[Listener], bool], data: bytes) -> None:
        """Send a message to some of those here who have received the table."""
        for listener in tuple(self._greeted):
            if chosen(listener):
                listener.send(data)

    # Other processes -------------------------------------------------------------------------------------

    @property
    def leads(self) -> bool:
        """Whether this process moves the table's programs: the first of all processes with listeners."""
        return self._peers.leads(self._row.table)

    @property
    def is_current(self) -> bool:
        """Whether this process hasn't stalled; after a stall another may have taken over."""
        return self._peers.is_current

    def _announce(self) -> None:
        """Tell other processes which seats are watching here, if that has changed."""
        if self._row.seats > 1:
            self._peers.tell(self._row.table, tuple(sorted({listener.seat for listener in self._greeted})))

    def repeat_thinking(self) -> None:
        """Tell other processes again if a program is thinking here."""
        if self._thinking and self._thinker == self._peers.process:
            self._peers.publish(Thinks(table=self._row.table, seat=self._thinking))

    def hear_change(self, change: Change) -> None:
        """Handle a change of the seats that are connected through another process."""
        for seat in change.before:
            self._seen_at[seat] = self._peers.now()
        if not change.seats and self._thinking and self._thinker == change.process:
            self.hear_thinking(change.process, 0)  # no one is left to say that it has finished
        self.tell_present()

    def note(self, seat: int) -> None:
        """Record that a seat's player is active, possibly through another process."""
        self._seen_at[seat] = self._peers.now()

    def is_left(self, seat: int) -> bool:
        """Whether a person's seat has been empty for so long that the others may claim it."""
        return seat in self._left()

    def forget(self) -> None:
        """Forget what was sent; it is rebuilt from the state."""
        self._last_syncs = {}

    def _news(self, state: TableState, seat: int, patches: bool, before: Sync | Fair | None) -> bytes:
        try:
            now = self._sync(state, seat)
        except Exception as error:  # noqa: BLE001 - what cannot be drawn has happened all the same
            report(error)
            sentence = (
                f"The table is at version {state.version}, but it cannot be drawn; "
                "taking the move back may help."
            )
            return encoder.encode(Error(code="internal", sentence=sentence))
        tick = Tick(version=now.version, head=now.head if isinstance(now, Sync) else "")
        if before is not None and _moved(before, tick) == now:
            return encoder.encode(tick)
        if patches and isinstance(before, Sync) and isinstance(now, Sync):
            return encoder.encode(patch(before, now))
        return encoder.encode(now)

    def _sync(self, state: TableState, seat: int) -> Sync | Fair:
        sync = self._last_syncs.get(seat)
        if sync is None or sync.version != state.version:
            sync = self._last_syncs[seat] = news(state, seat)
        return sync

    def tell_present(self, newcomer: Listener | None = None) -> None:
        """Tell everyone who is here, with their names, if that has changed, and always tell a newcomer."""
        if self._row.seats == 1:
            return
        present = Present(
            seats=self._here(),
            persons=tuple(self.persons[seat] for seat in sorted(self.persons)),
            left=self._left(),
            blocked=self._shut_out(),
        )
        changed, self._last_present = present != self._last_present, present
        data = encoder.encode(present)
        for listener in tuple(self._greeted) if changed else filter(None, [newcomer]):
            listener.send(data)
        self._remind()

    def _here(self) -> tuple[int, ...]:
        own = (listener.seat for listener in self._greeted)
        elsewhere = chain.from_iterable(self._peers.at(self._row.table).values())
        return tuple(sorted({*own, *elsewhere} - {0}))

    def _away(self) -> dict[int, float]:
        """Return, by seat, since when the people that others wait for have been away.

        In a correspondence game no one has to be here: its clock decides.
        """
        rule = self._row.agreement.clock
        if not self._greeted or (rule is not None and rule.kind == "days"):
            return {}
        here, now = self._here(), self._peers.now()
        return {
            seat: self._seen_at.setdefault(seat, now)
            for seat, player in enumerate(self._row.players, start=1)
            if player == PERSON and seat not in here
        }

    def _left(self) -> tuple[int, ...]:
        latest = self._peers.now() - self._limits.claim_after
        away = {seat for seat, since in self._away().items() if since <= latest}
        return tuple(sorted(away.union(self._shut_out())))

    def _shut_out(self) -> tuple[int, ...]:
        """Return the blocked seats of people who are no longer connected anywhere."""
        gone = {*self._blocked} - {0, *self._here()}
        return tuple(sorted(seat for seat in gone if self._row.players[seat - 1] == PERSON))

    def _remind(self) -> None:
        """Report who is here once another seat has been empty for a long time."""
        if self._reminder:
            self._reminder.cancel()
            self._reminder = None
        now, after = self._peers.now(), self._limits.claim_after
        waits = [since + after - now for since in self._away().values() if since + after > now]
        if waits:
            self._reminder = asyncio.get_running_loop().call_later(min(waits) + 0.01, self.tell_present)


def _moved(told: Sync | Fair, tick: Tick) -> Sync | Fair:
    """Return what was sent, with another version."""
    if isinstance(told, Fair):
        return msgspec.structs.replace(told, version=tick.version)
    return msgspec.structs.replace(told, version=tick.version, head=tick.head)

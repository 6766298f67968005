"""Keep track of the other processes that serve the same tables, and who is connected through them.

Each process sends a heartbeat with a digest of its census: the list of its tables with the seats from which
people are connected. A process whose own copy differs asks for the census, so lost messages do no lasting
harm.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bartizan.tables.bus import Alive, Bus, BusMessage, Census, Here, Who

ALIVE_SECONDS = 0.5  # how often a process sends a heartbeat
DEAD_SECONDS = 1.5  # without one, it is considered dead; another moves its programs
ASK_SECONDS = 0.3  # at least, between two requests to one process
CENSUS_TABLES = 150  # in one message: PostgreSQL takes 8,000 bytes

Seats = tuple[int, ...]


@dataclass(frozen=True)
class Change:
    """The seats that are now connected to a table through another process, and those that were before."""

    process: str
    table: str
    before: Seats
    seats: Seats


class Whereabouts:
    """The seats from which people are connected through one process, by table; with a digest."""

    def __init__(self) -> None:
        self.tables: dict[str, Seats] = {}
        self._sum = 0

    @property
    def digest(self) -> str:
        """A short text that differs if the tables or their seats do."""
        return f"{self._sum:016x}"

    def put(self, table: str, seats: Seats) -> Seats:
        """Record a table's seats; return those that it had before."""
        before = self.tables.pop(table, ())
        if before:
            self._sum ^= _digest(table, before)
        if seats:
            self.tables[table] = seats
            self._sum ^= _digest(table, seats)
        return before


@dataclass
class _Peer:
    heard: float  # when it last sent something
    asked: float = float("-inf")  # when it was last asked for its census
    people: Whereabouts = field(default_factory=Whereabouts)
    parts: list[Mapping[str, Seats]] = field(default_factory=list)  # of a census that is arriving


class Peers:
    """This process among the others.

    Nothing here waits or reads the time by itself: `OtherProcesses` calls it.
    """

    def __init__(self, bus: Bus, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.process = bus.process
        self.publish: Callable[[BusMessage], None] = bus.publish
        self._here = Whereabouts()
        self._peers: dict[str, _Peer] = {}
        self._beaten = now()  # when this process last sent a heartbeat
        self._leads_from = float("-inf")  # after a stall: when it may lead again
        self._is_deaf = False  # the database is unavailable

    # People ----------------------------------------------------------------------------------------------

    def at(self, table: str) -> dict[str, Seats]:
        """Return the seats connected to a table through other processes, by process."""
        return {name: seats for name, peer in self._peers.items() if (seats := peer.people.tables.get(table))}

    def tell(self, table: str, seats: Seats) -> None:
        """Tell the others which seats are connected to a table here, if that has changed."""
        if self._here.put(table, seats) != seats:
            self.publish(Here(table=table, seats=seats))

    def tell_census(self) -> None:
        """Tell the others everyone who is here."""
        tables = list(self._here.tables.items())
        pieces = [dict(tables[at : at + CENSUS_TABLES]) for at in range(0, len(tables), CENSUS_TABLES)] or [
            {}
        ]
        for number, piece in enumerate(pieces, start=1):
            self.publish(Census(tables=piece, part=number, parts=len(pieces)))

    def repeat(self, table: str = "") -> None:
        """Tell an older Bartizan who is at a table here, or at every table."""
        tables = [table] if table else list(self._here.tables)
        for name in tables:
            if seats := self._here.tables.get(name):
                self.publish(Here(table=name, seats=seats))

    # Heartbeats ------------------------------------------------------------------------------------------

    @property
    def is_current(self) -> bool:
        """Whether this process sends its heartbeats in time, so that no other has taken over from it."""
        now = self.now()
        return now - self._beaten <= DEAD_SECONDS and now >= self._leads_from

    def leads(self, table: str) -> bool:
        """Whether this process moves a table's programs, if someone is connected to it here."""
        return self.is_current and all(self.process < other for other in self.at(table))

    def beat(self) -> bool:
        """Send a heartbeat if one is due; return whether this process may lead again after a stall."""
        self._check_stall()
        now = self.now()
        if now - self._beaten >= ALIVE_SECONDS:
            self.introduce()
        if self._leads_from > float("-inf") and now >= self._leads_from:
            self._leads_from = float("-inf")
            return True
        return False

    def introduce(self) -> None:
        """Send a heartbeat now."""
        self._beaten = self.now()
        self.publish(Alive(digest=self._here.digest))

    def _check_stall(self) -> None:
        if self.now() - self._beaten > DEAD_SECONDS:
            self.resume()

    def resume(self) -> None:
        """Return after a stall, or after the database was away: the others may have taken us for dead.

        Their messages may still be unread, so none of them is considered dead before it has had time to send
        another. The process that moves programs now has time to hear from us.
        """
        now = self.now()
        for peer in self._peers.values():
            peer.heard = now
        self._leads_from = now + ALIVE_SECONDS
        self.introduce()
        self.tell_census()

    def set_deaf(self, *, deaf: bool) -> None:
        """Record whether the others can be heard; coming back is like the end of a stall."""
        was_deaf, self._is_deaf = self._is_deaf, deaf
        if was_deaf and not deaf:
            self.resume()

    def wait(self) -> float:
        """Return in how many seconds there is something to do."""
        moments = [self._beaten + ALIVE_SECONDS]
        if self._leads_from > float("-inf"):
            moments.append(self._leads_from)
        if not self._is_deaf:
            moments += [peer.heard + DEAD_SECONDS for peer in self._peers.values()]
        return max(0.01, min(moments) - self.now() + 0.001)

    # What others say -------------------------------------------------------------------------------------

    def hear(self, sender: str, message: BusMessage) -> list[Change]:
        """Handle any message from another process except `Leaving`; return who came and went with it."""
        self._check_stall()  # before a newcomer gets a heartbeat, which would hide it
        peer = self._peers.get(sender)
        if peer is None:  # it has just started, or was silent for so long that it was forgotten
            peer = self._peers[sender] = _Peer(self.now())
            self.introduce()
            if not isinstance(message, Census):
                self._ask(sender, peer)
        peer.heard = self.now()
        match message:
            case Alive():
                if message.digest and message.digest != peer.people.digest:
                    self._ask(sender, peer)
            case Here():
                return self._put(sender, peer, {message.table: message.seats}.items())
            case Census():
                return self._hear_census(sender, peer, message)
            case Who() if message.process == self.process:
                self.tell_census()
            case Who() if not message.process:
                self.repeat(message.table)
        return []

    def forget_silent(self) -> list[Change]:
        """Consider processes dead that were silent for too long; return who went with them."""
        latest = self.now() - DEAD_SECONDS
        silent = [name for name, peer in self._peers.items() if peer.heard < latest]
        return [] if self._is_deaf else [change for name in silent for change in self.forget(name)]

    def forget(self, process: str) -> list[Change]:
        """Consider the people at a process gone; return them."""
        # A dead process is named by host and number; our names have a third part.
        gone = [name for name in self._peers if name == process or name.startswith(f"{process}/")]
        peers = [(name, self._peers.pop(name)) for name in gone]
        return [
            Change(name, table, seats, ())
            for name, peer in peers
            for table, seats in peer.people.tables.items()
        ]

    def _ask(self, process: str, peer: _Peer) -> None:
        if self.now() - peer.asked >= ASK_SECONDS:
            peer.asked = self.now()
            self.publish(Who(process=process))

    def _hear_census(self, sender: str, peer: _Peer, census: Census) -> list[Change]:
        """Handle a part of a census; nothing changes until it is complete."""
        if census.part == 1:
            peer.parts.clear()
        if census.part != len(peer.parts) + 1:  # a part was lost: after the next heartbeat we ask again
            return []
        peer.parts.append(census.tables)
        if census.part < census.parts:
            return []
        tables = {table: seats for part in peer.parts for table, seats in part.items()}
        peer.parts.clear()
        gone = [(table, ()) for table in peer.people.tables if table not in tables]
        return self._put(sender, peer, [*gone, *tables.items()])

    def _put(self, sender: str, peer: _Peer, tables: Iterable[tuple[str, Seats]]) -> list[Change]:
        changes = [Change(sender, table, peer.people.put(table, seats), seats) for table, seats in tables]
        return [change for change in changes if change.before != change.seats]


def _digest(table: str, seats: Seats) -> int:
    text = f"{table} {','.join(map(str, seats))}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")

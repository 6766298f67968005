"""Define what is stored about tables, and what a store must do: acknowledge an entry once it is durable.

The stores themselves are in `bartizan.tables.storage`: SQLite, the default, and PostgreSQL.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Annotated, Protocol

import msgspec

from bartizan.tables.agreement import Agreement
from bartizan.tables.errors import DamagedTable

CHAT_LINES = 200  # lines that are stored for a table
SEAT_REPORTS = 20  # reports that are stored from one seat
KEY_PUSHES = 8  # browsers that are notified for one key


class EntryRow(msgspec.Struct, frozen=True):
    """One stored entry of a table's log; `bartizan.tables.entries` says what each kind means."""

    kind: str
    seat: int
    text: str = ""
    id: str = ""  # the client's message id, so that it is carried out only once
    throw: bytes = b""  # for a move that reports a throw made at the table: its flight, as JSON
    spent: int = 0  # milliseconds that it took on the running clock
    link: int = 0  # covers this and all earlier entries (tables/linking.py); 0 for none


class TableRow(msgspec.Struct, frozen=True):
    """What is known about a table before its first move; tokens are stored as hashes only."""

    table: str
    game: str
    rules: int  # the version of the game's rules
    options: dict[str, bool | int | str]
    seats: Annotated[int, msgspec.Meta(ge=1, le=100)]
    players: tuple[str, ...]  # by seat: "person", or a program's name
    # Secret until the game is over: the seed, or since there are commitments the seed where it was chosen,
    # "/" and the server's secret (tables/exchange.py reads it).
    seed: str
    tokens: tuple[bytes, ...]  # SHA-256; the spectators' first, then by seat; b"" for none
    created: int = 0  # seconds since 1970
    agreement: Agreement = Agreement()
    more_keys: tuple[tuple[bytes, int], ...] = ()  # to abandoned seats, given to others; with the seat
    closed: bool = False  # by the host: no one can enter any more
    invitations: tuple[tuple[bytes, int], ...] = ()  # hashes of all invitations there were; with the seat
    blocked: tuple[bytes, ...] = ()  # hashes of keys that the host has blocked

    @property
    def keys(self) -> list[tuple[bytes, int]]:
        """The hashes of all keys, with their seats; 0 for spectators."""
        first = ((key, seat) for seat, key in enumerate(self.tokens) if key)
        return [*first, *self.more_keys]

    @property
    def blocked_seats(self) -> tuple[int, ...]:
        """The seats of which the host has blocked every key."""
        open_ = {seat for key, seat in self.keys if key not in self.blocked}
        return tuple(sorted({seat for _, seat in self.keys} - open_))

    def seats_held_with(self, seat: int) -> tuple[int, ...]:
        """Return the seats of the person at a seat, who may play several on one device."""
        here = self.agreement.here
        given = {each for _, each in self.more_keys}  # to someone else
        return here if seat in here and given.isdisjoint(here) else (seat,)


class PersonRow(msgspec.Struct, frozen=True):
    """The name and coat of arms of a person at one seat of one table."""

    seat: int
    name: str
    arms: str
    deaf: bool = False  # they have closed the chat for themselves


class ChatRow(msgspec.Struct, frozen=True):
    """One line of a table's chat; it isn't part of the game."""

    number: int  # from 1, in order
    seat: int
    text: str
    emote: str
    at: int  # milliseconds since 1970


class ReportRow(msgspec.Struct, frozen=True):
    """A report to the host: one person about another, or about a line of the other's chat."""

    seat: int  # of the reporter
    id: str  # the client's message id, so that it is stored only once
    name: str  # of the reporter then; empty for none
    about: int  # the reported person's seat
    about_name: str
    reason: str
    line: str  # the chat line's text or emote; empty if the report isn't about a line
    at: int  # milliseconds since 1970


class PushRow(msgspec.Struct, frozen=True):
    """A browser that is notified when whoever holds a key is called; it is in no export or backup."""

    table: str  # at which this was asked for; the key may open rematches, too
    key: bytes  # the hash of the key to a seat
    endpoint: str  # the address at its push service
    p256dh: str  # its public key, in base64url
    auth: str  # the secret of its encryption, in base64url
    at: int  # milliseconds since 1970


class StoredEntry(msgspec.Struct, frozen=True):
    """A stored entry, with its time."""

    version: int
    entry: EntryRow
    at: int  # seconds since 1970
    checksum: int = 0  # of its row (tables/linking.py); 0 for none


class StoredTable(msgspec.Struct, frozen=True):
    """Everything that is stored about a table, except for browsers to notify."""

    row: TableRow
    entries: tuple[StoredEntry, ...] = ()
    persons: tuple[PersonRow, ...] = ()
    chat: tuple[ChatRow, ...] = ()
    clock: tuple[int, int] = (0, 0)  # when the running clock runs out, and the version at which it runs
    reports: tuple[ReportRow, ...] = ()


class TableSummary(msgspec.Struct, frozen=True):
    """A table in a list of all tables."""

    table: str
    game: str
    players: tuple[str, ...]
    created: int  # seconds since 1970
    last: int  # time of its last entry; 0 for none
    entries: int
    moves: int
    closed: bool


class Listening(Protocol):
    """Callbacks for other processes' activity, called on the loop that listens."""

    def on_written(self) -> None:
        """Handle entries written by another process; `MoveLog.news` lists them."""

    def on_message(self, sender: str, text: str) -> None:
        """Handle a message published by another process."""

    def on_reached(self, *, reached: bool) -> None:
        """Handle that the database has become unavailable or is back."""


class MoveLog(Protocol):
    """The logs of all tables of one server, in any database.

    Every read and write may raise `StorageError`. Asynchronous methods are for one event loop.
    """

    @property
    def place(self) -> str:
        """Where the tables are stored, in words for people, without secrets."""

    @property
    def process(self) -> str:
        """The name of this process among those that share the tables."""

    # Tables ----------------------------------------------------------------------------------------------

    async def append(
        self, table: str, version: int, entry: EntryRow, key: tuple[bytes, int] | None = None
    ) -> None:
        """Add a table's `version`-th entry (from 1); return once it is durable.

        A new hashed `key` to a seat is stored with it; with a negative seat it is an invitation. Raises
        `Conflict` if the log doesn't end at ``version - 1``, `UnknownTable` and `NotAllowed` if the table was
        deleted or closed, and `StorageError` if the entry could not be written; it may still appear later,
        but it was not acknowledged.
        """

    async def create(self, row: TableRow) -> None:
        """Add a table; raises `Conflict` if its name exists."""

    async def read(self, table: str, after: int = 0) -> list[EntryRow]:
        """Return the entries after a version, in order; none for an unknown table."""

    async def table(self, table: str) -> TableRow | None:
        """Return the row of a table."""

    async def find(self, token_hash: bytes) -> tuple[str, int] | None:
        """Return the newest table that a token's hash opens, and the seat, negative for an invitation."""

    # Clocks ----------------------------------------------------------------------------------------------

    async def time(self) -> int | None:
        """Return the database's time, in milliseconds since 1970; None if it is this machine's."""

    async def revive_clocks(self, now: int, allowance: int) -> None:
        """Postpone all clocks by the time in which no server ran, and record that one is up at `now`.

        Times are milliseconds since 1970.  A server is dead if its process is, or, if that
        can't be checked, if it was silent for longer than `allowance`.
        """

    async def beat(self, now: int) -> None:
        """Record that this server is up, if clocks are running."""

    async def set_clock(self, table: str, version: int, deadline: int, now: int) -> None:
        """Store when the clock that runs at a version of a table runs out; 0 if none runs."""

    async def clock(self, table: str) -> tuple[int, int]:
        """Return when a table's running clock runs out, and the version at which it ran; or zeros."""

    async def due(self, before: int) -> list[tuple[str, int]]:
        """Return the tables whose clocks run out before a moment, and when, the earliest first."""

    # People and what they say ----------------------------------------------------------------------------

    async def persons(self, table: str) -> list[PersonRow]:
        """Return the names and coats of arms of a table's people, by seat."""

    async def introduce(self, table: str, person: PersonRow) -> None:
        """Store a person's name and coat of arms."""

    async def chat(self, table: str) -> list[ChatRow]:
        """Return the stored lines of a table's chat, in order."""

    async def say(self, table: str, line: ChatRow) -> None:
        """Store a line of a table's chat, and delete lines that are too old; raises `Conflict`."""

    async def reports(self, table: str = "") -> list[tuple[str, ReportRow]]:
        """Return the reports from a table, or from all, with the table's name; the oldest first."""

    async def report(self, table: str, report: ReportRow) -> bool:
        """Store a report; return whether it is new. Raises `UnknownTable`."""

    # Notifications ---------------------------------------------------------------------------------------

    async def pushes(self, table: str, seat: int) -> list[PushRow]:
        """Return the browsers to notify for a seat, whose keys aren't blocked; the oldest first."""

    async def set_push(self, push: PushRow) -> None:
        """Notify a browser from now on, at every table that its key opens; raises `UnknownTable`.

        A key's oldest beyond `KEY_PUSHES` are forgotten.
        """

    async def drop_push(self, endpoint: str, key: bytes = b"") -> None:
        """Don't notify a browser any more, for one key or for any."""

    # Blocked keys ----------------------------------------------------------------------------------------

    async def is_blocked(self, token_hash: bytes) -> bool:
        """Whether the host has blocked a key."""

    async def set_blocked(self, table: str, seats: Iterable[int], *, blocked: bool) -> list[str]:
        """Block all keys to seats of a table, wherever else they open one, or unblock them.

        Returns the tables that they open.
        """

    # Other processes -------------------------------------------------------------------------------------

    def listen(self, listening: Listening | None) -> None:
        """Set the listener for other processes' activity; requires a running loop."""

    async def news(self) -> list[tuple[str, int]]:
        """Return the tables with new entries since the last call, possibly our own, and their versions."""

    def publish(self, text: str) -> None:
        """Send a message to the other processes; it isn't stored and may be lost."""

    # Housekeeping -----------------------------------------------------------------------------------------

    async def count(self) -> int:
        """Count the stored tables."""

    async def summaries(self) -> list[TableSummary]:
        """List all tables, the oldest first."""

    async def stored(self, table: str) -> StoredTable | None:
        """Return everything that is stored about a table."""

    def expire(self, before: int) -> AsyncIterator[str]:
        """Delete the tables made before a moment (seconds since 1970) and never played; yield their names."""

    async def set_closed(self, table: str, *, closed: bool) -> None:
        """Close a table so that no one can enter, or reopen it; raises `UnknownTable`."""

    async def delete(self, table: str) -> None:
        """Delete a table and everything stored about it; raises `UnknownTable`."""

    def dump(self, damaged: list[DamagedTable] | None = None) -> AsyncIterator[StoredTable]:
        """Yield all tables as of one moment, the oldest first.

        Raises `DamagedTable` at the first one that can't be read; or adds the error to `damaged` and goes on.
        """

    async def restore(self, tables: Iterable[StoredTable]) -> int:
        """Add complete tables, all or none; return how many. Raises `Conflict` if one exists."""

    async def stop(self) -> None:
        """Write everything that is pending and close everything; write nothing after this."""

    def close(self) -> None:
        """Close everything, for callers without a loop."""

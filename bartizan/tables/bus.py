"""Define the messages that server processes send one another about tables, and publish them.

They are never stored and may get lost. Everything that matters is in the log.
"""

from __future__ import annotations

import msgspec

from bartizan.tables.store import MoveLog


class BusMessage(msgspec.Struct, tag_field="t"):
    """Base of the messages."""


class Here(BusMessage, tag="here"):
    """The seats from which people are connected to a table through this process; 0 is a spectator."""

    table: str
    seats: tuple[int, ...]


class Who(BusMessage, tag="who"):
    """A request for the census of one process.

    Without a process, it asks every process who is at a table, or at every table if its name is empty. Only
    Bartizan 0.1 and older still ask this way.
    """

    table: str = ""
    process: str = ""


class Census(BusMessage, tag="census"):
    """The seats from which people are connected through this process, by table.

    A long list goes out in several parts.
    """

    tables: dict[str, tuple[int, ...]]
    part: int = 1
    parts: int = 1


class Talk(BusMessage, tag="talk"):
    """A new chat line at a table, or a changed name."""

    table: str


class Thinks(BusMessage, tag="thinks"):
    """The program at a seat is thinking; 0 means that it has finished."""

    table: str
    seat: int


class Alive(BusMessage, tag="alive"):
    """This process is running; the digest sums up its census."""

    digest: str = ""  # empty from an older Bartizan


class Leaving(BusMessage, tag="leaving"):
    """A process has ended: this one, if the name is empty."""

    process: str = ""


class Shut(BusMessage, tag="shut"):
    """The host has closed or deleted a table."""

    table: str


class Keys(BusMessage, tag="keys"):
    """The host has blocked or unblocked keys to a table, or one was given to a blocked seat."""

    table: str


Received = Here | Who | Census | Talk | Thinks | Alive | Leaving | Shut | Keys

_decoder: msgspec.json.Decoder[Received] = msgspec.json.Decoder(Received)


def decoded(text: str) -> Received:
    """Read a message; raises `msgspec.DecodeError`."""
    return _decoder.decode(text)


class Bus:
    """Sends messages to the other processes that share a store."""

    def __init__(self, log: MoveLog) -> None:
        self._log = log
        self.process = log.process

    def publish(self, message: BusMessage) -> None:
        """Send a message without waiting."""
        self._log.publish(msgspec.json.encode(message).decode())

"""Define the entries of a table's log, and the requests for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from bartizan.engine.errors import GameOver
from bartizan.engine.layout import Flown
from bartizan.engine.outcome import Outcome
from bartizan.engine.schema import Schema
from bartizan.tables.errors import NotAllowed, NotDealt, StaleVersion
from bartizan.tables.messages import Ack, Id, Message, Version
from bartizan.tables.provider import PERSON
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow

if TYPE_CHECKING:
    from bartizan.match.aim import Aim

ADJOURNED = "The game is adjourned. Resume it first."
# Who may ask: a person at their seat, anyone with a seat's link (even if a program plays there), spectators.
Asker = Literal["person", "seat", "anyone"]
When = Literal["always", "running", "over"]


class Surroundings(Protocol):
    """What a request may need beyond the table's state: who is connected, and slow work."""

    @property
    def here(self) -> tuple[int, ...]:
        """The seats with someone connected."""

    def is_left(self, seat: int) -> bool:
        """Whether a seat has been empty for so long that the others may claim it."""

    def has_just_come(self, seat: int) -> bool:
        """Whether a seat's player came, or the round began, too recently to have added a share."""

    async def fly(self, throw: Aim) -> Flown:
        """Simulate a throw; raises `TooMany`."""

    async def deal_again(self, outcome: Outcome | None) -> str:
        """Create the table of the rematch and return its name."""


class Entry(Schema, tag_field="type", kw_only=True):
    """Base class of the entries of a table's log; `type` is the kind stored in its row.

    An entry doesn't know its seat: the row does, and every method takes it as an argument.
    """

    id: str = ""  # the client's message id, so that a request sent twice is carried out once

    leaves_the_game: ClassVar[bool] = False  # the game doesn't change, so requests made before remain valid
    beside_the_game: ClassVar[bool] = False  # it starts no clock and isn't part of the record
    deals: ClassVar[bool] = False  # part of making the deal, before there are cards

    @property
    def kind(self) -> str:
        """The kind in its row."""
        return str(self.__struct_config__.tag)

    def apply(self, state: TableState, seat: int) -> None:
        """Change the table's state; raises `BartizanError` if this cannot have happened."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does.")

    def answer(self, version: int) -> Message:
        """Return the reply to send once the entry is durable."""
        return Ack(id=self.id, version=version)

    @property
    def text(self) -> str:
        """The text in its row."""
        return ""

    def bound(self, state: TableState) -> str:
        """Return the text that the chain of hashes covers, once this is applied."""
        return self.text

    @property
    def throw(self) -> bytes:
        """The throw in its row, as JSON; for a throw made at the table."""
        return b""

    @property
    def key(self) -> tuple[bytes, int] | None:
        """A new key to a seat, hashed, to be stored with the entry."""
        return None

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row of this kind; raises `BartizanError` for invalid content."""
        return cls(id=row.id)

    def to_row(self, seat: int, spent: int = 0) -> EntryRow:
        """Return the row to store: the entry, its seat, and the time it took on the running clock."""
        return EntryRow(self.kind, seat, self.text, self.id, self.throw, spent)


class Request(Entry, kw_only=True):
    """Base of the entries that clients ask for, made at a version; the socket reads them as they are.

    What the server adds before the entry is logged, such as the ply that an undo goes back to, is in a
    subclass that `settle` returns: clients can't send it.
    """

    id: Id
    version: Version

    is_sent: ClassVar[bool] = True  # clients send it as it is
    is_wish: ClassVar[bool] = False  # could be repeated without a move until the log is full
    when_adjourned: ClassVar[bool] = True  # may be asked for while the game is adjourned
    asked_by: ClassVar[Asker] = "person"
    when: ClassVar[When] = "always"  # before the game's end, or after it
    is_told: ClassVar[bool] = False  # whether `Sync.allowed` mentions it
    button: ClassVar[str] = ""  # what its button in the table's menu says, if it needs no other

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row of this kind."""
        return cls(id=row.id, version=0)

    @property
    def label(self) -> str:
        """What its button in the table's menu says; an empty string if the client has its own."""
        return self.button

    @classmethod
    def examples(cls) -> Mapping[str, Request]:
        """Return the requests of this kind that `Sync.allowed` lists, by their names there."""
        return {str(cls.__struct_config__.tag): cls(id="", version=0)} if cls.is_told or cls.button else {}

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether a player would look for this now; if not, the client isn't told about it.

        True wherever `check` allows it.
        """
        return True

    def check(self, state: TableState, seat: int) -> None:
        """Raise an error if a seat may not make this request; `check_request` makes the general checks."""

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the entry for the log, once `check` has passed; raises if something else prevents it."""
        return self

    @property
    def is_repeatable(self) -> bool:
        """Whether the same message is carried out again if it arrives again."""
        return False


def check_request(request: Request, state: TableState, seat: int) -> None:
    """Raise an error if a seat may not add an entry to the log.

    These are `NotAllowed`, `StaleVersion`, `NothingToUndo`, `NotYourTurn`, `GameOver` and `BadRequest`;
    `Request.settle` checks whether a move is legal.
    """
    check_asker(request, state, seat)
    if not state.changed_at <= request.version <= state.version:
        raise StaleVersion(
            f"That was meant for version {request.version}; the table is at version {state.version}."
        )
    state.check_room()
    check_moment(request, state, seat)


def check_asker(request: Request, state: TableState, seat: int) -> None:
    """Raise `NotAllowed` if this seat can't make requests of this kind."""
    if request.asked_by == "anyone":
        return
    if not seat:
        raise NotAllowed("Spectators can't move. You need a seat's invite link.")
    if request.asked_by == "person" and state.players[seat] != PERSON:
        raise NotAllowed(f"Seat {seat} is played by {state.players[seat]!r}.")


def check_moment(request: Request, state: TableState, seat: int) -> None:
    """Raise an error if a seat can't make the request at this moment."""
    if not state.is_dealt and not request.deals:
        raise NotDealt(state.exchange.sentence())
    if state.adjourned and not request.when_adjourned and not state.is_over:
        raise NotAllowed(ADJOURNED)
    if request.when == "running" and state.is_over:
        raise GameOver("The game is over.")
    if request.when == "over" and not state.is_over:
        raise NotAllowed("You can do that when the game is over.")
    request.check(state, seat)

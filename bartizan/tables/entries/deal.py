"""Entries that make the deal or reveal its seed; `bartizan.tables.exchange` keeps track of the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from bartizan.engine import fairness
from bartizan.tables.entries.base import Entry, Request, Surroundings
from bartizan.tables.errors import BadRequest, NotAllowed, StorageError
from bartizan.tables.messages import Seat
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow

if TYPE_CHECKING:
    from bartizan.match import Match

VERSION = f"{fairness.PROTOCOL} "  # the beginning of these rows' text


def _unversioned(row: EntryRow) -> str:
    """Return the content of a row of this protocol; raises `StorageError` for another protocol."""
    if not row.text.startswith(VERSION):
        raise StorageError(f"Its deal uses a protocol other than {fairness.PROTOCOL}.")
    return row.text.removeprefix(VERSION)


def _secret(text: str) -> str:
    if not fairness.is_secret(text):
        raise StorageError("It has no secret for the next round.")
    return text


class _Step(Request):
    """Base of what people add to the deal before there are cards."""

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True

    @property
    def given(self) -> str:
        """What the player gives."""
        return ""

    @property
    def text(self) -> str:
        """The protocol, and what the player gives."""
        return f"{VERSION}{self.given}"

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if the seat has no share in the deal, or no longer."""
        exchange = state.exchange
        if exchange.manner != "shares":
            raise NotAllowed("This table doesn't use shares.")
        if exchange.is_dealt:
            raise NotAllowed("The cards are already dealt.")
        if seat not in exchange.asked:
            raise NotAllowed("Only people at the table take part in the deal.")
        if len(exchange.void) >= fairness.MOST_VOID:
            raise NotAllowed("This table's deal failed too often. Start a new table.")


class CommitShare(_Step, tag="commit"):
    """Commit to a share of the deal by its hash, before anyone reveals theirs."""

    commitment: Annotated[str, Meta(max_length=64)]

    @property
    def given(self) -> str:
        """The commitment."""
        return self.commitment

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the commitment in a row."""
        return cls(id=row.id, version=0, commitment=_unversioned(row))

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if it comes too late, and `BadRequest` if it isn't a hash."""
        super().check(state, seat)
        exchange = state.exchange
        if exchange.is_closed or seat in exchange.commitments:
            raise NotAllowed("Your commitment has already arrived, or it's too late.")
        if not fairness.is_hash(self.commitment):
            raise BadRequest("A commitment is a SHA-256 in 64 hexadecimal digits.")
        if exchange.is_used(self.commitment):
            raise BadRequest("This share was used in an earlier round. Draw a new one.")

    def apply(self, state: TableState, seat: int) -> None:
        """Store the commitment."""
        self.check(state, seat)
        state.exchange.commitments[seat] = self.commitment


class ShowShare(_Step, tag="share"):
    """Reveal the committed share of the deal, once all have committed."""

    share: Annotated[str, Meta(max_length=64)]

    @property
    def given(self) -> str:
        """The share."""
        return self.share

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the share in a row."""
        return cls(id=row.id, version=0, share=_unversioned(row))

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if it isn't due, and `BadRequest` if it doesn't match the commitment."""
        super().check(state, seat)
        exchange = state.exchange
        if not exchange.is_closed:
            raise NotAllowed("Don't reveal your share before all commitments have arrived.")
        if seat not in exchange.commitments or seat in exchange.shares:
            raise NotAllowed("Your share has already arrived, or you didn't commit to one.")
        if not fairness.is_share(self.share):
            raise BadRequest("A share has 32 hexadecimal digits.")
        if fairness.commit_share(state.row.table, seat, self.share) != exchange.commitments[seat]:
            raise BadRequest("This share doesn't match its commitment.")

    def apply(self, state: TableState, seat: int) -> None:
        """Store the share."""
        self.check(state, seat)
        state.exchange.shares[seat] = self.share


class GiveUpSeat(_Step, tag="give_up"):
    """Ask to go on without a seat; it is given up once everyone who is here asks for it.

    A player who is here and has committed may still show a share. Once a share has been shown, no one may
    choose between two deals, so the request waits until the round is void.
    """

    seat: Seat

    is_wish: ClassVar[bool] = True

    @property
    def given(self) -> str:
        """The seat."""
        return str(self.seat)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the request in a row, or the entry that carries it out, which also has the next secret."""
        seat, _, secret = _unversioned(row).partition(" ")
        given = int(seat) if seat.isdecimal() else 0
        if not secret:
            return GiveUpSeat(id=row.id, version=0, seat=given)
        return SeatGivenUp(id=row.id, version=0, seat=given, secret=_secret(secret))

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if no one is waiting for the other seat."""
        super().check(state, seat)
        exchange = state.exchange
        if self.seat == seat or self.seat not in exchange.asked:
            raise NotAllowed("The table isn't waiting for anyone else at this seat.")
        if self.seat in exchange.shares:
            raise NotAllowed(f"Seat {self.seat} has shown its share.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the wish, or what fulfils it; raises `NotAllowed` if the other player is taking part."""
        exchange, here = state.exchange, around.here
        is_ready = self.seat in here and self.seat in exchange.commitments
        if is_ready and not exchange.is_closed:
            raise NotAllowed(f"Seat {self.seat} is here and ready.")
        if not is_ready and around.has_just_come(self.seat):
            raise NotAllowed(f"Give seat {self.seat} a moment to add its share.")
        if is_ready or exchange.shares or not exchange.is_agreed(self.seat, here, by=seat):
            return self
        secret = fairness.draw_secret()
        return SeatGivenUp(id=self.id, version=self.version, seat=self.seat, secret=secret)

    def apply(self, state: TableState, seat: int) -> None:
        """Record the request."""
        self.check(state, seat)
        state.exchange.want_given_up(self.seat, seat)


class SeatGivenUp(GiveUpSeat, tag="give_up"):
    """The last request to go on without a seat, before any share was shown: a new round begins without it."""

    secret: str

    leaves_the_game: ClassVar[bool] = False  # messages for the earlier round come too late

    @property
    def given(self) -> str:
        """The seat, and the server's next secret."""
        return f"{self.seat} {self.secret}"

    def apply(self, state: TableState, seat: int) -> None:
        """Begin another round without the seat."""
        self.check(state, seat)
        if state.exchange.shares:
            raise StorageError("A share has been shown, so this round can only be void.")
        state.exchange.begin_again(self.secret, given_up=(self.seat,))


class VoidDeal(Entry, tag="void"):
    """A deal is void because shares were not shown; everyone is asked again, with a new secret."""

    secret: str
    given_up: tuple[int, ...] = ()  # seats without a share that all others want to give up

    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """The protocol, the server's next secret, and the seats given up."""
        return " ".join([f"{VERSION}{self.secret}", *map(str, self.given_up)])

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row."""
        secret, *seats = _unversioned(row).split(" ")
        given_up = tuple(int(seat) if seat.isdecimal() else 0 for seat in seats)
        return cls(id=row.id, secret=_secret(secret), given_up=given_up)

    def apply(self, state: TableState, seat: int) -> None:
        """Record who showed no share, and begin another round; raises `StorageError` if all did."""
        exchange = state.exchange
        if not exchange.is_revealing or exchange.is_complete:
            raise StorageError("No share is missing, so the deal isn't void.")
        if not {*self.given_up} <= {*exchange.silent}:
            raise StorageError("A seat was given up that had shown its share.")
        exchange.begin_again(self.secret, withheld=exchange.silent, given_up=self.given_up)


class CloseDeal(Entry, tag="close"):
    """Stop waiting for people who haven't come; only in earlier logs, in which deals could leave them out."""

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """The protocol."""
        return VERSION

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row."""
        _unversioned(row)
        return cls(id=row.id)

    def apply(self, state: TableState, seat: int) -> None:
        """Let the people who have committed show their shares."""
        if state.exchange.is_closed or seat not in state.exchange.commitments:
            raise StorageError("No one was waited for, or this seat had to commit first.")
        state.exchange.closed_by = seat


class Deal(Entry, tag="deal"):
    """Deal the cards from the shares of everyone who was asked."""

    dealt: Match | None = None  # if it was already made, off the loop

    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """The protocol, and that no share is missing."""
        return f"{VERSION}all"

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row; rows of earlier versions don't say that no share is missing."""
        match _unversioned(row):
            case "":
                return DealOfSome(id=row.id)
            case "all":
                return Deal(id=row.id)
        raise StorageError("It doesn't say of whose shares the deal was made.")

    def apply(self, state: TableState, seat: int) -> None:
        """Deal; raises `StorageError` if shares are missing."""
        if not state.exchange.is_complete:
            raise StorageError("The cards have already been dealt, or shares are missing.")
        state.deal(self.dealt or state.make_deal())


class DealOfSome(Deal, tag="deal"):
    """Deal the cards from the shares that were shown in time; only in earlier logs."""

    @property
    def text(self) -> str:
        """The protocol."""
        return VERSION

    def apply(self, state: TableState, seat: int) -> None:
        """Deal; raises `StorageError` if shares may still come."""
        if not state.exchange.is_revealing or state.exchange.void:
            raise StorageError("The cards have already been dealt.")
        state.deal(state.make_deal())


class SeedRevealed(Entry, tag="told"):
    """The seed is known, so nothing can be undone any more."""

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True

    def apply(self, state: TableState, seat: int) -> None:
        """Record it."""
        state.is_told = True

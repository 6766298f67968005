"""How the deal is made, and that its seed is known; `bartizan.tables.exchange` holds how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from bartizan.engine import fairness
from bartizan.tables.entries.base import Entry, Request, Surroundings
from bartizan.tables.errors import BadRequest, NotAllowed, StorageError
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow

if TYPE_CHECKING:
    from bartizan.match import Match

VERSION = f"{fairness.PROTOCOL} "  # what the text of these rows begins with


def _unversioned(row: EntryRow) -> str:
    """Return what a row says by this protocol; raises `StorageError` for one of another."""
    if not row.text.startswith(VERSION):
        raise StorageError(f"Its deal was made by another protocol than {fairness.PROTOCOL}.")
    return row.text.removeprefix(VERSION)


class _Step(Request):
    """Base of what people add to the deal before there are cards."""

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True

    @property
    def given(self) -> str:
        """What is given."""
        return ""

    @property
    def text(self) -> str:
        """The protocol, and what is given."""
        return f"{VERSION}{self.given}"

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` where a seat has no share in the deal, or no longer."""
        exchange = state.exchange
        if exchange.manner != "shares":
            raise NotAllowed("This table doesn't use shares.")
        if exchange.is_dealt:
            raise NotAllowed("The cards are already dealt.")
        if seat not in exchange.asked:
            raise NotAllowed("Only people at the table take part in the deal.")


class CommitShare(_Step, tag="commit"):
    """Commit to a share of the deal by its hash, before anybody shows theirs."""

    commitment: Annotated[str, Meta(max_length=64)]

    @property
    def given(self) -> str:
        """The commitment."""
        return self.commitment

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the commitment of a row."""
        return cls(id=row.id, version=0, commitment=_unversioned(row))

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` where it comes too late, and `BadRequest` where it is no hash."""
        super().check(state, seat)
        if state.exchange.is_closed or seat in state.exchange.commitments:
            raise NotAllowed("Your commitment has already arrived, or it's too late.")
        if not fairness.is_hash(self.commitment):
            raise BadRequest("A commitment is a SHA-256 in 64 hexadecimal digits.")

    def apply(self, state: TableState, seat: int) -> None:
        """Keep the commitment."""
        self.check(state, seat)
        state.exchange.commitments[seat] = self.commitment


class ShowShare(_Step, tag="share"):
    """Show the share of the deal that was committed to, once all have committed."""

    share: Annotated[str, Meta(max_length=64)]

    @property
    def given(self) -> str:
        """The share."""
        return self.share

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the share of a row."""
        return cls(id=row.id, version=0, share=_unversioned(row))

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` where it is not asked for, and `BadRequest` where it is another."""
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
        """Keep the share."""
        self.check(state, seat)
        state.exchange.shares[seat] = self.share


class CloseDeal(_Step, tag="close"):
    """Wait no longer for shares of the deal from those who have not come."""

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry of a row."""
        _unversioned(row)
        return cls(id=row.id, version=0)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` where no one is waited for, or this seat is."""
        super().check(state, seat)
        if state.exchange.is_closed:
            raise NotAllowed("The table isn't waiting for anyone.")
        if seat not in state.exchange.commitments:
            raise NotAllowed("Commit to your own share first.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Raise `NotAllowed` if someone has just arrived and their share would be left out."""
        fresh = [each for each in state.exchange.missing if around.has_just_come(each)]
        if fresh:
            raise NotAllowed(f"Seat {fresh[0]} has just come: give it a moment to add its share.")
        return self

    def apply(self, state: TableState, seat: int) -> None:
        """Let those who have committed show their shares."""
        self.check(state, seat)
        state.exchange.closed_by = seat


class Deal(Entry, tag="deal"):
    """The cards are dealt from the shares."""

    dealt: Match | None = None  # where it was made already, off the loop

    beside_the_game: ClassVar[bool] = True
    deals: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """The protocol."""
        return VERSION

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry of a row."""
        _unversioned(row)
        return cls(id=row.id)

    def apply(self, state: TableState, seat: int) -> None:
        """Deal; raises `StorageError` where shares are missing."""
        if not state.exchange.is_revealing:
            raise StorageError("The cards have already been dealt.")
        state.deal(self.dealt or state.make_deal())


class SeedRevealed(Entry, tag="told"):
    """The seed is out, so nothing is undone any more."""

    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True

    def apply(self, state: TableState, seat: int) -> None:
        """Note it."""
        state.is_told = True

"""Moves, and the advice that a seat took for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from bartizan.engine.layout import Flown, is_throw
from bartizan.tables.entries.base import Entry, Request, Surroundings
from bartizan.tables.errors import NotAllowed, StorageError
from bartizan.tables.messages import Action, MoveText
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow
from bartizan.tables.turns import check_turn

if TYPE_CHECKING:
    from bartizan.match import CheckedMove


class Move(Request, tag="move"):
    """Play a move, as an action's number or in notation."""

    move: MoveText | Action

    when_adjourned: ClassVar[bool] = False

    def check(self, state: TableState, seat: int) -> None:
        """Raise `GameOver` or `NotYourTurn` where it is not this seat's decision."""
        check_turn(state, seat)

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Check the move, or make the throw: then the move is what the card did."""
        if not is_throw(self.move):
            return Played.of(state.match.throws.check_by_hand(self.move, seat), self.id)
        flown = await around.fly(state.match.throws.read(str(self.move), seat))
        return Played.of(state.match.throws.check(flown), self.id)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the move of a row, which is checked when it is applied."""
        if row.throw:
            return Thrown(id=row.id, version=0, move=row.text, seen=row.throw)
        return Move(id=row.id, version=0, move=row.text)

    def apply(self, state: TableState, seat: int) -> None:
        """Check the move by today's rules and play it."""
        state.play(state.match.check(self.move), seat)

    @property
    def text(self) -> str:
        """The move in canonical notation."""
        return str(self.move)


class Thrown(Move, tag="move"):
    """A move that reports a throw made at the table, read from a log."""

    seen: bytes  # what was seen of it, as JSON

    def apply(self, state: TableState, seat: int) -> None:
        """Check that the report and what was seen agree, and play the move."""
        try:
            flown = msgspec.json.decode(self.seen, type=Flown)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise StorageError(f"A throw in it cannot be read: {error}.") from error
        state.play(state.match.throws.check_flown(state.match.check(self.move), flown), seat)

    @property
    def throw(self) -> bytes:
        """What was seen of the throw."""
        return self.seen


class Played(Move, tag="move"):
    """A move that was checked on the table's own match, so that it is not checked twice."""

    checked: CheckedMove

    @classmethod
    def of(cls, checked: CheckedMove, id_: str = "") -> Played:
        """Return the entry of a move that was checked."""
        return cls(id=id_, version=0, move=checked.text, checked=checked)

    def apply(self, state: TableState, seat: int) -> None:
        """Play the move."""
        state.play(self.checked, seat)

    @property
    def throw(self) -> bytes:
        """What was seen of the throw that the move reports, if it does."""
        return msgspec.json.encode(self.checked.flown) if self.checked.flown is not None else b""


class HintTaken(Request, tag="hint"):
    """A seat was advised; the socket's `AskHint` leads to it."""

    is_sent: ClassVar[bool] = False
    leaves_the_game: ClassVar[bool] = True
    when_adjourned: ClassVar[bool] = False

    def check(self, state: TableState, seat: int) -> None:
        """Raise `GameOver` or `NotYourTurn` where there is nothing to advise, `NotAllowed` against people."""
        if state.is_against_people and not state.hints_agreed:
            raise NotAllowed("Hints are off against people. Ask the others to allow them.")
        check_turn(state, seat)

    def apply(self, state: TableState, seat: int) -> None:
        """Count the hint."""
        state.hints[seat] += 1

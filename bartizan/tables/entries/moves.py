"""Moves, and hints taken for them."""

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
        """Raise `GameOver` or `NotYourTurn` if it isn't this seat's turn."""
        check_turn(state, seat)

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Check the move, or make the throw, whose result is then the move."""
        if not is_throw(self.move):
            return Played.of(state.match.throws.check_by_hand(self.move, seat), self.id)
        flown = await around.fly(state.match.throws.read(str(self.move), seat))
        return Played.of(state.match.throws.check(flown), self.id)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the move in a row; it is checked when it is applied."""
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

    def bound(self, state: TableState) -> str:
        """Return the move in canonical notation, also for a log that has it otherwise."""
        return state.line[state.match.ply - 1].text


class Thrown(Move, tag="move"):
    """A move from a log that reports a throw made at the table."""

    seen: bytes  # the flight, as JSON

    def apply(self, state: TableState, seat: int) -> None:
        """Check that the report and the flight agree, and play the move."""
        try:
            flown = msgspec.json.decode(self.seen, type=Flown)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise StorageError(f"A throw in it cannot be read: {error}.") from error
        state.play(state.match.throws.check_flown(state.match.check(self.move), flown), seat)

    @property
    def throw(self) -> bytes:
        """The flight."""
        return self.seen


class Played(Move, tag="move"):
    """A move that was checked on the table's own match, so it isn't checked again."""

    checked: CheckedMove

    @classmethod
    def of(cls, checked: CheckedMove, id_: str = "") -> Played:
        """Return the entry for a checked move."""
        return cls(id=id_, version=0, move=checked.text, checked=checked)

    def apply(self, state: TableState, seat: int) -> None:
        """Play the move."""
        state.play(self.checked, seat)

    @property
    def throw(self) -> bytes:
        """The flight, if the move reports a throw."""
        return msgspec.json.encode(self.checked.flown) if self.checked.flown is not None else b""


class HintTaken(Request, tag="hint"):
    """A seat got a hint; the socket's `AskHint` leads to it."""

    is_sent: ClassVar[bool] = False
    leaves_the_game: ClassVar[bool] = True
    when_adjourned: ClassVar[bool] = False

    def check(self, state: TableState, seat: int) -> None:
        """Raise `GameOver` or `NotYourTurn` if there is nothing to advise, `NotAllowed` against people."""
        if state.is_against_people and not state.hints_agreed:
            raise NotAllowed("Hints are off against people until everyone allows them.")
        check_turn(state, seat)

    def apply(self, state: TableState, seat: int) -> None:
        """Count the hint."""
        state.hints[seat] += 1

"""Moves that a seat undoes on its own, and redoes."""

from __future__ import annotations

from typing import ClassVar

from bartizan.engine.errors import NothingToUndo
from bartizan.tables.entries.base import Entry, Request, Surroundings
from bartizan.tables.provider import PERSON
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow


class Undo(Request, tag="undo"):
    """Take a move back."""

    when_adjourned: ClassVar[bool] = False
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether a move has been played."""
        return state.match.ply > 0

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NothingToUndo` if nothing may be undone."""
        undo_ply(state, seat)

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the entry, with the ply if it goes back more than one."""
        ply = undo_ply(state, seat)
        return self if ply == state.match.ply - 1 else UndoTo(id=self.id, version=self.version, ply=ply)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text is the ply if that isn't the one before."""
        if not row.text:
            return Undo(id=row.id, version=0)
        return UndoTo(id=row.id, version=0, ply=_ply(row.text))

    def apply(self, state: TableState, seat: int) -> None:
        """Go back by one ply."""
        state.match.undo()
        state.proposal = None
        state.undos[seat] += 1

    def bound(self, state: TableState) -> str:
        """Return nothing more: the ply is part of every entry."""
        return ""


class UndoTo(Undo, tag="undo"):
    """An undo of several plies, back to a given one."""

    ply: int

    @property
    def text(self) -> str:
        """The ply."""
        return str(self.ply)

    def apply(self, state: TableState, seat: int) -> None:
        """Go back to the ply."""
        state.match.go_to(self.ply)
        state.proposal = None
        state.undos[seat] += 1


class Redo(Request, tag="redo"):
    """Play again what was undone."""

    when_adjourned: ClassVar[bool] = False
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether this seat has undone something that it may redo."""
        return redo_ply(state, seat) >= 0

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NothingToUndo` if nothing was undone."""
        if redo_ply(state, seat) < 0:
            raise NothingToUndo("There's nothing to redo.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the entry, with the ply if it goes further than one."""
        ply = redo_ply(state, seat)
        return self if ply == state.match.ply + 1 else RedoTo(id=self.id, version=self.version, ply=ply)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text is the ply if that isn't the next."""
        if not row.text:
            return Redo(id=row.id, version=0)
        return RedoTo(id=row.id, version=0, ply=_ply(row.text))

    def apply(self, state: TableState, seat: int) -> None:
        """Go forward by one ply."""
        state.match.redo()
        state.proposal = None

    def bound(self, state: TableState) -> str:
        """Return nothing more: the ply is part of every entry."""
        return ""


class RedoTo(Redo, tag="redo"):
    """A redo of several plies, up to a given one."""

    ply: int

    @property
    def text(self) -> str:
        """The ply."""
        return str(self.ply)

    def apply(self, state: TableState, seat: int) -> None:
        """Go forward to the ply."""
        state.match.go_to(self.ply)
        state.proposal = None


def _ply(text: str) -> int:
    return int(text) if text.isdecimal() else -1  # a ply that no match reaches


def undo_ply(state: TableState, seat: int) -> int:
    """Return the ply that a seat's undo goes back to.

    Within its own turn, a seat undoes its moves one by one, but not past a card that it has drawn. Against
    programs alone it goes back to its own last move. A seat that may undo any move does so. Raises
    `NothingToUndo` with the reason.
    """
    match = state.match
    ply = match.ply
    if not seat or state.players[seat] != PERSON:
        raise NothingToUndo("Only players can undo moves.")
    if not ply:
        raise NothingToUndo("There's nothing to undo.")
    if state.is_settled:
        raise NothingToUndo("The game is over.")
    if state.is_free:
        if match.is_over and state.is_told:
            raise NothingToUndo("The game is over and its seed is public, so you can't undo moves.")
        return ply - 1
    own = match.seat_to_move == seat and state.line[ply - 1].seat == seat
    if not own and state.has_others(seat):
        raise NothingToUndo(
            "You can't undo this without consent. Ask for a takeback."
            if state.takeback_ply(seat) >= 0
            else "You have not moved yet."
        )
    if match.is_over:
        raise NothingToUndo("The game is over.")
    if match.seat_to_move != seat:
        raise NothingToUndo("Wait for the computer's move. Then you can undo both.")
    target = ply - 1 if own else state.takeback_ply(seat)
    if target < 0:
        raise NothingToUndo("You have not moved yet.")
    if any(move.flown is not None for move in state.line[target:ply]):
        raise NothingToUndo("You can't take back a throw.")
    if match.views.revealed_since(seat, target):
        raise NothingToUndo(
            "You can't undo this move, because it showed you something new."
            if own
            else "You can't undo this move, because you've seen something new since."
        )
    return target


def redo_ply(state: TableState, seat: int) -> int:
    """Return the ply up to which a seat may redo what it has undone, or -1 if it may not.

    Against programs alone, that is the seat's next decision: the programs' moves are redone too.
    """
    ply, last = state.match.ply, state.match.last_ply
    if not seat or ply == last or state.players[seat] != PERSON or state.is_settled:
        return -1
    if state.is_free:
        return ply + 1
    if state.match.seat_to_move != seat:
        return -1
    if state.has_others(seat):
        return ply + 1
    own = (at for at in range(ply + 1, last) if state.line[at].seat == seat)
    return next(own, last)

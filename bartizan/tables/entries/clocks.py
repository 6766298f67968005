"""Entries for expired clocks, and for adjourned and resumed games."""

from __future__ import annotations

from typing import ClassVar

from bartizan.tables.entries.base import Entry, Request, Surroundings, When
from bartizan.tables.errors import NotAllowed
from bartizan.tables.state import TableState


class Flag(Entry, tag="flag"):
    """A seat has run out of time."""

    def apply(self, state: TableState, seat: int) -> None:
        """Make the seat lose, or hand it to a program."""
        state.flagged.append(seat)
        state.lose(seat, "time")


class Adjourn(Entry, tag="adjourn"):
    """Adjourn the game because a player left; follows from `Claim`."""

    def apply(self, state: TableState, seat: int) -> None:
        """Stop the game and its clocks."""
        state.proposal, state.adjourned = None, True


class Resume(Request, tag="resume"):
    """Resume an adjourned game."""

    when: ClassVar[When] = "running"
    is_wish: ClassVar[bool] = True

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if the game isn't adjourned."""
        if not state.adjourned:
            raise NotAllowed("The game isn't adjourned.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Raise `NotAllowed` if the game would resume with running clocks while someone is away."""
        rule = state.row.agreement.clock
        if rule is not None and rule.kind != "days" and not state.others_asked(0) <= {*around.here}:
            raise NotAllowed("You can resume when everyone is back.")
        return self

    def apply(self, state: TableState, seat: int) -> None:
        """Resume the game, and say so."""
        state.adjourned = False
        state.tell(f"@{seat} resumed the game.")

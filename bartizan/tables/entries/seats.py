"""Seats that people resign, leave, take over and return to."""

from __future__ import annotations

import hashlib
import secrets
from typing import ClassVar, Literal

from bartizan.tables.entries.base import Asker, Entry, Request, Surroundings, When
from bartizan.tables.entries.clocks import Adjourn
from bartizan.tables.errors import NotAllowed
from bartizan.tables.messages import Given, Message, Seat
from bartizan.tables.provider import PERSON, usual_program
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow

MOST_KEYS = 16  # keys to abandoned seats that were given to others


class Resign(Request, tag="resign"):
    """Resign, at a table for several players."""

    when: ClassVar[When] = "running"
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether several people play."""
        return state.row.seats > 1

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if the others need someone in the seat."""
        if state.row.seats == 1:
            raise NotAllowed("You play alone, so you can't resign. Undo moves or start a new deal.")
        if state.row.seats > 2 and state.why_no_heir:
            raise NotAllowed(f"The others couldn't play on without you. {state.why_no_heir}")

    def apply(self, state: TableState, seat: int) -> None:
        """Make the seat lose, or hand it to a program."""
        state.resigned.append(seat)
        state.lose(seat, "resignation")


class Claim(Request, tag="claim"):
    """Decide about the seat of a player who has left.

    A program plays it until they are back, the claimant gets a key to it, or the game is adjourned.
    """

    seat: Seat
    how: Literal["program", "key", "adjourn"]

    when: ClassVar[When] = "running"
    asked_by: ClassVar[Asker] = "anyone"  # a spectator may take the seat over

    def check(self, state: TableState, seat: int) -> None:
        """Raise an error if the asker may not decide about the seat, whether or not it was left."""
        left = self.seat
        if not 1 <= left <= state.row.seats or left == seat:
            raise NotAllowed(f"Seat {left} isn't another player's seat.")
        if state.players[left] != PERSON:
            raise NotAllowed(f"Seat {left} is played by {state.players[left]!r}.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the entry for the decision, with a new key if one is requested."""
        if not around.is_left(self.seat):
            raise NotAllowed(f"Seat {self.seat} hasn't been empty long enough. Give them time to come back.")
        if self.how == "program" and state.why_no_heir:
            raise NotAllowed(f"The computer can't play on. {state.why_no_heir}")
        if self.how != "key" and not seat:
            raise NotAllowed("Spectators can only take the seat.")
        if self.how == "key" and not seat and self.seat in state.row.blocked_seats:
            raise NotAllowed("The host has blocked this seat. The other players decide about it.")
        if self.how == "key":
            return self._give_key(state, seat)
        if self.how == "adjourn":
            if state.adjourned:
                raise NotAllowed("The game is already adjourned.")
            return Adjourn(id=self.id)
        return self

    def _give_key(self, state: TableState, seat: int) -> Entry:
        if seat and not state.match.game.perfect_information:
            able = [] if self.seat in state.row.blocked_seats else ["a spectator"]
            able += [] if state.why_no_heir else ["the computer"]
            instead = f" {' or '.join(able).capitalize()} can take the seat instead." if able else ""
            raise NotAllowed(f"You can't see a hand that you play against.{instead}")
        if len(state.row.more_keys) >= MOST_KEYS:
            raise NotAllowed("This seat has changed hands too often.")
        return GiveKey(
            id=self.id, version=self.version, seat=self.seat, how="key", token=secrets.token_urlsafe(24)
        )

    @property
    def is_repeatable(self) -> bool:
        """Whether it asks for a key, since a key whose message got lost is useless."""
        return self.how == "key"

    @property
    def text(self) -> str:
        """The seat, and whether a key to it is given."""
        return f"key {self.seat}" if self.how == "key" else str(self.seat)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text names the seat; a text that isn't a number gives a key."""
        seat = row.text.removeprefix("key ")
        how: Literal["program", "key"] = "program" if row.text.isdecimal() else "key"
        return cls(id=row.id, version=0, seat=int(seat) if seat.isdecimal() else 0, how=how)

    def apply(self, state: TableState, seat: int) -> None:
        """Let a program play the seat, or another person."""
        if self.how == "program":
            state.players[self.seat] = usual_program(state.match.game.players())
            state.stood_in.add(self.seat)
        else:
            state.here.discard(self.seat)
            state.plays_both |= seat > 0


class GiveKey(Claim, tag="claim"):
    """A key to an abandoned seat, sent only to the claimant."""

    token: str

    @property
    def key(self) -> tuple[bytes, int]:
        """The hash of the key, and its seat."""
        return hashlib.sha256(self.token.encode()).digest(), self.seat

    def answer(self, version: int) -> Message:
        """Send the key to the claimant."""
        return Given(id=self.id, version=version, seat=self.seat, token=self.token)


class Return(Request, tag="return"):
    """Play your own seat again, which a program has played while you were away."""

    when: ClassVar[When] = "running"
    is_wish: ClassVar[bool] = True
    asked_by: ClassVar[Asker] = "seat"
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether a program plays for this seat."""
        return seat in state.stood_in

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if no program plays for the seat."""
        if seat not in state.stood_in:
            raise NotAllowed("The computer isn't playing for you.")

    def apply(self, state: TableState, seat: int) -> None:
        """Give the seat back to its person."""
        state.players[seat] = PERSON
        state.stood_in.discard(seat)

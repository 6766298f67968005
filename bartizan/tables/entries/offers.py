"""Offers of a draw, and of another game."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from bartizan.engine.settlement import Settlement
from bartizan.tables.entries.base import Asker, Entry, Request, Surroundings, When
from bartizan.tables.errors import NotAllowed
from bartizan.tables.messages import Rematch
from bartizan.tables.provider import PERSON
from bartizan.tables.state import TableState, next_seats
from bartizan.tables.store import EntryRow


class OfferDraw(Request, tag="offer"):
    """Offer a draw to the other person at a table for two; the offer stands until they move."""

    when: ClassVar[When] = "running"
    leaves_the_game: ClassVar[bool] = True
    when_adjourned: ClassVar[bool] = False
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether two people play who can end the game by a draw."""
        return state.players[1:] == [PERSON, PERSON] and not state.plays_both

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if a draw can't be offered, is on offer, or was declined since the last move."""
        _check_draw(state)
        if state.draw_offer == seat:
            raise NotAllowed("You've already offered a draw. Your opponent decides.")
        if state.draw_offer:
            raise NotAllowed("Your opponent has offered a draw. Accept or decline it.")
        if state.offer_plies[seat] == state.match.ply:
            raise NotAllowed("Your offer was declined. Make a move before you offer again.")

    def apply(self, state: TableState, seat: int) -> None:
        """Record the offer."""
        state.draw_offer, state.offer_plies[seat] = seat, state.match.ply
        state.tell(f"@{seat} offered a draw.")


class AgreeDraw(Request, tag="agree"):
    """Accept the other player's draw offer."""

    when: ClassVar[When] = "running"
    when_adjourned: ClassVar[bool] = False
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether the other player offers a draw."""
        return state.draw_offer not in (0, seat)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if no one offers a draw."""
        _check_offered(state, seat)

    def apply(self, state: TableState, seat: int) -> None:
        """End the game by agreement."""
        state.draw_offer = 0
        state.settlement = Settlement(reason="agreement")


class DeclineDraw(Request, tag="decline"):
    """Decline the other player's draw offer."""

    when: ClassVar[When] = "running"
    leaves_the_game: ClassVar[bool] = True
    when_adjourned: ClassVar[bool] = False

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if no one offers a draw."""
        _check_offered(state, seat)

    def apply(self, state: TableState, seat: int) -> None:
        """Remove the offer."""
        state.tell(f"@{seat} declined @{state.draw_offer}'s draw offer.")
        state.draw_offer = 0


def _check_draw(state: TableState) -> None:
    if state.players[1:] != [PERSON, PERSON]:
        raise NotAllowed("Draws can only be agreed between two people.")
    if state.plays_both:
        raise NotAllowed("One player has taken the other's seat, so nobody can agree to a draw.")


def _check_offered(state: TableState, seat: int) -> None:
    _check_draw(state)
    if not state.draw_offer or state.draw_offer == seat:
        raise NotAllowed("No one has offered you a draw.")


# Another game ---------------------------------------------------------------------------------------------


class AskRematch(Request, tag="rematch"):
    """Ask for another game after this one, with seats changed; it begins when everyone has asked."""

    when: ClassVar[When] = "over"
    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    is_wish: ClassVar[bool] = True
    asked_by: ClassVar[Asker] = "seat"  # even a player who resigned may want another
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether a game for several is over and no one has dealt the next."""
        return _may_play_again(state, seat)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if there can't be another game, or this seat has asked already."""
        _check_rematch(state, seat)
        if seat in state.rematch.asked:
            raise NotAllowed("You've already asked for a rematch.")

    async def settle(self, state: TableState, seat: int, around: Surroundings) -> Entry:
        """Return the entry, with the next table if everyone wants one now.

        Two or more don't wait for players who have left.
        """
        persons = {each for each, player in enumerate(state.row.players, start=1) if player == PERSON}
        wanted = {*state.rematch.asked, seat}
        gone = {each for each in persons if around.is_left(each)} if len(wanted) > 1 else set()
        if not persons <= wanted | gone:
            return self
        table = await around.deal_again(state.outcome)
        return BeginRematch(id=self.id, version=self.version, table=table)

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row, whose text is the next table once everyone wants it."""
        if not row.text:
            return AskRematch(id=row.id, version=0)
        return BeginRematch(id=row.id, version=0, table=row.text)

    def apply(self, state: TableState, seat: int) -> None:
        """Record that this seat wants another game."""
        state.rematch = Rematch(asked=tuple(sorted({*state.rematch.asked, seat})))
        state.tell(f"@{seat} asked for another game.")


class BeginRematch(AskRematch, tag="rematch"):
    """The last request for another game, which names its table."""

    table: str

    @property
    def text(self) -> str:
        """The table."""
        return self.table

    def apply(self, state: TableState, seat: int) -> None:
        """Lead everyone to the next table."""
        super().apply(state, seat)
        state.rematch = msgspec.structs.replace(
            state.rematch, table=self.table, seats=next_seats(state.row.seats)
        )
        state.tell("The rematch is starting.")


class DeclineRematch(Request, tag="no_rematch"):
    """Decline another game, for everyone, or withdraw your own request for one."""

    when: ClassVar[When] = "over"
    leaves_the_game: ClassVar[bool] = True
    beside_the_game: ClassVar[bool] = True
    asked_by: ClassVar[Asker] = "seat"
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether someone wants another game and no one has dealt it."""
        return _may_play_again(state, seat) and bool(state.rematch.asked)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if no one has asked for another game, or it has begun."""
        _check_rematch(state, seat)
        if not state.rematch.asked:
            raise NotAllowed("No one has asked for a rematch.")

    def apply(self, state: TableState, seat: int) -> None:
        """Remove this seat's request, or all of them."""
        asked = state.rematch.asked
        if seat in asked:
            state.rematch = Rematch(asked=tuple(each for each in asked if each != seat))
            state.tell(f"@{seat} withdrew the request for another game.")
        else:
            state.rematch = Rematch()
            state.tell(f"@{seat} declined another game.")


def _may_play_again(state: TableState, seat: int) -> bool:
    return state.row.seats > 1 and not state.rematch.table and state.row.players[seat - 1] == PERSON


def _check_rematch(state: TableState, seat: int) -> None:
    if state.row.seats == 1:
        raise NotAllowed("You play alone, so there's no rematch. Start a new deal instead.")
    if state.rematch.table:
        raise NotAllowed("The rematch has already started.")
    if state.row.players[seat - 1] != PERSON:
        raise NotAllowed(f"Seat {seat} is played by {state.row.players[seat - 1]!r}.")

"""Offers and requests between people: draws, takebacks, adjournments, hints, and another game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from bartizan.engine.settlement import Settlement
from bartizan.tables.entries.base import Asker, Entry, Request, Surroundings, When
from bartizan.tables.errors import NotAllowed
from bartizan.tables.messages import PROPOSALS, Answer, Proposal, ProposalKind, Rematch
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
        return state.players[1:] == [PERSON, PERSON]

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


class AgreeDraw(Request, tag="agree"):
    """Accept the other player's draw offer."""

    when: ClassVar[When] = "running"
    when_adjourned: ClassVar[bool] = False

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if no one offers a draw."""
        _check_offered(state, seat)

    def apply(self, state: TableState, seat: int) -> None:
        """End the game by agreement."""
        _answer_draw(state, seat, granted=True)
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
        _answer_draw(state, seat, granted=False)


def _check_draw(state: TableState) -> None:
    if state.players[1:] != [PERSON, PERSON]:
        raise NotAllowed("Draws can only be agreed between two people.")


def _check_offered(state: TableState, seat: int) -> None:
    _check_draw(state)
    if not state.draw_offer or state.draw_offer == seat:
        raise NotAllowed("No one has offered you a draw.")


def _answer_draw(state: TableState, seat: int, *, granted: bool) -> None:
    state.answer = Answer(
        version=state.version + 1, what="draw", seat=state.draw_offer, by=seat, granted=granted
    )
    state.draw_offer = 0


# Takebacks and adjournments -------------------------------------------------------------------------------


class Propose(Request, tag="ask"):
    """Ask the others to let you undo your last move, to adjourn the game, or to allow hints."""

    what: ProposalKind

    when: ClassVar[When] = "running"
    leaves_the_game: ClassVar[bool] = True
    is_wish: ClassVar[bool] = True
    when_adjourned: ClassVar[bool] = False

    @classmethod
    def examples(cls) -> Mapping[str, Request]:
        """Return one request for each kind of proposal."""
        return {f"ask {what}": cls(id="", version=0, what=what) for what in PROPOSALS}

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether there is someone to ask."""
        if self.what == "hints" and not (state.is_against_people and not state.hints_agreed):
            return False
        return state.has_others(seat)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if a seat may not ask the others for this now."""
        if state.proposal:
            raise NotAllowed("There's already a request. It needs an answer first.")
        if not state.has_others(seat):
            raise NotAllowed("You don't need to ask the computer.")
        if state.refused.get((seat, self.what)) == state.match.ply:
            raise NotAllowed("Your request was declined. Make a move before you ask again.")
        if self.what == "hints" and (state.hints_agreed or not state.is_against_people):
            raise NotAllowed("Hints are already allowed at this table.")
        if self.what == "takeback":
            target = state.takeback_ply(seat)
            if target < 0:
                raise NotAllowed("You have not moved yet.")
            if any(move.flown is not None for move in state.line[target : state.match.ply]):
                raise NotAllowed("You can't take back a throw.")

    @property
    def text(self) -> str:
        """The kind of proposal."""
        return self.what

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row; raises `NotAllowed` for an unknown kind of proposal."""
        for what in PROPOSALS:
            if what == row.text:
                return cls(id=row.id, version=0, what=what)
        raise NotAllowed(f"You can't ask for {row.text!r}.")

    def apply(self, state: TableState, seat: int) -> None:
        """Ask the others."""
        state.proposal = Proposal(what=self.what, seat=seat)
        state.takeback_to = state.takeback_ply(seat)


class AcceptProposal(Request, tag="grant"):
    """Agree to someone's request; it is carried out when everyone has agreed."""

    when: ClassVar[When] = "running"

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if there is nothing to agree to."""
        proposal = _check_asked(state)
        if proposal.seat == seat or seat in proposal.agreed:
            raise NotAllowed("You've agreed. Waiting for the others.")

    def apply(self, state: TableState, seat: int) -> None:
        """Carry out the request once everyone agrees."""
        if state.proposal is None:
            return
        agreed = tuple(sorted({*state.proposal.agreed, seat}))
        proposal = msgspec.structs.replace(state.proposal, agreed=agreed)
        if not state.others_asked(proposal.seat) <= {*agreed}:
            state.proposal = proposal
            return
        if proposal.what == "adjourn":
            state.adjourned = True
        elif proposal.what == "hints":
            state.hints_agreed = True
        else:
            state.match.go_to(state.takeback_to)
            if state.clocks:
                state.clocks.go_back(state.takeback_to)
        _answer_proposal(state, proposal, seat, granted=True)


class DeclineProposal(Request, tag="refuse"):
    """Decline someone's request, or withdraw your own."""

    when: ClassVar[When] = "running"
    leaves_the_game: ClassVar[bool] = True

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if there is no request."""
        _check_asked(state)

    def apply(self, state: TableState, seat: int) -> None:
        """Remove the request; a refused player can ask again only after a move."""
        proposal = state.proposal
        if proposal is None:
            return
        if seat != proposal.seat:
            state.refused[proposal.seat, proposal.what] = state.match.ply
        _answer_proposal(state, proposal, seat, granted=False)


def _check_asked(state: TableState) -> Proposal:
    if state.proposal is None:
        raise NotAllowed("There's no request to answer.")
    return state.proposal


def _answer_proposal(state: TableState, proposal: Proposal, seat: int, *, granted: bool) -> None:
    state.proposal = None
    if seat != proposal.seat:
        state.answer = Answer(
            version=state.version + 1, what=proposal.what, seat=proposal.seat, by=seat, granted=granted
        )


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
        """Return the entry, with the next table if everyone wants one now."""
        persons = {each for each, player in enumerate(state.row.players, start=1) if player == PERSON}
        if not persons <= {*state.rematch.asked, seat}:
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
        elif asked:
            state.rematch = Rematch()
            state.answer = Answer(
                version=state.version + 1, what="rematch", seat=asked[0], by=seat, granted=False
            )


def _may_play_again(state: TableState, seat: int) -> bool:
    return state.row.seats > 1 and not state.rematch.table and state.row.players[seat - 1] == PERSON


def _check_rematch(state: TableState, seat: int) -> None:
    if state.row.seats == 1:
        raise NotAllowed("You play alone, so there's no rematch. Start a new deal instead.")
    if not state.is_over:
        raise NotAllowed("You can ask for a rematch when the game is over.")
    if state.rematch.table:
        raise NotAllowed("The rematch has already started.")
    if state.row.players[seat - 1] != PERSON:
        raise NotAllowed(f"Seat {seat} is played by {state.row.players[seat - 1]!r}.")

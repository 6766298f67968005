"""Proposals: what happens once everyone else agrees, such as a takeback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec

from bartizan.tables.entries.base import Entry, Request, When
from bartizan.tables.errors import BadRequest, NotAllowed
from bartizan.tables.messages import Proposal
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow


class Proposable:
    """Something that can be proposed."""

    button: ClassVar[str]  # in the table's menu
    asks: ClassVar[str]  # what a player asked: "to adjourn the game"
    noun: ClassVar[str]  # what others decline: "request to adjourn"

    def is_expected(self, state: TableState) -> bool:
        """Whether a player would look for this now, if there is someone to ask."""
        return True

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if a seat can't ask for this now."""

    def carry_out(self, state: TableState, asker: int, seat: int) -> str:
        """Do it, once `seat` agrees as the last one, and return what to tell everyone."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does.")


class Takeback(Proposable):
    """Take back the asker's last move, and all moves since."""

    button = "Ask for a takeback"
    asks = "to take the last move back"
    noun = "request for a takeback"

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if the seat hasn't moved, or something was thrown since."""
        target = state.takeback_ply(seat)
        if target < 0:
            raise NotAllowed("You have not moved yet.")
        if any(move.flown is not None for move in state.line[target : state.match.ply]):
            raise NotAllowed("You can't take back a throw.")

    def carry_out(self, state: TableState, asker: int, seat: int) -> str:
        """Go back to the position before the move."""
        state.match.go_to(state.takeback_to)
        if state.clocks:
            state.clocks.go_back(state.takeback_to)
        return f"@{asker} took a move back. @{seat} agreed."


class Adjournment(Proposable):
    """Adjourn the game until someone resumes it."""

    button = "Ask to adjourn"
    asks = "to adjourn the game"
    noun = "request to adjourn"

    def carry_out(self, state: TableState, asker: int, seat: int) -> str:
        """Stop the game and its clocks."""
        state.adjourned = True
        return "The game is adjourned."


class HintsForAll(Proposable):
    """Allow hints at a table of several people."""

    button = "Ask to allow hints"
    asks = "to allow hints for everyone"
    noun = "request to allow hints"

    def is_expected(self, state: TableState) -> bool:
        """Whether hints aren't allowed yet."""
        return state.is_against_people and not state.hints_agreed

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if hints are allowed already."""
        if not self.is_expected(state):
            raise NotAllowed("Hints are already allowed at this table.")

    def carry_out(self, state: TableState, asker: int, seat: int) -> str:
        """Allow hints from now on."""
        state.hints_agreed = True
        return "Hints are allowed now. Everyone sees when they're used."


PROPOSALS: dict[str, Proposable] = {"takeback": Takeback(), "adjourn": Adjournment(), "hints": HintsForAll()}


class Propose(Request, tag="ask"):
    """Ask the others to agree to one of the `PROPOSALS`."""

    what: Annotated[str, msgspec.Meta(max_length=40)]

    when: ClassVar[When] = "running"
    leaves_the_game: ClassVar[bool] = True
    is_wish: ClassVar[bool] = True
    when_adjourned: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """What the button for this proposal says."""
        return PROPOSALS[self.what].button

    @classmethod
    def examples(cls) -> Mapping[str, Request]:
        """Return one request for each kind of proposal."""
        return {f"ask {what}": cls(id="", version=0, what=what) for what in PROPOSALS}

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether there is someone to ask."""
        return state.has_others(seat) and PROPOSALS[self.what].is_expected(state)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `BadRequest` for an unknown proposal, or `NotAllowed` if a seat may not make it now."""
        if self.what not in PROPOSALS:
            raise BadRequest(f"You can't ask for {self.what!r}. You can ask for: {', '.join(PROPOSALS)}.")
        if state.proposal:
            raise NotAllowed("There's already a request. It needs an answer first.")
        if not state.has_others(seat):
            raise NotAllowed("You don't need to ask the computer.")
        if state.refused.get((seat, self.what)) == state.match.ply:
            raise NotAllowed("Your request was declined. Make a move before you ask again.")
        PROPOSALS[self.what].check(state, seat)

    @property
    def text(self) -> str:
        """The kind of proposal."""
        return self.what

    @classmethod
    def read(cls, row: EntryRow) -> Entry:
        """Return the entry in a row; raises `NotAllowed` for an unknown kind of proposal."""
        if row.text not in PROPOSALS:
            raise NotAllowed(f"You can't ask for {row.text!r}.")
        return cls(id=row.id, version=0, what=row.text)

    def apply(self, state: TableState, seat: int) -> None:
        """Ask the others."""
        text = f"@{seat} asked {PROPOSALS[self.what].asks}."
        state.proposal = Proposal(what=self.what, text=text, seat=seat)
        state.tell(text)
        state.takeback_to = state.takeback_ply(seat)


class AcceptProposal(Request, tag="grant"):
    """Agree to someone's request; it is carried out when everyone has agreed."""

    when: ClassVar[When] = "running"
    is_told: ClassVar[bool] = True

    def is_expected(self, state: TableState, seat: int) -> bool:
        """Whether this seat is asked."""
        return state.proposal is not None and seat not in (state.proposal.seat, *state.proposal.agreed)

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if there is nothing to agree to."""
        _check_asked(state)
        if not self.is_expected(state, seat):
            raise NotAllowed("You've agreed. Waiting for the others.")

    def apply(self, state: TableState, seat: int) -> None:
        """Carry out the request once everyone agrees."""
        proposal = state.proposal
        if proposal is None:
            return
        agreed = {*proposal.agreed, seat}
        if state.others_asked(proposal.seat) <= agreed:
            state.proposal = None
            state.tell(PROPOSALS[proposal.what].carry_out(state, proposal.seat, seat))
        else:
            state.proposal = msgspec.structs.replace(proposal, agreed=tuple(sorted(agreed)))


class DeclineProposal(Request, tag="refuse"):
    """Decline someone's request, or withdraw your own."""

    when: ClassVar[When] = "running"
    leaves_the_game: ClassVar[bool] = True

    def check(self, state: TableState, seat: int) -> None:
        """Raise `NotAllowed` if there is no request."""
        _check_asked(state)

    def apply(self, state: TableState, seat: int) -> None:
        """Remove the request; a player whose request was declined can ask again only after a move."""
        proposal = state.proposal
        if proposal is None:
            return
        state.proposal = None
        noun = PROPOSALS[proposal.what].noun
        if seat == proposal.seat:
            state.tell(f"@{seat} withdrew the {noun}.")
        else:
            state.refused[proposal.seat, proposal.what] = state.match.ply
            state.tell(f"@{seat} declined @{proposal.seat}'s {noun}.")


def _check_asked(state: TableState) -> None:
    if state.proposal is None:
        raise NotAllowed("There's no request to answer.")

"""Say what a seat may ask a table for, and why not."""

from __future__ import annotations

from bartizan.engine.errors import GameOver, IllegalMove, NothingToUndo, NotYourTurn
from bartizan.engine.scene import Refusal
from bartizan.tables.errors import NotAllowed, NotDealt, StaleVersion
from bartizan.tables.exchange import EXCHANGE
from bartizan.tables.messages import Favour
from bartizan.tables.provider import PERSON
from bartizan.tables.state import TableState
from bartizan.tables.store import Kind

# What nobody can do while the game is adjourned.
STOPPED: frozenset[Kind] = frozenset({"move", "undo", "redo", "hint", "offer", "agree", "decline", "ask"})


def check_change(state: TableState, seat: int, kind: Kind, version: int) -> None:
    """Raise what keeps a seat from adding an entry of a kind, asked for at a version of the table.

    These are `NotAllowed`, `StaleVersion`, `NothingToUndo` and `GameOver`; whether a move is legal is
    `check_turn`'s and the match's to say.
    """
    if not seat:
        raise NotAllowed("Spectators watch; a move needs the link of a seat.")
    if state.players[seat] != PERSON and kind not in ("rematch", "return"):  # who resigned may want another
        raise NotAllowed(f"Seat {seat} is played by {state.players[seat]!r}.")
    if not state.changed_at <= version <= state.version:
        raise StaleVersion(f"That was meant for version {version}; the table is at version {state.version}.")
    state.check_room()
    if not state.is_dealt and kind not in EXCHANGE:
        raise NotDealt(state.exchange.sentence())
    if state.adjourned and kind in STOPPED and not state.is_over:
        raise NotAllowed("The game is adjourned: take it up again first.")
    if kind in ("undo", "redo"):
        _check_undo(state, seat, kind)
    elif kind == "resign":
        _check_resign(state)
    elif kind in ("offer", "agree", "decline"):
        _check_draw(state, seat, kind)
    elif kind == "rematch" and not state.can_rematch(seat):
        raise NotAllowed(_why_no_rematch(state, seat))
    elif kind in ("ask", "grant", "refuse", "resume", "claim", "return"):
        _check_arrangement(state, seat, kind)


def check_turn(state: TableState, seat: int) -> None:
    """Raise `GameOver` or `NotYourTurn` where it is not this seat's decision."""
    asked = state.seat_to_move
    if not asked:
        raise GameOver("The game is over.")
    if asked != seat:
        raise NotYourTurn(f"It is seat {asked}'s turn." if seat else "Spectators only watch.")


def refusal_of(error: IllegalMove) -> Refusal:
    """Return what a client is told of a move that is not legal: the clause, and what stands in the way."""
    return Refusal(clause=error.clause, sentence=str(error), rule=error.rule, blockers=error.blockers)


def _check_undo(state: TableState, seat: int, kind: Kind) -> None:
    if kind == "redo":
        if not state.can_redo(seat):
            raise NothingToUndo("Nothing has been taken back.")
    else:
        state.undo_ply(seat)


def _check_resign(state: TableState) -> None:
    if state.row.seats == 1:
        raise NotAllowed("There is nobody to resign to: take moves back, or deal anew.")
    if state.is_over:
        raise GameOver("The game is over.")
    if state.row.seats > 2 and state.why_no_heir:
        raise NotAllowed(f"The others could not play on without you. {state.why_no_heir}")


def _check_draw(state: TableState, seat: int, kind: Kind) -> None:
    if state.is_over:
        raise GameOver("The game is over.")
    if state.players[1:] != [PERSON, PERSON]:
        raise NotAllowed("A draw can be agreed upon between two persons only.")
    if kind == "offer":
        if state.draw_offer == seat:
            raise NotAllowed("Your offer stands; the other decides.")
        if state.draw_offer:
            raise NotAllowed("The other offers a draw already: accept or decline it.")
        if not state.can_offer_draw(seat):
            raise NotAllowed("Your offer was declined; play on before you offer again.")
    elif not state.draw_offer or state.draw_offer == seat:
        raise NotAllowed("Nobody offers you a draw.")


def _check_arrangement(state: TableState, seat: int, kind: Kind) -> None:
    if state.is_over:
        raise GameOver("The game is over.")
    petition = state.petition
    if kind == "ask":
        return  # what is asked for is looked at where it is known
    if kind in ("grant", "refuse"):
        if petition is None:
            raise NotAllowed("Nobody asks you for anything.")
        if kind == "grant" and (petition.seat == seat or seat in petition.agreed):
            raise NotAllowed("You have agreed already; the others have not yet.")
    elif kind == "resume" and not state.adjourned:
        raise NotAllowed("The game is not adjourned: it is running.")
    elif kind == "return" and seat not in state.stood_in:
        raise NotAllowed("No program plays in your place.")


def check_favour(state: TableState, seat: int, what: Favour) -> None:
    """Raise `NotAllowed` where a seat may not ask the others for something now."""
    if why := state.why_no_favour(seat, what):
        raise NotAllowed(why)


def check_claim(state: TableState, seat: int, left: int, how: str, *, is_left: bool) -> None:
    """Raise what keeps whoever has a link from deciding about the seat of somebody who left.

    `seat` is 0 for a spectator, who may take the place over.  These are `NotAllowed` and `GameOver`.
    """
    if not state.is_dealt:
        raise NotDealt(state.exchange.sentence())
    if state.is_over:
        raise GameOver("The game is over.")
    if not 1 <= left <= state.row.seats or left == seat:
        raise NotAllowed(f"Seat {left} is not one that another could have left.")
    if state.players[left] != PERSON:
        raise NotAllowed(f"Seat {left} is played by {state.players[left]!r}.")
    if not is_left:
        raise NotAllowed(f"Seat {left} has not been empty for long enough: give them time to come back.")
    if how == "program" and state.why_no_heir:
        raise NotAllowed(f"No program can play on. {state.why_no_heir}")
    if how != "key" and not seat:
        raise NotAllowed("Spectators can take the place over, and decide nothing else.")
    if how == "key" and seat and not state.match.game.perfect_information:
        raise NotAllowed(
            "Who plays against a hand may not look into it: a spectator or a program can take the place."
        )
    if how == "adjourn" and state.adjourned:
        raise NotAllowed("The game is adjourned already.")


def _why_no_rematch(state: TableState, seat: int) -> str:
    if state.row.seats == 1:
        return "A game for one has no rematch: deal anew."
    if not state.is_over:
        return "A rematch can be asked for once the game is over."
    if state.rematch.table:
        return "The rematch has begun already."
    if seat in state.rematch.asked:
        return "You have asked for a rematch; the others have not yet."
    return f"Seat {seat} is played by {state.row.players[seat - 1]!r}."

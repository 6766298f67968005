"""Play Part 1: exchange cards until the tower can be laid (TWR-5 to TWR-12)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import find, pop, push
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.tower.options import LayDown
from bartizan.games.tower.state import (
    AFTER_LAYING,
    OPEN,
    Known,
    Phase,
    Standing,
    State,
    Step,
)
from bartizan.games.tower.table import can_draw, clear_spent, draw_card, into_hand, lay_tower, out_of_hand
from bartizan.games.tower.values import is_complete

NO_SUCH_CARD = code("TWR-7")
NOT_COMPLETE = code("TWR-9")


@rule
def ask_to_exchange(s: State) -> None:
    """Ask for the card to exchange, if the player holds any (TWR-7)."""
    if s.players[s.active - 1].hand.count > 0:
        s.phase = Phase.EXCHANGE
    else:
        s.step = Step.END


@rule
def why_not_exchange(s: State, card: int) -> int:
    """Return why a card cannot be put down for a replacement (TWR-7)."""
    return OK if find(s.players[s.active - 1].hand, card) != EMPTY else NO_SUCH_CARD


@rule
def exchange(s: State, card: int) -> None:
    """Put a card down before choosing the replacement (TWR-7, TWR-8)."""
    out_of_hand(s.players[s.active - 1], card)
    push(s.spent, card)
    ask_for_source(s)


@rule
def ask_for_source(s: State) -> None:
    """Ask where the replacement comes from; if there is none, the turn ends (TWR-8, TWR-Q17)."""
    if can_draw(s):
        s.phase = Phase.SOURCE
    else:
        s.step = Step.END


@rule
def replace(s: State, from_discard: bool) -> None:
    """Take the replacement from the discard pile's old top or the draw pile (TWR-8, TWR-Q4, TWR-Q16)."""
    p = s.players[s.active - 1]
    if from_discard:
        into_hand(p, pop(s.discard), OPEN)
    if s.options.redraw_own_cards:
        clear_spent(s)
    if not from_discard:
        draw_card(s, s.active)
    ask_to_lay(s)


@rule
def ask_to_lay(s: State) -> None:
    """Ask whether to lay the tower after the exchange, if the hand is complete (TWR-9, TWR-10, TWR-Q5)."""
    p = s.players[s.active - 1]
    s.step = Step.END
    if p.standing != Standing.BUILDING:  # the draw pile ran out (TWR-58)
        return
    if is_complete(p):
        p.known = Known.COMPLETE
        s.phase = Phase.LAY
    else:
        p.known = Known.INCOMPLETE


@rule
def why_not_lay(s: State) -> int:
    """Return why the tower cannot be laid (TWR-5, TWR-9)."""
    return OK if is_complete(s.players[s.active - 1]) else NOT_COMPLETE


@rule
def lay(s: State) -> None:
    """Lay the tower and draw three cards (TWR-9, TWR-12); see `lay_down` for what follows (TWR-Q5)."""
    exchanged = s.step == Step.END
    lay_tower(s.players[s.active - 1])
    s.draws_left, s.draws_must = AFTER_LAYING, AFTER_LAYING
    s.step = Step.DRAWING
    if s.options.lay_down == LayDown.ANY_TIME and not exchanged:
        s.plays_left = s.options.plays

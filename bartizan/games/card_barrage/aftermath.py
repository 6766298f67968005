"""Settle what follows from a hit (CB-38 to CB-44): cards owed, the third card's effect, replacements.

All scoring comes first, then the effect, then replacement; of several defenders the lowest seat decides
first (CB-Q21).
"""

from __future__ import annotations

from bartizan.engine.bounds import larger
from bartizan.engine.clauses import OK, code
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.effects import is_offered
from bartizan.games.card_barrage.state import SEATS, WALLS, Phase, State
from bartizan.games.card_barrage.table import (
    forget_scored,
    has_card,
    holds,
    is_simulacrum,
    is_untold,
    score_card,
    side_of,
    take_shown,
    top_card,
    value,
    wall_at,
)

OWED = code("CB-38")
REPLACING = code("CB-42")
REFILLING = code("CB-47")


@rule
def settle(s: State) -> None:
    """Go on to the next decision that an attack calls for; in the end the attacker's turn goes on."""
    if s.gives != 0:
        s.phase = Phase.GIVE
        s.to_move = lowest_seat(s.gives)
        return
    if s.newly > 0:
        if is_offered(s):
            s.phase = Phase.EFFECT
            s.to_move = s.active
            return
        forget_scored(s)
    for seat in range(s.castles):
        if is_simulacrum(s, seat) and not is_untold(s):
            refill(s, seat)
        elif can_replace(s, seat):
            s.phase = Phase.REPLACE
            s.to_move = seat
            return
        else:
            leave_open(s, seat)
    s.phase = Phase.PASSING if is_simulacrum(s, s.active) else Phase.TURN
    s.to_move = s.active


@rule
def lowest_seat(seats: int) -> int:
    """Return the lowest of some seats, which are the bits of a number."""
    for seat in range(SEATS):
        if seats >> seat & 1:
            return seat
    return 0


# --- A card for a castle (CB-38) ---------------------------------------------


@rule
def why_not_give(s: State, card: int) -> int:
    """Return why a card cannot be given for a castle that was hit."""
    return OK if holds(s, s.to_move, card) else OWED


@rule
def give(s: State, card: int) -> None:
    """Put the defender's card on the attacker's score pile."""
    take_shown(s, s.to_move, card)
    score_card(s, s.active, card)
    s.gives &= ~(1 << s.to_move)


# --- Replacement (CB-42 to CB-44) --------------------------------------------


@rule
def replacing(s: State, seat: int) -> int:
    """Return the clause by which a seat's walls are replaced: any card takes the simulacrum's (CB-47)."""
    return REFILLING if is_simulacrum(s, seat) else REPLACING


@rule
def fits(s: State, wall: int, card: int) -> bool:
    """Return whether a card may replace the wall that was destroyed there: equal or lower value (CB-42).

    The simulacrum's walls are replaced by any (CB-47).
    """
    if s.open[wall] == EMPTY:
        return False
    return is_simulacrum(s, wall // WALLS) or value(card) <= value(s.open[wall])


@rule
def highest_open(s: State, seat: int) -> int:
    """Return the highest value of a seat's walls that await replacement, 0 if none does."""
    highest = 0
    for slot in range(s.slots):
        card = s.open[wall_at(seat, slot)]
        if card != EMPTY:
            highest = larger(highest, value(card))
    return highest


@rule
def can_replace(s: State, seat: int) -> bool:
    """Return whether a seat holds a card for one of its destroyed walls; then it must use it (CB-42, CB-Q20).

    Of untold cards any may fit; the simulacrum's come off its deck.
    """
    hand = s.hand[seat]
    if is_untold(s):
        any_card = has_card(s, side_of(s, seat)) if is_simulacrum(s, seat) else hand.count > 0
        return any_card and highest_open(s, seat) > 0
    return hand.count > 0 and value(hand.cards[0]) <= highest_open(s, seat)


@rule
def leave_open(s: State, seat: int) -> None:
    """Leave empty what a seat cannot fill (CB-43); everyone learns that its cards are higher."""
    highest = highest_open(s, seat)
    if highest == 0:
        return
    hand = s.hand[seat]
    for place in range(hand.count):
        hand.above[place] = larger(hand.above[place], highest)
    for slot in range(s.slots):
        s.open[wall_at(seat, slot)] = EMPTY


@rule
def refill(s: State, seat: int) -> None:
    """Replace the simulacrum's destroyed walls by the top cards of its deck, whatever they are (CB-47)."""
    for slot in range(s.slots):
        wall = wall_at(seat, slot)
        if s.open[wall] != EMPTY:
            s.open[wall] = EMPTY
            s.wall[wall] = top_card(s, side_of(s, seat))


@rule
def why_not_replace(s: State, slot: int, card: int) -> int:
    """Return why a card cannot replace the wall of a slot."""
    if slot >= s.slots or not holds(s, s.to_move, card):
        return replacing(s, s.to_move)
    return OK if fits(s, wall_at(s.to_move, slot), card) else replacing(s, s.to_move)


@rule
def why_not_pass(s: State) -> int:
    """Return why a player cannot say that no card fits: only untold hands are taken at their word (CB-43)."""
    return OK if is_untold(s) and not is_simulacrum(s, s.to_move) else replacing(s, s.to_move)


@rule
def why_not_decline(s: State) -> int:
    """Return why what is asked cannot be declined: an effect always can (CB-40)."""
    return why_not_pass(s) if s.phase == Phase.REPLACE else OK


@rule
def decline(s: State) -> None:
    """Use no effect; or, where none is offered any more, replace no wall (CB-40, CB-43)."""
    if s.newly > 0:
        forget_scored(s)
    else:
        leave_open(s, s.to_move)


@rule
def replace(s: State, slot: int, card: int) -> None:
    """Put a hand card where a wall was destroyed."""
    wall = wall_at(s.to_move, slot)
    take_shown(s, s.to_move, card)
    s.wall[wall] = card
    s.open[wall] = EMPTY

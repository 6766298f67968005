"""Play the simulacrum's turn (CB-46, CB-47, CB-Q35 to CB-Q39)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.attack import hit_castle, hit_wall, note_storm
from bartizan.games.card_barrage.state import CASTLE, State
from bartizan.games.card_barrage.table import (
    discard_card,
    has_card,
    is_untold,
    side_of,
    stands,
    top_card,
    value,
    wall_at,
)

REVEALING = code("CB-46")

PERSON = 0  # the seat of the person


@rule
def why_not_reveal(s: State) -> int:
    """Return why the card is not revealed here: it is turned up at the table."""
    return REVEALING if is_turned_up(s) else OK


@rule
def why_not_turn_up(s: State, hit: int) -> int:
    """Return why no card is turned up at the table: it is revealed here."""
    return OK if is_turned_up(s) else REVEALING


@rule
def reveal(s: State) -> None:
    """Reveal the top card of the simulacrum's deck; a low one hits the person (CB-46)."""
    card = top_card(s, side_of(s, s.active))
    if card == EMPTY:
        return
    discard_card(s, s.active, card)
    if value(card) < s.options.solo_hit_below:
        strike(s)


@rule
def is_turned_up(s: State) -> bool:
    """Return whether the simulacrum's card is turned up at the table: there is one, and it is a real one."""
    return is_untold(s) and has_card(s, side_of(s, s.active))


@rule
def turn_up(s: State, hit: int) -> None:
    """Turn up the top card of the simulacrum's real deck, of which only is told whether it hits (CB-46)."""
    discard_card(s, s.active, top_card(s, side_of(s, s.active)))
    if hit:
        strike(s)


@rule
def strike(s: State) -> None:
    """Score a hit for the simulacrum: on the person's lowest wall, or on the castle (CB-46, CB-Q38)."""
    slot = lowest_wall(s)
    if slot == EMPTY:  # CB-Q38
        note_storm(s, CASTLE)
        hit_castle(s, PERSON)
    else:
        hit_wall(s, wall_at(PERSON, slot), False)


@rule
def lowest_wall(s: State) -> int:
    """Return the slot of the person's wall of the lowest value, the leftmost of several; or EMPTY."""
    weakest = EMPTY
    for slot in range(s.slots):
        if stands(s, PERSON, slot):
            here = value(s.wall[wall_at(PERSON, slot)])
            if weakest == EMPTY or here < value(s.wall[wall_at(PERSON, weakest)]):
                weakest = slot
    return weakest

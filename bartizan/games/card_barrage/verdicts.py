"""Read what a report says that a throw did, and put it together (CB-34 to CB-37).

A *place* is a seat's wall, by its slot, or its castle; a *target* is the number of a place among those of all
seats.  A *verdict* and its variant (see ``state.py``) name up to two targets, which of them were hit
perfectly, and the walls that were moved.
"""

from __future__ import annotations

from bartizan.engine.record import EMPTY, table
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.state import (
    CASTLE,
    FIRST_PERFECT,
    MISS,
    MOVED_SHIFT,
    ON_CASTLE,
    ON_TWO,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    PER_SEAT,
    PERFECT,
    PLACES,
    SECOND_MASK,
    SECOND_PERFECT,
    SECOND_SHIFT,
)

LOW, HIGH = table(PAIR_LOW), table(PAIR_HIGH)
# The pair that two places of a seat make, by both.
PAIR_OF = table(
    next((n for n in range(PAIRS) if (PAIR_LOW[n], PAIR_HIGH[n]) == (min(a, b), max(a, b))), 0)
    for a in range(PLACES)
    for b in range(PLACES)
)


# --- Reading -----------------------------------------------------------------


@rule
def seat_hit(verdict: int) -> int:
    """Return the seat that a verdict, which is no miss, says was hit."""
    return (verdict - 1) // PER_SEAT


@rule
def first_target(verdict: int) -> int:
    """Return the first target of a verdict that is no miss."""
    seat, did = (verdict - 1) // PER_SEAT, (verdict - 1) % PER_SEAT
    place = did if did < PERFECT else did - PERFECT
    if did == ON_CASTLE:
        place = CASTLE
    elif did >= ON_TWO:
        place = LOW[did - ON_TWO]
    return seat * PLACES + place


@rule
def second_target(verdict: int, variant: int) -> int:
    """Return the second target, or EMPTY."""
    seat, did = (verdict - 1) // PER_SEAT, (verdict - 1) % PER_SEAT
    if did >= ON_TWO:
        return seat * PLACES + HIGH[did - ON_TWO]
    return (variant >> SECOND_SHIFT & SECOND_MASK) - 1


@rule
def count_targets(verdict: int, variant: int) -> int:
    """Return how many targets were hit, up to two."""
    if verdict == MISS:
        return 0
    return 1 if second_target(verdict, variant) == EMPTY else 2


@rule
def nth_target(verdict: int, variant: int, number: int) -> int:
    """Return the first target (0) or the second (1)."""
    return first_target(verdict) if number == 0 else second_target(verdict, variant)


@rule
def nth_is_perfect(verdict: int, variant: int, number: int) -> bool:
    """Return whether the first target (0) or the second (1) was covered perfectly (CB-36)."""
    if number == 1:
        return variant & SECOND_PERFECT != 0
    return is_perfect(verdict) or variant & FIRST_PERFECT != 0


@rule
def is_pair(verdict: int) -> bool:
    """Return whether a verdict names two targets of one seat."""
    return verdict != MISS and (verdict - 1) % PER_SEAT >= ON_TWO


@rule
def is_perfect(verdict: int) -> bool:
    """Return whether a verdict by itself says that a wall was hit perfectly."""
    return PERFECT <= (verdict - 1) % PER_SEAT < ON_CASTLE


@rule
def moved_walls(variant: int) -> int:
    """Return a bit for each wall that was moved (CB-32)."""
    return variant >> MOVED_SHIFT


# --- Putting together ----------------------------------------------------------


@rule
def verdict_on(target: int, perfect: bool) -> int:
    """Return the verdict that one target was hit."""
    seat, place = target // PLACES, target % PLACES
    did = ON_CASTLE if place == CASTLE else (PERFECT + place if perfect else place)
    return 1 + seat * PER_SEAT + did


@rule
def verdict_on_two(target: int, other: int) -> int:
    """Return the verdict that a target and another place of its seat were hit."""
    seat, place = target // PLACES, target % PLACES
    return 1 + seat * PER_SEAT + ON_TWO + PAIR_OF[place * PLACES + other]

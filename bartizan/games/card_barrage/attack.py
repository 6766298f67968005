"""Judge and carry out what a thrown card did (CB-21, CB-25 to CB-38); ``verdicts.py`` reads what it was."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.options import CastleHitEmpty, CastleTrigger, PerfectSlot
from bartizan.games.card_barrage.state import (
    CASTLE,
    FIRST_PERFECT,
    MISS,
    PLACES,
    SEATS,
    SECOND_MASK,
    SECOND_PERFECT,
    SECOND_SHIFT,
    WALLS,
    State,
)
from bartizan.games.card_barrage.table import (
    can_drop,
    count_walls,
    discard_from_hand,
    is_simulacrum,
    is_untold,
    score_card,
    score_point,
    side_of,
    stands,
    top_card,
    wall_at,
)
from bartizan.games.card_barrage.verdicts import (
    count_targets,
    first_target,
    is_pair,
    moved_walls,
    nth_is_perfect,
    nth_target,
    second_target,
)

NO_SUCH_SLOT = code("CB-11")
AFTER_BUILDING = code("CB-18")
ATTACKING = code("CB-21")
AT_ENEMIES = code("CB-25")
MOVING = code("CB-32")
HITTING = code("CB-34")
COVERING = code("CB-36")
DOUBLE = code("CB-37")

# --- May it be reported? -----------------------------------------------------


@rule
def why_no_attack(s: State) -> int:
    """Return why there is no attack now: one a turn, and none after building (CB-18, CB-21, CB-Q12)."""
    if s.attacked:
        return ATTACKING
    return AFTER_BUILDING if s.built else OK


@rule
def why_no_target(s: State, target: int) -> int:
    """Return why nothing can be hit there: only enemy walls that stand and enemy castles (CB-34, CB-Q15)."""
    seat, place = target // PLACES, target % PLACES
    if seat >= s.castles or side_of(s, seat) == side_of(s, s.active):
        return AT_ENEMIES
    if place == CASTLE:
        return OK
    if place >= s.slots:
        return NO_SUCH_SLOT
    return OK if stands(s, seat, place) else HITTING


@rule
def why_not_verdict(s: State, verdict: int) -> int:
    """Return why a listed verdict cannot be true now."""
    for number in range(count_targets(verdict, 0)):
        refused = why_no_target(s, nth_target(verdict, 0, number))
        if refused != OK:
            return refused
    return OK


@rule
def why_not_variant(s: State, verdict: int, variant: int) -> int:
    """Return why a report's additions can't be true: a second seat, perfect hits, moved walls."""
    second = second_target(verdict, variant) if verdict != MISS else EMPTY
    if variant >> SECOND_SHIFT & SECOND_MASK:
        if is_pair(verdict) or verdict == MISS or second >= SEATS * PLACES:
            return DOUBLE
        if second // PLACES <= first_target(verdict) // PLACES:
            return DOUBLE  # two targets of one seat have a verdict of their own
        refused = why_no_target(s, second)
        if refused != OK:
            return refused
    if variant & FIRST_PERFECT and not is_pair(verdict):
        return COVERING  # a perfect hit alone has a verdict of its own
    if variant & SECOND_PERFECT and (second == EMPTY or second % PLACES == CASTLE):
        return COVERING
    return why_not_moved(s, verdict, variant)


@rule
def why_not_moved(s: State, verdict: int, variant: int) -> int:
    """Return why a wall cannot have been moved: it does not stand, or was hit and leaves (CB-32)."""
    moved = moved_walls(variant)
    if moved >> SEATS * WALLS != 0:
        return MOVING
    for wall in range(SEATS * WALLS):
        if moved >> wall & 1:
            target = wall // WALLS * PLACES + wall % WALLS
            if s.wall[wall] == EMPTY:
                return MOVING
            if verdict != MISS and (
                target == first_target(verdict) or target == second_target(verdict, variant)
            ):
                return MOVING
    return OK


@rule
def why_not_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Return why a report cannot be made now."""
    refused = why_no_attack(s)
    if refused == OK and not can_drop(s, s.active, card):
        refused = ATTACKING
    if refused == OK:
        refused = why_not_verdict(s, verdict)
    if refused == OK and variant != 0:
        refused = why_not_variant(s, verdict, variant)
    return refused


# --- What it brings ----------------------------------------------------------


@rule
def report(s: State, card: int, verdict: int, variant: int) -> None:
    """Discard the attack card and score what it hit (CB-31, CB-34, CB-37, CB-Q17)."""
    s.attacked = 1
    discard_from_hand(s, s.active, card)
    s.moved |= moved_walls(variant)
    targets = count_targets(verdict, variant)
    for number in range(targets):  # as the walls stood when the card was thrown
        note_storm(s, nth_target(verdict, variant, number))
    for number in range(targets):
        hit(s, nth_target(verdict, variant, number), nth_is_perfect(verdict, variant, number))


@rule
def note_storm(s: State, target: int) -> None:
    """Note that a castle without walls was hit, which triggers the end (CB-22, CB-Q29)."""
    seat = target // PLACES
    if target % PLACES != CASTLE or s.options.castle_trigger == CastleTrigger.OFF:
        return
    walls = count_walls(s, seat)
    if s.options.castle_trigger == CastleTrigger.WHOLE_SIDE:
        walls = 0
        for each in range(side_of(s, seat), s.castles, s.sides):
            walls += count_walls(s, each)
    if walls == 0:
        s.ending = 1
        if s.options.castle_trigger_wins:
            s.stormed |= 1 << side_of(s, s.active)


@rule
def hit(s: State, target: int, perfect: bool) -> None:
    """Score one target for the active seat."""
    if target % PLACES == CASTLE:
        hit_castle(s, target // PLACES)
    else:
        hit_wall(s, wall_at(target // PLACES, target % PLACES), perfect)


@rule
def hit_wall(s: State, wall: int, perfect: bool) -> None:
    """Score a wall; unless it was covered perfectly it awaits its replacement (CB-35, CB-36, CB-44)."""
    score_point(s, s.active)
    score_card(s, s.active, s.wall[wall])
    if not perfect:
        s.open[wall] = s.wall[wall]
    elif s.options.perfect_slot == PerfectSlot.LOST:
        s.lost |= 1 << wall
    s.wall[wall] = EMPTY
    s.moved &= ~(1 << wall)


@rule
def hit_castle(s: State, seat: int) -> None:
    """Score a castle, for which its player owes a hand card (CB-38); without one see CB-Q19, CB-Q39."""
    if s.hand[seat].count > 0:
        score_point(s, s.active)
        s.gives |= 1 << seat
        return
    simulacrum = is_simulacrum(s, seat)
    if s.options.castle_hit_empty == CastleHitEmpty.NOTHING and not simulacrum:
        return
    score_point(s, s.active)
    if s.options.castle_hit_empty == CastleHitEmpty.DECK_CARD or simulacrum:
        take_top_card(s, seat)


@rule
def take_top_card(s: State, seat: int) -> None:
    """Score the top card of a seat's deck, if there is one; where it is untold its player is asked for it."""
    if not is_untold(s):
        card = top_card(s, side_of(s, seat))
        if card != EMPTY:
            score_card(s, s.active, card)
    elif count_left(s, seat) > 0:
        s.gives |= 1 << seat


@rule
def count_left(s: State, seat: int) -> int:
    """Return how many cards a seat's deck and discard have beyond those that its side owes for castles."""
    side = side_of(s, seat)
    left = s.deck[side].count + s.discard[side].count
    for each in range(side, s.castles, s.sides):
        left -= 1 if s.gives >> each & 1 and s.hand[each].count == 0 else 0
    return left

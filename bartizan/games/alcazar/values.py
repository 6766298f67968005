"""Value the cards and tell what is in force on Alcazar's table."""

from __future__ import annotations

from bartizan.engine.piles import top
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.alcazar.options import ModifierScope, NecromancerBlocks, ReviveRange
from bartizan.games.alcazar.state import (
    ACE,
    FRONT,
    HAND_SIZE,
    JACK,
    JOKER,
    KING,
    QUEEN,
    REAR,
    TOWER_SIZE,
    State,
)

# --- The cards ---------------------------------------------------------------


@rule
def value(card: int) -> int:
    """Return a card's value in the enemy ranks: J 11, Q 12, K 13, A 14 (ALC-66)."""
    return ACE - (card >> 2)


@rule
def is_red(card: int) -> bool:
    """Tell hearts and diamonds from spades and clubs."""
    return card & 3 == 1 or card & 3 == 2


@rule
def is_special(card: int) -> bool:
    """Tell the face cards and the aces (ALC-28)."""
    return card < JOKER and value(card) >= JACK


@rule
def is_face(card: int) -> bool:
    """Tell J, Q, K; an ace is a special but no face card."""
    return is_special(card) and value(card) != ACE


@rule
def tower_value(card: int) -> int:
    """Return a card's value in the tower or on its way there: a special's is 9 (ALC-66b)."""
    return 9 if value(card) >= JACK else value(card)


@rule
def defence_value(card: int) -> int:
    """Return a hand card's value in a defence: J, Q, K are 9, an ace has none (ALC-66c)."""
    return 0 if value(card) == ACE else tower_value(card)


# --- What is in force --------------------------------------------------------


@rule
def tower_top_is(s: State, rank: int) -> bool:
    """Return whether the tower's top has this rank (ALC-42)."""
    card = top(s.tower)
    return card != EMPTY and card < JOKER and value(card) == rank


@rule
def count_enemies(s: State, rank: int) -> int:
    """Count the face-up enemies of a special rank, in either row (ALC-Q25)."""
    return s.in_sight[rank - JACK]


@rule
def has_advantage(s: State, rank: int) -> bool:
    """Return whether an Advantage of this rank lies in play."""
    for slot in range(s.advantages.count):  # noqa: SIM110 - compiled code takes no generators
        if value(s.advantages.cards[slot]) == rank:
            return True
    return False


@rule
def necromancers(s: State) -> int:
    """Count the Necromancers in force; a Wizard cancels them all (ALC-55, ALC-59)."""
    return 0 if tower_top_is(s, ACE) else count_enemies(s, ACE)


@rule
def bard_sings(s: State) -> bool:
    """Return whether a Bard is in force: Queen on top, no Thief in sight (ALC-57, ALC-65)."""
    return tower_top_is(s, QUEEN) and count_enemies(s, JACK) == 0


@rule
def hand_limit(s: State) -> int:
    """Return how many cards the hand may hold (ALC-9, ALC-57, ALC-64)."""
    if count_enemies(s, JACK) > 0:
        return 4
    return 7 if tower_top_is(s, QUEEN) else HAND_SIZE


@rule
def tower_limit(s: State) -> int:
    """Return how many cards the tower may hold (ALC-5, ALC-52)."""
    return TOWER_SIZE + 1 if has_advantage(s, QUEEN) else TOWER_SIZE


@rule
def nearest_repair(s: State) -> int:
    """Return how far from the top's value a repairing card must be (ALC-25, ALC-Q16: `revive_range`)."""
    return 2 if s.options.revive_range == ReviveRange.EXACTLY_2 and has_advantage(s, QUEEN) else 1


@rule
def is_modified(s: State, place: int) -> bool:
    """Return whether Warlord and Knight change this enemy (ALC-Q29: `modifier_scope`)."""
    if s.options.modifier_scope == ModifierScope.EVERY_FACE_UP:
        return True
    return place & 1 == FRONT or s.enemy[place - 1] == EMPTY


@rule
def enemy_value(s: State, place: int) -> int:
    """Return the effective value of a face-up enemy (ALC-56, ALC-63, ALC-63b, ALC-Q31)."""
    total = value(s.enemy[place])
    if is_modified(s, place):
        total += 2 * count_enemies(s, KING)
        if tower_top_is(s, KING):
            total -= 1
    if place & 1 == REAR:
        total += count_enemies(s, QUEEN)
    return total


@rule
def defence_cost(s: State, place: int) -> int:
    """Return what it takes to beat a face-up enemy; a rear one counts one more (ALC-20, ALC-22)."""
    return enemy_value(s, place) + (1 if place & 1 == REAR else 0)


@rule
def specials_are_useless(s: State) -> bool:
    """Return whether a Necromancer forbids every use of specials (ALC-Q26: `necromancer_blocks`)."""
    return s.options.necromancer_blocks == NecromancerBlocks.ALL_USES and necromancers(s) > 0

"""Name actions by their cards: places in the hand mean other cards when what is hidden is dealt again.

A defence's key is the set of its cards, a bit each, with the place of the enemy above them.  The key of any
other action is made of four fields: the verb, what else the action names, the card acted with, the card paid.
"""

from __future__ import annotations

from bartizan.engine.piles import find
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import (
    ACTIONS,
    ADVANTAGE,
    DEFEND,
    DISCARD,
    DRAW,
    END,
    FORFEIT,
    FORTIFY,
    MISSILE,
    REINFORCE,
    REPAIR,
    STAY,
    SWAP,
    TRADE,
    State,
)

FIELD_BITS = 6  # room for a card's id
FIELD = 1 << FIELD_BITS
PLACE_SHIFT = 54  # above the cards of a defence
DEFENCE = 1 << 58
NOBODY = -1  # no action has this key; an action without a card has it for a slot


# --- From an action to its key -----------------------------------------------


@rule
def packed_key(s: State, verb: int, other: int, slot: int, paying: int) -> int:
    """Return the key of an action; without cards it has NOBODY for a slot."""
    acting = 0 if slot == NOBODY else 1 + s.hand.cards[slot]
    paid = 0 if paying == NOBODY else 1 + s.hand.cards[paying]
    return ((verb * FIELD + other) * FIELD + acting) * FIELD + paid


@rule
def key_of_defend(s: State, place: int, cards: int, order: int) -> int:
    """Return the key of a defence, whatever the order of its cards."""
    key = DEFENCE + (place << PLACE_SHIFT)
    for slot in range(s.hand.count):
        if cards >> slot & 1:
            key += 1 << s.hand.cards[slot]
    return key


@rule
def key_of_repair(s: State, slot: int) -> int:
    """Return the key of a repair."""
    return packed_key(s, REPAIR.number, 0, slot, NOBODY)


@rule
def key_of_missile(s: State, slot: int, place: int, paying: int) -> int:
    """Return the key of a missile."""
    return packed_key(s, MISSILE.number, place, slot, paying)


@rule
def key_of_swap(s: State, slot: int, pair: int, paying: int) -> int:
    """Return the key of a swap."""
    return packed_key(s, SWAP.number, pair, slot, paying)


@rule
def key_of_fortify(s: State, slot: int, paying: int) -> int:
    """Return the key of a fortification."""
    return packed_key(s, FORTIFY.number, 0, slot, paying)


@rule
def key_of_reinforce(s: State, slot: int, card: int, paying: int) -> int:
    """Return the key of a Reinforcement."""
    return packed_key(s, REINFORCE.number, card, slot, paying)


@rule
def key_of_advantage(s: State, slot: int, paying: int, replacing: int) -> int:
    """Return the key of an Advantage laid down."""
    return packed_key(s, ADVANTAGE.number, replacing, slot, paying)


@rule
def key_of_trade(s: State, slot: int) -> int:
    """Return the key of a trade."""
    return packed_key(s, TRADE.number, 0, slot, NOBODY)


@rule
def key_of_discard(s: State, slot: int) -> int:
    """Return the key of a forced discard."""
    return packed_key(s, DISCARD.number, 0, slot, NOBODY)


@rule
def key_of_forfeit(s: State, advantage: int) -> int:
    """Return the key of the Advantage that goes first."""
    return packed_key(s, FORFEIT.number, advantage, NOBODY, NOBODY)


@rule
def key_of_draw(s: State) -> int:
    """Return the key of drawing the second card."""
    return DRAW.number * FIELD**3


@rule
def key_of_stay(s: State) -> int:
    """Return the key of leaving the second card."""
    return STAY.number * FIELD**3


@rule
def key_of_end(s: State) -> int:
    """Return the key of ending the turn."""
    return END.number * FIELD**3


key_of = ACTIONS.rule("key_of", "key_of_{}")


# --- And back ----------------------------------------------------------------


@rule
def action_of(s: State, key: int) -> int:
    """Return the action with a key, or NOBODY where the hand lacks one of its cards."""
    if key >= DEFENCE:
        return defence_of_key(s, key - DEFENCE)
    acting, paid = (key >> FIELD_BITS) % FIELD - 1, key % FIELD - 1
    slot = find(s.hand, acting) if acting >= 0 else 0
    paying = find(s.hand, paid) if paid >= 0 else 0
    if slot == EMPTY or paying == EMPTY:
        return NOBODY
    return action_by(key >> 3 * FIELD_BITS, (key >> 2 * FIELD_BITS) % FIELD, slot, paying)


@rule
def defence_of_key(s: State, key: int) -> int:
    """Return the defence with these cards, or NOBODY."""
    place, left = key >> PLACE_SHIFT, key % (1 << PLACE_SHIFT)
    subset = 0
    for slot in range(s.hand.count):
        if left >> s.hand.cards[slot] & 1:
            subset += 1 << slot
            left -= 1 << s.hand.cards[slot]
    return DEFEND.id(place, subset) if left == 0 else NOBODY


@rule
def action_by(verb: int, other: int, slot: int, paying: int) -> int:
    """Return the action of a verb, by its number, with what else it names and its places in the hand."""
    if verb == REPAIR.number:
        return REPAIR.id(slot)
    if verb == MISSILE.number:
        return MISSILE.id(slot, other, paying)
    if verb == SWAP.number:
        return SWAP.id(slot, other, paying)
    if verb == FORTIFY.number:
        return FORTIFY.id(slot, paying)
    if verb == REINFORCE.number:
        return REINFORCE.id(slot, other, paying)
    if verb == ADVANTAGE.number:
        return ADVANTAGE.id(slot, paying, other)
    if verb == TRADE.number:
        return TRADE.id(slot)
    if verb == DISCARD.number:
        return DISCARD.id(slot)
    if verb == FORFEIT.number:
        return FORFEIT.id(other)
    if verb == DRAW.number:
        return DRAW.id()
    return STAY.id() if verb == STAY.number else END.id()

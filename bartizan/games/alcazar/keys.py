"""Name actions by their cards: places in the hand mean other cards when what is hidden is dealt anew.

A defence's key is the set of its cards, a bit each, with the place of the enemy above them.  The keys of all
others are the action without its places in the hand, then the card acted with, then the card paid.
"""

from __future__ import annotations

from bartizan.engine.piles import find
from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import (
    ADVANTAGE,
    ADVANTAGES,
    DEFEND,
    DISCARD,
    FORTIFY,
    HAND_SLOTS,
    JOKER,
    MISSILE,
    PAIRS,
    PLACES,
    REINFORCE,
    REPAIR,
    SUBSETS,
    SWAP,
    TRADE,
    YIELD,
    State,
)

CARD_BITS = 6  # room for a card's id
PLACE_SHIFT = 54  # above the cards of a defence
DEFENCE = 1 << 58
NOBODY = -1  # no action has this key


@rule
def key_of(s: State, action: int) -> int:
    """Return an action's key."""
    if action < REPAIR:
        return defence_key(s, (action - DEFEND) // SUBSETS, (action - DEFEND) % SUBSETS)
    if action < MISSILE:
        return named(s, REPAIR, action - REPAIR, NOBODY)
    if action < SWAP:
        rest, paying = (action - MISSILE) // HAND_SLOTS, (action - MISSILE) % HAND_SLOTS
        return named(s, MISSILE + rest % PLACES, rest // PLACES, paying)
    if action < FORTIFY:
        rest, paying = (action - SWAP) // HAND_SLOTS, (action - SWAP) % HAND_SLOTS
        return named(s, SWAP + rest % PAIRS, rest // PAIRS, paying)
    if action < REINFORCE:
        return named(s, FORTIFY, (action - FORTIFY) // HAND_SLOTS, (action - FORTIFY) % HAND_SLOTS)
    if action < ADVANTAGE:
        rest, paying = (action - REINFORCE) // HAND_SLOTS, (action - REINFORCE) % HAND_SLOTS
        return named(s, REINFORCE + rest % JOKER, rest // JOKER, paying)
    if action < TRADE:
        rest, replacing = (action - ADVANTAGE) // (1 + ADVANTAGES), (action - ADVANTAGE) % (1 + ADVANTAGES)
        return named(s, ADVANTAGE + replacing, rest // HAND_SLOTS, rest % HAND_SLOTS)
    if action < DISCARD:
        return named(s, TRADE, action - TRADE, NOBODY)
    if action < YIELD:
        return named(s, DISCARD, action - DISCARD, NOBODY)
    return named(s, action, NOBODY, NOBODY)


@rule
def defence_key(s: State, place: int, subset: int) -> int:
    """Return the key of a defence against the enemy at a place."""
    key = DEFENCE + (place << PLACE_SHIFT)
    for slot in range(s.hand.count):
        if subset >> slot & 1:
            key += 1 << s.hand.cards[slot]
    return key


@rule
def named(s: State, kind: int, slot: int, paying: int) -> int:
    """Return the key of any other action; without cards it has NOBODY for a slot."""
    acting = 0 if slot == NOBODY else 1 + s.hand.cards[slot]
    paid = 0 if paying == NOBODY else 1 + s.hand.cards[paying]
    return (kind << 2 * CARD_BITS) + (acting << CARD_BITS) + paid


@rule
def action_of(s: State, key: int) -> int:
    """Return the action with a key, or NOBODY where the hand lacks one of its cards."""
    if key >= DEFENCE:
        return defence_of_key(s, key - DEFENCE)
    kind = key >> 2 * CARD_BITS
    acting, paid = (key >> CARD_BITS) % (1 << CARD_BITS) - 1, key % (1 << CARD_BITS) - 1
    slot = find(s.hand, acting) if acting >= 0 else 0
    paying = find(s.hand, paid) if paid >= 0 else 0
    if slot < 0 or paying < 0:
        return NOBODY
    return assembled(kind, slot, paying)


@rule
def defence_of_key(s: State, key: int) -> int:
    """Return the defence with these cards, or NOBODY."""
    place, left = key >> PLACE_SHIFT, key % (1 << PLACE_SHIFT)
    subset = 0
    for slot in range(s.hand.count):
        if left >> s.hand.cards[slot] & 1:
            subset += 1 << slot
            left -= 1 << s.hand.cards[slot]
    return DEFEND + place * SUBSETS + subset if left == 0 else NOBODY


@rule
def assembled(kind: int, slot: int, paying: int) -> int:
    """Return the action of a kind with its places in the hand."""
    if kind < MISSILE:
        return REPAIR + slot
    if kind < SWAP:
        return MISSILE + (slot * PLACES + kind - MISSILE) * HAND_SLOTS + paying
    if kind < FORTIFY:
        return SWAP + (slot * PAIRS + kind - SWAP) * HAND_SLOTS + paying
    if kind < REINFORCE:
        return FORTIFY + slot * HAND_SLOTS + paying
    if kind < ADVANTAGE:
        return REINFORCE + (slot * JOKER + kind - REINFORCE) * HAND_SLOTS + paying
    if kind < TRADE:
        return ADVANTAGE + (slot * HAND_SLOTS + paying) * (1 + ADVANTAGES) + kind - ADVANTAGE
    return kind + slot

"""Name actions by their cards: slots of a hand mean other cards when what is hidden is dealt anew."""

from __future__ import annotations

from bartizan.engine.piles import find
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.state import FACES, RING, TOKEN, State

OTHERS = FACES * RING  # keys of actions without a card


@rule
def key_of(s: State, action: int) -> int:
    """Return an action's key: the face and the cell of a card that is played."""
    if action >= TOKEN:
        return OTHERS + action - TOKEN
    return s.players[s.to_move - 1].hand.cards[action // RING] * RING + action % RING


@rule
def action_of(s: State, key: int) -> int:
    """Return the action with a key, or -1 where the hand lacks its card."""
    if key >= OTHERS:
        return TOKEN + key - OTHERS
    slot = find(s.players[s.to_move - 1].hand, key // RING)
    return slot * RING + key % RING if slot >= 0 else -1

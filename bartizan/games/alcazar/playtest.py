"""Tell playtests which cards count, and what progress is (see `bartizan.engine.playtest`)."""

from __future__ import annotations

from bartizan.engine.cards import POKER
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.alcazar.state import ACTIONS, HAND_SLOTS, JOKER, TOWER_SIZE, State

PIECES = tuple(POKER.text(card) for card in range(JOKER))
PIECE = "card"
BYTE = 256


@rule
def mark_held(s: State, seat: int, marks: Array) -> None:
    """Mark the cards in the hand."""
    for slot in range(s.hand.count):
        if s.hand.cards[slot] < JOKER:
            marks[s.hand.cards[slot]] = 1


@rule
def played_by_defend(s: State, place: int, cards: int, order: int) -> int:
    """Return the cards of a defence, packed."""
    packed = 0
    for slot in range(HAND_SLOTS):
        if cards >> slot & 1:
            packed = packed * BYTE + s.hand.cards[slot] + 1
    return packed


@rule
def played_by_repair(s: State, slot: int) -> int:
    """Return one card, packed."""
    return s.hand.cards[slot] + 1


@rule
def played_by_fortify(s: State, slot: int, paying: int) -> int:
    """Return a special and the card that pays for it, packed."""
    return played_by_repair(s, paying) * BYTE + played_by_repair(s, slot)


@rule
def played_by_missile(s: State, slot: int, target: int, paying: int) -> int:
    """Return the same for a special that has a target."""
    return played_by_fortify(s, slot, paying)


@rule
def played_by_advantage(s: State, slot: int, paying: int, replacing: int) -> int:
    """Return the same for an Advantage."""
    return played_by_fortify(s, slot, paying)


played_by_swap = played_by_reinforce = played_by_missile
pieces_played = ACTIONS.rule("pieces_played", "played_by_{}", otherwise=0)


@rule
def contact(s: State) -> int:
    """Return 1 once the tower is not whole."""
    return 1 if s.tower.count < TOWER_SIZE else 0


@rule
def progress(s: State) -> int:
    """Return how far the deck is: the game is won by going through it."""
    return s.passes * len(PIECES) * 2 + s.deck.count

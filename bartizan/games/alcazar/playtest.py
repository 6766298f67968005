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
def of_defence(s: State, place: int, cards: int, order: int) -> int:
    """Return the cards of a defence, packed."""
    packed = 0
    for slot in range(HAND_SLOTS):
        if cards >> slot & 1:
            packed = packed * BYTE + s.hand.cards[slot] + 1
    return packed


@rule
def of_one(s: State, slot: int) -> int:
    """Return one card, packed."""
    return s.hand.cards[slot] + 1


@rule
def of_two(s: State, slot: int, paying: int) -> int:
    """Return a special and the card that pays for it, packed."""
    return of_one(s, paying) * BYTE + of_one(s, slot)


@rule
def of_special(s: State, slot: int, target: int, paying: int) -> int:
    """Return likewise those of a special that has a target."""
    return of_two(s, slot, paying)


@rule
def of_advantage(s: State, slot: int, paying: int, replacing: int) -> int:
    """Return likewise those of an Advantage."""
    return of_two(s, slot, paying)


pieces_played = ACTIONS.rule(
    "pieces_played",
    defend=of_defence,
    repair=of_one,
    missile=of_special,
    swap=of_special,
    fortify=of_two,
    reinforce=of_special,
    advantage=of_advantage,
    otherwise=0,
)


@rule
def contact(s: State) -> int:
    """Return 1 once the tower is not whole."""
    return 1 if s.tower.count < TOWER_SIZE else 0


@rule
def progress(s: State) -> int:
    """Return how far the deck is: the game is won by going through it."""
    return s.passes * len(PIECES) * 2 + s.deck.count

"""Tell playtests which cards to count, when the first attack is launched, and what progress is."""

from __future__ import annotations

from bartizan.engine.bounds import smaller
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import ACTIONS, CARDS, JOKER, SUITS, State
from bartizan.games.tower.values import count_levels

PIECES = (*(JANKEN.text(card) for card in range(JOKER)), "*")
PIECE = "card"
BYTE = 256


@rule
def mark_held(s: State, seat: int, marks: Array) -> None:
    """Mark the cards in a seat's hand."""
    hand = s.players[seat - 1].hand
    for slot in range(hand.count):
        if 0 <= hand.cards[slot] < CARDS:
            marks[hand.cards[slot]] = 1


@rule
def played_by_lay(s: State) -> int:
    """Return the cards of the laid tower, packed: the hand's."""
    hand = s.players[s.to_move - 1].hand
    packed = 0
    for slot in range(smaller(hand.count, SUITS)):
        packed = packed * BYTE + hand.cards[slot] + 1
    return packed


@rule
def card_of_face(s: State, face: int) -> int:
    """Return the card with a given face, packed."""
    return smaller(face, JOKER) + 1


@rule
def played_by_attack(s: State, target: int, face: int) -> int:
    """Return the card sent as an attack, packed."""
    return card_of_face(s, face)


@rule
def played_by_deflect(s: State, number: int, card: int) -> int:
    """Return the card that deflects an attack, packed."""
    return card + 1


played_by_repair = played_by_rebuild = card_of_face
pieces_played = ACTIONS.rule("pieces_played", "played_by_{}", otherwise=0)


@rule
def contact(s: State) -> int:
    """Return 1 once an attack is in flight."""
    return 1 if s.flying > 0 else 0


@rule
def progress(s: State) -> int:
    """Return the state of all towers: their owners' standing, their levels, and which are damaged."""
    total = 0
    for seat in range(s.seats):
        p = s.players[seat]
        damaged = 0
        for level in range(SUITS):
            damaged += p.damaged[level]
        total = total * 128 + p.standing * 36 + count_levels(p) * 6 + damaged
    return total

"""Handle piles of cards inside rules; the top of a pile is its last card."""

from __future__ import annotations

from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rule import rule


@rule
def push(p: Pile, card: int) -> None:
    """Put `card` on top."""
    p.cards[p.count] = card
    p.count += 1


@rule
def pop(p: Pile) -> int:
    """Take the top card; the pile must not be empty."""
    p.count -= 1
    return p.cards[p.count]


@rule
def top(p: Pile) -> int:
    """Return the top card, or EMPTY."""
    return p.cards[p.count - 1] if p.count > 0 else EMPTY


@rule
def tuck(p: Pile, card: int) -> None:
    """Put `card` at the bottom."""
    for place in range(p.count, 0, -1):
        p.cards[place] = p.cards[place - 1]
    p.cards[0] = card
    p.count += 1


@rule
def take(p: Pile, place: int) -> int:
    """Take the card at `place`, counted from the bottom; the cards above move down."""
    card = p.cards[place]
    p.count -= 1
    for above in range(place, p.count):
        p.cards[above] = p.cards[above + 1]
    return card


@rule
def find(p: Pile, card: int) -> int:
    """Return the place of `card`, counted from the bottom, or EMPTY."""
    for place in range(p.count):
        if p.cards[place] == card:
            return place
    return EMPTY


@rule
def remove(p: Pile, card: int) -> bool:
    """Remove `card` if it is there, and say whether it was."""
    place = find(p, card)
    if place == EMPTY:
        return False
    take(p, place)
    return True


@rule
def insert_sorted(p: Pile, card: int) -> None:
    """Put `card` into a pile that is kept in ascending order."""
    place = p.count
    while place > 0 and p.cards[place - 1] > card:
        p.cards[place] = p.cards[place - 1]
        place -= 1
    p.cards[place] = card
    p.count += 1


@rule
def move_all(source: Pile, target: Pile) -> None:
    """Put every card of `source` on top of `target`, its bottom card first."""
    for place in range(source.count):
        push(target, source.cards[place])
    source.count = 0

"""A made-up game with planted truths, for the tests of what the Lab names.

Each seat holds 2 of 7 cards.  The ace wins the game for whoever was dealt it, and nothing else does so; only
showing a card brings points; slipping, or showing the joker, loses at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.piles import find, insert_sorted, pop
from bartizan.engine.record import EMPTY, Array, Cells, Pile
from bartizan.engine.rule import rule
from bartizan.engine.table import CardDeck, Table, counter, tie, win, zone

game = Game(name="planted", package=__name__, min_seats=2, max_seats=2, seat_names=("Red", "Blue"))
CARDS = CardDeck("A23456J", "x", ("suit",))
ACE, JOKER, HAND, PLIES = 0, 6, 2, 6
NOT_IN_HAND, OVER, SLIPPED = code("PT-1"), code("PT-2"), code("PT-3")
PIECES, PIECE = tuple(CARDS.text(card) for card in range(CARDS.kinds)), "card"
ACTIONS = ActionSpace(block("show", card=CARDS.kinds), block("wait", number=6), block("slip"))


class State(Table):
    """One table."""

    hand: Sequence[Pile] = zone(HAND, "hand", sees="owner", per_seat=2, sort=True)
    deck: Pile = zone(CARDS.size, "deck", sees="nobody")
    coins: Cells = counter("coins", high=PLIES, per_seat=2)
    gone: int = counter("gone", high=PLIES)


@rule
def deal(s: State) -> None:
    """Deal two cards to each (PT-1)."""
    for seat in range(2):
        for _ in range(HAND):
            insert_sorted(s.hand[seat], pop(s.deck))


@rule
def points(s: State, seat: int) -> int:
    """Return a seat's coins (PT-2)."""
    coins: int = s.coins[seat - 1]
    return coins


@rule
def count_down(s: State) -> None:
    """End the game after so many decisions: the ace wins, or else the most coins (PT-2)."""
    s.gone += 1
    if s.gone == PLIES:
        if find(s.hand[0], ACE) != EMPTY:
            win(s, 1, OVER)
        elif find(s.hand[1], ACE) != EMPTY:
            win(s, 2, OVER)
        elif s.coins[0] != s.coins[1]:
            win(s, 1 if s.coins[0] > s.coins[1] else 2, OVER)
        else:
            tie(s, OVER)


@rule
def why_not_show(s: State, card: int) -> int:
    """Return the clause that forbids showing a card (PT-1)."""
    return NOT_IN_HAND if find(s.hand[s.to_move - 1], card) == EMPTY else OK


@rule
def show(s: State, card: int) -> None:
    """Show a card for a coin; the joker loses (PT-3)."""
    if card == JOKER:
        win(s, 3 - s.to_move, SLIPPED)
    else:
        s.coins[s.to_move - 1] += 1
        count_down(s)


@rule
def why_not_wait(s: State, number: int) -> int:
    """Return OK (PT-2)."""
    return OK


@rule
def wait(s: State, number: int) -> None:
    """Do nothing (PT-2)."""
    count_down(s)


@rule
def why_not_slip(s: State) -> int:
    """Return OK (PT-3)."""
    return OK


@rule
def slip(s: State) -> None:
    """Lose (PT-3)."""
    win(s, 3 - s.to_move, SLIPPED)


@rule
def mark_held(s: State, seat: int, marks: Array) -> None:
    """Mark the cards in a hand."""
    for place in range(s.hand[seat - 1].count):
        marks[s.hand[seat - 1].cards[place]] = 1


@rule
def pieces_played(s: Any, action: int) -> int:
    """Return the card that is shown, packed."""
    return action + 1 if action < CARDS.kinds else 0

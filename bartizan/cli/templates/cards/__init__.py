"""My Game: get rid of your cards, each of the suit or rank of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.piles import find, insert_sorted, pop, push, take
from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rule import rule
from bartizan.engine.table import CardDeck, Table, tie, win, zone

SEATS = 2
NAMES = ("Red", "Blue", "Green", "Yellow", "Violet", "Orange")
game = Game(
    name="my-game",
    package=__name__,
    min_seats=SEATS,
    max_seats=SEATS,
    seat_names=NAMES[:SEATS],
)

# A card is a number: suit * 13 + rank. In moves it is written like "7c" or "Th".
CARDS = CardDeck("23456789TJQKA", "cdhs", ("clubs", "diamonds", "hearts", "spades"))
RANKS = 13
HAND = 5
SIZE = CARDS.size  # rules can read whole numbers, but not CARDS itself

# The clauses of clauses.toml that rules refer to. A rule refuses a move by returning one of them.
NOT_IN_HAND, NO_MATCH, EMPTY_HAND, DECK_OUT = code("MY-2"), code("MY-3"), code("MY-5"), code("MY-6")


class State(Table):
    """What lies on the table. `sees` says who sees the cards; the engine hides them from everyone else."""

    hand: Sequence[Pile] = zone(CARDS.size, "hand", sees="owner", per_seat=SEATS, sort=True)
    deck: Pile = zone(CARDS.size, "deck", sees="nobody")
    pile: Pile = zone(CARDS.size, "pile", sees="all")


# A player can play any card, or draw. The rules below say when.
ACTIONS = ActionSpace(block("play", card=CARDS.kinds), block("draw"))


@rule
def deal(s: State) -> None:
    """Deal the hands and turn up a card (MY-1). All cards lie in the deck, shuffled."""
    for seat in range(s.seats):
        for _ in range(HAND):
            insert_sorted(s.hand[seat], pop(s.deck))
    push(s.pile, pop(s.deck))


@rule
def why_not_play(s: State, card: int) -> int:
    """Return the clause that forbids playing a card, or OK (MY-2, MY-3)."""
    if find(s.hand[s.to_move - 1], card) == EMPTY:
        return NOT_IN_HAND
    top = s.pile.cards[s.pile.count - 1]
    return OK if card // RANKS == top // RANKS or card % RANKS == top % RANKS else NO_MATCH


@rule
def play(s: State, card: int) -> None:
    """Play a card; without a card in hand you win (MY-3, MY-5). The engine passes the turn."""
    hand = s.hand[s.to_move - 1]
    take(hand, find(hand, card))
    push(s.pile, card)
    if hand.count == 0:
        win(s, s.to_move, EMPTY_HAND)


@rule
def why_not_draw(s: State) -> int:
    """Return OK: drawing is always allowed (MY-4)."""
    return OK


@rule
def draw(s: State) -> None:
    """Draw a card; the game is over when the deck is out (MY-4, MY-6)."""
    insert_sorted(s.hand[s.to_move - 1], pop(s.deck))
    if s.deck.count == 0:
        count_hands(s)


@rule
def count_hands(s: State) -> None:
    """End the game: the smallest hand wins, if only one is that small (MY-6)."""
    best, winner = SIZE, 0
    for seat in range(s.seats):
        if s.hand[seat].count < best:
            best, winner = s.hand[seat].count, seat + 1
        elif s.hand[seat].count == best:
            winner = 0
    if winner == 0:
        tie(s, DECK_OUT)
    else:
        win(s, winner, DECK_OUT)


def check_position(reader: PositionReader, state: Any) -> None:
    """Find what no game can reach, in a position that someone typed."""
    empty = [hand.count == 0 for hand in state.hand]
    if state.pile.count == 0:
        reader.fault("MY-1", "the pile has no card")
    if state.ended == 0 and (any(empty) or state.deck.count == 0):
        reader.fault("MY-5", "the game is over when a hand or the deck is empty")

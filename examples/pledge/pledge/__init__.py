"""Pledge: say how many tricks you will take, then take exactly that many; for three to five."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.clauses import OK, code
from bartizan.engine.game import Game
from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.piles import find, insert_sorted, pop, push, take
from bartizan.engine.record import EMPTY, Cells, Pile
from bartizan.engine.rule import rule
from bartizan.engine.table import CardDeck, Table, counter, pass_turn, tie, win, zone

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eli")
game = Game(name="pledge", package=__name__, min_seats=3, max_seats=5, seat_names=NAMES)

SEATS, HAND, RANKS = 5, 5, 8
CARDS = CardDeck("789TJQKA", "cdhs", ("clubs", "diamonds", "hearts", "spades"))
NOT_IN_HAND, FOLLOW, POINTS = code("PL-3"), code("PL-4"), code("PL-6")
PHASES = {"pledge": ("pledge",), "play": ("play",)}
PLEDGING, PLAYING = range(2)
OPEN = -1  # no pledge yet


class State(Table):
    """One table."""

    hand: Sequence[Pile] = zone(HAND, "hand", sees="owner", per_seat=SEATS, sort=True)
    deck: Pile = zone(CARDS.size, "deck", sees="nobody")
    trick: Pile = zone(SEATS, "trick", sees="all")
    played: Pile = zone(CARDS.size, "played", sees="all")
    pledges: Cells = counter("pledged", low=OPEN, high=HAND, per_seat=SEATS)
    taken: Cells = counter("taken", high=HAND, per_seat=SEATS)


ACTIONS = ActionSpace(block("pledge", number=HAND + 1), block("play", card=CARDS.kinds))


@rule
def deal(s: State) -> None:
    """Deal five cards to each (PL-1)."""
    for seat in range(SEATS):
        s.pledges[seat] = OPEN
    for seat in range(s.seats):
        for _ in range(HAND):
            insert_sorted(s.hand[seat], pop(s.deck))


# --- Pledging -------------------------------------------------------------------


@rule
def why_not_pledge(s: State, number: int) -> int:
    """Return OK: any number may be pledged (PL-2)."""
    return OK


@rule
def pledge(s: State, number: int) -> None:
    """Say how many tricks the seat will take (PL-2)."""
    s.pledges[s.to_move - 1] = number
    pass_turn(s)
    if s.to_move == 1:
        s.phase = PLAYING


# --- Playing --------------------------------------------------------------------


@rule
def suit_of(card: int) -> int:
    """Return a card's suit."""
    return card // RANKS


@rule
def holds_suit(hand: Pile, suit: int) -> bool:
    """Say whether a hand has a card of a suit."""
    found = False
    for place in range(hand.count):
        found = found or suit_of(hand.cards[place]) == suit
    return found


@rule
def why_not_play(s: State, card: int) -> int:
    """Tell why a card cannot be played (PL-3, PL-4)."""
    hand = s.hand[s.to_move - 1]
    if find(hand, card) == EMPTY:
        return NOT_IN_HAND
    led = suit_of(s.trick.cards[0])
    if s.trick.count > 0 and suit_of(card) != led and holds_suit(hand, led):
        return FOLLOW
    return OK


@rule
def play(s: State, card: int) -> None:
    """Play a card; when everyone has, the trick is taken (PL-3, PL-5)."""
    hand = s.hand[s.to_move - 1]
    take(hand, find(hand, card))
    push(s.trick, card)
    pass_turn(s)
    if s.trick.count == s.seats:
        take_trick(s)


@rule
def take_trick(s: State) -> None:
    """Give the trick to the highest card of the suit that was led; its player leads (PL-5, PL-6)."""
    best = 0
    for place in range(1, s.seats):
        card = s.trick.cards[place]
        if suit_of(card) == suit_of(s.trick.cards[0]) and card > s.trick.cards[best]:
            best = place
    s.to_move = (s.to_move - 1 + best) % s.seats + 1  # the leader is to move again
    s.taken[s.to_move - 1] += 1
    while s.trick.count > 0:
        push(s.played, pop(s.trick))
    if s.hand[0].count == 0:
        end(s)


@rule
def after_action(s: State, verb: int) -> None:
    """Count the decision; whose turn is next was settled by the action itself."""
    s.ply += 1


# --- The end --------------------------------------------------------------------


@rule
def points(s: State, seat: int) -> int:
    """Return a seat's points: its tricks, and ten for a pledge that was kept (PL-6)."""
    kept = s.pledges[seat - 1] == s.taken[seat - 1]
    return s.taken[seat - 1] + (10 if s.hand[seat - 1].count == 0 and s.trick.count == 0 and kept else 0)


@rule
def end(s: State) -> None:
    """End the game: the most points win (PL-6)."""
    best, winner = -1, 0
    for seat in range(1, s.seats + 1):
        if points(s, seat) > best:
            best, winner = points(s, seat), seat
        elif points(s, seat) == best:
            winner = 0
    if winner > 0:
        win(s, winner, POINTS)
    else:
        tie(s, POINTS)


def check_position(reader: PositionReader, state: Any) -> None:
    """Find what no game can reach: hands, tricks and pledges must fit the decisions taken."""
    seats, tricks, lying = state.seats, sum(state.taken), state.trick.count
    pledged = [seat for seat in range(SEATS) if state.pledges[seat] != OPEN]
    if any(pile.count for pile in state.hand[seats:]) or pledged != list(range(len(pledged))):
        reader.fault("PL-2", f"pledges and hands belong to {seats} seats, in their order")
    if (state.phase == PLAYING) != (len(pledged) == seats) or len(pledged) > seats:
        reader.fault("PL-2", "phase 1 begins when everyone has pledged")
    if state.phase == PLEDGING and (tricks or lying or state.to_move != len(pledged) + 1):
        reader.fault("PL-2", "while pledges are made nobody has played, and the next seat is to move")
    if (
        state.played.count != tricks * seats
        or lying >= seats
        or state.ply != len(pledged) + tricks * seats + lying
    ):
        reader.fault("PL-5", f"{tricks} tricks of {seats} cards do not fit what was played, or the ply")
    leader = (state.to_move - 1 - lying) % seats
    for seat in range(seats):
        due = HAND - tricks - ((seat - leader) % seats < lying)
        if state.hand[seat].count != due:
            reader.fault("PL-3", f"{NAMES[seat]} holds {state.hand[seat].count} cards; it must be {due}")
    if reader.faults:
        return
    told, state.ended, state.winner = (state.ended, state.winner), 0, 0
    if tricks == HAND:
        end(state)
    if told != (state.ended, state.winner) and "winner" in reader.given:
        reader.fault("PL-6", "ended and winner are not as the table says")

"""Re-deal what a seat cannot know: the other hands, the deck, the cards removed (CC-Q24)."""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.piles import insert_sorted, pop, push
from bartizan.engine.rng import below, shuffle
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.options import HAND
from bartizan.games.card_cassonne.rules import can_play
from bartizan.games.card_cassonne.state import Phase, State

SWAPS = 40  # tries for each hidden hand card; enough that nothing is left of how they lay


@rule
def determinize(s: State, seat: int) -> None:
    """Re-deal every card that `seat` has not seen, evenly among all places it may have.

    On a table without an edge the outcome depends on the random stream and on what the seat knows alone.
    """
    if s.options.board == 0:
        deal_anew(s, seat)
    else:
        swap_about(s, seat)


@rule
def deal_anew(s: State, seat: int) -> None:
    """Gather the hidden cards, shuffle them and deal them out again."""
    removed = s.aside.count
    while s.aside.count > 0:
        push(s.deck, pop(s.aside))
    for other in range(s.seats):
        if other + 1 != seat:
            for slot in range(s.players[other].hand.count):
                push(s.deck, s.players[other].hand.cards[slot])
    sort_deck(s)
    shuffle(s, s.deck)
    for other in range(s.seats):
        if other + 1 != seat:
            held = s.players[other].hand.count
            s.players[other].hand.count = 0
            for _ in range(held):
                insert_sorted(s.players[other].hand, pop(s.deck))
    for _ in range(removed):
        push(s.aside, pop(s.deck))


@rule
def sort_deck(s: State) -> None:
    """Bring the deck into ascending order, so that nothing is left of how it lay; no face is there thrice."""
    once = twice = 0
    for place in range(s.deck.count):
        bit = 1 << s.deck.cards[place]
        twice |= once & bit
        once |= bit
    place = 0
    while once != 0:
        bit = once & -once
        s.deck.cards[place] = lowest(once)
        place += 1
        if twice & bit:
            s.deck.cards[place] = lowest(once)
            place += 1
        once &= once - 1


# On a bounded table a seat that was skipped has told something about its hand, and so has one
# that is asked for a card.  Swapping cards step by step, only where that stays true, needs no
# arrangement to be thrown away, however little may be possible.


@rule
def swap_about(s: State, seat: int) -> None:
    """Swap each hidden hand card with other hidden cards, wherever what everyone knows stays true."""
    mix_unheld(s)
    places = s.deck.count + s.aside.count + s.seats * HAND
    for other in range(s.seats):
        if other + 1 != seat:
            for slot in range(s.players[other].hand.count):
                for _ in range(SWAPS):
                    place = below(s, places)
                    exchange(s, seat, other, slot, place)
                    if not agrees(s, seat):
                        exchange(s, seat, other, slot, place)
    mix_unheld(s)
    for other in range(s.seats):
        sort_hand(s, other)


@rule
def mix_unheld(s: State) -> None:
    """Shuffle the deck and the removed cards together and part them again."""
    removed = s.aside.count
    while s.aside.count > 0:
        push(s.deck, pop(s.aside))
    shuffle(s, s.deck)
    for _ in range(removed):
        push(s.aside, pop(s.deck))


@rule
def exchange(s: State, seat: int, other: int, slot: int, place: int) -> None:
    """Exchange a hand card with what lies at a place: the deck's, then those removed, then the hands'."""
    hand = s.players[other].hand
    held = hand.cards[slot]
    if place < s.deck.count:
        hand.cards[slot], s.deck.cards[place] = s.deck.cards[place], held
    elif place < s.deck.count + s.aside.count:
        lower = place - s.deck.count
        hand.cards[slot], s.aside.cards[lower] = s.aside.cards[lower], held
    else:
        spot = place - s.deck.count - s.aside.count
        partner = s.players[spot // HAND].hand
        if spot // HAND + 1 != seat and spot % HAND < partner.count:
            hand.cards[slot], partner.cards[spot % HAND] = partner.cards[spot % HAND], held


@rule
def agrees(s: State, seat: int) -> bool:
    """Return whether all hands but that of `seat` agree with what everyone knows of them."""
    for other in range(s.seats):
        if other + 1 != seat and not may_hold(s, other):
            return False
    return s.phase != Phase.PLAY or s.to_move == seat or can_play(s, s.to_move)


@rule
def may_hold(s: State, other: int) -> bool:
    """Return whether a hand agrees with what its owner was skipped for.

    What is barred for a card held longer is all that is barred for a newer one, and more: so there
    must be one card that the first entry allows, two that the second allows, and so on.
    """
    player = s.players[other]
    for entry in range(player.hand.count):
        allowed = 0
        for slot in range(player.hand.count):
            if player.barred[entry] >> player.hand.cards[slot] & 1 == 0:
                allowed += 1
        if allowed <= entry:
            return False
    return True


@rule
def sort_hand(s: State, other: int) -> None:
    """Bring a hand into ascending order again."""
    hand = s.players[other].hand
    for slot in range(1, hand.count):
        for lower in range(slot, 0, -1):
            if hand.cards[lower] < hand.cards[lower - 1]:
                hand.cards[lower], hand.cards[lower - 1] = hand.cards[lower - 1], hand.cards[lower]

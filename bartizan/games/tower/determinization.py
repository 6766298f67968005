"""Deal what a seat can't know again: the draw pile and the other players' unseen cards (TWR-Q37).

Hidden are the draw pile, the hands, and in the Rubble the hands of those who are out.  Everyone
knows which cards were taken openly from the discard pile, and which cards went into a draw pile
when it was renewed: `since` tells for each hidden card after which shuffle it was, and cards
change places only among those hidden since the same one.  Everyone also
knows whether a player who builds was asked to lay his tower.  The outcome depends on nothing but
what the seat knows and the random stream.

One thing too much is kept: a card drawn after a renewal shows by its `since` whether it comes
from a hand of the dead.  And a loaded position has no past: no card in it was taken openly.
"""

from __future__ import annotations

from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.tower.state import (
    OPEN,
    Known,
    Phase,
    Player,
    Standing,
    State,
)
from bartizan.games.tower.table import into_hand, out_of_hand
from bartizan.games.tower.values import is_complete

NOTHING = int(Known.NOTHING)
TRIES = 10_000  # one hand in 26 has every suit, so this many tries fail only in a contrived position


@rule
def determinize(s: State, seat: int) -> None:
    """Deal every card whose place `seat` doesn't know again, with the right probabilities."""
    mix_since(s)
    for since in range(s.generation + 1):
        hidden = gather(s, seat, since)
        if hidden > 0:
            hidden = deal_hands(s, seat, since, hidden)
            deal_piles(s, since, hidden)


@rule
def mix_since(s: State) -> None:
    """Shuffle which places of the draw pile hold cards that were hidden before it was renewed."""
    for place in range(1, s.deck.count):  # first in order, so that nothing is left of the real arrangement
        since, lower = s.since[place], place
        while lower > 0 and s.since[lower - 1] > since:
            swap_deck(s, lower, lower - 1)
            lower -= 1
    if s.deck.count > 0 and s.since[0] < s.since[s.deck.count - 1]:
        for last in range(s.deck.count - 1, 0, -1):
            swap_deck(s, last, below(s, last + 1))


@rule
def swap_deck(s: State, one: int, other: int) -> None:
    """Swap two cards of the draw pile."""
    card, since = s.deck.cards[one], s.since[one]
    s.deck.cards[one], s.since[one] = s.deck.cards[other], s.since[other]
    s.deck.cards[other], s.since[other] = card, since


@rule
def gather(s: State, seat: int, since: int) -> int:
    """Count into `pool` the cards hidden from a seat since one shuffle; return their number."""
    hidden = 0
    for other in range(1, s.seats + 1):
        p = s.players[other - 1]
        for slot in range(p.hand.count):
            if other != seat and p.since[slot] == since:
                s.pool[p.hand.cards[slot]] += 1
                hidden += 1
    for place in range(s.deck.count):
        if s.since[place] == since:
            s.pool[s.deck.cards[place]] += 1
            hidden += 1
    for place in range(s.buried.count):
        if s.buried_since[place] == since:
            s.pool[s.buried.cards[place]] += 1
            hidden += 1
    return hidden


@rule
def pick(s: State, hidden: int) -> int:
    """Take one of the `hidden` cards of the pool, all equally likely."""
    left = below(s, hidden)
    card = 0
    while left >= s.pool[card]:
        left -= s.pool[card]
        card += 1
    s.pool[card] -= 1
    return card


@rule
def deal_hands(s: State, seat: int, since: int, hidden: int) -> int:
    """Deal from the pool to the other hands, the best-known ones first; return how many cards are left."""
    for first in (True, False):
        for other in range(1, s.seats + 1):
            p = s.players[other - 1]
            if other == seat or (known_of(s, other) == Known.COMPLETE) != first:
                continue
            held = lift(p, since)
            deal_hand(s, other, since, held, hidden)
            hidden -= held
    return hidden


@rule
def lift(p: Player, since: int) -> int:
    """Take the cards hidden since one shuffle out of a hand; return their number."""
    kept = 0
    for slot in range(p.hand.count):
        if p.since[slot] != since:
            p.hand.cards[kept], p.since[kept] = p.hand.cards[slot], p.since[slot]
            kept += 1
    lifted = p.hand.count - kept
    p.hand.count = kept
    return lifted


@rule
def deal_hand(s: State, seat: int, since: int, held: int, hidden: int) -> None:
    """Deal `held` cards from the pool to a hand, until it matches what everyone knows about it."""
    p = s.players[seat - 1]
    for _ in range(TRIES if held > 0 else 0):
        for card in range(held):
            into_hand(p, pick(s, hidden - card), since)
        if fits_knowledge(s, seat):
            return
        return_to_pool(s, p, since)
    for card in range(held):
        into_hand(p, pick(s, hidden - card), since)


@rule
def return_to_pool(s: State, p: Player, since: int) -> None:
    """Put the cards of a hand hidden since one shuffle back into the pool."""
    for slot in range(p.hand.count):
        if p.since[slot] == since:
            s.pool[p.hand.cards[slot]] += 1
    lift(p, since)


@rule
def known_of(s: State, seat: int) -> int:
    """Return what everyone knows about the suits in a hand."""
    p = s.players[seat - 1]
    return p.known if p.standing == Standing.BUILDING and s.generation == 0 else NOTHING


@rule
def fits_knowledge(s: State, seat: int) -> bool:
    """Return whether a hand, with the card just put down, is complete or not as everyone knows."""
    known = known_of(s, seat)
    if known == Known.NOTHING:
        return True
    p = s.players[seat - 1]
    if s.phase == Phase.SOURCE and s.active == seat:
        into_hand(p, s.spent.cards[0], OPEN)
        complete = is_complete(p)
        out_of_hand(p, s.spent.cards[0])
    else:
        complete = is_complete(p)
    return complete == (known == Known.COMPLETE)


@rule
def deal_piles(s: State, since: int, hidden: int) -> None:
    """Deal the rest of the pool to the Rubble's unseen cards and the draw pile."""
    for place in range(s.buried.count):
        if s.buried_since[place] == since:
            s.buried.cards[place] = pick(s, hidden)
            hidden -= 1
    for place in range(s.deck.count):
        if s.since[place] == since:
            s.deck.cards[place] = pick(s, hidden)
            hidden -= 1

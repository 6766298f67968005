"""Move cards around Tower's table: hands, the draw pile, attacks and elimination."""

from __future__ import annotations

from bartizan.engine.bounds import smaller
from bartizan.engine.piles import find, pop, push, take
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.tower.options import ForcedLeftovers
from bartizan.games.tower.state import (
    AFTER_LAYING,
    JOKER,
    OPEN,
    SUITS,
    Player,
    Standing,
    State,
)
from bartizan.games.tower.values import suit_of

# --- Hands -------------------------------------------------------------------


@rule
def into_hand(p: Player, card: int, since: int) -> None:
    """Take a card into a hand; `since` tells how long it has been hidden, or that it is OPEN."""
    place = p.hand.count
    while place > 0 and p.hand.cards[place - 1] > card:
        p.hand.cards[place] = p.hand.cards[place - 1]
        p.since[place] = p.since[place - 1]
        place -= 1
    p.hand.cards[place] = card
    p.since[place] = since
    p.hand.count += 1


@rule
def out_of_hand(p: Player, card: int) -> None:
    """Take a card out of a hand, preferring a copy that everyone knows about."""
    place = find(p.hand, card)
    for other in range(place, p.hand.count):
        if p.hand.cards[other] == card and p.since[other] == OPEN:
            place = other
            break
    take(p.hand, place)
    for above in range(place, p.hand.count):
        p.since[above] = p.since[above + 1]


@rule
def put_down(s: State, p: Player, card: int) -> None:
    """Put a card down for this turn: set it aside, or put it on the discard pile (TWR-Q16)."""
    out_of_hand(p, card)
    if s.options.redraw_own_cards:
        push(s.discard, card)
    else:
        push(s.spent, card)


@rule
def clear_spent(s: State) -> None:
    """Put the cards that were set aside onto the discard pile, in the order played (TWR-Q16)."""
    for place in range(s.spent.count):
        push(s.discard, s.spent.cards[place])
    s.spent.count = 0


# --- The draw pile and its end (TWR-57, TWR-58) ------------------------------


@rule
def can_draw(s: State) -> bool:
    """Return whether a card is available from the draw pile, a renewed one too (TWR-57, TWR-Q17)."""
    return s.deck.count + s.discard.count + s.rubble.count + s.buried.count > 0


@rule
def shuffle_deck(s: State) -> None:
    """Shuffle the draw pile."""
    for last in range(s.deck.count - 1, 0, -1):
        other = below(s, last + 1)
        card, since = s.deck.cards[last], s.since[last]
        s.deck.cards[last], s.since[last] = s.deck.cards[other], s.since[other]
        s.deck.cards[other], s.since[other] = card, since


@rule
def renew_deck(s: State) -> None:
    """Shuffle the discard pile and the Rubble into a new draw pile (TWR-57, TWR-Q17)."""
    if s.discard.count + s.rubble.count + s.buried.count == 0:
        return
    s.generation = smaller(s.generation + 1, 127)
    for place in range(s.discard.count):
        onto_deck(s, s.discard.cards[place], s.generation)
    for place in range(s.rubble.count):
        onto_deck(s, s.rubble.cards[place], s.generation)
    for place in range(s.buried.count):  # these have been hidden for longer
        onto_deck(s, s.buried.cards[place], s.buried_since[place])
    s.discard.count, s.rubble.count, s.buried.count = 0, 0, 0
    shuffle_deck(s)


@rule
def onto_deck(s: State, card: int, since: int) -> None:
    """Put a card on the draw pile."""
    s.since[s.deck.count] = since
    push(s.deck, card)


@rule
def deal(s: State, seat: int) -> None:
    """Take the draw pile's top card into a hand."""
    card = pop(s.deck)
    into_hand(s.players[seat - 1], card, s.since[s.deck.count])


@rule
def draw_card(s: State, seat: int) -> None:
    """Draw a card from the draw pile; its last card ends Part 1 for everyone (TWR-57, TWR-58)."""
    if s.deck.count == 0:
        renew_deck(s)
    deal(s, seat)
    if s.deck.count == 0:
        run_out(s)


@rule
def run_out(s: State) -> None:
    """Make everyone who is still building lay a tower, renew the draw pile and deal (TWR-58, TWR-Q9)."""
    forced = 0
    for turn in range(s.seats):
        seat = (s.active - 1 + turn) % s.seats + 1
        if s.players[seat - 1].standing == Standing.BUILDING:
            lay_forced(s, seat)
            forced |= 1 << seat
    renew_deck(s)
    for turn in range(s.seats):
        seat = (s.active - 1 + turn) % s.seats + 1
        if forced >> seat & 1:
            deal_after_laying(s, seat)


@rule
def deal_after_laying(s: State, seat: int) -> None:
    """Deal three cards to a player who was forced to lay a tower (TWR-12, TWR-Q9)."""
    for _ in range(AFTER_LAYING):
        if s.deck.count > 0:
            deal(s, seat)
        if s.deck.count == 0:
            renew_deck(s)


# --- Laying a tower (TWR-9, TWR-11, TWR-58) ----------------------------------


@rule
def lay_level(p: Player, level: int, card: int) -> None:
    """Lay a card from the hand as a level."""
    out_of_hand(p, card)
    p.tower[level], p.damaged[level] = card, 0


@rule
def lay_tower(p: Player) -> None:
    """Lay the best tower that a hand can make; Jokers fill gaps from the bottom (TWR-9, TWR-58, TWR-Q8)."""
    for level in range(SUITS):
        for slot in range(p.hand.count):  # the high ranks come first
            card = p.hand.cards[slot]
            if card < JOKER and suit_of(card) == level:
                lay_level(p, level, card)
                break
    for level in range(SUITS):
        if p.tower[level] == EMPTY and find(p.hand, JOKER) != EMPTY:
            lay_level(p, level, JOKER)
    p.standing = Standing.DEFENDING


@rule
def lay_forced(s: State, seat: int) -> None:
    """Make a player lay the best tower they can; leftovers leave the hand (TWR-58, TWR-Q8, TWR-Q9)."""
    p = s.players[seat - 1]
    lay_tower(p)
    if s.options.forced_leftovers == ForcedLeftovers.DISCARD:
        for slot in range(p.hand.count):
            push(s.discard, p.hand.cards[slot])
        p.hand.count = 0


# --- Attacks in flight (TWR-20, TWR-56) --------------------------------------


@rule
def launch(s: State, sender: int, target: int, face: int) -> None:
    """Send a card as an attack (TWR-20)."""
    attack = s.attacks[s.flying]
    attack.sender, attack.target, attack.face = sender, target, face
    s.flying += 1


@rule
def land(s: State, number: int) -> None:
    """Resolve an attack in flight: its card goes to the Rubble (TWR-56)."""
    push(s.rubble, smaller(s.attacks[number].face, JOKER))
    s.flying -= 1
    for later in range(number, s.flying):
        s.attacks[later].sender = s.attacks[later + 1].sender
        s.attacks[later].target = s.attacks[later + 1].target
        s.attacks[later].face = s.attacks[later + 1].face


# --- Elimination (TWR-61) ----------------------------------------------------


@rule
def eliminate(s: State, seat: int) -> None:
    """Eliminate a player; the hand goes to the Rubble unseen (TWR-61, TWR-Q30)."""
    p = s.players[seat - 1]
    p.standing = Standing.OUT
    for slot in range(p.hand.count):
        if p.since[slot] == OPEN:
            push(s.rubble, p.hand.cards[slot])
        else:
            s.buried_since[s.buried.count] = p.since[slot]
            push(s.buried, p.hand.cards[slot])
    p.hand.count = 0
    s.left -= 1

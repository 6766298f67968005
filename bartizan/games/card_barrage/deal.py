"""Set a table of Card Barrage up (CB-6 to CB-14)."""

from __future__ import annotations

from bartizan.engine.piles import pop, push
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import below, shuffle
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.options import OddPlayers, WallSetup
from bartizan.games.card_barrage.state import (
    DOMAINS,
    KINDS,
    SEATS,
    SIDES,
    SOLO,
    UNTOLD,
    WALLS,
    WILD,
    Phase,
    State,
)
from bartizan.games.card_barrage.table import (
    DEALT,
    decks_in_play,
    forget_scored,
    is_simulacrum,
    is_untold,
    put_in_hand,
    side_of,
    starting_hand,
    wall_at,
)


@rule
def deal(s: State) -> None:
    """Set the table up, up to the first turn, or to the laying of the first walls (CB-Q6).

    Walls are laid one by one where they are chosen, and where they are real cards that the table is told.
    """
    seat_everybody(s)
    clear(s)
    set_up_castles(s)
    divide_cards(s)
    chosen = s.options.wall_setup == WallSetup.CHOSEN_FROM_9
    for seat in range(s.castles):
        if not is_untold(s) and (not chosen or is_simulacrum(s, seat)):
            deal_walls(s, seat)
    for seat in range(s.castles):
        if not is_simulacrum(s, seat):
            deal_hand(s, seat, starting_hand(s) + (s.slots if chosen else 0))
    s.first = below(s, s.castles)  # CB-14
    s.round = 1
    laid = chosen or is_untold(s)
    s.active = 0 if laid else s.first
    s.phase = Phase.WALLS if laid else Phase.BEGINNING


@rule
def seat_everybody(s: State) -> None:
    """Set how many seats, sides and walls there are for this number of people (CB-6, CB-11, CB-Q13)."""
    third_side = s.options.odd_players == OddPlayers.THIRD_SIDE
    odd = s.seats == 3 or s.seats == 5
    s.sides = SIDES if odd and third_side else 2
    s.castles = s.seats + 1 if s.seats == SOLO or (odd and not third_side) else s.seats
    s.slots = WALLS if s.seats <= 2 else (4 if s.seats <= 4 else 3)


@rule
def clear(s: State) -> None:
    """Empty every place that a card can lie in."""
    for place in range(SEATS * WALLS):
        s.wall[place], s.open[place] = EMPTY, EMPTY
    for seat in range(SEATS):
        s.castle[seat] = EMPTY
    forget_scored(s)


@rule
def set_up_castles(s: State) -> None:
    """Give every seat a wild card or, when these run out, a 1-value card at random (CB-9, CB-Q3)."""
    decks = decks_in_play(s)
    taken = 0  # 1-value cards
    for seat in range(s.castles):
        if seat < 2 * decks:
            s.castle[seat] = WILD
            continue
        if is_untold(s):
            s.castle[seat] = UNTOLD
            continue
        left = below(s, DOMAINS * decks - taken)  # that many 1-value cards are skipped
        for domain in range(DOMAINS):
            copies = decks - ones_taken(s, domain)
            if 0 <= left < copies:
                s.castle[seat] = domain
            left -= copies
        taken += 1


@rule
def ones_taken(s: State, card: int) -> int:
    """Return how many castles are 1-value cards of this kind."""
    taken = 0
    for seat in range(s.castles):
        taken += 1 if s.castle[seat] == card else 0
    return taken


@rule
def divide_cards(s: State) -> None:
    """Shuffle the other cards and give each side as many; the rest lies aside unseen (CB-10, CB-Q5)."""
    for card in range(KINDS):
        for _ in range(decks_in_play(s) - ones_taken(s, card)):
            push(s.aside, UNTOLD if is_untold(s) else card)
    for _ in range(ones_taken(s, UNTOLD)):
        pop(s.aside)
    shuffle(s, s.aside)
    share = s.aside.count // s.sides
    for side in range(s.sides):
        for _ in range(share):
            push(s.deck[side], pop(s.aside))


@rule
def deal_walls(s: State, seat: int) -> None:
    """Lay a seat's walls from the top of its deck, left to right (CB-12, CB-Q6)."""
    for slot in range(s.slots):
        s.wall[wall_at(seat, slot)] = pop(s.deck[side_of(s, seat)])


@rule
def deal_hand(s: State, seat: int, cards: int) -> None:
    """Draw a seat's first hand (CB-13)."""
    for _ in range(cards):
        put_in_hand(s.hand[seat], pop(s.deck[side_of(s, seat)]), DEALT)

"""Know who sits where, and move cards between hands, decks and piles."""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.piles import move_all, pop, push
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import shuffle
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.options import Companion, TargetPer, Throws
from bartizan.games.card_barrage.state import (
    DOMAINS,
    HAND_SIZE,
    KINDS,
    SEATS,
    SHARE,
    SIDES,
    SOLO,
    UNTOLD,
    WALLS,
    Hand,
    Phase,
    State,
)

# Where a hand card came from: one everyone has seen, one of the first deal, or, above these, from the
# n-th shuffle of a side's discard.
SHOWN, DEALT = -1, 0
MOST_SHUFFLES = 10_000


# --- Seats and sides (CB-6, CB-Q4, CB-Q8, CB-Q13) ----------------------------


@rule
def value(card: int) -> int:
    """Return the value of a card, 1 to 13."""
    return card // DOMAINS + 1


@rule
def side_of(s: State, seat: int) -> int:
    """Return the side of a seat: the sides alternate in the order of the seats."""
    return seat % s.sides


@rule
def is_simulacrum(s: State, seat: int) -> bool:
    """Return whether no one sits there: the opponent of a person alone (CB-46)."""
    return s.seats == SOLO and seat == 1


@rule
def person_of(s: State, seat: int) -> int:
    """Return who decides for a seat, from 1; the second one runs an extra seat (CB-Q13)."""
    if s.seats == SOLO:
        return 1
    return seat + 1 if seat < s.seats else 2


@rule
def keeper(s: State, seat: int) -> int:
    """Return the number of the score pile to which a seat adds (CB-Q14)."""
    return seat if s.options.target_per == TargetPer.SEAT else side_of(s, seat)


@rule
def wall_at(seat: int, slot: int) -> int:
    """Return the number of a seat's slot among all."""
    return seat * WALLS + slot


@rule
def stands(s: State, seat: int, slot: int) -> bool:
    """Return whether there is a wall in a slot of a seat."""
    return s.wall[wall_at(seat, slot)] != EMPTY


@rule
def count_walls(s: State, seat: int) -> int:
    """Return how many walls of a seat stand."""
    standing = 0
    for slot in range(s.slots):
        standing += 1 if stands(s, seat, slot) else 0
    return standing


@rule
def decks_in_play(s: State) -> int:
    """Return how many decks are mixed (CB-7, CB-Q2)."""
    return s.options.decks if s.options.decks > 0 else (s.seats + 1) // 2


# --- Real cards (companion mode) ---------------------------------------------


@rule
def is_untold(s: State) -> bool:
    """Return whether hands and decks are real cards, of which no one tells."""
    return s.options.companion == Companion.ON_TABLE


@rule
def is_thrown(s: State) -> bool:
    """Return whether cards are thrown at this table itself."""
    return s.options.throws == Throws.THROWN


@rule
def is_unseen(s: State, card: int) -> bool:
    """Return whether a card of this kind may lie in a hand or a deck: not all copies are in sight (CB-2)."""
    if card >= KINDS:
        return False
    observation = 0
    for wall in range(SEATS * WALLS):
        observation += 1 if s.wall[wall] == card else 0
    for seat in range(s.castles):
        observation += s.score[seat].cards[card] + (1 if s.castle[seat] == card else 0)
    return observation < decks_in_play(s)


@rule
def unseen_kinds(s: State) -> int:
    """Return a bit for each kind of card that may lie in a hand or a deck."""
    unseen = (1 << KINDS) - 1
    for wall in range(s.castles * WALLS):
        card = s.wall[wall]
        if card != EMPTY and not is_unseen(s, card):
            unseen &= ~(1 << card)
    for seat in range(s.castles):
        for card in range(KINDS if s.score[seat].count > 0 else 0):
            if s.score[seat].cards[card] > 0 and not is_unseen(s, card):
                unseen &= ~(1 << card)
    return unseen


@rule
def can_show(s: State, seat: int) -> bool:
    """Return whether a seat has a card to show, or is asked for one off the deck."""
    asked = s.phase == Phase.WALLS or s.phase == Phase.GIVE or s.phase == Phase.REPLACE
    return asked or s.hand[seat].count > 0


# --- Hands -------------------------------------------------------------------


@rule
def find_in_hand(h: Hand, card: int) -> int:
    """Return where in the hand a card of this kind lies, one that everyone has seen first; or EMPTY."""
    place_of_card = EMPTY
    for place in range(h.count):
        if h.cards[place] == card and (place_of_card == EMPTY or h.origin[place] == SHOWN):
            place_of_card = place
        elif h.cards[place] > card:
            break
    return place_of_card


@rule
def holds(s: State, seat: int, card: int) -> bool:
    """Return whether a seat has a card of this kind to lay or give, or may have, where hands are untold."""
    if is_untold(s):
        return can_show(s, seat) and is_unseen(s, card)
    return find_in_hand(s.hand[seat], card) != EMPTY


@rule
def can_drop(s: State, seat: int, card: int) -> bool:
    """Return whether a seat has a card of this kind to throw or discard; untold ones are not named."""
    return find_in_hand(s.hand[seat], card) != EMPTY


@rule
def put_in_hand(h: Hand, card: int, origin: int) -> None:
    """Take a card into the hand."""
    place = h.count
    while place > 0 and h.cards[place - 1] > card:
        h.cards[place] = h.cards[place - 1]
        h.origin[place] = h.origin[place - 1]
        h.above[place] = h.above[place - 1]
        place -= 1
    h.cards[place], h.origin[place], h.above[place] = card, origin, 0
    h.count += 1


@rule
def take_from_hand(h: Hand, card: int) -> None:
    """Take a card of this kind out of the hand, which has one; any card, if they are untold."""
    slot = find_in_hand(h, card)
    if slot == EMPTY:
        slot = h.count - 1
    h.count -= 1
    for place in range(slot, h.count):
        h.cards[place] = h.cards[place + 1]
        h.origin[place] = h.origin[place + 1]
        h.above[place] = h.above[place + 1]
    h.cards[h.count], h.origin[h.count], h.above[h.count] = 0, 0, 0


@rule
def put_back(s: State, seat: int, card: int) -> None:
    """Take a wall back into the hand, which everyone sees; where hands are untold it is soon forgotten."""
    if is_untold(s):
        put_in_hand(s.hand[seat], UNTOLD, DEALT)
    else:
        put_in_hand(s.hand[seat], card, SHOWN)


@rule
def discard_card(s: State, seat: int, card: int) -> None:
    """Put a card on the discard of a seat's side (CB-10, CB-50)."""
    push(s.discard[side_of(s, seat)], card)


@rule
def discard_from_hand(s: State, seat: int, card: int) -> None:
    """Discard a hand card of a seat."""
    take_from_hand(s.hand[seat], card)
    discard_card(s, seat, card)


# --- Decks (CB-16, CB-17) ----------------------------------------------------


@rule
def has_card(s: State, side: int) -> bool:
    """Return whether a side has a card to draw, if need be after shuffling (CB-Q10)."""
    return s.deck[side].count > 0 or s.discard[side].count > 0


@rule
def top_card(s: State, side: int) -> int:
    """Take the top card of a side's deck, remade from its discard when it is empty; or EMPTY (CB-17)."""
    if s.deck[side].count == 0:
        if s.discard[side].count == 0:
            return EMPTY
        move_all(s.discard[side], s.deck[side])
        shuffle(s, s.deck[side])
        s.shuffles[side] = smaller(s.shuffles[side] + 1, MOST_SHUFFLES)
    return pop(s.deck[side])


@rule
def take_shown(s: State, seat: int, card: int) -> None:
    """Take a card that is laid or given out of a seat's hand; off the deck, where a hand is empty."""
    if s.hand[seat].count > 0:
        take_from_hand(s.hand[seat], card)
    else:
        top_card(s, side_of(s, seat))


@rule
def origin_of_deck(s: State, side: int) -> int:
    """Return from where the cards of a side's deck come."""
    return DEALT if s.shuffles[side] == 0 else s.shuffles[side] * SIDES + side


@rule
def draw_card(s: State, seat: int) -> bool:
    """Draw a card from the own side's deck and say whether there was one to draw (CB-Q9, CB-Q10)."""
    h = s.hand[seat]
    limit = s.options.hand_limit if s.options.hand_limit > 0 else SHARE
    if h.count >= limit:
        return False
    card = top_card(s, side_of(s, seat))
    if card == EMPTY:
        return False
    put_in_hand(h, card, origin_of_deck(s, side_of(s, seat)))
    return True


@rule
def can_draw(s: State, seat: int) -> bool:
    """Return whether a seat could draw a card."""
    below_limit = s.options.hand_limit == 0 or s.hand[seat].count < s.options.hand_limit
    return below_limit and has_card(s, side_of(s, seat))


@rule
def starting_hand(s: State) -> int:
    """Return how many cards a hand begins with (CB-13); no draw goes above the limit."""
    return HAND_SIZE if s.options.hand_limit == 0 else smaller(HAND_SIZE, s.options.hand_limit)


# --- Scoring (CB-34 to CB-38) ------------------------------------------------


@rule
def score_card(s: State, seat: int, card: int) -> None:
    """Put a card on a seat's score pile and remember it as one of this attack's (CB-35, CB-38)."""
    pile = s.score[keeper(s, seat)]
    pile.cards[card] += 1
    pile.count += 1
    if s.newly == 1 and s.scored[0] > card:
        s.scored[0], s.scored[1] = card, s.scored[0]
    else:
        s.scored[s.newly] = card
    s.newly += 1


@rule
def forget_scored(s: State) -> None:
    """Settle the offer of an effect: this attack's cards are like any other."""
    s.newly = 0
    s.scored[0], s.scored[1] = EMPTY, EMPTY


@rule
def score_point(s: State, seat: int) -> None:
    """Score a point (CB-34)."""
    s.score[keeper(s, seat)].points += 1


@rule
def most_points(s: State) -> int:
    """Return the points of the side, or seat, that has most."""
    most = 0
    for each in range(s.castles):
        most = larger(most, s.score[each].points)
    return most

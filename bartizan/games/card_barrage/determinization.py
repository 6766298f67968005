"""Re-deal what a person cannot know, consistently with all that person has seen (CB-41).

Unseen are the other people's hands, the decks and the cards set aside.  Hand cards carry what the others
know of them: `SHOWN` ones went there before everyone's eyes; one of the first deal may be any card that has
not been seen since; one drawn after a side's n-th shuffle may be any card of that shuffle that is still
unseen.  `above` is a value that a card exceeds, or its player would have had to replace a wall with it
(CB-42).  Cards change places only among places of like origin, and never against that.
"""

from __future__ import annotations

from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.state import HIGHEST, SEATS, SIDES, WILD, Hand, State
from bartizan.games.card_barrage.table import DEALT, SHOWN, origin_of_deck, person_of, side_of, value

PASSES = 2  # how often the unseen cards are mixed; more than once, as `above` may refuse a change of places


@rule
def knows_hand(s: State, person: int, seat: int) -> bool:
    """Return whether a person sees a seat's hand: an own one, or a teammate's in the open (CB-Q16)."""
    if person_of(s, seat) == person:
        return True
    return s.options.open_team_hands == 1 and side_of(s, seat) == side_of(s, person - 1)


@rule
def determinize(s: State, seat: int) -> None:
    """Re-deal every card that person `seat` cannot know, with the record's own random stream."""
    places = count_places(s)
    for _ in range(PASSES):
        for place in range(places - 1, 0, -1):
            mix(s, seat, place, below(s, place + 1))
    for each in range(s.castles):
        sort_hand(s.hand[each])


@rule
def count_places(s: State) -> int:
    """Return how many cards lie in hands, decks and aside."""
    places = s.aside.count + 0
    for seat in range(s.castles):
        places += s.hand[seat].count
    for side in range(s.sides):
        places += s.deck[side].count
    return places


@rule
def heap_of(s: State, place: int) -> tuple[int, int]:
    """Return in which heap a place is, and where: hands come first, then the decks, then the cards aside."""
    for seat in range(s.castles):
        if place < s.hand[seat].count:
            return seat, place
        place -= s.hand[seat].count
    for side in range(s.sides):
        if place < s.deck[side].count:
            return SEATS + side, place
        place -= s.deck[side].count
    return SEATS + SIDES, place


@rule
def origin_at(s: State, person: int, heap: int, place: int) -> int:
    """Return where the card at a place came from; what the person sees counts as shown."""
    if heap < SEATS:
        return SHOWN if knows_hand(s, person, heap) else s.hand[heap].origin[place]
    return origin_of_deck(s, heap - SEATS) if heap < SEATS + SIDES else DEALT


@rule
def above_at(s: State, heap: int, place: int) -> int:
    """Return the value that the card at a place is known to exceed."""
    return s.hand[heap].above[place] if heap < SEATS else 0


@rule
def card_at(s: State, heap: int, place: int) -> int:
    """Return the card at a place."""
    if heap < SEATS:
        return s.hand[heap].cards[place]
    return s.deck[heap - SEATS].cards[place] if heap < SEATS + SIDES else s.aside.cards[place]


@rule
def put_at(s: State, heap: int, place: int, card: int) -> None:
    """Lay a card at a place."""
    if heap < SEATS:
        s.hand[heap].cards[place] = card
    elif heap < SEATS + SIDES:
        s.deck[heap - SEATS].cards[place] = card
    else:
        s.aside.cards[place] = card


@rule
def mix(s: State, person: int, one: int, other: int) -> None:
    """Let the cards of two places change places if the person can tell nothing of it."""
    heap, place = heap_of(s, one)
    other_heap, other_place = heap_of(s, other)
    origin = origin_at(s, person, heap, place)
    if origin == SHOWN or origin != origin_at(s, person, other_heap, other_place):
        return
    card, other_card = card_at(s, heap, place), card_at(s, other_heap, other_place)
    fits_there = value(card) > above_at(s, other_heap, other_place)
    if fits_there and value(other_card) > above_at(s, heap, place):
        put_at(s, heap, place, other_card)
        put_at(s, other_heap, other_place, card)


@rule
def sort_hand(h: Hand) -> None:
    """Bring a hand back into ascending order; what is known of a card goes with it."""
    for place in range(1, h.count):
        card, origin, above = h.cards[place], h.origin[place], h.above[place]
        lower = place
        while lower > 0 and h.cards[lower - 1] > card:
            h.cards[lower], h.origin[lower] = h.cards[lower - 1], h.origin[lower - 1]
            h.above[lower] = h.above[lower - 1]
            lower -= 1
        h.cards[lower], h.origin[lower], h.above[lower] = card, origin, above


# --- Forgetting ------------------------------------------------------------------


@rule
def forget(s: State, seat: int) -> None:
    """Lay what person `seat` cannot know in an order that depends on nothing but what the person knows.

    Among places of like origin those that are known to hold the highest cards get the highest, so all is true
    that was; the hands are left unsorted, until `determinize` has dealt them again.
    """
    for each in range(s.castles):
        if not knows_hand(s, seat, each):
            order_hand(s.hand[each])
    places = count_places(s)
    place, above = -1, HIGHEST + 1
    for _ in range(places):
        place, above = place_after(s, places, place, above)
        give_highest(s, seat, places, place, above)


@rule
def order_hand(h: Hand) -> None:
    """Bring a hand into the order of what others know of its cards."""
    for last in range(1, h.count):
        lower = last
        while lower > 0 and rank_of_entry(h, lower) < rank_of_entry(h, lower - 1):
            below_it = lower - 1
            h.cards[lower], h.cards[below_it] = h.cards[below_it], h.cards[lower]
            h.origin[lower], h.origin[below_it] = h.origin[below_it], h.origin[lower]
            h.above[lower], h.above[below_it] = h.above[below_it], h.above[lower]
            lower -= 1


@rule
def rank_of_entry(h: Hand, place: int) -> int:
    """Return a number that is the same for hand cards of which others know the same."""
    shown = h.cards[place] if h.origin[place] == SHOWN else 0
    return ((h.origin[place] - SHOWN) * (HIGHEST + 1) + h.above[place]) * (WILD + 1) + shown


@rule
def above_in(s: State, place: int) -> int:
    """Return the value that the card at a place is known to exceed."""
    heap, spot = heap_of(s, place)
    return above_at(s, heap, spot)


@rule
def place_after(s: State, places: int, place: int, above: int) -> tuple[int, int]:
    """Return the next place in the order of what is known of it, the highest first, and that value."""
    following, highest = -1, -1
    for other in range(places):
        value_there = above_in(s, other)
        comes_later = value_there < above or (value_there == above and other > place)
        if comes_later and value_there > highest:
            following, highest = other, value_there
    return following, highest


@rule
def give_highest(s: State, seat: int, places: int, place: int, above: int) -> None:
    """Exchange the card at a place with the highest of like origin among those that come later."""
    heap, spot = heap_of(s, place)
    origin = origin_at(s, seat, heap, spot)
    if origin == SHOWN:
        return
    best_heap, best_spot = heap, spot
    for other in range(places):
        other_heap, other_spot = heap_of(s, other)
        value_there = above_at(s, other_heap, other_spot)
        comes_later = value_there < above or (value_there == above and other > place)
        if comes_later and origin_at(s, seat, other_heap, other_spot) == origin:
            if card_at(s, other_heap, other_spot) > card_at(s, best_heap, best_spot):
                best_heap, best_spot = other_heap, other_spot
    card = card_at(s, heap, spot)
    put_at(s, heap, spot, card_at(s, best_heap, best_spot))
    put_at(s, best_heap, best_spot, card)

"""Say what a program observes of Card-cassonne's table, and what its actions are about.

Cards and vacant places stand in rows, with their x and y from the starter: the table has no edge, and planes
that hold every place that a card might reach would be nearly empty.  Seats are told from the observer on:
1 is its own, 2 the next, 0 no one.  A spectator sees with seat 1, but no hand.
"""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.observation import (
    ObservationLayout,
    TokenLayout,
    group,
    put_figure,
    put_no_more,
    put_verb,
)
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.areas import (
    NO_AREA,
    area_at,
    area_beside,
    balance,
    spaces_filled,
    spaces_made,
)
from bartizan.games.card_cassonne.cells import rank_of, suit_of, x_of, y_of
from bartizan.games.card_cassonne.options import CARDS, HAND
from bartizan.games.card_cassonne.state import (
    ACTIONS,
    FACES,
    FRONTIER,
    SEATS,
    Phase,
    State,
)

RANKS, SUITS = 14, 4
OF_HAND = RANKS + SUITS
OF_CARD = 10
OF_PLACE = 6
OF_SEAT = 6
HUNDRED = 100

OBSERVATION = ObservationLayout(
    hand=group(HAND, OF_HAND, private=True, meaning="hand cards by slot: rank from 1 to Ace (14), suit (4)"),
    cards=group(
        CARDS,
        OF_CARD,
        low=-127,
        high=127,
        meaning="cards on the table in the order of play: x, y, rank, suit, who played it, whose token lies "
        "there, whose token scored there at the end of the last turn; its area's cards, empty spaces, cards "
        "when last scored",
    ),
    frontier=group(
        FRONTIER,
        OF_PLACE,
        low=-127,
        high=127,
        meaning="vacant places beside cards: whether there is one, x, y, least and greatest rank that fits, "
        "suit that fits or -1",
    ),
    seats=group(
        SEATS,
        OF_SEAT,
        low=-127,
        high=127,
        meaning="points: hundreds, the rest; points ahead of the best other; cards in hand; tokens left; "
        "whether it is to move",
    ),
    unseen=group(FACES, high=2, meaning="cards by face, Ac, Ad … 2s, that do not lie on the table"),
    phase=group(len(Phase), meaning="what is waited for: a card, a token, scoring, over"),
    figures=group(
        4,
        low=-127,
        high=127,
        meaning="cards in the deck, set aside, on the table; the number of the card just played or -1",
    ),
)
HANDS = OBSERVATION.first("hand")
LAID = OBSERVATION.first("cards")
OPEN_PLACES = OBSERVATION.first("frontier")
SEATED = OBSERVATION.first("seats")
UNSEEN_FACES = OBSERVATION.first("unseen")
PHASE = OBSERVATION.first("phase")
FIGURES = OBSERVATION.first("figures")


@rule
def relative(s: State, seat: int, other: int) -> int:
    """Return 1 for the observer's own seat, 2 for the next …; 0 for no one."""
    return 0 if other == 0 else 1 + (other - (seat if seat > 0 else 1) + s.seats) % s.seats


@rule
def observe(s: State, seat: int, out: Array) -> None:
    """Write what a seat, or a spectator (0), observes of a blanked table to `out` (int8, zeros)."""
    for face in range(FACES):
        out[UNSEEN_FACES + face] = 2
    for number in range(s.laid):
        put_card(s, seat, number, out)
    for place in range(s.frontier):
        put_place(s, place, out)
    for other in range(1, s.seats + 1):
        put_seat(s, other, SEATED + (relative(s, seat, other) - 1) * OF_SEAT, out)
    if seat > 0:
        put_hand(s, seat, out)
    out[PHASE + s.phase] = 1
    put_figure(out, FIGURES, s.deck.count)
    put_figure(out, FIGURES + 1, s.aside.count)
    put_figure(out, FIGURES + 2, s.laid)
    put_figure(out, FIGURES + 3, s.last)


@rule
def put_card(s: State, seat: int, number: int, out: Array) -> None:
    """Write a card on the table."""
    at, area = LAID + number * OF_CARD, s.area[number]
    put_figure(out, at, s.x[number])
    put_figure(out, at + 1, s.y[number])
    out[at + 2] = rank_of(s, s.face[number])
    out[at + 3] = suit_of(s.face[number])
    out[at + 4] = relative(s, seat, s.layer[number])
    out[at + 5] = relative(s, seat, s.token[number])
    out[at + 6] = relative(s, seat, s.closing[number])
    put_figure(out, at + 7, s.size[area])
    put_figure(out, at + 8, s.spaces[area])
    put_figure(out, at + 9, s.scored[area])
    out[UNSEEN_FACES + s.face[number]] -= 1


@rule
def put_place(s: State, place: int, out: Array) -> None:
    """Write a vacant place to which a card may go."""
    at, y = OPEN_PLACES + place * OF_PLACE, y_of(s, s.cell[place])
    out[at] = 1
    put_figure(out, at + 1, x_of(s, s.cell[place]))
    put_figure(out, at + 2, y)
    out[at + 3] = s.low[place]
    out[at + 4] = s.high[place]
    out[at + 5] = s.suit[place]


@rule
def put_seat(s: State, other: int, at: int, out: Array) -> None:
    """Write what all know of a seat."""
    player = s.players[other - 1]
    best = -1_000
    for rival in range(s.seats):
        if rival + 1 != other:
            best = larger(best, s.players[rival].score)
    put_figure(out, at, player.score // HUNDRED)
    put_figure(out, at + 1, player.score % HUNDRED)
    put_figure(out, at + 2, player.score - best)
    put_figure(out, at + 3, player.hand.count)
    put_figure(out, at + 4, player.supply)
    out[at + 5] = 1 if s.to_move == other else 0


@rule
def put_hand(s: State, seat: int, out: Array) -> None:
    """Write the observer's hand, slot by slot."""
    hand = s.players[seat - 1].hand
    for slot in range(smaller(hand.count, HAND)):
        face = hand.cards[slot]
        out[HANDS + slot * OF_HAND + rank_of(s, face) - 1] = 1
        out[HANDS + slot * OF_HAND + RANKS + suit_of(face)] = 1


# --- What actions are about -----------------------------------------------------

REACH = 127  # steps from the starter in each direction
OPENINGS = 63  # the most empty spaces that are told apart
LEAD = 3  # the most tokens ahead that are told apart
LEADS = 2 * LEAD + 2  # no token at all, then from behind to ahead
BESIDE = 15  # the most cards of an area of another suit that are told apart
TOKENS = TokenLayout(
    width=11,
    verb=len(ACTIONS.blocks),
    card=FACES,  # that is played, or the corner of the area that is scored
    x=2 * REACH + 1,  # 127 is the starter's
    y=2 * REACH + 1,
    size=CARDS + 1,  # of the area that the card makes, that the token goes to or that is scored
    spaces=OPENINGS + 1,  # of the same area, empty
    lead=LEADS,  # of the same area: no token, or how many more the mover has there than all others, from -3
    hemmed=BESIDE * LEADS * 2,  # an area of another suit beside the card: cards, lead, whether it is complete
)
CARD = TOKENS.first("card")
X = TOKENS.first("x")
Y = TOKENS.first("y")
SIZE = TOKENS.first("size")
SPACES = TOKENS.first("spaces")
LEADING = TOKENS.first("lead")
HEMMED = TOKENS.first("hemmed")
AREA = 4  # where the tokens of an area begin in a row
OTHERS = 7  # and those of the areas beside it


@rule
def put_cell(s: State, cell: int, out: Array) -> None:
    """Write where a cell is."""
    out[2] = X + REACH + larger(-REACH, smaller(x_of(s, cell), REACH))
    out[3] = Y + REACH + larger(-REACH, smaller(y_of(s, cell), REACH))


@rule
def lead_of(tokens: int, ahead: int) -> int:
    """Return the number of a lead: `tokens` lie in an area, and `ahead` are the mover's minus all others'."""
    return 0 if tokens == 0 else 1 + LEAD + larger(-LEAD, smaller(ahead, LEAD))


@rule
def put_area(size: int, spaces: int, tokens: int, ahead: int, out: Array) -> None:
    """Write how large an area is, how open it is, and whose it is."""
    out[AREA] = SIZE + size
    out[AREA + 1] = SPACES + larger(0, smaller(spaces, OPENINGS))
    out[AREA + 2] = LEADING + lead_of(tokens, ahead)


@rule
def tokens_of_play(s: State, slot: int, cell: int, out: Array) -> None:
    """Write which card goes where, the area that it makes, and the areas that it hems in or completes."""
    out[1] = CARD + s.players[s.to_move - 1].hand.cards[slot]
    put_cell(s, cell, out)
    suit = suit_of(s.players[s.to_move - 1].hand.cards[slot])
    size, tokens, ahead, others = 1, 0, 0, 0
    for direction in range(4):
        area = area_beside(s, cell, direction)
        if area == NO_AREA:
            continue
        if suit_of(s.face[area]) == suit:
            size += s.size[area]
            tokens += s.tokens[area]
            ahead += balance(s, area)
        else:
            lead = lead_of(s.tokens[area], balance(s, area))
            cards = smaller(s.size[area], BESIDE) - 1
            closes = 1 if s.spaces[area] == spaces_filled(s, area, cell) else 0
            out[OTHERS + others] = HEMMED + (cards * LEADS + lead) * 2 + closes
            others += 1
    put_area(size, spaces_made(s, suit, cell), tokens, ahead, out)


@rule
def tokens_of_token(s: State, out: Array) -> None:
    """Write which area the token goes to."""
    area = s.area[s.last]
    put_area(s.size[area], s.spaces[area], s.tokens[area], balance(s, area), out)


@rule
def tokens_of_score(s: State, cell: int, out: Array) -> None:
    """Write which area is scored."""
    put_cell(s, cell, out)
    area = area_at(s, cell)
    if area != NO_AREA:
        out[1] = CARD + s.face[s.corner[area]]
        put_area(s.size[area], s.spaces[area], s.tokens[area], balance(s, area), out)


tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, otherwise=put_no_more, more=("out",))

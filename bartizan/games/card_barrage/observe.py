"""Say what a program observes of Card Barrage's table, and what its actions are about.

Seats are told from the observer on: 0 is its own, 1 the next; so are sides: 0 is its own.  A spectator sees
with seat 1, but no hand.  All is read from a table that `blank` has been at (see ``visibility.py``).
"""

from __future__ import annotations

from bartizan.engine.bounds import smaller
from bartizan.engine.observation import (
    ObservationLayout,
    TokenLayout,
    group,
    put_bit,
    put_cards,
    put_figure,
    put_no_more,
    put_verb,
)
from bartizan.engine.record import EMPTY, Array
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.determinization import knows_hand
from bartizan.games.card_barrage.options import TargetPer
from bartizan.games.card_barrage.state import (
    ACTIONS,
    DOMAINS,
    KINDS,
    MISS,
    PER_SEAT,
    SEATS,
    SIDES,
    THROWABLE,
    WALLS,
    Phase,
    State,
)
from bartizan.games.card_barrage.table import person_of, side_of, wall_at

OF_WALL = 4 + DOMAINS
OF_CASTLE = DOMAINS + 9
OF_PILE = 2 + KINDS

OBSERVATION = ObservationLayout(
    walls=group(
        SEATS,
        WALLS,
        OF_WALL,
        high=13,
        meaning="wall by slot: its value or 0, domain (4); whether it was destroyed and may be replaced, "
        "whether it does not lie where it should, whether the slot is lost",
    ),
    castles=group(
        SEATS,
        OF_CASTLE,
        low=-127,
        high=127,
        meaning="the castle's value, domain (4); cards in hand; whether it decides now, its turn, first "
        "player, owes a card; whether the observer decides for it; whether it has won; walls standing",
    ),
    hands=group(
        SEATS,
        THROWABLE,
        high=112,
        private=True,
        meaning="hands that the observer knows whole, by kind: 1k, 1s, 1t, 1v, 2k … 13v, wild, untold",
    ),
    shown=group(SEATS, THROWABLE, high=112, meaning="cards in other hands that everyone has seen, by kind"),
    piles=group(
        SEATS,
        OF_PILE,
        low=-127,
        high=127,
        meaning="score piles, of each side or of each seat: points, cards, cards by kind",
    ),
    sides=group(SIDES, 3, low=-127, high=127, meaning="cards in the deck, in the discard, shuffles so far"),
    discards=group(SIDES, THROWABLE, high=112, meaning="discard piles by kind"),
    scored=group(2, THROWABLE, meaning="cards scored by this attack, while an effect is offered"),
    phase=group(
        len(Phase),
        meaning="what is waited for: nothing (3), first walls, a turn, a card to give, an effect, a discard, "
        "a wall to replace, the simulacrum's card, over",
    ),
    figures=group(
        9,
        low=-127,
        high=127,
        meaning="round; built, upgraded, attacked this turn; whether the end has been triggered; castles, "
        "sides, walls of each castle; cards set aside",
    ),
    stormed=group(SIDES, meaning="sides that hit a castle without walls, where that wins"),
)
WALLED = OBSERVATION.first("walls")
CASTLES = OBSERVATION.first("castles")
HANDS = OBSERVATION.first("hands")
SHOWN_CARDS = OBSERVATION.first("shown")
PILES = OBSERVATION.first("piles")
SIDED = OBSERVATION.first("sides")
DISCARDED = OBSERVATION.first("discards")
SCORED = OBSERVATION.first("scored")
PHASE = OBSERVATION.first("phase")
FIGURES = OBSERVATION.first("figures")
STORMED = OBSERVATION.first("stormed")


@rule
def relative(s: State, seat: int, castle: int) -> int:
    """Return how many castles after that of person `seat` one is; a spectator counts from the first."""
    return (castle - (seat - 1 if seat > 0 else 0) + s.castles) % s.castles


@rule
def relative_side(s: State, seat: int, side: int) -> int:
    """Return how many sides after that of person `seat` one is."""
    own = side_of(s, seat - 1) if seat > 0 else 0
    return (side - own + s.sides) % s.sides


@rule
def observe(s: State, seat: int, out: Array) -> None:
    """Write what a person, or a spectator (0), observes of a blanked table to `out` (int8, zeros)."""
    for castle in range(s.castles):
        place = relative(s, seat, castle)
        put_walls(s, castle, place, out)
        put_castle(s, seat, castle, place, out)
        h = s.hand[castle]
        known = seat > 0 and knows_hand(s, seat, castle)
        put_cards(out, (HANDS if known else SHOWN_CARDS) + place * THROWABLE, THROWABLE, h.cards, h.count)
        if s.options.target_per == TargetPer.SEAT:
            put_pile(s, castle, place, out)
    for side in range(s.sides):
        place = relative_side(s, seat, side)
        if s.options.target_per == TargetPer.SIDE:
            put_pile(s, side, place, out)
        put_figure(out, SIDED + place * 3, s.deck[side].count)
        put_figure(out, SIDED + place * 3 + 1, s.discard[side].count)
        put_figure(out, SIDED + place * 3 + 2, s.shuffles[side])
        pile = s.discard[side]
        put_cards(out, DISCARDED + place * THROWABLE, THROWABLE, pile.cards, pile.count)
        put_bit(out, STORMED + place, s.stormed >> side & 1 == 1)
    for number in range(smaller(s.newly, 2)):
        put_bit(out, SCORED + number * THROWABLE + s.scored[number], s.scored[number] != EMPTY)
    put_figures(s, out)


@rule
def put_walls(s: State, castle: int, place: int, out: Array) -> None:
    """Write the walls of a castle."""
    for slot in range(s.slots):
        at, wall = WALLED + (place * WALLS + slot) * OF_WALL, wall_at(castle, slot)
        put_kind(out, at, s.wall[wall])
        put_bit(out, at + 1 + DOMAINS, s.open[wall] != EMPTY)
        put_bit(out, at + 2 + DOMAINS, s.moved >> wall & 1 == 1)
        put_bit(out, at + 3 + DOMAINS, s.lost >> wall & 1 == 1)


@rule
def put_kind(out: Array, at: int, card: int) -> None:
    """Write a card's value, then its domain; of no card, nothing."""
    if 0 <= card < KINDS:
        out[at] = card // DOMAINS + 1
        out[at + 1 + card % DOMAINS] = 1


@rule
def put_castle(s: State, seat: int, castle: int, place: int, out: Array) -> None:
    """Write what all know of a castle and who sits there."""
    at = CASTLES + place * OF_CASTLE
    standing = 0
    for slot in range(s.slots):
        standing += 1 if s.wall[wall_at(castle, slot)] != EMPTY else 0
    put_kind(out, at, s.castle[castle])
    at += 1 + DOMAINS
    put_figure(out, at, s.hand[castle].count)
    put_bit(out, at + 1, s.to_move == castle)
    put_bit(out, at + 2, s.active == castle)
    put_bit(out, at + 3, s.first == castle)
    put_bit(out, at + 4, s.gives >> castle & 1 == 1)
    put_bit(out, at + 5, seat > 0 and person_of(s, castle) == seat)
    put_bit(out, at + 6, s.winners >> side_of(s, castle) & 1 == 1)
    out[at + 7] = standing


@rule
def put_pile(s: State, keeper: int, place: int, out: Array) -> None:
    """Write a score pile."""
    at, pile = PILES + place * OF_PILE, s.score[keeper]
    put_figure(out, at, pile.points)
    put_figure(out, at + 1, pile.count)
    for card in range(KINDS):
        out[at + 2 + card] = pile.cards[card]


@rule
def put_figures(s: State, out: Array) -> None:
    """Write what is counted."""
    out[PHASE + s.phase] = 1
    put_figure(out, FIGURES, s.round)
    put_figure(out, FIGURES + 1, s.built)
    put_figure(out, FIGURES + 2, s.upgraded)
    put_figure(out, FIGURES + 3, s.attacked)
    put_figure(out, FIGURES + 4, s.ending)
    put_figure(out, FIGURES + 5, s.castles)
    put_figure(out, FIGURES + 6, s.sides)
    put_figure(out, FIGURES + 7, s.slots)
    put_figure(out, FIGURES + 8, s.aside.count)


# --- What actions are about -----------------------------------------------------

TOKENS = TokenLayout(
    width=5,
    verb=len(ACTIONS.blocks),
    card=THROWABLE,  # that is built, thrown, given, discarded
    slot=WALLS,
    leave=2,  # whether an upgrade leaves the old wall
    hit=1 + PER_SEAT,  # what a throw does: nothing, or what to one seat
    seat=SEATS,  # the target, counted from the mover
    scored=THROWABLE,  # the scored card whose effect is used
    turned=2,
)
CARD = TOKENS.first("card")
SLOT = TOKENS.first("slot")
LEAVE = TOKENS.first("leave")
DONE = TOKENS.first("hit")
SEAT = TOKENS.first("seat")
EFFECT = TOKENS.first("scored")
TURNED = TOKENS.first("turned")


@rule
def put_card_token(s: State, card: int, out: Array) -> None:
    """Write which card it is about."""
    out[1] = CARD + card


@rule
def tokens_of_build(s: State, card: int, slot: int, out: Array) -> None:
    """Write which card is built where."""
    out[1], out[2] = CARD + card, SLOT + slot


@rule
def tokens_of_upgrade(s: State, slot: int, card: int, leave: int, out: Array) -> None:
    """Write which wall is upgraded with what."""
    out[1], out[2], out[3] = CARD + card, SLOT + slot, LEAVE + leave


@rule
def tokens_of_report(s: State, card: int, verdict: int, variant: int, out: Array) -> None:
    """Write which card is thrown and what it does."""
    out[1], out[2] = CARD + card, DONE
    if verdict != MISS:
        out[2] = DONE + 1 + (verdict - 1) % PER_SEAT
        out[3] = SEAT + (((verdict - 1) // PER_SEAT) - s.active + SEATS) % SEATS


@rule
def tokens_of_replace(s: State, slot: int, card: int, out: Array) -> None:
    """Write which destroyed wall is replaced with what."""
    out[1], out[2] = CARD + card, SLOT + slot


@rule
def tokens_of_draw(s: State, scored: int, out: Array) -> None:
    """Write which scored card's effect is used."""
    if s.scored[scored] != EMPTY:
        out[1] = EFFECT + s.scored[scored]


@rule
def tokens_of_exchange(s: State, scored: int, slot: int, card: int, out: Array) -> None:
    """Write which wall is exchanged for what."""
    tokens_of_draw(s, scored, out)
    out[2], out[3] = SLOT + slot, CARD + card


@rule
def tokens_of_erect(s: State, scored: int, card: int, slot: int, out: Array) -> None:
    """Write which wall is erected where."""
    tokens_of_exchange(s, scored, slot, card, out)


@rule
def tokens_of_pick(s: State, scored: int, seat: int, out: Array) -> None:
    """Write the seat that an effect targets."""
    tokens_of_draw(s, scored, out)
    out[2] = SEAT + (seat - s.active + SEATS) % SEATS


@rule
def tokens_of_turn_up(s: State, hit: int, out: Array) -> None:
    """Write what the revealed card did."""
    out[1] = TURNED + hit


tokens_of_give = tokens_of_discard = put_card_token
tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, otherwise=put_no_more, more=("out",))

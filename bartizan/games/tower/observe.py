"""Define what a program observes of Tower's table, and the tokens of its actions.

Seats are told from the observer on: 0 is its own, 1 the next.  A spectator sees with seat 1, but no hand.
All is read from a table that `blank` has been at (see ``visibility.py``).
"""

from __future__ import annotations

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
from bartizan.games.tower.state import (
    ACTIONS,
    ATTACKS,
    CARDS,
    FACES,
    JOKER,
    OPEN,
    SEATS,
    SUITS,
    Phase,
    State,
)
from bartizan.games.tower.values import attack_rank, rank_of, suit_of

RANKS = 13
LEVEL = RANKS + 2  # ranks 2 to Ace, Joker, damaged
STANDINGS = 3
OF_SEAT = STANDINGS + 5
OF_ATTACK = 2 * SEATS + SUITS + 1

OBSERVATION = ObservationLayout(
    towers=group(
        SEATS,
        SUITS,
        LEVEL,
        meaning="levels from the Foundation up: rank from 2 to Ace (13), Joker, whether it is damaged",
    ),
    seats=group(
        SEATS,
        OF_SEAT,
        low=-127,
        high=127,
        meaning="whether it builds, defends, is out; cards in hand; turns; whether all know its hand to be "
        "complete, or incomplete; whether it is to move",
    ),
    attacks=group(
        ATTACKS,
        OF_ATTACK,
        high=14,
        meaning="attacks in flight in the order of their launch: sender (6), target (6), suit (5), strength: "
        "2 to 13, Ace 1, Joker 0",
    ),
    hand=group(CARDS, high=8, private=True, meaning="own cards by kind: Ar, Ap … 2l, Joker"),
    open_hands=group(SEATS, CARDS, high=8, meaning="cards in each hand that everyone saw it take"),
    discard=group(CARDS, high=4, meaning="cards in the discard pile by kind"),
    top_discards=group(2, CARDS, meaning="its top card and the one below"),
    spent=group(CARDS, high=8, meaning="cards put down this turn by kind"),
    rubble=group(CARDS, high=4, meaning="cards in the Rubble that everyone has seen"),
    phase=group(
        len(Phase),
        meaning="what is waited for: nothing, exchanging, where from, laying, which hit, plays, draws, "
        "a defence, over",
    ),
    active=group(SEATS, meaning="whose turn it is, and whose turn an extra one interrupts (`last_turn`)"),
    figures=group(
        9,
        low=-127,
        high=127,
        meaning="cards in the draw pile, the discard, unseen ones in the Rubble; plays left, deflections; "
        "whether something was mended; draws left, draws that must be made; renewals of the draw pile",
    ),
)
TOWERS = OBSERVATION.first("towers")
SEATED = OBSERVATION.first("seats")
FLYING = OBSERVATION.first("attacks")
HAND = OBSERVATION.first("hand")
OPEN_HANDS = OBSERVATION.first("open_hands")
DISCARDED = OBSERVATION.first("discard")
TOP_DISCARDS = OBSERVATION.first("top_discards")
SPENT = OBSERVATION.first("spent")
RUBBLE = OBSERVATION.first("rubble")
PHASE = OBSERVATION.first("phase")
ACTIVE = OBSERVATION.first("active")
FIGURES = OBSERVATION.first("figures")


@rule
def relative(s: State, seat: int, other: int) -> int:
    """Return how many seats after `seat`, or after seat 1 for a spectator, another seat is."""
    return (other - (seat if seat > 0 else 1) + s.seats) % s.seats


@rule
def observe(s: State, seat: int, out: Array) -> None:
    """Write what a seat, or a spectator (0), observes of a blanked table to `out` (int8, zeros)."""
    for other in range(1, s.seats + 1):
        put_seat(s, other, relative(s, seat, other), out)
    if seat > 0:
        hand = s.players[seat - 1].hand
        put_cards(out, HAND, CARDS, hand.cards, hand.count)
    for number in range(s.flying):
        put_attack(s, seat, number, out)
    put_cards(out, DISCARDED, CARDS, s.discard.cards, s.discard.count)
    for depth in range(2 if s.discard.count > 1 else s.discard.count):
        out[TOP_DISCARDS + depth * CARDS + s.discard.cards[s.discard.count - 1 - depth]] = 1
    put_cards(out, SPENT, CARDS, s.spent.cards, s.spent.count)
    put_cards(out, RUBBLE, CARDS, s.rubble.cards, s.rubble.count)
    out[PHASE + s.phase] = 1
    out[ACTIVE + relative(s, seat, s.active)] = 1
    if s.waiting > 0:
        out[ACTIVE + relative(s, seat, s.waiting)] = 1
    put_figures(s, out)


@rule
def put_figures(s: State, out: Array) -> None:
    """Write the figures."""
    put_figure(out, FIGURES, s.deck.count)
    put_figure(out, FIGURES + 1, s.discard.count)
    put_figure(out, FIGURES + 2, s.buried.count)
    put_figure(out, FIGURES + 3, s.plays_left)
    put_figure(out, FIGURES + 4, s.deflected)
    put_figure(out, FIGURES + 5, s.mended)
    put_figure(out, FIGURES + 6, s.draws_left)
    put_figure(out, FIGURES + 7, s.draws_must)
    put_figure(out, FIGURES + 8, s.generation)


@rule
def put_seat(s: State, other: int, place: int, out: Array) -> None:
    """Write what everyone sees of a seat."""
    p = s.players[other - 1]
    for level in range(SUITS):
        at = TOWERS + (place * SUITS + level) * LEVEL
        card = p.tower[level]
        if card != EMPTY:
            out[at + (RANKS if card >= JOKER else rank_of(card) - 2)] = 1
            out[at + RANKS + 1] = p.damaged[level]
    at = SEATED + place * OF_SEAT
    out[at + p.standing] = 1
    put_figure(out, at + STANDINGS, p.hand.count)
    put_figure(out, at + STANDINGS + 1, p.turns)
    if p.known > 0:
        out[at + STANDINGS + 1 + p.known] = 1
    put_bit(out, at + OF_SEAT - 1, s.to_move == other)
    for slot in range(p.hand.count):
        if p.since[slot] == OPEN and p.hand.cards[slot] >= 0:
            out[OPEN_HANDS + place * CARDS + p.hand.cards[slot]] += 1


@rule
def put_attack(s: State, seat: int, number: int, out: Array) -> None:
    """Write an attack in flight."""
    flying = s.attacks[number]
    at = FLYING + number * OF_ATTACK
    out[at + relative(s, seat, flying.sender)] = 1
    out[at + SEATS + relative(s, seat, flying.target)] = 1
    out[at + 2 * SEATS + suit_of(flying.face)] = 1
    out[at + 2 * SEATS + SUITS] = attack_rank(flying.face)


# --- Tokens of actions -----------------------------------------------------------

TOKENS = TokenLayout(
    width=4,
    verb=len(ACTIONS.blocks),
    card=FACES,  # of the card put down; Jokers by the suit they count as
    seat=SEATS,  # counted from the mover: the target of an attack
    attacking=FACES,  # the attack that deflects or hits
    level=SUITS,
)
CARD = TOKENS.first("card")
SEAT = TOKENS.first("seat")
ATTACKING = TOKENS.first("attacking")
LEVEL_HIT = TOKENS.first("level")


@rule
def put_card_token(s: State, card: int, out: Array) -> None:
    """Write the action's card."""
    out[1] = CARD + card


@rule
def tokens_of_take(s: State, out: Array) -> None:
    """Write the discard pile's top card."""
    if s.discard.count > 0:
        out[1] = CARD + s.discard.cards[s.discard.count - 1]


@rule
def tokens_of_attack(s: State, target: int, face: int, out: Array) -> None:
    """Write the card and the target."""
    put_card_token(s, face, out)
    out[2] = SEAT + relative(s, s.to_move, target + 1)


@rule
def tokens_of_deflect(s: State, attack: int, card: int, out: Array) -> None:
    """Write the attack and the card."""
    put_card_token(s, card, out)
    out[2] = ATTACKING + s.attacks[attack].face
    out[3] = SEAT + relative(s, s.to_move, s.attacks[attack].target)


@rule
def tokens_of_hit(s: State, attack: int, level: int, out: Array) -> None:
    """Write the attack and the level."""
    out[1], out[2] = ATTACKING + s.attacks[attack].face, LEVEL_HIT + level


tokens_of_exchange = tokens_of_repair = tokens_of_rebuild = tokens_of_discard = put_card_token
tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, otherwise=put_no_more, more=("out",))

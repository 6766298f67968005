"""Say what a program observes of Alcazar's table, and what its actions are about.

Everything is read from a table from which `blank` has erased hidden information (see ``visibility.py``). That
works for finished games too, although the tower may be gone. Hand cards are listed by slot, as actions name
them. A card's effect depends on its rank and on whether it has the colour of the tower's top. A small network
hardly learns that from suits alone, so both are given.
"""

from __future__ import annotations

from bartizan.engine import bits
from bartizan.engine.bounds import larger, smaller
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
from bartizan.engine.piles import top
from bartizan.engine.record import EMPTY, Array, table
from bartizan.engine.rule import rule
from bartizan.games.alcazar.defence import worth_of
from bartizan.games.alcazar.rules import attack_of, attack_strength
from bartizan.games.alcazar.state import (
    ACTIONS,
    ARMIES,
    HAND_SLOTS,
    JOKER,
    PAIR_HIGH,
    PAIR_LOW,
    PLACES,
    Phase,
    State,
)
from bartizan.games.alcazar.values import defence_cost, enemy_value, is_red, tower_value, value

RANKS = 13
CARD = RANKS + 4  # a card: its rank, from deuce to Ace, and its suit
CARDS = 54
KINDS = 2 * RANKS + 1  # of cards as the top sees them: of its colour, of the other, Jokers
MOST_OVER = 15  # by which a defence is told to be stronger than it must be
LEVELS = 6  # cards of the tower that are told, from the top
LAID = 3  # Advantages, a third while one of them must go
OF_HAND = CARD + 2
OF_ENEMY = 5 + CARD

OBSERVATION = ObservationLayout(
    hand=group(
        HAND_SLOTS,
        OF_HAND,
        private=True,
        meaning="hand card by slot: rank from 2 to Ace (13), clubs, diamonds, hearts, spades, "
        "whether a Jack fetched it, whether it has the colour of the tower's top",
    ),
    enemies=group(
        PLACES,
        OF_ENEMY,
        high=127,
        meaning="right front, right rear, then left and top: whether there is a card, whether it is face "
        "up, its effective value, what it takes to beat it; its rank (13), its suit (4); whether it has the "
        "colour of the tower's top",
    ),
    tower=group(
        LEVELS,
        1 + CARD,
        meaning="the tower from its top: whether there is a card; its rank (13) and suit (4), where known",
    ),
    advantages=group(LAID, CARD, meaning="Advantages in the order in which they were laid: rank, suit"),
    unseen=group(
        CARDS, meaning="cards, Ac, Ad … 2s, two Jokers, of which the player does not know the place"
    ),
    discard=group(CARDS, meaning="cards in the discard pile"),
    top_discards=group(2, CARD, meaning="its top card and the one below: rank, suit"),
    deck_known=group(CARDS, meaning="cards that are known to lie in the deck"),
    aside=group(CARDS, meaning="cards out of the game"),
    in_sight=group(4, high=12, meaning="face-up enemies of rank J, Q, K, A"),
    phase=group(
        len(Phase),
        meaning="what is waited for: nothing, the Bard's card, an action, a discard, a choice, over",
    ),
    figures=group(
        11,
        low=-127,
        high=127,
        meaning="cards in the deck, the discard, the tower, the hand; rounds; times the deck ran out; rounds "
        "without a change; whether the Jack traded; defences, repairs, specials of this turn",
    ),
    armies=group(ARMIES, high=127, meaning="what the right, left and top army bring to the attack"),
    attack=group(
        2,
        low=-127,
        high=127,
        meaning="strength of the attack as it stands, -1 if there is none; what it must lose for the "
        "top to hold",
    ),
)
HAND = OBSERVATION.first("hand")
ENEMIES = OBSERVATION.first("enemies")
TOWER = OBSERVATION.first("tower")
ADVANTAGES = OBSERVATION.first("advantages")
UNSEEN_CARDS = OBSERVATION.first("unseen")
DISCARDED = OBSERVATION.first("discard")
TOP_DISCARDS = OBSERVATION.first("top_discards")
DECK_KNOWN = OBSERVATION.first("deck_known")
ASIDE = OBSERVATION.first("aside")
IN_SIGHT = OBSERVATION.first("in_sight")
PHASE = OBSERVATION.first("phase")
FIGURES = OBSERVATION.first("figures")
ARMY = OBSERVATION.first("armies")
ATTACK = OBSERVATION.first("attack")


@rule
def observe(s: State, seat: int, out: Array) -> None:
    """Write what the player, or a spectator (0), observes of a blanked table to `out` (int8, zeros)."""
    if seat > 0:
        put_hand(s, out)
    put_enemies(s, out)
    for depth in range(smaller(s.tower.count, LEVELS)):
        out[TOWER + depth * (1 + CARD)] = 1
        put_card(out, TOWER + depth * (1 + CARD) + 1, s.tower.cards[s.tower.count - 1 - depth])
    for slot in range(smaller(s.advantages.count, LAID)):
        put_card(out, ADVANTAGES + slot * CARD, s.advantages.cards[slot])
    put_cards(out, DISCARDED, CARDS, s.discard.cards, s.discard.count)
    put_cards(out, DECK_KNOWN, CARDS, s.deck.cards, s.deck.count)
    put_cards(out, ASIDE, CARDS, s.aside.cards, s.aside.count)
    for depth in range(smaller(s.discard.count, 2)):
        put_card(out, TOP_DISCARDS + depth * CARD, s.discard.cards[s.discard.count - 1 - depth])
    for card in range(JOKER + (2 if s.options.havoc else 0)):
        put_bit(out, UNSEEN_CARDS + card, s.known[card] == 0)
    put_figures(s, out)


@rule
def put_card(out: Array, at: int, card: int) -> None:
    """Write a card's rank and suit; of a Joker, and of an unknown card, nothing."""
    if 0 <= card < JOKER:
        out[at + value(card) - 2] = 1
        out[at + RANKS + (card & 3)] = 1


@rule
def put_hand(s: State, out: Array) -> None:
    """Write the hand, slot by slot."""
    for slot in range(smaller(s.hand.count, HAND_SLOTS)):
        at = HAND + slot * OF_HAND
        put_card(out, at, s.hand.cards[slot])
        for other in range(s.borrowed.count):
            put_bit(out, at + CARD, s.borrowed.cards[other] == s.hand.cards[slot])
        put_bit(out, at + CARD + 1, has_colour_of_top(s, s.hand.cards[slot]))


@rule
def put_enemies(s: State, out: Array) -> None:
    """Write the enemies, place by place."""
    for place in range(PLACES):
        at = ENEMIES + place * OF_ENEMY
        card = s.enemy[place]
        put_bit(out, at, card != EMPTY)
        if card >= 0 and s.face_up[place]:
            out[at + 1] = 1
            if card < JOKER:
                put_figure(out, at + 2, enemy_value(s, place))
                put_figure(out, at + 3, defence_cost(s, place))
        put_card(out, at + 4, card)
        put_bit(out, at + 4 + CARD, has_colour_of_top(s, card))


@rule
def has_colour_of_top(s: State, card: int) -> bool:
    """Return whether a known card has the colour of the tower's top."""
    seen = top(s.tower)
    return 0 <= card < JOKER and 0 <= seen < JOKER and is_red(card) == is_red(seen)


@rule
def put_figures(s: State, out: Array) -> None:
    """Write what is counted."""
    out[PHASE + s.phase] = 1
    for rank in range(4):
        put_figure(out, IN_SIGHT + rank, smaller(s.in_sight[rank], 12))
    put_figure(out, FIGURES, s.deck.count)
    put_figure(out, FIGURES + 1, s.discard.count)
    put_figure(out, FIGURES + 2, s.tower.count)
    put_figure(out, FIGURES + 3, s.hand.count)
    put_figure(out, FIGURES + 4, s.round)
    put_figure(out, FIGURES + 5, s.passes)
    put_figure(out, FIGURES + 6, s.still)
    put_figure(out, FIGURES + 7, s.traded)
    put_figure(out, FIGURES + 8, s.defences)
    put_figure(out, FIGURES + 9, s.repairs)
    put_figure(out, FIGURES + 10, s.specials)
    for army in range(ARMIES):
        put_figure(out, ARMY + army, larger(attack_of(s, army), 0))
    put_figure(out, ATTACK, attack_strength(s))
    if s.tower.count > 0:
        put_figure(out, ATTACK + 1, larger(attack_strength(s) - tower_value(top(s.tower)) + 1, 0))


# --- What actions are about -----------------------------------------------------

TOKENS = TokenLayout(
    width=3 + HAND_SLOTS,
    verb=len(ACTIONS.blocks),
    place=PLACES,
    card=KINDS,  # that is played: the enemy's opponent, the special, what repairs, what is discarded
    paying=KINDS,
    fetched=KINDS,
    replaced=3,  # 0: none
    over=MOST_OVER + 1,  # by how much a defence is stronger than it must be
)
PLACE = TOKENS.first("place")
PLAYED = TOKENS.first("card")
PAYING = TOKENS.first("paying")
FETCHED = TOKENS.first("fetched")
REPLACED = TOKENS.first("replaced")
OVER = TOKENS.first("over")
LOW, HIGH = table(PAIR_LOW), table(PAIR_HIGH)


@rule
def kind(s: State, card: int) -> int:
    """Return what a card is as the top sees it: its rank, of the top's colour or of the other."""
    if card >= JOKER:
        return KINDS - 1
    return value(card) - 2 + (0 if has_colour_of_top(s, card) else RANKS)


@rule
def held(s: State, slot: int) -> int:
    """Return what the hand card in a slot is."""
    return kind(s, s.hand.cards[slot])


@rule
def tokens_of_defend(s: State, place: int, cards: int, variant: int, out: Array) -> None:
    """Write which enemy is met with which cards, and how much they waste."""
    out[1] = PLACE + place
    out[2] = OVER + larger(0, smaller(worth_of(s, cards) - defence_cost(s, place), MOST_OVER))
    n = 3
    while cards != 0:
        out[n] = PLAYED + held(s, bits.lowest(cards))
        cards &= cards - 1
        n += 1


@rule
def tokens_of_fortify(s: State, slot: int, paying: int, out: Array) -> None:
    """Write which special is played and which card pays for it."""
    out[1], out[2] = PLAYED + held(s, slot), PAYING + held(s, paying)


@rule
def tokens_of_missile(s: State, slot: int, place: int, paying: int, out: Array) -> None:
    """Write what strikes which enemy."""
    tokens_of_fortify(s, slot, paying, out)
    out[3] = PLACE + place


@rule
def tokens_of_swap(s: State, slot: int, pair: int, paying: int, out: Array) -> None:
    """Write which enemies change places."""
    tokens_of_fortify(s, slot, paying, out)
    out[3], out[4] = PLACE + LOW[pair], PLACE + HIGH[pair]


@rule
def tokens_of_reinforce(s: State, slot: int, card: int, paying: int, out: Array) -> None:
    """Write which card is fetched."""
    tokens_of_fortify(s, slot, paying, out)
    out[3] = FETCHED + kind(s, card)


@rule
def tokens_of_advantage(s: State, slot: int, paying: int, replacing: int, out: Array) -> None:
    """Write which Advantage is laid, and for which."""
    tokens_of_fortify(s, slot, paying, out)
    out[3] = REPLACED + replacing


@rule
def put_card_token(s: State, slot: int, out: Array) -> None:
    """Write which card it is about."""
    out[1] = PLAYED + held(s, slot)


@rule
def tokens_of_forfeit(s: State, advantage: int, out: Array) -> None:
    """Write which Advantage goes down first."""
    out[1] = REPLACED + advantage + 1


tokens_of_repair = tokens_of_trade = tokens_of_discard = put_card_token
tokens = ACTIONS.rule("tokens", "tokens_of_{}", before=put_verb, otherwise=put_no_more, more=("out",))

"""Play Alcazar's specials: at once, or laid down as Advantages (ALC-28 to ALC-33, ALC-43 to ALC-54)."""

from __future__ import annotations

from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import find, pop, push, remove, take, tuck
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.alcazar.options import ActionsPerTurn, ReinforcementStay, TradeLimit
from bartizan.games.alcazar.state import ACE, ADVANTAGES, JACK, KING, PAIR_HIGH, PAIR_LOW, QUEEN, State
from bartizan.games.alcazar.table import (
    discard_from_hand,
    draw_card,
    into_hand,
    note_empty_deck,
    out_of_hand,
    take_enemy,
    to_discard,
    turn_top_up,
    why_no_action,
)
from bartizan.games.alcazar.values import has_advantage, is_red, is_special, necromancers, value

# --- Playing specials (ALC-28 to ALC-33) -------------------------------------

NECROMANCY = code("ALC-60")
NOT_SPECIAL = code("ALC-28")
WRONG_PAYMENT = code("ALC-30")
WRONG_ADVANTAGE_PAYMENT = code("ALC-31")
TWO_ALREADY = code("ALC-32")
SAME_KIND = code("ALC-33")
NOT_A_MISSILE = code("ALC-43")
NOT_A_SWAP = code("ALC-44")
NOT_A_FORTIFY = code("ALC-45")
NOT_A_REINFORCEMENT = code("ALC-46")


@rule
def why_not_special(s: State, slot: int) -> int:
    """Return why a hand card cannot be played as a special (ALC-28, ALC-60)."""
    if slot >= s.hand.count or not is_special(s.hand.cards[slot]):
        return NOT_SPECIAL
    return NECROMANCY if necromancers(s) > 0 else OK


@rule
def why_not_instant(s: State, slot: int, rank: int, clause: int) -> int:
    """Return why a hand card cannot be played instantly as a `rank` (ALC-17, ALC-43 to ALC-46)."""
    refused = why_no_action(s, s.specials)
    if refused == OK:
        refused = why_not_special(s, slot)
    if refused != OK:
        return refused
    return OK if value(s.hand.cards[slot]) == rank else clause


@rule
def why_not_pay(s: State, slot: int, paying: int) -> int:
    """Return why a hand card cannot pay for an instant: another card, same colour (ALC-30)."""
    if paying >= s.hand.count or paying == slot:
        return WRONG_PAYMENT
    return OK if is_red(s.hand.cards[paying]) == is_red(s.hand.cards[slot]) else WRONG_PAYMENT


@rule
def why_not_pay_advantage(s: State, slot: int, paying: int) -> int:
    """Return why a hand card cannot pay for an Advantage: another card, same suit (ALC-31)."""
    if paying >= s.hand.count or paying == slot:
        return WRONG_ADVANTAGE_PAYMENT
    return OK if s.hand.cards[paying] % 4 == s.hand.cards[slot] % 4 else WRONG_ADVANTAGE_PAYMENT


# --- Instant effects (ALC-43 to ALC-47) --------------------------------------


@rule
def why_no_hit(s: State, place: int, clause: int) -> int:
    """Return whether a face-up enemy stands at `place` (ALC-43, ALC-44, ALC-Q22)."""
    return OK if s.enemy[place] != EMPTY and s.face_up[place] else clause


@rule
def why_not_missile(s: State, slot: int, place: int, paying: int) -> int:
    """Return why an ace cannot strike `place` (ALC-43)."""
    refused = why_not_instant(s, slot, ACE, NOT_A_MISSILE)
    if refused == OK:
        refused = why_no_hit(s, place, NOT_A_MISSILE)
    return refused if refused != OK else why_not_pay(s, slot, paying)


@rule
def missile(s: State, slot: int, place: int, paying: int) -> None:
    """Ace: remove one face-up enemy (ALC-43); payment, effect, special (ALC-Q14)."""
    s.specials += 1
    ace = s.hand.cards[slot]
    discard_from_hand(s, s.hand.cards[paying])
    to_discard(s, take_enemy(s, place))
    discard_from_hand(s, ace)


@rule
def why_not_swap(s: State, slot: int, pair: int, paying: int) -> int:
    """Return why a king cannot swap these two places (ALC-44)."""
    refused = why_not_instant(s, slot, KING, NOT_A_SWAP)
    if refused == OK:
        refused = why_no_hit(s, PAIR_LOW[pair], NOT_A_SWAP)
    if refused == OK:
        refused = why_no_hit(s, PAIR_HIGH[pair], NOT_A_SWAP)
    return refused if refused != OK else why_not_pay(s, slot, paying)


@rule
def swap(s: State, slot: int, pair: int, paying: int) -> None:
    """King: two face-up enemies trade places (ALC-44)."""
    s.specials += 1
    king = s.hand.cards[slot]
    discard_from_hand(s, s.hand.cards[paying])
    one, two = PAIR_LOW[pair], PAIR_HIGH[pair]
    s.enemy[one], s.enemy[two] = s.enemy[two], s.enemy[one]
    discard_from_hand(s, king)


@rule
def why_not_fortify(s: State, slot: int, paying: int) -> int:
    """Return why a queen cannot fortify (ALC-45)."""
    refused = why_not_instant(s, slot, QUEEN, NOT_A_FORTIFY)
    return refused if refused != OK else why_not_pay(s, slot, paying)


@rule
def fortify(s: State, slot: int, paying: int) -> None:
    """Queen: the tower's top goes to its bottom; then the new top acts (ALC-45, ALC-Q23)."""
    s.specials += 1
    queen = s.hand.cards[slot]
    discard_from_hand(s, s.hand.cards[paying])
    tuck(s.tower, pop(s.tower))
    discard_from_hand(s, queen)
    turn_top_up(s)


@rule
def why_not_reinforce(s: State, slot: int, card: int, paying: int) -> int:
    """Return why a jack cannot fetch `card`; the payment itself can be fetched (ALC-46, ALC-Q20)."""
    refused = why_not_instant(s, slot, JACK, NOT_A_REINFORCEMENT)
    if refused == OK:
        refused = why_not_pay(s, slot, paying)
    if refused != OK or s.hand.cards[paying] == card or find(s.discard, card) != EMPTY:
        return refused
    return NOT_A_REINFORCEMENT


@rule
def reinforce(s: State, slot: int, card: int, paying: int) -> None:
    """Jack: take a card from the discard for this turn (ALC-46); it may leave the special unused (ALC-47)."""
    if s.options.actions_per_turn != ActionsPerTurn.ONE_OF_EACH:
        s.specials += 1
    jack = s.hand.cards[slot]
    discard_from_hand(s, s.hand.cards[paying])
    remove(s.discard, card)
    into_hand(s, card)
    if s.options.reinforcement == ReinforcementStay.THIS_TURN:
        push(s.borrowed, card)
    discard_from_hand(s, jack)


# --- Advantages (ALC-48 to ALC-54) -------------------------------------------

NO_TRADE = code("ALC-54")


@rule
def why_not_advantage(s: State, slot: int, paying: int, replacing: int) -> int:
    """Return why a special cannot be laid down (ALC-31 to ALC-33, ALC-Q19); `replacing` counts from 1."""
    refused = why_no_action(s, s.specials)
    if refused == OK:
        refused = why_not_special(s, slot)
    if refused != OK:
        return refused
    if replacing > 0 and (not s.options.advantage_replace or replacing > s.advantages.count):
        return TWO_ALREADY
    for other in range(s.advantages.count):
        if other != replacing - 1 and value(s.advantages.cards[other]) == value(s.hand.cards[slot]):
            return SAME_KIND
    if replacing == 0 and s.advantages.count >= ADVANTAGES:
        return TWO_ALREADY
    return why_not_pay_advantage(s, slot, paying)


@rule
def advantage(s: State, slot: int, paying: int, replacing: int) -> None:
    """Lay a special down; the payment goes to the discard first, then what it replaces."""
    s.specials += 1
    card = s.hand.cards[slot]
    discard_from_hand(s, s.hand.cards[paying])
    if replacing > 0:
        to_discard(s, take(s.advantages, replacing - 1))
    out_of_hand(s, card)
    push(s.advantages, card)


@rule
def why_not_trade(s: State, slot: int) -> int:
    """Return why a hand card cannot be traded (ALC-54, ALC-Q21)."""
    if not has_advantage(s, JACK) or slot >= s.hand.count or s.deck.count == 0:
        return NO_TRADE
    return NO_TRADE if s.traded and s.options.trade_limit == TradeLimit.ONE else OK


@rule
def trade(s: State, slot: int) -> None:
    """Discard a hand card and draw a new one (ALC-54)."""
    s.traded = 1
    discard_from_hand(s, s.hand.cards[slot])
    draw_card(s)
    note_empty_deck(s)

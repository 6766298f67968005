"""Rule what a player does with plain cards: defend against an enemy, repair the tower (ALC-19 to ALC-27b)."""

from __future__ import annotations

from bartizan.engine import bits
from bartizan.engine.bounds import larger
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import top, tuck
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.alcazar.options import (
    Overpay,
    SpecialRepair,
    TraitorTies,
)
from bartizan.games.alcazar.specials import NECROMANCY
from bartizan.games.alcazar.state import (
    ACE,
    ACTIONS,
    ARMIES,
    FRONT,
    HAND_SLOTS,
    JACK,
    KING,
    QUEEN,
    REAR,
    State,
)
from bartizan.games.alcazar.table import (
    discard_from_hand,
    out_of_hand,
    take_enemy,
    to_discard,
    why_no_action,
)
from bartizan.games.alcazar.values import (
    defence_cost,
    defence_value,
    enemy_value,
    has_advantage,
    is_red,
    is_special,
    nearest_repair,
    specials_are_useless,
    tower_limit,
    tower_top_is,
    tower_value,
    value,
)

# --- Defend (ALC-19 to ALC-24) -----------------------------------------------

NOT_OPPOSITE = code("ALC-19")
TOO_LITTLE = code("ALC-20")
TOO_LITTLE_FOR_REAR = code("ALC-22")
TRAITOR = code("ALC-58")
NO_ACE = code("ALC-66c")


@rule
def why_no_target(s: State, place: int) -> int:
    """Return why no defence can aim at `place` (ALC-19, ALC-Q11, ALC-58)."""
    refused = why_no_action(s, s.defences)
    if refused != OK:
        return refused
    if s.enemy[place] == EMPTY or not s.face_up[place]:
        return NOT_OPPOSITE
    return TRAITOR if is_shielded(s, place) else OK


@rule
def is_shielded(s: State, place: int) -> bool:
    """Return whether a Traitor shields this enemy (ALC-58, ALC-Q33)."""
    if not tower_top_is(s, JACK) or place & 1 == REAR or is_red(s.enemy[place]) == is_red(top(s.tower)):
        return False
    mine = enemy_value(s, place)
    for army in range(ARMIES):
        other = 2 * army + FRONT
        if other == place or s.enemy[other] == EMPTY or not s.face_up[other]:
            continue
        if is_red(s.enemy[other]) != is_red(s.enemy[place]):
            continue
        theirs = enemy_value(s, other)
        if theirs > mine or (theirs == mine and s.options.traitor_ties == TraitorTies.ONE):
            return False
    return True


@rule
def why_not_in_defence(s: State, enemy: int, card: int) -> int:
    """Return why a hand card cannot help to beat an enemy card (ALC-19, ALC-66c, ALC-48)."""
    if value(card) == ACE:
        return NO_ACE
    if specials_are_useless(s) and is_special(card):
        return NECROMANCY
    if not has_advantage(s, ACE) and is_red(card) == is_red(enemy):
        return NOT_OPPOSITE
    return OK


@rule
def shield(s: State) -> int:
    """Return what a Shield adds to each card in a defence (ALC-49)."""
    return 1 if has_advantage(s, KING) else 0


@rule
def defence_of(s: State, card: int) -> int:
    """Return what a card adds to a defence."""
    return defence_value(card) + shield(s)


@rule
def worth_of(s: State, cards: int) -> int:
    """Return what a subset of the hand is worth in a defence."""
    total = shield(s) * bits.count(cards)
    while cards != 0:
        total += defence_value(s.hand.cards[bits.lowest(cards)])
        cards &= cards - 1
    return total


@rule
def why_not_enough(s: State, place: int, cost: int, cards: int) -> int:
    """Return whether the cards' total reaches what the enemy costs (ALC-20 to ALC-23)."""
    total = worth_of(s, cards)
    if total < cost:
        return TOO_LITTLE_FOR_REAR if place & 1 == REAR and total >= cost - 1 else TOO_LITTLE
    if s.options.overpay == Overpay.MINIMAL and has_surplus(s, cost, cards):
        return TOO_LITTLE
    return OK


@rule
def has_surplus(s: State, cost: int, cards: int) -> bool:
    """Return whether the cards would do without one of them (ALC-Q12: `overpay`)."""
    total = worth_of(s, cards)
    for slot in range(s.hand.count):  # noqa: SIM110 - compiled code takes no generators
        if cards >> slot & 1 and total - worth_of(s, 1 << slot) >= cost:
            return True
    return False


@rule
def why_not_defend(s: State, place: int, cards: int, order: int) -> int:
    """Return why these hand cards, in any order, cannot beat the enemy at `place`."""
    refused = why_no_target(s, place)
    if refused != OK:
        return refused
    if cards == 0 or cards >> s.hand.count != 0:
        return NOT_OPPOSITE
    for slot in range(s.hand.count):
        if cards >> slot & 1:
            refused = why_not_in_defence(s, s.enemy[place], s.hand.cards[slot])
            if refused != OK:
                return refused
    return why_not_enough(s, place, defence_cost(s, place), cards)


@rule
def defend(s: State, place: int, cards: int, order: int) -> None:
    """Pay in the order named, then the beaten enemy goes on top (ALC-Q14)."""
    s.defences += 1
    pay_cards(s, cards, order)
    to_discard(s, take_enemy(s, place))


@rule
def pay_cards(s: State, cards: int, order: int) -> None:
    """Discard a subset of the hand in the order named.

    `order` numbers the orders of the subset from 0 (as the cards lie in the
    hand) to its factorial less one, in lexicographic order.
    """
    left = 0
    for slot in range(HAND_SLOTS):
        left += cards >> slot & 1
    orders = 1  # of those that follow the next card
    for factor in range(2, left):
        orders *= factor
    while left > 0:
        slot = nth_slot(cards, order // orders)
        discard_from_hand(s, s.hand.cards[slot])
        below_it = (1 << slot) - 1
        cards = (cards & below_it) | (cards >> 1 & ~below_it)  # the hand closed up
        order %= orders
        left -= 1
        orders //= larger(left, 1)


@rule
def variants_of_defend(s: State, place: int, cards: int, order: int) -> int:
    """Return in how many orders a subset of the hand can be paid."""
    number = 1
    for factor in range(2, bits.count(cards) + 1):
        number *= factor
    return number


variants = ACTIONS.rule("variants", "variants_of_{}", otherwise=1)  # ALC-Q14


@rule
def nth_slot(cards: int, n: int) -> int:
    """Return the slot of the card number `n`, from 0, of a subset of the hand."""
    slot = 0
    while n > 0 or not cards >> slot & 1:
        n -= cards >> slot & 1
        slot += 1
    return slot


# --- Repair (ALC-25 to ALC-27b) ----------------------------------------------

NO_MATCH = code("ALC-25")
TOWER_FULL = code("ALC-27")
TOO_FAR_FOR_REVIVE = code("ALC-50")
WRONG_COLOUR_FOR_REVIVE = code("ALC-51")
TOWER_FULL_AT_SIX = code("ALC-52")


@rule
def why_not_repair(s: State, slot: int) -> int:
    """Return why a hand card cannot repair (ALC-25, ALC-27, ALC-50 to ALC-52, ALC-Q15, ALC-Q16)."""
    refused = why_no_action(s, s.repairs)
    if refused != OK:
        return refused
    if slot >= s.hand.count:
        return NO_MATCH
    revive = has_advantage(s, QUEEN)
    if s.tower.count >= tower_limit(s):
        return TOWER_FULL_AT_SIX if revive else TOWER_FULL
    card = s.hand.cards[slot]
    if is_special(card) and specials_are_useless(s):
        return NECROMANCY
    if is_special(card) and s.options.special_repair == SpecialRepair.NONE:
        return NO_MATCH
    if is_red(card) != is_red(top(s.tower)):
        return WRONG_COLOUR_FOR_REVIVE if revive else NO_MATCH
    distance = abs(tower_value(card) - tower_value(top(s.tower)))
    if nearest_repair(s) <= distance <= (2 if revive else 1):
        return OK
    return TOO_FAR_FOR_REVIVE if revive else NO_MATCH


@rule
def repair(s: State, slot: int) -> None:
    """Lay the card face down under the tower (ALC-26, ALC-Q17)."""
    s.repairs += 1
    card = s.hand.cards[slot]
    out_of_hand(s, card)
    tuck(s.tower, card)
    s.changed = 1

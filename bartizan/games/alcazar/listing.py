"""List Alcazar's legal actions, in ascending order."""

from __future__ import annotations

from bartizan.engine.bits import lowest
from bartizan.engine.clauses import OK
from bartizan.engine.record import Array
from bartizan.engine.rule import rule
from bartizan.games.alcazar.defence import (
    why_no_target,
    why_not_enough,
    why_not_in_defence,
    why_not_repair,
    worth_of,
)
from bartizan.games.alcazar.specials import (
    NOT_A_MISSILE,
    NOT_A_SWAP,
    why_no_hit,
    why_not_advantage,
    why_not_instant,
    why_not_pay,
    why_not_pay_advantage,
    why_not_special,
    why_not_trade,
)
from bartizan.games.alcazar.state import (
    ACE,
    ADVANTAGE,
    ADVANTAGES,
    DEFEND,
    DISCARD,
    DRAW,
    END,
    FORFEIT,
    FORTIFY,
    JACK,
    KING,
    MISSILE,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    PLACES,
    QUEEN,
    REINFORCE,
    REPAIR,
    STAY,
    SWAP,
    TRADE,
    Phase,
    State,
)
from bartizan.games.alcazar.table import why_no_action
from bartizan.games.alcazar.values import (
    defence_cost,
    has_advantage,
    is_red,
    is_special,
    necromancers,
    tower_limit,
    value,
)


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.phase == Phase.ACTION:
        return list_turn(s, out)
    n = 0
    if s.phase == Phase.DRAW:
        out[0], out[1] = DRAW.id(), STAY.id()
        n = 2
    elif s.phase == Phase.THIEF:
        for slot in range(s.hand.count):
            out[n] = DISCARD.id(slot)
            n += 1
    elif s.phase == Phase.NECROMANCER:
        for advantage in range(ADVANTAGES):
            out[n] = FORFEIT.id(advantage)
            n += 1
    return n


@rule
def list_turn(s: State, out: Array) -> int:
    """List what the player can do in a turn."""
    n = list_defences(s, out, 0)
    if s.tower.count < tower_limit(s):  # ALC-27
        for slot in range(s.hand.count):
            if why_not_repair(s, slot) == OK:
                out[n] = REPAIR.id(slot)
                n += 1
    if necromancers(s) == 0:  # ALC-60
        n = list_instants(s, out, n)
        n = list_advantages(s, out, n)
    if has_advantage(s, JACK):  # ALC-54
        for slot in range(s.hand.count):
            if why_not_trade(s, slot) == OK:
                out[n] = TRADE.id(slot)
                n += 1
    out[n] = END.id()
    return n + 1


# --- Defences ----------------------------------------------------------------


@rule
def list_defences(s: State, out: Array, n: int) -> int:
    """List the defences: for each enemy the sets of fitting cards that are worth enough."""
    if why_no_action(s, s.defences) != OK:
        return n
    against_red, against_black = fitting(s, 1), fitting(s, 0)  # the ace of diamonds, that of clubs
    most_red, most_black = worth_of(s, against_red), worth_of(s, against_black)
    for place in range(PLACES):
        if why_no_target(s, place) != OK:
            continue
        cost = defence_cost(s, place)
        red = is_red(s.enemy[place])
        if cost > (most_red if red else most_black):
            continue
        every = against_red if red else against_black
        cards = -every & every  # the least subset; the next one: (cards - every) & every
        while cards != 0:
            if why_not_enough(s, place, cost, cards) == OK:
                out[n] = DEFEND.id(place, cards)
                n += 1
            cards = (cards - every) & every
    return n


@rule
def fitting(s: State, enemy: int) -> int:
    """Return the subset of the hand that can help against enemies of the colour of this one."""
    cards = 0
    for slot in range(s.hand.count):
        if why_not_in_defence(s, enemy, s.hand.cards[slot]) == OK:
            cards |= 1 << slot
    return cards


# --- Instants ----------------------------------------------------------------


@rule
def list_instants(s: State, out: Array, n: int) -> int:
    """List the instants; the hand lies with the high ranks first, as the blocks of actions do."""
    for slot in range(s.hand.count):
        if not is_special(s.hand.cards[slot]):
            break
        rank = value(s.hand.cards[slot])
        payments = payments_for(s, slot)
        if payments == 0 or why_not_instant(s, slot, rank, OK) != OK:
            continue
        if rank == ACE:
            n = list_missiles(s, slot, payments, out, n)
        elif rank == KING:
            n = list_swaps(s, slot, payments, out, n)
        elif rank == QUEEN:
            n = list_fortifications(slot, payments, out, n)
        else:
            n = list_reinforcements(s, slot, payments, out, n)
    return n


@rule
def payments_for(s: State, slot: int) -> int:
    """Return the subset of the hand that can pay for an instant (ALC-30)."""
    payments = 0
    for paying in range(s.hand.count):
        if why_not_pay(s, slot, paying) == OK:
            payments |= 1 << paying
    return payments


@rule
def list_missiles(s: State, slot: int, payments: int, out: Array, n: int) -> int:
    """List what the ace in a hand slot can strike, with each payment (ALC-43)."""
    for place in range(PLACES):
        left = payments if why_no_hit(s, place, NOT_A_MISSILE) == OK else 0
        while left != 0:
            out[n] = MISSILE.id(slot, place, lowest(left))
            left &= left - 1
            n += 1
    return n


@rule
def list_swaps(s: State, slot: int, payments: int, out: Array, n: int) -> int:
    """List what the king in a hand slot can swap, with each payment (ALC-44)."""
    for pair in range(PAIRS):
        low = why_no_hit(s, PAIR_LOW[pair], NOT_A_SWAP)
        high = why_no_hit(s, PAIR_HIGH[pair], NOT_A_SWAP)
        left = payments if low == OK and high == OK else 0
        while left != 0:
            out[n] = SWAP.id(slot, pair, lowest(left))
            left &= left - 1
            n += 1
    return n


@rule
def list_fortifications(slot: int, payments: int, out: Array, n: int) -> int:
    """List each payment for the queen in a hand slot (ALC-45)."""
    while payments != 0:
        out[n] = FORTIFY.id(slot, lowest(payments))
        payments &= payments - 1
        n += 1
    return n


@rule
def list_reinforcements(s: State, slot: int, payments: int, out: Array, n: int) -> int:
    """List what the jack in a hand slot can fetch, with each payment (ALC-46)."""
    lying = 0  # a bit for each card of the discard
    for place in range(s.discard.count):
        lying |= 1 << s.discard.cards[place]
    fetchable = lying
    for paying in range(s.hand.count):  # what pays lies in the discard by then, and may be fetched itself
        if payments >> paying & 1:
            fetchable |= 1 << s.hand.cards[paying]
    while fetchable != 0:
        card = lowest(fetchable)
        fetchable &= fetchable - 1
        left = payments
        while left != 0:
            paying = lowest(left)
            left &= left - 1
            if lying >> card & 1 == 1 or s.hand.cards[paying] == card:
                out[n] = REINFORCE.id(slot, card, paying)
                n += 1
    return n


# --- Advantages --------------------------------------------------------------


@rule
def list_advantages(s: State, out: Array, n: int) -> int:
    """List the specials in hand with each payment and each Advantage they can replace (ALC-31)."""
    for slot in range(s.hand.count):
        if why_not_special(s, slot) != OK:
            break
        for paying in range(s.hand.count):
            if why_not_pay_advantage(s, slot, paying) != OK:
                continue
            for replacing in range(1 + s.advantages.count):
                if why_not_advantage(s, slot, paying, replacing) == OK:
                    out[n] = ADVANTAGE.id(slot, paying, replacing)
                    n += 1
    return n

"""What the engine calls: set up, list, refuse and play Alcazar's actions."""

from __future__ import annotations

from bartizan.engine import bits
from bartizan.engine.clauses import OK, code
from bartizan.engine.piles import pop, push
from bartizan.engine.record import EMPTY, Array
from bartizan.engine.rng import below
from bartizan.engine.rule import rule
from bartizan.games.alcazar.options import ActionsPerTurn
from bartizan.games.alcazar.rules import (
    defend,
    discard_by_force,
    draw_second,
    end_turn,
    repair,
    run,
    setup,
    why_no_target,
    why_not_defend,
    why_not_enough,
    why_not_in_defence,
    why_not_repair,
    worth_of,
)
from bartizan.games.alcazar.specials import (
    NOT_A_MISSILE,
    NOT_A_SWAP,
    fortify,
    lay_advantage,
    missile,
    reinforce,
    swap,
    trade,
    why_no_hit,
    why_not_advantage,
    why_not_fortify,
    why_not_instant,
    why_not_missile,
    why_not_pay,
    why_not_pay_advantage,
    why_not_reinforce,
    why_not_special,
    why_not_swap,
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
    FORTIFY,
    HAND_SLOTS,
    JACK,
    JOKER,
    KING,
    MISSILE,
    NUM_ACTIONS,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    PLACES,
    QUEEN,
    REINFORCE,
    REPAIR,
    STAY,
    SUBSETS,
    SWAP,
    TRADE,
    YIELD,
    Phase,
    State,
    Step,
    Winner,
)
from bartizan.games.alcazar.table import settle, why_no_action, yield_advantages
from bartizan.games.alcazar.values import (
    count_enemies,
    defence_cost,
    has_advantage,
    is_red,
    is_special,
    necromancers,
    tower_limit,
    value,
)

OVER_WON = code("ALC-67")
OVER_LOST = code("ALC-68")
NIGHT_OVER = code("ALC-74")
NO_ENEMY_LEFT = code("ALC-75")
HAND_FULL = code("ALC-9")
THIEF_STEALS = code("ALC-64")
ADVANTAGES_LEAVE = code("ALC-59")
BARD_ASKS = code("ALC-57")


__all__ = [
    "apply",
    "determinize",
    "ended_by",
    "has_won",
    "is_over",
    "legal_actions",
    "resume",
    "returns",
    "rounds",
    "setup",
    "turn_of",
    "variants",
    "why_not",
]


@rule
def turn_of(s: State) -> int:
    """Return the seat to decide: 1, or 0 when the game is over."""
    return 0 if s.phase == Phase.OVER else 1


@rule
def is_over(s: State) -> bool:
    """Say whether the game has ended."""
    return s.phase == Phase.OVER


@rule
def has_won(s: State, seat: int) -> bool:
    """Say whether the player has won (ALC-67)."""
    return s.winner == Winner.PLAYER


@rule
def returns(s: State, seat: int) -> float:
    """Return 1 for a win, -1 for a loss, 0 while the game runs."""
    if s.winner == Winner.NONE:
        return 0.0
    return 1.0 if has_won(s, seat) else -1.0


@rule
def ended_by(s: State) -> int:
    """Return the clause by which the player has won or lost."""
    if s.winner != Winner.PLAYER:
        return OK if s.winner == Winner.NONE else OVER_LOST
    if s.options.total_victory:
        return NO_ENEMY_LEFT
    return NIGHT_OVER if s.options.endless_night else OVER_WON


@rule
def rounds(s: State) -> int:
    """Return the round that is being played, or was the last."""
    return s.round


@rule
def why_not_in_phase(s: State, identity: int) -> int:
    """Tell why the table does not wait for this kind of action now."""
    if s.phase == Phase.OVER:
        return ended_by(s)
    if s.phase == Phase.THIEF:
        if DISCARD <= identity < YIELD:
            return OK
        return THIEF_STEALS if count_enemies(s, JACK) > 0 else HAND_FULL
    if s.phase == Phase.NECROMANCER:
        return OK if YIELD <= identity < DRAW else ADVANTAGES_LEAVE
    if s.phase == Phase.DRAW:
        return OK if DRAW <= identity < END else BARD_ASKS
    if DISCARD <= identity < YIELD:
        return THIEF_STEALS
    if YIELD <= identity < DRAW:
        return ADVANTAGES_LEAVE
    return BARD_ASKS if DRAW <= identity < END else OK


@rule
def why_not(s: State, action: int) -> int:
    """Return the clause that forbids an action, or OK."""
    identity = action % NUM_ACTIONS
    refused = why_not_in_phase(s, identity)
    if refused != OK:
        return refused
    if identity < REPAIR:
        refused = why_not_defend(s, identity // SUBSETS, identity % SUBSETS)
    elif identity < MISSILE:
        refused = why_not_repair(s, identity - REPAIR)
    elif identity < SWAP:
        slot, rest = divide(identity - MISSILE, PLACES * HAND_SLOTS)
        refused = why_not_missile(s, slot, rest // HAND_SLOTS, rest % HAND_SLOTS)
    elif identity < FORTIFY:
        slot, rest = divide(identity - SWAP, PAIRS * HAND_SLOTS)
        refused = why_not_swap(s, slot, rest // HAND_SLOTS, rest % HAND_SLOTS)
    elif identity < REINFORCE:
        slot, paying = divide(identity - FORTIFY, HAND_SLOTS)
        refused = why_not_fortify(s, slot, paying)
    elif identity < ADVANTAGE:
        slot, rest = divide(identity - REINFORCE, JOKER * HAND_SLOTS)
        refused = why_not_reinforce(s, slot, rest // HAND_SLOTS, rest % HAND_SLOTS)
    elif identity < TRADE:
        slot, rest = divide(identity - ADVANTAGE, HAND_SLOTS * (1 + ADVANTAGES))
        refused = why_not_advantage(s, slot, rest // (1 + ADVANTAGES), rest % (1 + ADVANTAGES))
    elif identity < DISCARD:
        refused = why_not_trade(s, identity - TRADE)
    elif identity < YIELD:
        refused = OK if identity - DISCARD < s.hand.count else HAND_FULL
    return refused


@rule
def divide(number: int, radix: int) -> tuple[int, int]:
    """Split an action's number into its first field and the rest."""
    return number // radix, number % radix


@rule
def apply(s: State, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    identity, order = action % NUM_ACTIONS, action // NUM_ACTIONS
    s.phase = Phase.RUNNING
    if identity < DISCARD:
        s.step = Step.ACTION
    if identity < REPAIR:
        defend(s, identity // SUBSETS, identity % SUBSETS, order)
    elif identity < MISSILE:
        repair(s, identity - REPAIR)
    elif identity < ADVANTAGE:
        s.specials += counts_as_special(s, identity)
        play_instant(s, identity)
    elif identity < TRADE:
        s.specials += 1
        slot, rest = divide(identity - ADVANTAGE, HAND_SLOTS * (1 + ADVANTAGES))
        lay_advantage(s, slot, rest // (1 + ADVANTAGES), rest % (1 + ADVANTAGES))
    elif identity < DISCARD:
        trade(s, identity - TRADE)
    elif identity < YIELD:
        discard_by_force(s, identity - DISCARD)
    elif identity < DRAW:
        yield_advantages(s, identity - YIELD)
    elif identity == DRAW:
        draw_second(s)
    elif identity == STAY:
        s.phase = Phase.ACTION
    else:
        end_turn(s)
    if s.phase == Phase.RUNNING:
        settle(s)
    run(s)


@rule
def variants(s: State, action: int) -> int:
    """Return how many variants a listed action has: the orders of a defence's cards (ALC-Q14)."""
    orders = 1
    if action < REPAIR:
        for factor in range(2, bits.count(action % SUBSETS) + 1):
            orders *= factor
    return orders


@rule
def counts_as_special(s: State, identity: int) -> int:
    """Return 1, or 0 for a Reinforcement that leaves the turn's special unused (ALC-47)."""
    free = identity >= REINFORCE and s.options.actions_per_turn == ActionsPerTurn.ONE_OF_EACH
    return 0 if free else 1


@rule
def play_instant(s: State, identity: int) -> None:
    """Play one of the four instants (ALC-43 to ALC-46)."""
    if identity < SWAP:
        slot, rest = divide(identity - MISSILE, PLACES * HAND_SLOTS)
        missile(s, slot, rest // HAND_SLOTS, rest % HAND_SLOTS)
    elif identity < FORTIFY:
        slot, rest = divide(identity - SWAP, PAIRS * HAND_SLOTS)
        swap(s, slot, rest // HAND_SLOTS, rest % HAND_SLOTS)
    elif identity < REINFORCE:
        slot, paying = divide(identity - FORTIFY, HAND_SLOTS)
        fortify(s, slot, paying)
    else:
        slot, rest = divide(identity - REINFORCE, JOKER * HAND_SLOTS)
        reinforce(s, slot, rest // HAND_SLOTS, rest % HAND_SLOTS)


@rule
def legal_actions(s: State, out: Array) -> int:
    """Write the ids of the legal actions to `out`, ascending, and return how many there are."""
    if s.phase == Phase.OVER:
        return 0
    n = 0
    if s.phase != Phase.ACTION:
        for identity in range(DISCARD, END):
            if why_not(s, identity) == OK:
                out[n] = identity
                n += 1
        return n
    n = list_defences(s, out, n)
    if s.tower.count < tower_limit(s):  # ALC-27
        for slot in range(s.hand.count):
            if why_not_repair(s, slot) == OK:
                out[n] = REPAIR + slot
                n += 1
    if necromancers(s) == 0:  # ALC-60
        n = list_instants(s, out, n)
        n = list_advantages(s, out, n)
    if has_advantage(s, JACK):  # ALC-54
        for slot in range(s.hand.count):
            if why_not_trade(s, slot) == OK:
                out[n] = TRADE + slot
                n += 1
    out[n] = END
    return n + 1


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
                out[n] = DEFEND + place * SUBSETS + cards
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


@rule
def list_instants(s: State, out: Array, n: int) -> int:
    """List the instants; the hand lies with the high ranks first, as the blocks of actions do."""
    for slot in range(s.hand.count):
        if not is_special(s.hand.cards[slot]):
            break
        rank = value(s.hand.cards[slot])
        if why_not_instant(s, slot, rank, OK) != OK:
            continue
        if rank == ACE:
            n = list_missiles(s, slot, out, n)
        elif rank == KING:
            n = list_swaps(s, slot, out, n)
        elif rank == QUEEN:
            n = list_payments(s, slot, FORTIFY + slot * HAND_SLOTS, out, n)
        else:
            n = list_reinforcements(s, slot, out, n)
    return n


@rule
def list_payments(s: State, slot: int, base: int, out: Array, n: int) -> int:
    """List one instant with each hand card that can pay for it (ALC-30)."""
    for paying in range(s.hand.count):
        if why_not_pay(s, slot, paying) == OK:
            out[n] = base + paying
            n += 1
    return n


@rule
def list_missiles(s: State, slot: int, out: Array, n: int) -> int:
    """List what the ace in a hand slot can strike, with each payment (ALC-43)."""
    for place in range(PLACES):
        if why_no_hit(s, place, NOT_A_MISSILE) == OK:
            n = list_payments(s, slot, MISSILE + (slot * PLACES + place) * HAND_SLOTS, out, n)
    return n


@rule
def list_swaps(s: State, slot: int, out: Array, n: int) -> int:
    """List what the king in a hand slot can swap, with each payment (ALC-44)."""
    for pair in range(PAIRS):
        low = why_no_hit(s, PAIR_LOW[pair], NOT_A_SWAP)
        high = why_no_hit(s, PAIR_HIGH[pair], NOT_A_SWAP)
        if low == OK and high == OK:
            n = list_payments(s, slot, SWAP + (slot * PAIRS + pair) * HAND_SLOTS, out, n)
    return n


@rule
def list_reinforcements(s: State, slot: int, out: Array, n: int) -> int:
    """List what the jack in a hand slot can fetch, with each payment (ALC-46)."""
    lying = 0  # a bit for each card of the discard
    for place in range(s.discard.count):
        lying |= 1 << s.discard.cards[place]
    payments = 0  # likewise for the cards that can pay, which may be fetched themselves
    for paying in range(s.hand.count):
        if why_not_pay(s, slot, paying) == OK:
            payments |= 1 << s.hand.cards[paying]
    for card in range(JOKER):
        if (lying | payments) >> card & 1 == 0:
            continue
        for paying in range(s.hand.count):
            fetchable = lying >> card & 1 == 1 or s.hand.cards[paying] == card
            if fetchable and payments >> s.hand.cards[paying] & 1 == 1:
                out[n] = REINFORCE + (slot * JOKER + card) * HAND_SLOTS + paying
                n += 1
    return n


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
                    out[n] = ADVANTAGE + (slot * HAND_SLOTS + paying) * (1 + ADVANTAGES) + replacing
                    n += 1
    return n


# --- What the player cannot know (ALC-Q48) -----------------------------------


@rule
def determinize(s: State, seat: int) -> None:
    """Re-deal every card whose place the player does not know, evenly among those places.

    The outcome depends on the random stream and on what the player knows, and on nothing else.
    """
    for place in range(PLACES):
        if s.enemy[place] != EMPTY and not s.known[s.enemy[place]]:
            push(s.deck, s.enemy[place])
    for place in range(s.tower.count):
        if not s.known[s.tower.cards[place]]:
            push(s.deck, s.tower.cards[place])
    sort_unknown(s)
    shuffle_unknown(s)
    for place in range(s.tower.count - 1, -1, -1):
        if not s.known[s.tower.cards[place]]:
            s.tower.cards[place] = pop(s.deck)
    for place in range(PLACES - 1, -1, -1):
        if s.enemy[place] != EMPTY and not s.known[s.enemy[place]]:
            s.enemy[place] = pop(s.deck)


@rule
def sort_unknown(s: State) -> None:
    """Bring the deck's unknown cards into ascending order, so that nothing is left of how they lay."""
    unknown = 0
    for place in range(s.deck.count):
        if not s.known[s.deck.cards[place]]:
            unknown |= 1 << s.deck.cards[place]
    for place in range(s.deck.count):
        if not s.known[s.deck.cards[place]]:
            s.deck.cards[place] = bits.lowest(unknown)
            unknown &= unknown - 1


@rule
def shuffle_unknown(s: State) -> None:
    """Shuffle the deck's unknown cards among their own places; known ones stay where they are."""
    for last in range(s.deck.count - 1, 0, -1):
        card = s.deck.cards[last]
        if s.known[card]:
            continue
        other = below(s, last + 1)
        while s.known[s.deck.cards[other]]:
            other = below(s, last + 1)
        s.deck.cards[last] = s.deck.cards[other]
        s.deck.cards[other] = card


@rule
def resume(s: State) -> None:
    """Make the forced steps of a loaded position, if any are due."""
    if s.phase == Phase.THIEF or s.phase == Phase.NECROMANCER:
        settle(s)
    run(s)

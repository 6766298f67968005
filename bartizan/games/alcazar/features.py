"""List the inputs of a network for Alcazar: what the player sees, feature by feature.

Colours are relative to the tower's top, same or other, so that what a network learns about red towers
holds for black ones.  No feature reads what the player does not know (ALC-Q48).
"""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.network import FeatureLayout
from bartizan.engine.piles import top
from bartizan.engine.record import EMPTY, Array
from bartizan.engine.rule import rule
from bartizan.games.alcazar.rules import attack_of, attack_strength, attacking_faces
from bartizan.games.alcazar.state import ACE, ARMIES, FRONT, JACK, JOKER, PLACES, REAR, State
from bartizan.games.alcazar.values import (
    defence_cost,
    defence_value,
    has_advantage,
    is_face,
    is_red,
    is_special,
    nearest_repair,
    tower_limit,
    tower_value,
    value,
)

RANKS = 13
CARDS = 2 * RANKS  # of the top's colour and of the other
LOWEST = 2  # of the ranks
ENEMY = 2 + CARDS  # a place among the enemies: vacant, face down, or a card
STRONGEST = 40  # attacks are told apart up to this strength
SAFEST = 14  # and down to so much less than they need
SUM_STEP = 2  # by which the sums of hand cards are told apart
SUMS = 24

FEATURES = FeatureLayout(
    deck=2 * 56,
    tower=9,
    top=CARDS,
    below_top=CARDS,  # the tower's next card, where it is known
    known_in_tower=9,
    hand=2 * CARDS,  # one of a colour and rank, and the second
    hand_count=9,
    instants=4,  # specials that can be paid for
    advantages_open=4,
    enemies=PLACES * ENEMY,
    armies=ARMIES * (STRONGEST + 1),
    attack=SAFEST + STRONGEST + 1,
    faces=1,
    next_attack=3 * SUMS,  # by fronts of the top's colour, of the other, and faces
    beatable=PLACES,
    laid=4,
    unseen=2 * CARDS,
    unseen_specials=4 * 5,
    repairs=9,
    sums=2 * SUMS,
    discard_top=2 * CARDS,
    phase=6,
    borrowed=9,
    traded=1,
    options=22,
)

DECK = FEATURES.first("deck")
TOWER = FEATURES.first("tower")
TOP = FEATURES.first("top")
BELOW_TOP = FEATURES.first("below_top")
KNOWN_IN_TOWER = FEATURES.first("known_in_tower")
HAND = FEATURES.first("hand")
HAND_COUNT = FEATURES.first("hand_count")
INSTANTS = FEATURES.first("instants")
ADVANTAGES_OPEN = FEATURES.first("advantages_open")
ENEMIES = FEATURES.first("enemies")
ARMY = FEATURES.first("armies")
ATTACK = FEATURES.first("attack")
FACES = FEATURES.first("faces")
NEXT_ATTACK = FEATURES.first("next_attack")
BEATABLE = FEATURES.first("beatable")
LAID = FEATURES.first("laid")
UNSEEN = FEATURES.first("unseen")
UNSEEN_SPECIALS = FEATURES.first("unseen_specials")
REPAIRS = FEATURES.first("repairs")
SUM = FEATURES.first("sums")
DISCARD_TOP = FEATURES.first("discard_top")
PHASE = FEATURES.first("phase")
BORROWED = FEATURES.first("borrowed")
TRADED = FEATURES.first("traded")
OPTIONS = FEATURES.first("options")


@rule
def features(s: State, seat: int, out: Array) -> int:
    """Write the features of a position to `out`; return how many there are.  There is a top."""
    n = piles(s, out, 0)
    n = tower(s, out, n)
    n = hand(s, out, n)
    n = enemies(s, out, n)
    n = estimates(s, out, n)
    n = unseen(s, out, n)
    return options(s, out, n)


@rule
def kind(s: State, card: int) -> int:
    """Return a card's number by its colour, as the top sees it, and its rank; a Joker's is a deuce's."""
    if card >= JOKER:
        return 0
    own = is_red(card) == is_red(top(s.tower))
    return value(card) - LOWEST + (0 if own else RANKS)


@rule
def piles(s: State, out: Array, n: int) -> int:
    """Tell how much is left of the night, what lies on the discard, and what the table waits for."""
    again = s.options.endless_night and s.passes == 0
    out[n] = DECK + s.deck.count + (56 if again else 0)
    out[n + 1] = PHASE + s.phase
    n += 2
    for depth in range(smaller(s.discard.count, 2)):
        out[n] = DISCARD_TOP + depth * CARDS + kind(s, s.discard.cards[s.discard.count - 1 - depth])
        n += 1
    if s.traded:
        out[n] = TRADED
        n += 1
    return n


@rule
def tower(s: State, out: Array, n: int) -> int:
    """Tell the tower's size, its top, and what is known of the cards below."""
    out[n] = TOWER + s.tower.count
    out[n + 1] = TOP + value(top(s.tower)) - LOWEST + (RANKS if is_red(top(s.tower)) else 0)
    n += 2
    known = 0
    for place in range(s.tower.count - 1):
        known += s.known[s.tower.cards[place]]
    out[n] = KNOWN_IN_TOWER + known
    n += 1
    if s.tower.count > 1:
        below = s.tower.cards[s.tower.count - 2]
        if s.known[below]:
            out[n] = BELOW_TOP + kind(s, below)
            n += 1
    for slot in range(s.advantages.count):
        out[n] = LAID + value(s.advantages.cards[slot]) - JACK
        n += 1
    return n


@rule
def hand(s: State, out: Array, n: int) -> int:
    """Tell the hand, and which of its specials another card can pay for."""
    out[n] = HAND_COUNT + s.hand.count
    out[n + 1] = BORROWED + s.borrowed.count
    n += 2
    held = 0
    for slot in range(s.hand.count):
        card = s.hand.cards[slot]
        place = kind(s, card)
        out[n] = HAND + place + (CARDS if held >> place & 1 else 0)
        held |= 1 << place
        n += 1
        if is_special(card):
            n = payments(s, slot, out, n)
    return n


@rule
def payments(s: State, slot: int, out: Array, n: int) -> int:
    """Return whether the hand can pay for a special's instant and for its Advantage."""
    card = s.hand.cards[slot]
    colour = suit = False
    for other in range(s.hand.count):
        if other != slot:
            colour = colour or is_red(s.hand.cards[other]) == is_red(card)
            suit = suit or s.hand.cards[other] & 3 == card & 3
    if colour:
        out[n] = INSTANTS + value(card) - JACK
        n += 1
    if suit:
        out[n] = ADVANTAGES_OPEN + value(card) - JACK
        n += 1
    return n


@rule
def enemies(s: State, out: Array, n: int) -> int:
    """Tell the enemies place by place, what each army brings, and how strong the attack is."""
    for place in range(PLACES):
        card = s.enemy[place]
        what = 0 if card == EMPTY else 1
        if card != EMPTY and s.face_up[place]:
            what = 2 + kind(s, card)
        out[n] = ENEMIES + place * ENEMY + what
        n += 1
    for army in range(ARMIES):
        strength = attack_of(s, army)
        if strength != EMPTY:
            out[n] = ARMY + army * (STRONGEST + 1) + within(strength, 0, STRONGEST)
            n += 1
    spare = attack_strength(s) - tower_value(top(s.tower))
    out[n] = ATTACK + SAFEST + within(spare, -SAFEST, STRONGEST)
    n += 1
    if attacking_faces(s) > 0:
        out[n] = FACES
        n += 1
    return next_attack(s, out, n)


@rule
def next_attack(s: State, out: Array, n: int) -> int:
    """Write what is known of the fronts after the next Movement, by what they add up to."""
    own = other = faces = 0
    for army in range(ARMIES):
        place = next_front(s, army)
        if place != EMPTY:
            card = s.enemy[place]
            if is_face(card):
                faces += value(card)
            elif is_red(card) == is_red(top(s.tower)):
                own += value(card)
            else:
                other += value(card)
    out[n] = NEXT_ATTACK + smaller(own // SUM_STEP, SUMS - 1)
    out[n + 1] = NEXT_ATTACK + SUMS + smaller(other // SUM_STEP, SUMS - 1)
    out[n + 2] = NEXT_ATTACK + 2 * SUMS + smaller(faces // SUM_STEP, SUMS - 1)
    return n + 3


@rule
def next_front(s: State, army: int) -> int:
    """Return where an army's next front stands, or EMPTY where it is not known (ALC-11 to ALC-14)."""
    front, rear = 2 * army + FRONT, 2 * army + REAR
    rear_up = s.enemy[rear] != EMPTY and s.face_up[rear]
    if s.enemy[front] == EMPTY or (s.face_up[front] and rear_up):
        return rear if rear_up else EMPTY
    return front if s.face_up[front] else EMPTY


@rule
def within(number: int, low: int, high: int) -> int:
    """Return the nearest number from `low` to `high`."""
    return larger(low, smaller(number, high))


@rule
def estimates(s: State, out: Array, n: int) -> int:
    """Write what the hand can do: repair, beat this or that enemy, and what its colours add up to."""
    own = other = repairing = 0
    near = nearest_repair(s)
    for slot in range(s.hand.count):
        card = s.hand.cards[slot]
        if is_red(card) == is_red(top(s.tower)):
            own += defence_value(card)
            repairing += 1 if abs(tower_value(card) - tower_value(top(s.tower))) == near else 0
        else:
            other += defence_value(card)
    if s.tower.count < tower_limit(s):
        out[n] = REPAIRS + repairing
        n += 1
    out[n] = SUM + smaller(own // SUM_STEP, SUMS - 1)
    out[n + 1] = SUM + SUMS + smaller(other // SUM_STEP, SUMS - 1)
    n += 2
    for place in range(PLACES):
        if s.enemy[place] != EMPTY and s.face_up[place]:
            usable = own if is_red(s.enemy[place]) != is_red(top(s.tower)) else other
            if has_advantage(s, ACE):
                usable = own + other
            if usable >= defence_cost(s, place):
                out[n] = BEATABLE + place
                n += 1
    return n


@rule
def unseen(s: State, out: Array, n: int) -> int:
    """Write which cards have not been seen yet."""
    met = jacks = queens = kings = aces = 0
    for card in range(JOKER):
        if s.known[card]:
            continue
        place = kind(s, card)
        out[n] = UNSEEN + place + (CARDS if met >> place & 1 else 0)
        met |= 1 << place
        n += 1
        rank = value(card)
        jacks += 1 if rank == JACK else 0
        queens += 1 if rank == JACK + 1 else 0
        kings += 1 if rank == JACK + 2 else 0
        aces += 1 if rank == ACE else 0
    out[n] = UNSEEN_SPECIALS + jacks
    out[n + 1] = UNSEEN_SPECIALS + 5 + queens
    out[n + 2] = UNSEEN_SPECIALS + 10 + kings
    out[n + 3] = UNSEEN_SPECIALS + 15 + aces
    return n + 4


@rule
def options(s: State, out: Array, n: int) -> int:
    """Write which options are not as usual."""
    chosen = s.options
    n = noted(out, n, OPTIONS, chosen.havoc)
    n = noted(out, n, OPTIONS + 1, chosen.endless_night)
    n = noted(out, n, OPTIONS + 2, chosen.total_victory)
    n = noted(out, n, OPTIONS + 3, chosen.first_round_movement)
    n = noted(out, n, OPTIONS + 4, chosen.empty_rear)
    n = noted(out, n, OPTIONS + 5, chosen.actions_per_turn == 1)
    n = noted(out, n, OPTIONS + 6, chosen.actions_per_turn == 2)
    n = noted(out, n, OPTIONS + 7, chosen.win_timing == 1)
    n = noted(out, n, OPTIONS + 8, chosen.win_timing == 2)
    n = noted(out, n, OPTIONS + 9, chosen.trade_limit)
    n = noted(out, n, OPTIONS + 10, chosen.necromancer_blocks)
    n = noted(out, n, OPTIONS + 11, chosen.modifier_scope)
    n = noted(out, n, OPTIONS + 12, chosen.lost_tower_card)
    n = noted(out, n, OPTIONS + 13, chosen.reinforcement)
    n = noted(out, n, OPTIONS + 14, chosen.overpay)
    n = noted(out, n, OPTIONS + 15, chosen.advantage_replace)
    n = noted(out, n, OPTIONS + 16, chosen.traitor_ties)
    n = noted(out, n, OPTIONS + 17, chosen.special_repair)
    n = noted(out, n, OPTIONS + 18, chosen.both_empty)
    n = noted(out, n, OPTIONS + 19, chosen.overflow)
    return noted(out, n, OPTIONS + 20, chosen.drain_per_face_card)


@rule
def noted(out: Array, n: int, feature: int, there: int) -> int:
    """Write down a feature if it is there; return how many are written now."""
    if there:
        out[n] = feature
        return n + 1
    return n

"""List the inputs of a network for Tower: what a player sees, feature by feature.

Players are told apart as oneself and opponents; the features of several opponents add up, so one network
serves any number of seats.  No feature reads what the player doesn't know.
"""

from __future__ import annotations

from bartizan.engine.bounds import smaller
from bartizan.engine.network import FeatureLayout
from bartizan.engine.record import EMPTY, Array
from bartizan.engine.rule import rule
from bartizan.games.tower.state import CARDS, FACES, JOKER, OPEN, SEATS, SUITS, Phase, Player, Standing, State
from bartizan.games.tower.values import (
    attack_rank,
    beats,
    count_levels,
    is_vulnerable,
    rank_of,
    suit_of,
    would_destroy,
)

RANKS = 15  # 0 for a Joker, 2 to 14
LEVEL = 1 + 2 * RANKS  # a level: missing, intact with a rank, damaged with a rank
HELD = 9  # sizes of a hand
COUNTS = SUITS + 1  # levels standing, or suits held
MOST = 5  # equal things, in general, that are told apart
PHASES = 9
DECK_STEP = 8  # by which sizes of the draw pile are told apart
DECKS = 17
TURN_STEP = 10
TURNS = 16

FEATURES = FeatureLayout(
    tower=SUITS * LEVEL,
    their_tower=SUITS * LEVEL,
    standing=3,
    their_standing=3,
    levels=COUNTS,
    their_levels=COUNTS,
    intact=COUNTS,
    their_intact=COUNTS,
    hand=CARDS,
    hand_count=HELD,
    suits_held=COUNTS,
    their_hand_count=HELD,
    their_known=3,
    their_open=CARDS,
    incoming=FACES,
    outgoing=FACES,
    incoming_harm=2 * SUITS,  # by level: harmed, and also destroyed
    outgoing_harm=2 * SUITS,
    able_to_harm=2 * SUITS,  # what hand cards would do to opponents
    mendable=2 * SUITS,  # levels that a hand card repairs, or builds again
    deflectable=MOST,
    phase=2 * PHASES,  # the player's own decision, or another's
    plays_left=4,
    mended=1,
    draws_left=4,
    deck=DECKS,
    turns=TURNS,
    left=SEATS + 1,
    options=9,
)

TOWER = FEATURES.first("tower")
THEIR_TOWER = FEATURES.first("their_tower")
STANDING = FEATURES.first("standing")
THEIR_STANDING = FEATURES.first("their_standing")
LEVELS = FEATURES.first("levels")
THEIR_LEVELS = FEATURES.first("their_levels")
INTACT = FEATURES.first("intact")
THEIR_INTACT = FEATURES.first("their_intact")
HAND = FEATURES.first("hand")
HAND_COUNT = FEATURES.first("hand_count")
SUITS_HELD = FEATURES.first("suits_held")
THEIR_HAND_COUNT = FEATURES.first("their_hand_count")
THEIR_KNOWN = FEATURES.first("their_known")
THEIR_OPEN = FEATURES.first("their_open")
INCOMING = FEATURES.first("incoming")
OUTGOING = FEATURES.first("outgoing")
INCOMING_HARM = FEATURES.first("incoming_harm")
OUTGOING_HARM = FEATURES.first("outgoing_harm")
ABLE_TO_HARM = FEATURES.first("able_to_harm")
MENDABLE = FEATURES.first("mendable")
DEFLECTABLE = FEATURES.first("deflectable")
PHASE = FEATURES.first("phase")
PLAYS_LEFT = FEATURES.first("plays_left")
MENDED = FEATURES.first("mended")
DRAWS_LEFT = FEATURES.first("draws_left")
DECK = FEATURES.first("deck")
TURN = FEATURES.first("turns")
LEFT = FEATURES.first("left")
OPTIONS = FEATURES.first("options")


@rule
def features(s: State, seat: int, out: Array) -> int:
    """Write the features of a position, as a seat sees it, to `out`; return how many there are."""
    n = turn(s, seat, out, 0)
    n = options(s, out, n)
    p = s.players[seat - 1]
    n = hand(p, out, n)
    n = tower(p, out, n, TOWER, LEVELS, INTACT)
    for other in range(1, s.seats + 1):
        if other != seat:
            n = opponent(s.players[other - 1], out, n)
            n = chances(p, s.players[other - 1], out, n)
    return attacks(s, seat, out, n)


@rule
def turn(s: State, seat: int, out: Array, n: int) -> int:
    """Write what the table waits for, how far the game is, and how many players are left."""
    mine = s.to_move == seat
    out[n] = PHASE + s.phase + (0 if mine else PHASES)
    out[n + 1] = DECK + smaller(s.deck.count // DECK_STEP, DECKS - 1)
    out[n + 2] = TURN + smaller(s.players[seat - 1].turns // TURN_STEP, TURNS - 1)
    out[n + 3] = LEFT + s.left
    n += 4
    if mine and s.phase == Phase.BATTLE:
        out[n] = PLAYS_LEFT + smaller(s.plays_left, 3)
        n += 1
        if s.mended:
            out[n] = MENDED
            n += 1
    elif mine and s.phase == Phase.DRAW:
        out[n] = DRAWS_LEFT + smaller(s.draws_left, 3)
        n += 1
    return n


@rule
def hand(p: Player, out: Array, n: int) -> int:
    """Write a hand, how many suits it has, and which levels it can mend."""
    out[n] = STANDING + p.standing
    out[n + 1] = HAND_COUNT + p.hand.count
    n += 2
    suits = 0
    for slot in range(p.hand.count):
        card = p.hand.cards[slot]
        out[n] = HAND + card
        n += 1
        if card < JOKER:
            suits |= 1 << suit_of(card)
    held = 0
    for suit in range(SUITS):
        if suits >> suit & 1:
            held += 1
            if p.standing == Standing.DEFENDING:
                if p.tower[suit] == EMPTY:
                    out[n] = MENDABLE + SUITS + suit
                    n += 1
                elif p.damaged[suit]:
                    out[n] = MENDABLE + suit
                    n += 1
    out[n] = SUITS_HELD + held
    return n + 1


@rule
def tower(p: Player, out: Array, n: int, first: int, standing: int, intact: int) -> int:
    """Write a tower by levels from feature `first` on, and how many stand and are intact."""
    undamaged = 0
    for level in range(SUITS):
        what = 0
        if p.tower[level] != EMPTY:
            what = 1 + rank_of(p.tower[level]) + (RANKS if p.damaged[level] else 0)
            undamaged += 0 if p.damaged[level] else 1
        out[n] = first + level * LEVEL + what
        n += 1
    out[n] = standing + count_levels(p)
    out[n + 1] = intact + undamaged
    return n + 2


@rule
def opponent(p: Player, out: Array, n: int) -> int:
    """Write an opponent's tower, and what everyone knows about the hand."""
    out[n] = THEIR_STANDING + p.standing
    n += 1
    if p.standing == Standing.OUT:
        return n
    out[n] = THEIR_HAND_COUNT + p.hand.count
    out[n + 1] = THEIR_KNOWN + p.known
    n += 2
    for slot in range(p.hand.count):
        if p.since[slot] == OPEN:
            out[n] = THEIR_OPEN + p.hand.cards[slot]
            n += 1
    return tower(p, out, n, THEIR_TOWER, THEIR_LEVELS, THEIR_INTACT)


@rule
def chances(p: Player, other: Player, out: Array, n: int) -> int:
    """Write which levels of an opponent the hand could harm, and destroy."""
    if other.standing != Standing.DEFENDING:
        return n
    harmed = destroyed = 0
    for slot in range(p.hand.count):
        face = p.hand.cards[slot]
        if face < JOKER:
            for level in range(SUITS):
                if is_vulnerable(other, level, face):
                    harmed |= 1 << level
                    destroyed |= would_destroy(other, level, face) << level
    return marked(harmed, destroyed, out, n, ABLE_TO_HARM)


@rule
def marked(harmed: int, destroyed: int, out: Array, n: int, first: int) -> int:
    """Write sets of levels, from feature `first` on: those that are harmed, and those that are destroyed."""
    for level in range(SUITS):
        if harmed >> level & 1:
            out[n] = first + level
            n += 1
        if destroyed >> level & 1:
            out[n] = first + SUITS + level
            n += 1
    return n


@rule
def attacks(s: State, seat: int, out: Array, n: int) -> int:
    """Write the attacks on the player and on others, and the harm that each may do."""
    deflectable = 0
    for number in range(s.flying):
        attack = s.attacks[number]
        p = s.players[attack.target - 1]
        harmed = destroyed = 0
        for level in range(SUITS):
            if p.standing == Standing.DEFENDING and is_vulnerable(p, level, attack.face):
                harmed |= 1 << level
                destroyed |= would_destroy(p, level, attack.face) << level
        if attack.target == seat:
            out[n] = INCOMING + attack.face
            n = marked(harmed, destroyed, out, n + 1, INCOMING_HARM)
            deflectable += can_deflect(p, attack.face)
        else:
            out[n] = OUTGOING + attack.face
            n = marked(harmed, destroyed, out, n + 1, OUTGOING_HARM)
    out[n] = DEFLECTABLE + smaller(deflectable, MOST - 1)
    return n + 1


@rule
def can_deflect(p: Player, face: int) -> bool:
    """Return whether a card in the hand is strong enough to deflect an attack."""
    for slot in range(p.hand.count):
        card = p.hand.cards[slot]
        if card < JOKER and beats(suit_of(card), suit_of(face)) and rank_of(card) >= attack_rank(face):
            return True
    return False


@rule
def options(s: State, out: Array, n: int) -> int:
    """Write which options are not as usual."""
    chosen = s.options
    n = noted(out, n, OPTIONS, chosen.redraw_own_cards)
    n = noted(out, n, OPTIONS + 1, chosen.defence_window)
    n = noted(out, n, OPTIONS + 2, not chosen.deflect_for_others)
    n = noted(out, n, OPTIONS + 3, chosen.jokers)
    n = noted(out, n, OPTIONS + 4, chosen.forced_leftovers)
    n = noted(out, n, OPTIONS + 5, chosen.lay_down)
    n = noted(out, n, OPTIONS + 6, chosen.third_card)
    n = noted(out, n, OPTIONS + 7, chosen.moat_loss_no_draw)
    return noted(out, n, OPTIONS + 8, chosen.last_turn)


@rule
def noted(out: Array, n: int, feature: int, there: int) -> int:
    """Write a feature if it is there; return how many are written now."""
    if there:
        out[n] = feature
        return n + 1
    return n

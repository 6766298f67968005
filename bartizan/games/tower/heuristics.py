"""Score the actions of Tower.

Everything here reads only what the seat to move knows: its hand, the towers, the attacks in
flight and the discard pile's top.  The guiding thought: a tower's levels are its life, so what
counts is what an attack would destroy, and what a card would save.
"""

from __future__ import annotations

from bartizan.engine.bounds import larger, smaller
from bartizan.engine.levels import Level, Tuning
from bartizan.engine.piles import top
from bartizan.engine.record import table
from bartizan.engine.rule import rule
from bartizan.games.tower.battle import why_not_rebuild_level, why_not_repair_level
from bartizan.games.tower.state import (
    ACTIONS,
    JOKER,
    SUITS,
    Phase,
    Player,
    Standing,
    State,
)
from bartizan.games.tower.values import (
    count_levels,
    is_vulnerable,
    rank_of,
    suit_of,
    would_destroy,
)

# The value of each level to its owner, in hundredths of a plain level.
WORTH = table([110, 160, 100, 120, 130])
DAMAGE = 45  # how much of a level's value damage takes, in hundredths
LAST_LEVEL = 1_000
MENDING = 70  # how much of a level's value repairing it restores, in hundredths
ARRIVES = 60  # how much of an attack's current effect is left when it arrives, in hundredths
AVERAGE = 8  # the rank to expect from the draw pile


@rule
def harm(p: Player, level: int, face: int) -> int:
    """Return how much value a hit takes from a tower."""
    worth = WORTH[level]
    if not would_destroy(p, level, face):
        return worth * DAMAGE // 100
    if p.damaged[level]:
        worth = worth * (100 - DAMAGE // 2) // 100
    return worth + LAST_LEVEL if count_levels(p) == 1 else worth


@rule
def most_harm(p: Player, face: int) -> int:
    """Return how much value the best hit with a card takes from a tower."""
    most = 0
    for level in range(SUITS):
        if is_vulnerable(p, level, face):
            most = larger(most, harm(p, level, face))
    return most


@rule
def keep_value(s: State, card: int) -> int:
    """Return the value of a card in the hand: its rank, and more if it can mend the tower."""
    p = s.players[s.to_move - 1]
    if card >= JOKER:
        return 30
    worth = 3 * rank_of(card)
    level = suit_of(card)
    mendable = why_not_repair_level(s, level) == 0 or why_not_rebuild_level(s, level) == 0
    return worth + 30 if mendable and p.tower[level] != card else worth


# --- Part 1 ------------------------------------------------------------------


@rule
def score_exchange(s: State, card: int) -> int:
    """Score putting a card down while building: the lowest of a suit held twice."""
    p = s.players[s.to_move - 1]
    same = 0
    for slot in range(p.hand.count):
        if suit_of(p.hand.cards[slot]) == suit_of(card) and p.hand.cards[slot] < JOKER:
            same += 1
    if card >= JOKER:
        return -100
    return (100 if same > 1 else 0) - rank_of(card)


@rule
def replacement_value(s: State) -> int:
    """Score the discard pile's top as a replacement: it must have a missing suit."""
    card = top(s.discard)
    if card >= JOKER:
        return 1
    p = s.players[s.to_move - 1]
    for slot in range(p.hand.count):
        if p.hand.cards[slot] < JOKER and suit_of(p.hand.cards[slot]) == suit_of(card):
            return -1
    return 1


# --- Part 2 ------------------------------------------------------------------


@rule
def score_attack(s: State, target: int, face: int) -> int:
    """Score an attack by its best effect on the tower as it stands; weak towers first."""
    p = s.players[target]
    gain = most_harm(p, face) * ARRIVES // 100 + SUITS - count_levels(p)
    return gain - keep_value(s, smaller(face, JOKER)) // 3


@rule
def score_deflect(s: State, number: int, card: int) -> int:
    """Score a deflection by the harm that it prevents to your own tower."""
    attack = s.attacks[number]
    cost = keep_value(s, card) // 3
    if attack.target != s.to_move:
        return -cost - 1
    return most_harm(s.players[s.to_move - 1], attack.face) - cost


@rule
def score_repair(s: State, face: int) -> int:
    """Score a repair by the level that works again."""
    return WORTH[suit_of(face)] * MENDING // 100 - rank_of(face) // 2


@rule
def score_rebuild(s: State, face: int) -> int:
    """Score a new level: the higher its rank, the better."""
    return WORTH[suit_of(face)] + rank_of(face)


@rule
def score_discard(s: State, card: int) -> int:
    """Score a discard by the value of the card in the hand."""
    return -keep_value(s, card)


@rule
def score_hit(s: State, number: int, level: int) -> int:
    """Score a hit by what it takes."""
    attack = s.attacks[number]
    return harm(s.players[attack.target - 1], level, attack.face)


@rule
def score_take(s: State) -> int:
    """Score the discard pile's top: as a replacement, or drawn instead of an unknown card."""
    if s.phase == Phase.SOURCE:
        return replacement_value(s)
    return keep_value(s, top(s.discard)) - 3 * AVERAGE - 6


@rule
def score_lay(s: State) -> int:
    """Score laying the tower: higher than any exchange."""
    return LAST_LEVEL


@rule
def score_stop(s: State) -> int:
    """Score stopping: lower than any other action."""
    return -LAST_LEVEL


# The value of an action to the seat to move, in hundredths of a level.
action_score = ACTIONS.rule("action_score", "score_{}", otherwise=0)


# --- For searches ------------------------------------------------------------

TUNING = Tuning(exploration=700, bias=1_000, horizon=60, opponents_as_chance=True, sample=16)
PLAYER_LEVELS = (  # more than 1,000 iterations gain little: two levels think briefly, so that steps are clear
    Level("page", random_move_percent=60),
    Level("squire", random_move_percent=20),
    Level("knight", iterations=20),
    Level("marshal", iterations=70),
    Level("castellan", milliseconds=1_000),
)
HELD_SUIT = 60  # the value of a suit in the hand of a player who builds
HELD_CARD = 15  # the value of any card in the hand
EVEN = 200  # a lead of this much is worth half a win


@rule
def strength(p: Player) -> int:
    """Return the value of a player's tower and hand, in hundredths of a plain level."""
    if p.standing == Standing.OUT:
        return 0
    total = HELD_CARD * p.hand.count
    if p.standing == Standing.BUILDING:
        suits = 0
        for slot in range(p.hand.count):
            card = p.hand.cards[slot]
            suits |= (1 << SUITS) if card >= JOKER else 1 << suit_of(card)
        for suit in range(SUITS + 1):
            total += HELD_SUIT * (suits >> suit & 1)
        return total
    for level in range(SUITS):
        if p.tower[level] >= 0:
            worth = WORTH[level] + 2 * rank_of(p.tower[level])
            total += worth * (100 - DAMAGE) // 100 if p.damaged[level] else worth
    return total


@rule
def evaluate(s: State, seat: int) -> float:
    """Return the value of an unfinished game to a seat, from -1 to 1: its lead over the best opponent."""
    if s.players[seat - 1].standing == Standing.OUT:
        return -1.0
    best = 0
    for other in range(1, s.seats + 1):
        if other != seat:
            best = larger(best, strength(s.players[other - 1]))
    ahead = strength(s.players[seat - 1]) - best
    return ahead / (abs(ahead) + float(EVEN))

"""Rate the actions of Alcazar: what each one is worth.

Everything here reads only what the player knows: the hand, face-up enemies,
the tower's top, the Advantages, the discard and how many cards the piles have.

The guiding thought: a turn that ends with the attack below the top's value
costs nothing, so that comes first; repairs come next.  After that cards are
better spent than kept, because a hand below three is filled up for nothing
and every card drawn brings the morning nearer.
"""

from __future__ import annotations

from pathlib import Path

from bartizan.engine.bounds import larger
from bartizan.engine.data import data_file
from bartizan.engine.levels import Level, Tuning
from bartizan.engine.network import load_network
from bartizan.engine.piles import top
from bartizan.engine.rule import rule
from bartizan.games.alcazar.defence import defence_of, worth_of
from bartizan.games.alcazar.features import FEATURES, features
from bartizan.games.alcazar.keys import action_of, key_of
from bartizan.games.alcazar.rules import attack_strength
from bartizan.games.alcazar.state import (
    ACE,
    ACTIONS,
    JACK,
    KING,
    PAIR_HIGH,
    PAIR_LOW,
    PLACES,
    QUEEN,
    State,
)
from bartizan.games.alcazar.table import face_up_enemy, take_enemy
from bartizan.games.alcazar.values import (
    defence_cost,
    has_advantage,
    is_red,
    is_special,
    nearest_repair,
    tower_limit,
    tower_value,
    value,
)

__all__ = [
    "FEATURES",
    "PLAYER_LEVELS",
    "NETWORK",
    "TUNING",
    "action_of",
    "features",
    "key_of",
    "action_score",
]

TUNING = Tuning(exploration=300, bias=300, widening=800, horizon=0, children=64)
NETWORK = load_network(data_file(Path(__file__).parent, "network.npz"), FEATURES)
PLAYER_LEVELS = (  # with its network a hundred iterations are almost as good as a second
    Level("page", random_move_percent=60),
    Level("squire", random_move_percent=20),
    Level("knight", random_move_percent=10, iterations=16),
    Level("marshal", iterations=30),
    Level("castellan", milliseconds=1_000),
)

# What things are worth, in hundredths of a tower card saved.
SAVED = 100  # the top holds although it would have fallen
REPAIRED = 80
NEARER = 12  # the attack is weaker but still strong enough
TEMPO = 14  # an enemy less, so that its army takes another card from the deck


@rule
def shortfall(s: State) -> int:
    """Return how much the attack must lose for the top to hold; 0 if it holds."""
    return larger(attack_strength(s) - tower_value(top(s.tower)) + 1, 0)


@rule
def shortfall_without(s: State, place: int) -> int:
    """Return the shortfall if the enemy at `place` were gone."""
    changed = s.changed
    card = take_enemy(s, place)
    left = shortfall(s)
    s.enemy[place] = card
    face_up_enemy(s, place)
    s.changed = changed
    return left


@rule
def relief(before: int, after: int) -> int:
    """Return what it is worth to bring the shortfall from `before` to `after`."""
    if before == 0:
        return 0 if after == 0 else -SAVED
    return SAVED if after == 0 else NEARER * (before - after) // before


@rule
def menace(card: int) -> int:
    """Return what it is worth to be rid of an enemy, beyond its part in this attack."""
    rank = value(card)
    if rank == ACE:
        return 30
    if rank == KING:
        return 16
    if rank == JACK:
        return 14
    return 8 if rank == QUEEN else 0


@rule
def keep_value(s: State, card: int) -> int:
    """Return what a hand card is worth to keep."""
    if is_special(card):
        return 9
    worth = value(card) // 2
    if is_red(card) == is_red(top(s.tower)) and abs(value(card) - tower_value(top(s.tower))) <= 1:
        worth += 3
    return worth


@rule
def kept_in(s: State, cards: int) -> int:
    """Return what a subset of the hand is worth to keep."""
    total = 0
    for slot in range(s.hand.count):
        if cards >> slot & 1:
            total += keep_value(s, s.hand.cards[slot])
    return total


@rule
def score_defend(s: State, place: int, cards: int, order: int) -> int:
    """Value a defence: what it saves, less the cards and what they overpay."""
    waste = worth_of(s, cards) - defence_cost(s, place)
    gain = relief(shortfall(s), shortfall_without(s, place)) + menace(s.enemy[place]) + TEMPO
    return gain - kept_in(s, cards) - waste


@rule
def score_repair(s: State, slot: int) -> int:
    """Value a repair: a tower card more, and the better the higher it is."""
    return REPAIRED + tower_value(s.hand.cards[slot])


@rule
def score_missile(s: State, slot: int, place: int, paying: int) -> int:
    """Value a missile like a defence that costs two cards."""
    gain = relief(shortfall(s), shortfall_without(s, place)) + menace(s.enemy[place]) + TEMPO
    return gain - keep_value(s, s.hand.cards[slot]) - keep_value(s, s.hand.cards[paying])


@rule
def score_swap(s: State, slot: int, pair: int, paying: int) -> int:
    """Value a swap by the attack that it leaves."""
    one, two = PAIR_LOW[pair], PAIR_HIGH[pair]
    before = shortfall(s)
    s.enemy[one], s.enemy[two] = s.enemy[two], s.enemy[one]
    gain = relief(before, shortfall(s))
    s.enemy[one], s.enemy[two] = s.enemy[two], s.enemy[one]
    return gain - keep_value(s, s.hand.cards[slot]) - keep_value(s, s.hand.cards[paying])


@rule
def score_fortify(s: State, slot: int, paying: int) -> int:
    """Value a fortification: a new top, whose colour may well be safe, instead of a lost one."""
    gain = SAVED * 4 // 10 if shortfall(s) > 0 and s.tower.count > 1 else -SAVED
    return gain - keep_value(s, s.hand.cards[slot]) - keep_value(s, s.hand.cards[paying])


@rule
def score_reinforce(s: State, slot: int, card: int, paying: int) -> int:
    """Value fetching a card by what it can do at once: repair, or beat an enemy that matters."""
    gain = 0
    near = abs(tower_value(card) - tower_value(top(s.tower))) == nearest_repair(s)
    if near and is_red(card) == is_red(top(s.tower)) and s.tower.count < tower_limit(s):
        gain = REPAIRED
    before = shortfall(s)
    if before > 0 and value(card) != ACE:
        for place in range(PLACES):
            fits = has_advantage(s, ACE) or is_red(card) != is_red(s.enemy[place])
            if s.face_up[place] and fits and defence_of(s, card) >= defence_cost(s, place):
                gain = larger(gain, relief(before, shortfall_without(s, place)))
    return gain - keep_value(s, s.hand.cards[slot]) - keep_value(s, s.hand.cards[paying])


@rule
def score_advantage(s: State, slot: int, paying: int, replacing: int) -> int:
    """Value laying a special down for the rest of the game."""
    rank = value(s.hand.cards[slot])
    gain = 20
    if rank == JACK:
        gain = 45
    elif rank == ACE:
        gain = 60
    elif rank == KING:
        gain = 50
    if replacing > 0:
        gain -= 40
    if shortfall(s) > 0:
        gain -= 15
    return gain - keep_value(s, s.hand.cards[paying])


@rule
def score_trade(s: State, slot: int) -> int:
    """Value a trade: a new card instead of one that is worth little."""
    return 10 - keep_value(s, s.hand.cards[slot])


@rule
def score_discard(s: State, slot: int) -> int:
    """Value a forced discard by the card that it costs."""
    return -keep_value(s, s.hand.cards[slot])


# What an action is worth, in hundredths of a tower card; ending the turn is worth 0.
@rule
def score_draw(s: State) -> int:
    """Value drawing the second card: more than leaving it."""
    return 1


action_score = ACTIONS.rule("action_score", "score_{}", otherwise=0)

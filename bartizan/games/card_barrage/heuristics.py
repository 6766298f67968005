"""Rate the actions of Card Barrage: what each one is worth, in hundredths of a point.

A destroyed wall must be replaced from the hand by a card that fits, and is a target once more; a castle is
hit a third as often as a wall.  So it pays to have low walls and a hand of high cards, which fit nowhere.

Everything here reads only what the player knows.  A report counts for what aiming at that target promises,
with the usual skill: whoever plays by this advice still has to throw.
"""

from __future__ import annotations

from pathlib import Path

from bartizan.engine.data import data_file
from bartizan.engine.levels import Level, Tuning
from bartizan.engine.policy_network import load_policy
from bartizan.engine.rule import rule
from bartizan.games.card_barrage.options import CastleTrigger, Effects
from bartizan.games.card_barrage.state import ACTIONS, CASTLE, HIGHEST, PLACES, Phase, State
from bartizan.games.card_barrage.table import count_walls, keeper, side_of, value, wall_at
from bartizan.games.card_barrage.thrower import USUAL, aims, best_method, is_aim, landing
from bartizan.games.card_barrage.verdicts import first_target

POINT = 100
NEVER = -10_000  # never chosen: a miss, or what no one can aim for
FIRST = 1_000  # before the attack, as it costs nothing
WORTH_UPGRADING = 3  # values less


@rule
def keep_value(card: int) -> int:
    """Return what a hand card is worth to keep: high cards replace no wall, for the enemy to hit again."""
    return value(card)


@rule
def lead(s: State) -> int:
    """Return by how many points the active side leads before the best of the others."""
    own, best = points_of(s, side_of(s, s.active)), 0
    for side in range(s.sides):
        if side != side_of(s, s.active) and points_of(s, side) > best:
            best = points_of(s, side)
    return own - best


@rule
def points_of(s: State, side: int) -> int:
    """Return the points of a side."""
    points = 0
    for each in range(side, s.castles, s.sides):
        if keeper(s, each) == each:
            points += s.score[each].points
    return points


# --- A verb's score ----------------------------------------------------------


@rule
def score_build(s: State, card: int, slot: int) -> int:
    """Value a new wall, which costs the attack: only where the castle lies open to an enemy who leads."""
    if s.phase == Phase.WALLS:
        return HIGHEST - value(card)
    open_castle = count_walls(s, s.active) == 0 and s.options.castle_trigger != CastleTrigger.OFF
    return (POINT if open_castle and lead(s) < 0 else NEVER) - value(card)


@rule
def score_upgrade(s: State, slot: int, card: int, leave: int) -> int:
    """Value a lower wall, which few cards can replace, and the high card that it brings to the hand."""
    if leave:
        return NEVER
    gain = value(s.wall[wall_at(s.active, slot)]) - value(card)
    return FIRST + gain if gain >= WORTH_UPGRADING else NEVER


@rule
def score_report(s: State, card: int, verdict: int, variant: int) -> int:
    """Value aiming at a target; only plain hits stand for aims."""
    if not is_aim(verdict):
        return NEVER
    target = first_target(verdict)
    seat, place = target // PLACES, target % PLACES
    worth = POINT
    if s.options.effects != Effects.OFF and s.score[keeper(s, s.active)].count % 3 == 2:
        worth += 10
    if place == CASTLE:
        worth += 10  # and the defender loses a card
        if s.options.castle_trigger != CastleTrigger.OFF and count_walls(s, seat) == 0:
            worth += 3 * POINT if lead(s) >= 0 else -2 * POINT
    else:
        # A high wall breaks a tie; a low one can hardly be replaced.
        worth += value(s.wall[wall_at(seat, place)]) // 3
        worth += (2 - (s.hand[seat].count if s.hand[seat].count < 2 else 2)) * 5
    return worth * landing(s, USUAL, best_method(s, USUAL, target), target) // 100 - keep_value(card)


@rule
def score_replace(s: State, slot: int, card: int) -> int:
    """Value a low card in place of a wall."""
    return HIGHEST + 1 - value(card)


@rule
def card_value(s: State, card: int) -> int:
    """Value giving or discarding a card by what it is worth to keep."""
    return -keep_value(card)


@rule
def score_exchange(s: State, scored: int, slot: int, card: int) -> int:
    """Value an exchange by how much lower the wall becomes."""
    return 2 * (value(s.wall[wall_at(s.active, slot)]) - value(card))


@rule
def score_erect(s: State, scored: int, card: int, slot: int) -> int:
    """Value a wall that costs no attack, the better the lower it is."""
    return 30 - value(card)


@rule
def score_pick(s: State, scored: int, seat: int) -> int:
    """Value an enemy's loss of a card; who holds few misses one most."""
    return 30 - s.hand[seat].count


@rule
def score_draw(s: State, scored: int) -> int:
    """Value drawing cards as an effect."""
    return 40


score_give = score_discard = card_value
action_score = ACTIONS.rule("action_score", "score_{}", otherwise=0)


# --- For searches ------------------------------------------------------------

# Two aims are often worth almost the same, so few are compared.  Playouts follow the advice to the end,
# because a lead in points says less than the walls that are left.
TUNING = Tuning(exploration=100, bias=1_000, widening=200, sample=32)
POLICY = load_policy(data_file(Path(__file__).parent, "policy.npz"))
PLAYER_LEVELS = (  # luck decides so much that a search finds hardly more than the advice
    Level("page", random_move_percent=99),
    Level("squire", random_move_percent=57),
    Level("knight", random_move_percent=31),
    Level("marshal", random_move_percent=10),
    Level("castellan", learned=True),
)


narrow = aims

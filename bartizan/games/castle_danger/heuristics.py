"""Rate the actions of Castle Danger: what each one is worth.

The guiding thought: count the moves that the cheapest attack on a King would need (a Cannon goes
beside the column, then its ball flies up it, and every wall in the column costs a shot before).
Bring the own attack nearer, keep the other's farther off than his next turn has moves, and when
the own turn has enough of them left, do nothing else.
"""

from __future__ import annotations

from bartizan.engine.bits import count, lowest
from bartizan.engine.bounds import smaller
from bartizan.engine.levels import Tuning
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import (
    AHEAD,
    BLUE,
    BLUE_PORTAL,
    COLUMNS,
    FARTHEST,
    RED_PORTAL,
    ROWS,
)
from bartizan.games.castle_danger.rules import (
    carry,
    distance,
    half,
    landing,
    pieces,
    portal,
    price,
    ready_cannons,
    steps_of,
)
from bartizan.games.castle_danger.state import ACTIONS, OFFSETS, Kind, State

# What things are worth; ending the turn is worth 0.
VICTORY = 1_000_000
MATE = 10_000  # an attack that this turn's moves suffice for
NEARER = 8  # a move less to the enemy King
SAFER = 6  # a move more to the own one, up to CALM more than the enemy's next turn has
CALM = 4
EXPOSED = 400  # the own King can be hit in the enemy's next turn …
HELPLESS = 60  # … and for each move that it would take to be out of his reach
SHUT_PORTAL = 30  # no new piece next turn
FAR_BUILDER = 2  # a square between the nearest Builder and where a wall is wanted
UNSHIELDED = 25  # no wall before the own King
WALL_WORTH = 7  # the moves that a wall adds to an attack

WIZARD_SHOT, CANNON_SHOT, BUILDER_SHOT, WALL_SHOT = 300, 260, 150, 25


@rule
def king_of(s: State, colour: int) -> int:
    """Return the square of a colour's King; he must be on the board."""
    return lowest(s.kings & half(colour))


@rule
def approach(at: int, king: int) -> int:
    """Return the moves that a Cannon on a square needs to hit a King, if nothing is in the way."""
    return abs(king % COLUMNS - at % COLUMNS) + distance(at, king)


@rule
def walls_between(s: State, at: int, king: int) -> int:
    """Count the walls in a King's column between him and the row of a Cannon on the other side."""
    return count(AHEAD[king * (FARTHEST + 1) + distance(at, king)] & s.walls)


@rule
def menace(s: State, at: int, king: int) -> int:
    """Return the moves that a Cannon needs to hit a King, walls in his column included."""
    return approach(at, king) + WALL_WORTH * walls_between(s, at, king)


@rule
def attack(s: State, colour: int) -> int:
    """Return the moves of a colour's cheapest attack on the other King; the first Cannon must come before."""
    king = king_of(s, 1 - colour)
    cannons = s.cannons & half(colour)
    best = menace(s, BLUE_PORTAL if colour == BLUE else RED_PORTAL, king) + 2
    while cannons != 0:
        best = smaller(best, menace(s, lowest(cannons), king))
        cannons &= cannons - 1
    return best


@rule
def worth(s: State, mine: int) -> int:
    """Return what a position is worth to a colour, as far as steps and walls change it."""
    theirs = 1 - mine
    king = king_of(s, mine)
    their_moves = 3 + 3 * count(s.wizards & half(theirs))
    margin = attack(s, theirs) - their_moves
    total = SAFER * smaller(margin, CALM) - NEARER * attack(s, mine)
    if margin <= 0:
        total -= EXPOSED + HELPLESS * -margin
    if pieces(s) & portal(mine):
        total -= SHUT_PORTAL
    if AHEAD[king * (FARTHEST + 1) + FARTHEST] & half(mine) & s.walls == 0:
        total -= UNSHIELDED + FAR_BUILDER * builder_distance(s, mine, king)
    return total


@rule
def builder_distance(s: State, mine: int, king: int) -> int:
    """Return how far the nearest own Builder is from the King he should shield."""
    best = COLUMNS + ROWS
    builders = s.builders & half(mine)
    while builders != 0:
        best = smaller(best, approach(lowest(builders), king))
        builders &= builders - 1
    return best


@rule
def attacker(s: State, king: int, moves: int) -> int:
    """Return the square of a ready Cannon that can hit a King with some moves, or -1.

    No wall may stand between; it stands in his column, or can step towards it at once.
    """
    left = ready_cannons(s)
    while left != 0:
        at = lowest(left)
        left &= left - 1
        near = approach(at, king) <= moves and walls_between(s, at, king) == 0
        if near and (at % COLUMNS == king % COLUMNS or sidestep(s, at, king) >= 0):
            return at
    return -1


@rule
def sidestep(s: State, at: int, king: int) -> int:
    """Return the square beside a Cannon that is nearer to a King's column, or -1 if it is not free."""
    to = at + (1 if king % COLUMNS > at % COLUMNS else -1)
    return to if steps_of(s, at) >> to & 1 else -1


@rule
def score_add(s: State, kind: int) -> int:
    """Value a new piece: Cannons and Wizards in turn, one Builder."""
    king = king_of(s, 1 - s.to_move)
    if attacker(s, king, s.moves_left) >= 0 and attacker(s, king, s.moves_left - price(s)) < 0:
        return -MATE
    if kind == Kind.WIZARD:
        return 75 - 20 * count(s.wizards & half(s.to_move))
    if kind == Kind.CANNON:
        return 85 - 30 * count(s.cannons & half(s.to_move))
    return 40 - 30 * count(s.builders & half(s.to_move))


@rule
def score_step(s: State, at: int, direction: int) -> int:
    """Value a step by what it makes better; one that an attack goes on with comes before all others."""
    to = at + OFFSETS[direction]
    king = king_of(s, 1 - s.to_move)
    hunter = attacker(s, king, s.moves_left)
    if hunter >= 0:
        goes_on = at == hunter and at % COLUMNS != king % COLUMNS and to == sidestep(s, at, king)
        return MATE if goes_on else -MATE
    before = worth(s, s.to_move)
    carry(s, at, to)
    after = worth(s, s.to_move)
    carry(s, to, at)
    return after - before - 1


@rule
def score_wall(s: State, at: int) -> int:
    """Value building a wall, or removing the one that stands there."""
    if attacker(s, king_of(s, 1 - s.to_move), s.moves_left) >= 0:
        return -MATE
    before = worth(s, s.to_move)
    s.walls ^= 1 << at
    after = worth(s, s.to_move)
    s.walls ^= 1 << at
    return after - before - 1


@rule
def score_fire(s: State, at: int, row: int) -> int:
    """Value a shot by what it hits; the own side is spared."""
    to = landing(at, row)
    hit = 1 << to
    mine = hit & half(s.to_move) != 0
    if s.kings & hit:
        return -VICTORY if mine else VICTORY
    king = king_of(s, 1 - s.to_move)
    cost = distance(at, to)
    hunter = attacker(s, king, s.moves_left)
    if hunter >= 0 and (hunter == at or approach(hunter, king) > s.moves_left - cost):
        return -MATE
    if mine:
        return -MATE
    return booty(s, at, to) - cost


@rule
def booty(s: State, at: int, to: int) -> int:
    """Return what it is worth to hit the enemy's piece on a square from the own Cannon on another."""
    hit = 1 << to
    if s.wizards & hit:
        return WIZARD_SHOT
    if s.cannons & hit:
        return CANNON_SHOT
    if s.builders & hit:
        return BUILDER_SHOT
    king = king_of(s, 1 - s.to_move)
    if s.walls & hit == 0 or to % COLUMNS != king % COLUMNS:
        return 0
    s.walls ^= hit  # is the breach open to another Cannon this turn?
    s.fired ^= 1 << at
    open_now = attacker(s, king, s.moves_left - distance(at, to)) >= 0
    s.walls ^= hit
    s.fired ^= 1 << at
    return MATE if open_now else WALL_SHOT


score_raze = score_wall
action_score = ACTIONS.rule("action_score", "score_{}", otherwise=0)


# --- For searches ------------------------------------------------------------

TUNING = Tuning(exploration=400, widening=800, horizon=4, sample=16)
WIZARD_HELD, CANNON_HELD, BUILDER_HELD = 120, 60, 25  # what a piece on the board is worth
EVEN = 250  # a lead of so much is worth half a win


@rule
def material(s: State, colour: int) -> int:
    """Return what a colour's pieces are worth, the King left out."""
    mine = half(colour)
    return (
        WIZARD_HELD * count(s.wizards & mine)
        + CANNON_HELD * count(s.cannons & mine)
        + BUILDER_HELD * count(s.builders & mine)
    )


@rule
def lead(s: State) -> int:
    """Return how far the side to move is ahead."""
    mine, theirs = s.to_move, 1 - s.to_move
    if attacker(s, king_of(s, theirs), s.moves_left) >= 0:
        return MATE
    return worth(s, mine) - worth(s, theirs) + material(s, mine) - material(s, theirs)


@rule
def evaluate(s: State, seat: int) -> float:
    """Return what an unfinished game is worth to a seat, from -1 to 1."""
    ahead = lead(s)
    value = ahead / (abs(ahead) + float(EVEN))
    return value if seat == s.to_move + 1 else -value

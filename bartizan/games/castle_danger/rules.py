"""Rule Castle Danger: set-up, the five steps of a turn, and the end, in the rulebook's order.

What may be done is told by sets of squares (`steps_of`, `sites`, `razeable`, `shots_of`): the
list of legal actions is made from them, and a `why_not…` says which clause keeps a square out.
"""

from __future__ import annotations

from bartizan.engine.bits import count, highest, lowest
from bartizan.engine.bounds import smaller
from bartizan.engine.clauses import OK, code
from bartizan.engine.rule import rule
from bartizan.games.castle_danger.board import (
    AHEAD,
    BLUE,
    BLUE_HALF,
    BLUE_PORTAL,
    COLUMNS,
    FARTHEST,
    GRASS,
    LAND,
    NEIGHBOURS,
    NOT_FIRST,
    NOT_LAST,
    PORTALS,
    RED,
    RED_HALF,
    RED_PORTAL,
    RIVER,
    ROWS,
    SAND,
    SQUARES,
)
from bartizan.games.castle_danger.options import AddTiming, FriendlyFire, PieceLimits, Symmetry
from bartizan.games.castle_danger.repetition import is_repeated, remember, wizards_at_first
from bartizan.games.castle_danger.state import END, OFFSETS, Kind, State, Winner

SERIALS = 32_000
WIZARDS, BUILDERS, CANNONS, WALLS = 8, 3, 5, 20  # in the box (CD-Q23)


# --- What stands where -------------------------------------------------------


@rule
def half(colour: int) -> int:
    """Return the squares of a colour's side (CD-3)."""
    return BLUE_HALF if colour == BLUE else RED_HALF


@rule
def portal(colour: int) -> int:
    """Return a colour's Portal, as a set of one square (CD-6)."""
    return 1 << BLUE_PORTAL if colour == BLUE else 1 << RED_PORTAL


@rule
def units(s: State) -> int:
    """Return where units stand: Kings, Wizards, Builders and Cannons of both colours."""
    return s.kings | s.wizards | s.builders | s.cannons


@rule
def pieces(s: State) -> int:
    """Return where a ball finds something to hit: units and walls."""
    return units(s) | s.walls


@rule
def flames(s: State) -> int:
    """Return where Fire of either colour burns; it blocks both players (CD-14, CD-Q9)."""
    return s.fire[BLUE] | s.fire[RED]


@rule
def own(s: State, board: int) -> int:
    """Return the part of a set of squares that lies on the side of the player to move."""
    return board & half(s.to_move)


@rule
def distance(at: int, to: int) -> int:
    """Return how many rows lie between two squares, the second one's counted."""
    return abs(to // COLUMNS - at // COLUMNS)


# --- Set-up (CD-15 to CD-17) -------------------------------------------------


@rule
def setup(s: State) -> None:
    """Set a new game up: King and Wizard on the back row, a wall before each (CD-15, CD-16, CD-Q2)."""
    king = setup_column(s.options.setup.king_file)
    wizard = setup_column(s.options.setup.wizard_file)
    if s.options.setup.symmetry == Symmetry.ROTATE:
        red_king, red_wizard = COLUMNS - 1 - king, COLUMNS - 1 - wizard
    else:
        red_king, red_wizard = king, wizard
    last, before_last = (ROWS - 1) * COLUMNS, (ROWS - 2) * COLUMNS
    s.kings = 1 << king | 1 << (last + red_king)
    s.wizards = 1 << wizard | 1 << (last + red_wizard)
    s.walls = 1 << (COLUMNS + king) | 1 << (COLUMNS + wizard)
    s.walls |= 1 << (before_last + red_king) | 1 << (before_last + red_wizard)
    s.builders, s.cannons, s.fired, s.fire[BLUE], s.fire[RED] = 0, 0, 0, 0, 0
    s.winner, s.begun = Winner.NONE, 0
    s.turn, s.to_move = 1, BLUE  # CD-17
    number_units(s)
    begin_turn(s)


@rule
def setup_column(file: int) -> int:
    """Return the column of a set-up file; the Portal's own column is none of them."""
    return file if file < COLUMNS // 2 else file + 1


@rule
def number_units(s: State) -> None:
    """Give every unit on the board a serial, by which a client follows it."""
    s.made = 0
    left = units(s)
    while left != 0:
        give_serial(s, lowest(left))
        left &= left - 1


@rule
def give_serial(s: State, at: int) -> None:
    """Give the unit on a square the next serial; after the last one, numbering starts again."""
    s.serials[at] = s.made
    s.made = (s.made + 1) % SERIALS


# --- Steps 1 and 2: the turn begins (CD-18 to CD-21) -------------------------


@rule
def begin_turn(s: State) -> None:
    """Put out the player's Fire, ready the Cannons, count the moves; a third occurrence draws (CD-Q22)."""
    s.fire[s.to_move] = 0  # CD-18
    s.fired &= ~half(s.to_move)  # CD-19
    s.moves_left = allowance(s)
    s.may_add = 1 if portal_is_open(s) else 0  # CD-7
    remember(s)
    if is_repeated(s):
        s.winner = Winner.DRAW


@rule
def allowance(s: State) -> int:
    """Return the moves of a turn: three, and three for each own Wizard (CD-10, CD-20)."""
    return moves_with(count(own(s, s.wizards)))


@rule
def moves_with(wizards: int) -> int:
    """Return the moves of a turn that begins with so many own Wizards (CD-20)."""
    return 3 + 3 * wizards


@rule
def moves_of_turn(s: State) -> int:
    """Return the moves with which this turn began; those of a Wizard added since come with the next one."""
    return moves_with(count(own(s, wizards_at_first(s)))) if s.begun > 0 else allowance(s)


@rule
def portal_is_open(s: State) -> bool:
    """Return whether nothing stands on the Portal of the player to move (CD-7, CD-Q11, CD-Q12)."""
    return pieces(s) & portal(s.to_move) == 0


@rule
def spend(s: State, moves: int) -> None:
    """Spend moves; the first one ends the right to add a piece, unless it lasts (CD-Q3)."""
    s.moves_left -= moves
    if s.options.add_timing == AddTiming.STEP3:
        s.may_add = 0


# --- Step 3: add a piece (CD-22 to CD-24) ------------------------------------

NO_ADDITION = code("CD-22")
TOO_DEAR = code("CD-24")


@rule
def why_no_addition(s: State) -> int:
    """Return why the player cannot add any piece now (CD-7, CD-22, CD-24, CD-Q3 to CD-Q5)."""
    if not s.may_add or not portal_is_open(s):
        return NO_ADDITION
    return OK if price(s) <= s.moves_left else TOO_DEAR


@rule
def price(s: State) -> int:
    """Return what a new piece costs: nothing to a player with fewer units (CD-24, CD-Q6)."""
    everybody = units(s)
    mine = count(own(s, everybody))
    return s.options.add_cost if mine >= count(everybody) - mine else 0


@rule
def why_not_add(s: State, kind: int) -> int:
    """Return why the player cannot add a piece of this kind (CD-22, CD-Q23)."""
    refused = why_no_addition(s)
    if refused != OK:
        return refused
    return OK if in_the_box(s, kind) else NO_ADDITION


@rule
def in_the_box(s: State, kind: int) -> bool:
    """Return whether a piece of this kind is left to add (CD-Q23: `piece_limits`)."""
    if s.options.piece_limits == PieceLimits.NONE:
        return True
    if kind == Kind.WIZARD:
        return count(own(s, s.wizards)) < WIZARDS
    if kind == Kind.BUILDER:
        return count(own(s, s.builders)) < BUILDERS
    return count(own(s, s.cannons)) < CANNONS


@rule
def add(s: State, kind: int) -> None:
    """Bring a new piece onto the Portal; it may act at once (CD-22, CD-23, CD-Q7)."""
    spend(s, price(s))
    s.may_add = 0  # CD-Q4
    give_serial(s, BLUE_PORTAL if s.to_move == BLUE else RED_PORTAL)
    if kind == Kind.WIZARD:
        s.wizards |= portal(s.to_move)
    elif kind == Kind.BUILDER:
        s.builders |= portal(s.to_move)
    else:
        s.cannons |= portal(s.to_move)


# --- Step 4: move (CD-26 to CD-29) -------------------------------------------

NO_STEP = code("CD-26")
ONTO_FIRE = code("CD-14")
ONTO_WATER = code("CD-28")


@rule
def steps_of(s: State, at: int) -> int:
    """Return where the unit on a square can step: next to it and unoccupied (CD-26, CD-28, CD-Q8)."""
    return NEIGHBOURS[at] & ~(pieces(s) | flames(s))


@rule
def why_not_step(s: State, at: int, direction: int) -> int:
    """Return why the player cannot step from a square in a direction (CD-26, CD-28)."""
    to = at + OFFSETS[direction]  # may lie off the board, or in the next row
    if own(s, units(s)) >> at & 1 == 0 or not 0 <= to < SQUARES:
        return NO_STEP
    if steps_of(s, at) >> to & 1:
        return OK
    if RIVER >> to & 1 and distance(at, to) == 1:
        return ONTO_WATER
    return ONTO_FIRE if (NEIGHBOURS[at] & flames(s)) >> to & 1 else NO_STEP


@rule
def step(s: State, at: int, direction: int) -> None:
    """Move a unit one square, for one move (CD-26, CD-27)."""
    to = at + OFFSETS[direction]
    spend(s, 1)
    s.serials[to] = s.serials[at]
    carry(s, at, to)


@rule
def carry(s: State, at: int, to: int) -> None:
    """Put the unit on one square on another, and leave the rest as it is."""
    both = 1 << at | 1 << to
    if s.wizards >> at & 1:
        s.wizards ^= both
    elif s.cannons >> at & 1:
        s.cannons ^= both
        if s.fired >> at & 1:
            s.fired ^= both  # CD-Q19
    elif s.builders >> at & 1:
        s.builders ^= both
    else:
        s.kings ^= both


# --- Step 4: walls (CD-30 to CD-32) ------------------------------------------

ON_SAND = code("CD-5")
NO_SITE = code("CD-30")
NO_WALL = code("CD-32")


@rule
def around(board: int) -> int:
    """Return the squares on land orthogonally adjacent to any of a set."""
    return (board << COLUMNS | board >> COLUMNS | (board & NOT_LAST) << 1 | (board & NOT_FIRST) >> 1) & LAND


@rule
def corners(board: int) -> int:
    """Return the squares on land diagonally adjacent to any of a set."""
    sides = (board & NOT_LAST) << 1 | (board & NOT_FIRST) >> 1
    return (sides << COLUMNS | sides >> COLUMNS) & LAND


@rule
def beside(s: State, board: int) -> int:
    """Return the squares that a Builder on any of a set would reach (CD-30, CD-Q13: `builder_diagonal`)."""
    return around(board) | corners(board) if s.options.builder_diagonal else around(board)


@rule
def within_reach(s: State) -> int:
    """Return the squares adjacent to the player's Builders (CD-30, CD-32, CD-Q13)."""
    return own(s, beside(s, own(s, s.builders)))


@rule
def builders_at(s: State, at: int) -> int:
    """Return the player's Builders that reach a square."""
    return own(s, s.builders & beside(s, 1 << at))


@rule
def blocked(s: State) -> int:
    """Return the squares that hold no new wall (CD-30, CD-Q8: `build_on_fire`, CD-Q11: `wall_on_portal`)."""
    taken = pieces(s)
    if not s.options.build_on_fire:
        taken |= flames(s)
    if not s.options.wall_on_portal:
        taken |= PORTALS
    return taken


@rule
def sites(s: State) -> int:
    """Return where the player can build a wall (CD-30)."""
    if s.options.piece_limits == PieceLimits.TABLETOP and count(s.walls) >= WALLS:
        return 0
    return within_reach(s) & GRASS & ~blocked(s)


@rule
def why_not_wall(s: State, at: int) -> int:
    """Return why the player cannot build a wall on a square (CD-5, CD-28, CD-30, CD-Q23)."""
    if sites(s) >> at & 1:
        return OK
    if RIVER >> at & 1:
        return ONTO_WATER
    return ON_SAND if SAND >> at & 1 else NO_SITE


@rule
def wall(s: State, at: int) -> None:
    """Put a wall on a square, for one move; Fire there goes out (CD-30, CD-31, CD-Q8)."""
    spend(s, 1)
    s.walls |= 1 << at
    s.fire[BLUE] &= ~s.walls
    s.fire[RED] &= ~s.walls


@rule
def razeable(s: State) -> int:
    """Return the walls that the player can remove (CD-32)."""
    return within_reach(s) & s.walls


@rule
def why_not_raze(s: State, at: int) -> int:
    """Return why the player cannot remove a wall from a square (CD-32)."""
    return OK if razeable(s) >> at & 1 else NO_WALL


@rule
def raze(s: State, at: int) -> None:
    """Remove a wall, for one move (CD-32)."""
    spend(s, 1)
    s.walls &= ~(1 << at)


# --- Step 4: fire (CD-33 to CD-40) -------------------------------------------

NO_CANNON = code("CD-33")
BEHIND_WALL = code("CD-37")
TOO_FAR = code("CD-38")
HAS_FIRED = code("CD-39")
NO_TARGET = code("CD-40")


@rule
def targets(s: State) -> int:
    """Return the squares that balls may be aimed at, if they lie in a Cannon's line (CD-40, CD-Q14).

    That is any square of the other side, and on the own side what `friendly_fire` lets be hit.
    """
    if s.options.friendly_fire == FriendlyFire.ALL:
        mine = own(s, pieces(s))
    elif s.options.friendly_fire == FriendlyFire.WALLS_ONLY:
        mine = own(s, s.walls)
    else:
        mine = 0
    return half(1 - s.to_move) | mine


@rule
def stop_of(s: State, at: int) -> int:
    """Return how far a ball from a square can fly before the first wall in its way ends it (CD-37)."""
    walls = AHEAD[at * (FARTHEST + 1) + FARTHEST] & s.walls
    if walls == 0:
        return FARTHEST
    return distance(at, lowest(walls) if s.to_move == BLUE else highest(walls))


@rule
def landing(at: int, row: int) -> int:
    """Return the square where a ball from `at` comes down in a row counted from 0 (CD-33)."""
    return row * COLUMNS + at % COLUMNS


@rule
def shots_of(s: State, at: int) -> int:
    """Return where the ready Cannon on a square can land a ball (CD-33, CD-37, CD-38, CD-40)."""
    return AHEAD[at * (FARTHEST + 1) + smaller(stop_of(s, at), s.moves_left)] & targets(s)


@rule
def ready_cannons(s: State) -> int:
    """Return the player's Cannons that have not fired this turn (CD-39)."""
    return own(s, s.cannons & ~s.fired)


@rule
def why_not_fire(s: State, at: int, row: int) -> int:
    """Return why the Cannon on a square cannot hit the square of its column in a row."""
    to = landing(at, row)
    if own(s, s.cannons) >> at & 1 == 0:
        return NO_CANNON
    if ready_cannons(s) >> at & 1 == 0:
        return HAS_FIRED
    if shots_of(s, at) >> to & 1:
        return OK
    if AHEAD[at * (FARTHEST + 1) + FARTHEST] >> to & 1 == 0:
        return NO_CANNON
    if targets(s) >> to & 1 == 0:
        return NO_TARGET
    return BEHIND_WALL if distance(at, to) > stop_of(s, at) else TOO_FAR


@rule
def fire(s: State, at: int, row: int) -> None:
    """Fire a Cannon: what stands where the ball lands is gone, and Fire is left (CD-34 to CD-36, CD-39)."""
    to = landing(at, row)
    spend(s, distance(at, to))
    s.fired |= 1 << at
    landed = 1 << to
    if s.kings & landed:
        s.winner = Winner.RED if landed & BLUE_HALF else Winner.BLUE  # CD-42, CD-Q15
    s.walls &= ~landed
    s.kings &= ~landed
    s.wizards &= ~landed
    s.builders &= ~landed
    s.cannons &= ~landed
    s.fired &= ~landed
    s.fire[1 - s.to_move] &= ~landed  # CD-Q9: the later shooter's
    s.fire[s.to_move] |= landed & ~PORTALS  # CD-36


# --- Step 5: the turn ends (CD-41, CD-Q21, CD-Q22) ---------------------------


@rule
def why_not_end(s: State) -> int:
    """Return OK: a turn can always be ended (CD-41)."""
    return OK


@rule
def end(s: State) -> None:
    """Do nothing: `after_action` ends the turn (CD-41)."""


@rule
def after_action(s: State, verb: int) -> None:
    """End the turn if the player does, or has no moves left (CD-41); a hit King has ended the game."""
    if s.winner == Winner.NONE and (verb == END.number or s.moves_left == 0):
        end_turn(s)


@rule
def end_turn(s: State) -> None:
    """Pass the turn on; what moves remain are lost, and the last turn of the limit draws (CD-41, CD-Q22)."""
    if s.to_move == RED and s.turn == s.options.turn_limit:
        s.winner = Winner.DRAW
        return
    if s.to_move == RED:
        s.turn += 1
    s.to_move = 1 - s.to_move
    begin_turn(s)

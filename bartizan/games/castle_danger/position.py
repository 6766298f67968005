"""Write and read whole positions of Castle Danger as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bartizan.engine.bits import count
from bartizan.engine.notation import PositionReader
from bartizan.engine.notation.codec import Key, PositionCodec, choice, integer
from bartizan.games.castle_danger import repetition, rules
from bartizan.games.castle_danger.board import (
    BLUE,
    COLUMNS,
    PORTALS,
    RED,
    RIVER,
    ROWS,
    SAND,
    half_of,
    name,
    square,
    squares_of,
)
from bartizan.games.castle_danger.options import AddTiming, FriendlyFire, Options, PieceLimits
from bartizan.games.castle_danger.state import REMEMBERED, State, Winner

COLOURS = ("blue", "red")
WINNERS = ("none", "blue", "red", "draw")
UNITS = {"K": "kings", "W": "wizards", "B": "builders", "C": "cannons", "F": "cannons"}  # Red's in lower case
EMPTY, WALL, WATER = ".", "#", "~"
FLAMES = "+x"  # Blue's Fire, Red's Fire
SIGNS = EMPTY + WALL + WATER + FLAMES + "".join(UNITS) + "".join(UNITS).lower()
MOST_MOVES = 3 + 3 * COLUMNS * 4  # with a Wizard on every square of one's side
LAST_TURN = 2**31 - 1


# --- What is written ----------------------------------------------------------


def sign_at(view: State, at: int) -> str:
    """Return the sign for what is on a square; a bare square of the river is ``~``."""
    if view.walls >> at & 1:
        return WALL
    for sign, field in UNITS.items():
        if getattr(view, field) >> at & 1:
            sign = "F" if view.fired >> at & 1 else sign
            return sign if half_of(at) == BLUE else sign.lower()
    for colour, sign in enumerate(FLAMES):
        if view.fire[colour] >> at & 1:
            return sign
    return WATER if RIVER >> at & 1 else EMPTY


def _rows(view: State) -> list[str]:
    """Return the board, row 9 first."""
    return [
        "".join(sign_at(view, square(column, row)) for column in range(COLUMNS))
        for row in range(ROWS - 1, -1, -1)
    ]


def _history(view: State) -> Iterator[tuple[int, int, int]]:
    """Yield the words kept for each turn begun, the oldest first."""
    for number in range(max(0, view.begun - REMEMBERED), view.begun):
        place = number % REMEMBERED
        yield view.low[place], view.mid[place], view.high[place]


@lru_cache(maxsize=4096)
def _remembered(low: int, mid: int, high: int) -> str:
    """Return a position kept for the repetition: rows 9 to 1, then the side to move."""
    state = State()
    repetition.recall(state, low, mid, high)
    return f"{'/'.join(_rows(state))} {COLOURS[state.to_move]}"


# --- How it is read -----------------------------------------------------------


def _fresh(options: Options, seats: int, seed: str) -> State:
    """Return the table as it is set up, but for its history."""
    state = State()
    options.put_into(state.options)
    rules.setup(state)
    state.begun = 0
    return state


def _read_given_board(reader: PositionReader, state: State) -> None:
    if "board" in reader.given:
        _read_board(reader, state, reader.texts("board"), "board")


def _read_board(reader: PositionReader, state: State, rows: Sequence[str], where: str) -> None:
    """Put on the board what its rows say, and note rows and signs that are none."""
    state.walls = state.kings = state.wizards = state.builders = state.cannons = state.fired = 0
    state.fire[BLUE] = state.fire[RED] = 0
    if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
        reader.fault("CD-2", f"{where} must have {ROWS} rows, row {ROWS} first, of {COLUMNS} squares each")
        return
    for at in (square(column, row) for row in range(ROWS) for column in range(COLUMNS)):
        sign = rows[ROWS - 1 - at // COLUMNS][at % COLUMNS]
        if sign not in SIGNS:
            reader.fault("", f"{where}: {name(at)} is {sign!r}; a square is one of {' '.join(SIGNS)}")
        elif (sign == WATER) != bool(RIVER >> at & 1):
            reader.fault("CD-2", f"{where}: {name(at)} is {sign!r}; row 5, and no other, is river ({WATER})")
        elif sign.upper() in UNITS:
            _put_unit(reader, state, at, sign, where)
        elif sign == WALL:
            state.walls |= 1 << at
        elif sign in FLAMES:
            state.fire[FLAMES.index(sign)] |= 1 << at


def _put_unit(reader: PositionReader, state: State, at: int, sign: str, where: str) -> None:
    colour = BLUE if sign.isupper() else RED
    if colour != half_of(at):
        reader.fault("CD-3", f"{where}: {name(at)} is {sign!r}, a {COLOURS[colour]} unit across the river")
    field = UNITS[sign.upper()]
    setattr(state, field, getattr(state, field) | 1 << at)
    if sign.upper() == "F":
        state.fired |= 1 << at


def _check_board(reader: PositionReader, state: State) -> None:
    """Note every rule that the pieces on the board break."""
    for at in squares_of(state.walls & SAND):
        reader.fault("CD-5", f"a wall stands on the sand of {name(at)}")
    for at in squares_of(rules.flames(state) & PORTALS):
        reader.fault("CD-36", f"Fire burns on the Portal {name(at)}")
    for colour, whose in enumerate(COLOURS):
        kings = count(state.kings & rules.half(colour))
        lost = state.winner in (Winner.BLUE, Winner.RED) and state.winner != colour + 1
        if kings != (0 if lost else 1):
            wanted = "none, having lost" if lost else "exactly one"
            reader.fault("CD-9", f"{whose} has {kings} Kings; it must have {wanted}")
        if state.options.piece_limits == PieceLimits.TABLETOP:
            _check_box(reader, state, colour)
    if state.options.piece_limits == PieceLimits.TABLETOP and count(state.walls) > rules.WALLS:
        reader.fault("CD-30", f"there are {count(state.walls)} walls; the box has {rules.WALLS}")


def _check_box(reader: PositionReader, state: State, colour: int) -> None:
    for kind, board, limit in (
        ("Wizards", state.wizards, rules.WIZARDS),
        ("Builders", state.builders, rules.BUILDERS),
        ("Cannons", state.cannons, rules.CANNONS),
    ):
        pieces = count(board & rules.half(colour))
        if pieces > limit:
            reader.fault("CD-22", f"{COLOURS[colour]} has {pieces} {kind}; the box has {limit}")


def _read_right_to_add(reader: PositionReader, state: State) -> None:
    """Read whether a piece may be added; left out, it is so if nothing speaks against it."""
    fault = _why_no_right_to_add(state)
    state.may_add = int(reader.truth("may_add", not fault and rules.portal_is_open(state)))
    if state.winner == Winner.NONE and state.may_add and fault:
        reader.fault("CD-22", f"may_add is true, but {fault}")


def _why_no_right_to_add(state: State) -> str:
    """Say why the player can have no right to add in this position; ``""`` if he can."""
    portal_is_open = rules.portal_is_open(state)
    fired = count(rules.own(state, state.fired))
    if state.options.add_timing == AddTiming.STEP3:
        if not portal_is_open:
            return "the Portal is not open"
        if state.moves_left != rules.allowance(state) or fired or state.fire[state.to_move]:
            return "moves have been spent"
        return ""
    if portal_is_open:
        return ""
    # The Portal was open when the turn began, so what stands there came this turn, for a move.  Every shot
    # cost another; but an own Wizard that was hit had made three moves that `allowance` no longer counts.
    regained = 3 * fired if state.options.friendly_fire == FriendlyFire.ALL else 0
    if state.moves_left > rules.allowance(state) + regained - fired - 1:
        return "the Portal is not open, and no move has been spent to bring anything there"
    return ""


def _read_seen(reader: PositionReader, state: State) -> None:
    """Keep the positions of the turns begun; left out, the present one once (CD-Q22)."""
    if "seen" not in reader.given:
        repetition.remember(state)
        return
    for number, text in enumerate(reader.texts("seen"), start=1):
        board, _, side = text.partition(" ")
        where = f"seen, entry {number}"
        if side not in COLOURS:
            reader.fault("", f"{where}: the side to move is {side!r}; it can be {' or '.join(COLOURS)}")
            continue
        earlier = State()
        _read_board(reader, earlier, board.split("/"), where)
        earlier.to_move = COLOURS.index(side)
        repetition.keep(state, earlier)


# --- Both ways ---------------------------------------------------------------

POSITION = PositionCodec(
    Key("board", _rows, _read_given_board),
    choice("to_move", COLOURS),
    choice("winner", WINNERS),
    integer("turn", low=1, high=lambda state: state.options.turn_limit or LAST_TURN, clause="CD-42"),
    integer(
        "moves_left",
        low=lambda state: int(state.winner == Winner.NONE),
        high=MOST_MOVES,
        default=rules.allowance,
        clause="CD-41",
    ),
    Key("may_add", lambda state: bool(state.may_add), _read_right_to_add),
    Key("seen", lambda state: [_remembered(*words) for words in _history(state)], _read_seen),
    start=_fresh,
    checks=(_check_board,),
    finish=rules.number_units,
    untold={"serials": (0, 32_767), "made": (0, 32_767)},
)

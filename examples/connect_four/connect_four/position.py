"""Write and read whole positions of Connect Four as tables."""

from __future__ import annotations

from bartizan.engine.bits import count
from bartizan.engine.notation.codec import Key, PositionCodec, PositionReader, choice
from connect_four import rules
from connect_four.options import Options
from connect_four.state import COLUMNS, FULL, RED, ROWS, STRIDE, YELLOW, State, Winner
from connect_four.words.names import COLOURS, FILES, place_name

EMPTY, SIGNS = ".", "RY"
NAMES = tuple(name.lower() for name in COLOURS)


def sign_at(state: State, column: int, row: int) -> str:
    """Return the sign for what lies on a place."""
    place = column * STRIDE + row
    return next((sign for sign, discs in zip(SIGNS, state.discs, strict=True) if discs >> place & 1), EMPTY)


def _rows(state: State) -> list[str]:
    """Return the rack, the uppermost row first."""
    return [
        "".join(sign_at(state, column, row) for column in range(COLUMNS)) for row in range(ROWS - 1, -1, -1)
    ]


def _read_rows(reader: PositionReader, state: State) -> None:
    if "board" not in reader.given:
        return
    rows = reader.texts("board")
    if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
        reader.fault("CF-1", f"board must have {ROWS} rows, the uppermost first, of {COLUMNS} places each")
        return
    for row, signs in zip(range(ROWS - 1, -1, -1), rows, strict=True):
        for column, sign in enumerate(signs):
            if sign in SIGNS:
                state.discs[SIGNS.index(sign)] |= 1 << column * STRIDE + row
            elif sign != EMPTY:
                at = place_name(column, row)
                reader.fault("CF-1", f"board: {at} is {sign!r}; a place is one of {EMPTY} {' '.join(SIGNS)}")


def _whose_turn(state: State) -> int:
    """Return who is next after the discs that lie there."""
    return YELLOW if count(state.discs[RED]) > count(state.discs[YELLOW]) else RED


def _check_discs(reader: PositionReader, state: State) -> None:
    """Note discs that float, colours that did not take turns, and a turn that is not due."""
    discs = rules.taken(state)
    for column in range(COLUMNS):
        lying = discs >> column * STRIDE & (1 << ROWS) - 1
        if lying & lying + 1:
            reader.fault("CF-3", f"a disc floats in column {FILES[column]}")
    red, yellow = count(state.discs[RED]), count(state.discs[YELLOW])
    if red - yellow not in (0, 1):
        reader.fault("CF-2", f"there are {red} discs of Red and {yellow} of Yellow, who took turns")
    if state.to_move != _whose_turn(state):
        reader.fault("CF-2", f"to_move is {NAMES[state.to_move]}, but {NAMES[1 - state.to_move]} is next")


def _check_end(reader: PositionReader, state: State) -> None:
    """Note a winner that the rack does not show, and a rack that shows one whom nobody names."""
    lines = [rules.has_line(discs) for discs in state.discs]
    if any(lines):
        made = lines.index(True)
        wanted = (1 - made if state.options.misere else made) + 1
        if all(lines) or made == state.to_move:
            reader.fault(
                "CF-5", f"{COLOURS[state.to_move]} has made a line and moved no more; nobody else has"
            )
    else:
        wanted = Winner.DRAW if rules.taken(state) == FULL else Winner.NONE
    if state.winner != wanted and not reader.faults:
        names = ("none", *NAMES, "draw")
        clause = "CF-6" if Winner.DRAW in (wanted, state.winner) else "CF-5"
        reader.fault(clause, f"winner is {names[state.winner]!r}; as the discs lie it is {names[wanted]!r}")


def _fresh(options: Options, seats: int, seed: str) -> State:
    state = State()
    options.put_into(state.options)
    rules.setup(state)
    return state


POSITION = PositionCodec(
    Key("board", _rows, _read_rows),
    choice("to_move", NAMES, default=_whose_turn),
    choice("winner", ("none", *NAMES, "draw")),
    start=_fresh,
    checks=(_check_discs, _check_end),
)

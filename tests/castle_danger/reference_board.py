"""Squares, options and positions of Castle Danger, read and written (part of the second implementation)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.reference.options import completed

FILES = "abcdefg"
RIVER = 5
PORTAL = {"blue": "d1", "red": "d9"}
OTHER = {"blue": "red", "red": "blue"}
FORWARD = {"blue": 1, "red": -1}
HALF = {"blue": (1, 2, 3, 4), "red": (6, 7, 8, 9)}
SAND = (4, 6)
WALL = "#"
FIRE = {"blue": "+", "red": "x"}
ADDABLE = {"wizard": "w", "builder": "b", "cannon": "c"}
UNIT_LETTERS = "kwbcf"

DEFAULTS: dict[str, Any] = {
    "king_file": "b",
    "wizard_file": "f",
    "symmetry": "rotate",
    "add_cost": 2,
    "add_timing": "step3",
    "build_on_fire": False,
    "friendly_fire": "all",
    "turn_limit": 50,
    "repetition": 3,
    "piece_limits": "none",
    "wall_on_portal": True,
    "builder_diagonal": False,
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "king_file": tuple("abcefg"),
    "wizard_file": tuple("abcefg"),
    "symmetry": ("rotate", "mirror"),
    "add_cost": (2, 0, 1, 3),
    "add_timing": ("step3", "anytime_if_open_at_start"),
    "build_on_fire": (False, True),
    "friendly_fire": ("all", "walls_only", "none"),
    "turn_limit": (50, 25, 0),
    "repetition": (3, 0),
    "piece_limits": ("none", "tabletop"),
    "wall_on_portal": (True, False),
    "builder_diagonal": (False, True),
}
RANGES = {"turn_limit": (0, 30_000)}
SETUP = ("king_file", "wizard_file", "symmetry")
TABLETOP = {"w": 8, "b": 3, "c": 5}  # of one colour, fired Cannons among the Cannons
TABLETOP_WALLS = 20  # of both players together


def full_options(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fill in the defaults; ValueError for what is no option.

    The three words of the set-up are taken inside a table `setup`, as `setup.king_file` or by themselves.
    """
    flat: dict[str, Any] = {}
    for key, value in (given or {}).items():
        if key == "setup":
            flat.update(value)
        else:
            flat[key.removeprefix("setup.").removeprefix("setup_")] = value
    off = {"none": 0, "off": 0}.get
    options = completed(flat, DEFAULTS, CHOICES, RANGES, {"turn_limit": off, "repetition": off})
    if options["king_file"] == options["wizard_file"]:
        raise ValueError("King and Wizard start in different columns")
    return options


# --- squares and pieces -------------------------------------------------------------------------------


def file_of(square: str) -> int:
    return FILES.index(square[0])


def row_of(square: str) -> int:
    return int(square[1])


def square_at(file: int, row: int) -> str | None:
    """Name a square; None: off the board."""
    return f"{FILES[file]}{row}" if 0 <= file < 7 and 1 <= row <= 9 else None


SQUARES = [f"{file}{row}" for row in range(1, 10) for file in FILES]


def around(square: str, steps: list[tuple[int, int]]) -> tuple[str, ...]:
    """List the squares that lie so many columns and rows away, without the river (CD-2)."""
    found = [square_at(file_of(square) + right, row_of(square) + up) for right, up in steps]
    return tuple(each for each in found if each is not None and row_of(each) != RIVER)


STRAIGHT = [(-1, 0), (1, 0), (0, -1), (0, 1)]
SLANTING = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
BESIDE = {square: around(square, STRAIGHT) for square in SQUARES}  # CD-26
NEAR = {square: around(square, STRAIGHT + SLANTING) for square in SQUARES}  # CD-Q13's other reading


def colour(piece: str) -> str | None:
    """Say whose unit a letter is; None for walls, Fire and nothing."""
    if piece.lower() not in UNIT_LETTERS or not piece:
        return None
    return "blue" if piece.isupper() else "red"


def in_colour(letter: str, side: str) -> str:
    return letter.upper() if side == "blue" else letter


# --- positions ----------------------------------------------------------------------------------------


@dataclass
class Position:
    """A position as the notation describes it; `board` holds the squares on which something stands."""

    board: dict[str, str]
    to_move: str = "blue"
    turn: int = 1
    moves_left: int = 0
    may_add: bool = False
    seen: list[str] = field(default_factory=list)
    winner: str = "none"

    def copy(self) -> Position:
        return replace(self, board=dict(self.board), seen=list(self.seen))

    def at(self, square: str) -> str:
        return self.board.get(square, "")

    def units(self, side: str) -> list[str]:
        """List the letters of a side's moveable pieces (CD-24), in lower case."""
        return [piece.lower() for piece in self.board.values() if colour(piece) == side]

    def portal_is_empty(self, side: str) -> bool:
        return PORTAL[side] not in self.board

    def allowance(self) -> int:
        """CD-20: count the moves of a turn that begins now."""
        return 3 + 3 * self.units(self.to_move).count("w")

    def rows(self) -> list[str]:
        """Write the board, row 9 first."""
        return [
            "~" * 7 if row == RIVER else "".join(self.board.get(f"{file}{row}", ".") for file in FILES)
            for row in range(9, 0, -1)
        ]

    def key(self) -> str:
        """Write what counts for repetition (CD-Q22): the board without fired flags, and the side to move."""
        plain = "/".join(self.rows()).replace("F", "C").replace("f", "c")
        return f"{plain} {self.to_move}"

    def write(self) -> dict[str, Any]:
        return {
            "board": self.rows(),
            "to_move": self.to_move,
            "turn": self.turn,
            "moves_left": self.moves_left,
            "may_add": self.may_add,
            "seen": list(self.seen),
            "winner": self.winner,
        }

    @classmethod
    def read(cls, given: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
        """Read a position in the published form; what is left out is as in a turn that has just begun."""
        rows = given.get("board")
        board = read_rows(rows) if rows is not None else start_board(options)
        position = cls(board, given.get("to_move", "blue"), given.get("turn", 1))
        position.moves_left = given.get("moves_left", position.allowance())
        open_portal = position.portal_is_empty(position.to_move)
        can_be = open_portal and not add_faults_at_start(position, options)
        position.may_add = given.get("may_add", can_be)
        position.seen = list(given.get("seen", [position.key()]))
        position.winner = given.get("winner", "none")
        return position


def read_rows(rows: list[str]) -> dict[str, str]:
    return {
        f"{file}{9 - index}": piece
        for index, row in enumerate(rows)
        for file, piece in zip(FILES, row, strict=True)
        if piece not in ".~"
    }


def start_board(options: Mapping[str, Any]) -> dict[str, str]:
    """CD-15, CD-Q2: King and Wizard in the outside row, each behind a wall; Red turned or mirrored."""
    board: dict[str, str] = {}
    for letter, file in (("k", options["king_file"]), ("w", options["wizard_file"])):
        index = FILES.index(file)
        turned = FILES[6 - index] if options["symmetry"] == "rotate" else file
        board[f"{file}1"], board[f"{file}2"] = letter.upper(), WALL
        board[f"{turned}9"], board[f"{turned}8"] = letter, WALL
    return board


def start(options: Mapping[str, Any]) -> Position:
    """Set the game up."""
    return Position.read({}, options)


# --- positions that break a rule ------------------------------------------------------------------------

KEYS = ("board", "to_move", "turn", "moves_left", "may_add", "seen", "winner")
Fault = tuple[str, str]  # the clause, or nothing where the form is broken, and a sentence


def position_faults(given: Mapping[str, Any], options: Mapping[str, Any]) -> list[Fault]:
    """List everything that is wrong with a written position."""
    faults = form_faults(given)
    if faults:
        return faults
    faults += river_faults(given)
    position = Position.read(given, options)
    faults += square_faults(position)
    if position.winner == "none":
        faults += running_faults(position, options)
    if options["piece_limits"] == "tabletop":
        faults += limit_faults(position)
    return faults


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def form_faults(given: Mapping[str, Any]) -> list[Fault]:
    """List what keeps a position from being read at all."""
    faults = [("", f"there is no key {key!r}") for key in given if key not in KEYS]
    rows = given.get("board", ["." * 7] * 9)
    if len(rows) != 9 or any(len(row) != 7 for row in rows):
        faults.append(("", "a board has nine rows of seven squares"))
    elif strange := sorted(set("".join(rows)) - set(".~#+x" + UNIT_LETTERS + UNIT_LETTERS.upper())):
        faults.append(("", f"no piece is written {strange}"))
    if given.get("to_move", "blue") not in OTHER:
        faults.append(("", "to_move is blue or red"))
    if given.get("winner", "none") not in ("none", "blue", "red", "draw"):
        faults.append(("", "winner is none, blue, red or draw"))
    if not isinstance(given.get("may_add", True), bool):
        faults.append(("", "may_add is true or false"))
    if not is_whole(given.get("turn", 1)) or given.get("turn", 1) < 1:
        faults.append(("", "turn is a number from 1"))
    if not is_whole(given.get("moves_left", 1)):
        faults.append(("", "moves_left is a number"))
    if not all(isinstance(entry, str) and entry.count("/") == 8 for entry in given.get("seen", [])):
        faults.append(("", "seen holds boards with the side to move"))
    return faults


def river_faults(given: Mapping[str, Any]) -> list[Fault]:
    rows = given.get("board", [])
    faults = []
    for index, row in enumerate(rows):
        if index == 9 - RIVER and row != "~" * 7:
            faults.append(("CD-2", "row 5 is river"))
            if set(row) & set(UNIT_LETTERS + UNIT_LETTERS.upper()):
                faults.append(("CD-28", "a unit stands in the river"))
            if WALL in row:
                faults.append(("CD-30", "a wall stands in the river"))
        elif index != 9 - RIVER and "~" in row:
            faults.append(("CD-2", f"row {9 - index} is no river"))
    return faults


def square_faults(position: Position) -> list[Fault]:
    """List pieces that stand where they may not."""
    faults = []
    for square, piece in position.board.items():
        side = colour(piece)
        if side is not None and row_of(square) not in (*HALF[side], RIVER):
            faults += [(clause, f"{square}: a unit of {side}") for clause in ("CD-2", "CD-3", "CD-28")]
        if piece == WALL and row_of(square) in SAND:
            faults += [(clause, f"{square}: a wall on sand") for clause in ("CD-5", "CD-30")]
        if piece in FIRE.values() and square in PORTAL.values():
            faults += [(clause, f"{square}: Fire on a Portal") for clause in ("CD-36", "CD-Q10")]
    return faults


def running_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """List what cannot be while the game runs."""
    faults = []
    for side in OTHER:
        if position.units(side).count("k") != 1:
            faults += [(clause, f"one King is {side}'s") for clause in ("CD-9", "CD-15")]
    if position.moves_left < 1:
        faults += [(clause, "a turn has ended") for clause in ("CD-41", "CD-Q21", "CD-20")]
    if 0 < options["turn_limit"] < position.turn:
        faults += [(clause, f"turn {position.turn} is past the limit") for clause in ("CD-42", "CD-Q22")]
    if position.may_add:
        faults += add_faults_at_start(position, options)
    return faults


def add_faults_at_start(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """List why the right to add cannot stand (CD-Q3).

    Under `step3` the Portal is empty and nothing has been spent: all moves are left, no Cannon has fired and
    no Fire burns, because those of earlier turns went as this one began (CD-18, CD-19). Under the other
    reading a piece may have come onto the Portal since, if something has been spent. (A Cannon that shot its
    own Wizard may leave as many moves as the board now gives.)
    """
    own = set(position.board.values())
    full = position.moves_left >= position.allowance()
    fired = in_colour("f", position.to_move) in own
    taken = not position.portal_is_empty(position.to_move)
    faults = []
    if options["add_timing"] == "step3":
        spent = position.moves_left != position.allowance() or fired or FIRE[position.to_move] in own
        if spent:
            faults += [(clause, "moves have been spent") for clause in ("CD-22", "CD-Q3")]
    else:
        taken = taken and full and not fired
    if taken:
        faults += [(clause, "the Portal is not empty") for clause in ("CD-7", "CD-22", "CD-Q3", "CD-Q12")]
    return faults


def limit_faults(position: Position) -> list[Fault]:
    """CD-Q23: count what is on the board against the box's contents."""
    faults = []
    for side in OTHER:
        units = Counter("c" if letter == "f" else letter for letter in position.units(side))
        for letter, most in TABLETOP.items():
            if units[letter] > most:
                faults += [(clause, f"{side} has too many {letter}") for clause in ("CD-22", "CD-Q23")]
    if list(position.board.values()).count(WALL) > TABLETOP_WALLS:
        faults += [(clause, "too many walls") for clause in ("CD-30", "CD-Q23")]
    return faults

"""Store simulated throws in a Parquet file, so that many games can sample them instead of simulating.

A *cell* is one combination of a method, a kind of target, a level of skill and a battlefield.  All throws in
a bank are made by seat 1 of a duel (`bartizan.throwing.standard`), at the middle of a target, with a
trembling hand.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bartizan.engine.data import data_file
from bartizan.engine.errors import BadData
from bartizan.engine.files import replacing
from bartizan.throwing.flight import fly
from bartizan.throwing.hand import Hand, aim
from bartizan.throwing.release import METHODS, BadRelease
from bartizan.throwing.standard import INCH, standard_layout
from bartizan.throwing.verdict import judge

FILE = "bank.parquet"
LEVELS = {
    "child": 3.0,
    "beginner": 2.0,
    "decent": 1.5,
    "expert": 1.0,
}  # the noise of a hand, the weakest first
KINDS = {  # of target: those that are thrown at in turn
    "wall": ("2.wall2", "2.wall3", "2.wall4"),  # with a wall on either side
    "edge": ("2.wall1", "2.wall5"),
    "castle": ("2.castle",),
}
BATTLEFIELDS = (12, 9, 10, 14)  # inches between the rows of walls: as the rules have it, then others
OUTCOMES = ("miss", "hit", "perfect", "double")
# Where a card may land, seen from the target.  Left and right are the owner's, as its walls are numbered.
PLACES = ("none", "target", "left", "right", "castle", "wall")
NOTHING, TARGET, LEFT, RIGHT, CASTLE, WALL = range(6)

# column: what it holds, and its lowest and highest value
COLUMNS: dict[str, tuple[str, int, int]] = {
    "method": ("u1", 0, len(METHODS) - 1),
    "kind": ("u1", 0, len(KINDS) - 1),
    "level": ("u1", 0, len(LEVELS) - 1),
    "battlefield": ("u1", 0, len(BATTLEFIELDS) - 1),
    "outcome": ("u1", 0, len(OUTCOMES) - 1),
    "first": ("u1", 0, len(PLACES) - 1),  # what was landed on, the larger overlap first
    "second": ("u1", 0, len(PLACES) - 1),
    "moved": ("u1", 0, (1 << len(PLACES)) - 1),  # a bit for each place of which a wall was moved
    "x": ("i2", -3000, 3000),  # millimetres right of the target, as the thrower looks, and beyond it
    "y": ("i2", -3000, 3000),
}


class BankCell(NamedTuple):
    """Name a method, a kind of target, a level of skill and a battlefield by their numbers."""

    method: int
    kind: int
    level: int
    battlefield: int = 0

    def text(self) -> str:
        """Return the cell in words."""
        far = f", {BATTLEFIELDS[self.battlefield]} inches" if self.battlefield else ""
        return f"{METHODS[self.method]} at {list(KINDS)[self.kind]}, {list(LEVELS)[self.level]}{far}"


def cells() -> list[BankCell]:
    """Return all cells, in the order of a bank."""
    return [
        BankCell(method, kind, level, battlefield)
        for battlefield in range(len(BATTLEFIELDS))
        for method in range(len(METHODS))
        for kind in range(len(KINDS))
        for level in range(len(LEVELS))
    ]


Row = tuple[int, int, int, int, int, int]  # outcome, first, second, moved, x, y
UNREACHED: Row = (0, NOTHING, NOTHING, 0, COLUMNS["x"][1], COLUMNS["y"][1])


def make_rows(cell: BankCell, first: int, number: int, seed: int = 0) -> list[Row]:
    """Throw `number` cards of a cell, from the throw numbered `first` on; each throw has dice of its own.

    A target out of the method's range counts as missed.
    """
    layout = standard_layout(battlefield=BATTLEFIELDS[cell.battlefield] * INCH)
    kind, level = list(KINDS)[cell.kind], list(LEVELS.values())[cell.level]
    rows = []
    for count in range(first, first + number):
        target = KINDS[kind][count % len(KINDS[kind])]
        try:
            intended = aim(layout, 1, target, METHODS[cell.method])
        except BadRelease:
            rows.append(UNREACHED)
            continue
        hand = Hand(level, (seed * len(cells()) + cells().index(cell)) * 0x1_0000_0001 + count)
        flight = fly(layout, 1, hand.tremble(intended))
        verdict = judge(layout, 1, flight)
        landed = [place_of(landing.target, target) for landing in verdict.landings] + [NOTHING, NOTHING]
        moved = sum({1 << place_of(name, target) for name in verdict.moved if name.startswith("2.")})
        spot = next(piece.spot for piece in layout.pieces if piece.name == target)
        x, y = (round(1000 * each) for each in (flight.card[0] - spot.x, flight.card[1] - spot.y))
        rows.append(
            (OUTCOMES.index(verdict.verdict), landed[0], landed[1], moved, _clip("x", x), _clip("y", y))
        )
    return rows


def _clip(column: str, value: int) -> int:
    _, low, high = COLUMNS[column]
    return min(max(value, low), high)


def place_of(name: str, target: str) -> int:
    """Return where a card of seat 2 stands, seen from a target."""
    if name == target:
        return TARGET
    if "wall" not in name:
        return CASTLE
    if "wall" not in target:
        return WALL
    apart = int(name[-1]) - int(target[-1])
    return {-1: LEFT, 1: RIGHT}.get(apart, WALL)


class Bank:
    """Hold a bank of throws: columns of figures, sorted by cell."""

    def __init__(self, columns: dict[str, Any]) -> None:
        """Take columns as they are in a file that `load` has checked."""
        self.columns = columns
        key = _keys(columns)
        self._bounds = {
            cell: (int(np.searchsorted(key, number)), int(np.searchsorted(key, number, side="right")))
            for number, cell in enumerate(cells())
        }

    def __len__(self) -> int:
        return len(self.columns["method"])

    def rows(self, cell: BankCell) -> slice:
        """Return which rows are a cell's."""
        return slice(*self._bounds[cell])

    def draw(self, cell: BankCell, number: int, dice: np.random.Generator) -> Any:
        """Return the rows of `number` throws of a cell, int64, drawn with replacement."""
        low, high = self._bounds[cell]
        return dice.integers(low, high, number)

    def share(self, cell: BankCell) -> tuple[int, int]:
        """Return how many throws of a cell landed on their target, alone or not, and how many there are."""
        rows = self.rows(cell)
        on = (self.columns["first"][rows] == TARGET) | (self.columns["second"][rows] == TARGET)
        return int(np.count_nonzero(on)), rows.stop - rows.start


@functools.cache
def best_shares() -> dict[tuple[float, int], float]:
    """Return how often a card of the shipped bank lands on a wall by the best way, from 0 to 1.

    By the hand's level (its noise) and the inches between the rows of walls.
    """
    bank = load()
    rows = {}
    for level, noise in enumerate(LEVELS.values()):
        for battlefield, inches in enumerate(BATTLEFIELDS):
            shares = [bank.share(BankCell(method, 0, level, battlefield)) for method in range(len(METHODS))]
            rows[noise, inches] = max(landed / throws for landed, throws in shares)
    return rows


def _keys(columns: dict[str, Any]) -> Any:
    """Return the number of each row's cell."""
    key = columns["battlefield"].astype(np.int64)
    for column, size in (("method", len(METHODS)), ("kind", len(KINDS)), ("level", len(LEVELS))):
        key = key * size + columns[column]
    return key


def save(path: Path, made: dict[BankCell, list[Row]]) -> None:
    """Write a bank, the cells in order."""
    import polars

    names = list(COLUMNS)
    rows = [(*cell, *row) for cell in cells() for row in made.get(cell, [])]
    table = np.array(rows, dtype=np.int64).reshape(-1, len(names))
    frame = polars.DataFrame({name: table[:, n].astype(COLUMNS[name][0]) for n, name in enumerate(names)})
    with replacing(path) as part:
        frame.write_parquet(part, compression="zstd", compression_level=19, statistics=False)


def load(path: Path | None = None) -> Bank:
    """Read a bank, the one that comes with the package by default.

    It is checked whole, since whoever draws from it indexes by what it says.  Raises `BadData` with what is
    wrong.
    """
    import polars

    path = path or data_file(Path(__file__).parent, FILE)
    try:
        frame = polars.read_parquet(path)
    except (OSError, polars.exceptions.PolarsError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadData(f"{path} cannot be read as a bank of throws: {reason}.") from error
    if frame.columns != list(COLUMNS):
        raise BadData(f"{path} has the columns {', '.join(frame.columns)}; a bank has {', '.join(COLUMNS)}.")
    columns = {}
    for name, (kind, low, high) in COLUMNS.items():
        values = frame[name].to_numpy()
        if values.dtype != np.dtype(kind) or frame[name].null_count():
            raise BadData(f"{path}: the column {name} is not of whole numbers of {8 * int(kind[1])} bits.")
        if len(values) and not low <= values.min() <= values.max() <= high:
            raise BadData(
                f"{path}: {name} goes from {values.min()} to {values.max()}; it may be {low} to {high}."
            )
        columns[name] = values
    _check_rows(path, columns)
    return Bank(columns)


def _check_rows(path: Path, columns: dict[str, Any]) -> None:
    """Raise `BadData` unless every cell is there, in order, and outcomes fit what was landed on."""
    key = _keys(columns)
    if np.any(np.diff(key) < 0):
        raise BadData(f"{path}: row {int(np.argmax(np.diff(key) < 0)) + 2} is not in the order of cells.")
    numbers = np.bincount(key, minlength=len(cells()))
    if not numbers.all():
        raise BadData(f"{path} has no throws of {cells()[int(np.argmin(numbers))].text()}.")
    landed = (columns["first"] > 0).astype(int) + (columns["second"] > 0)
    wrong = (landed != np.array([0, 1, 1, 2])[columns["outcome"]]) | ((columns["first"] == 0) & (landed > 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        outcome = OUTCOMES[columns["outcome"][row]]
        raise BadData(f"{path}: row {row + 1} is a {outcome}, and lands on {landed[row]} cards.")

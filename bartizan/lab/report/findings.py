"""Hold what a report is made of: what comes from files has been checked, but no text of it is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from bartizan.engine.errors import CorruptRecord, first_line

COLUMNS: dict[str, type[pl.DataType]] = {
    "group": pl.String,
    "measure": pl.String,
    "kind": pl.String,
    "cell": pl.Int64,
    "label": pl.String,
    "estimate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "games": pl.Int64,
    "method": pl.String,
    "p": pl.Float64,
    "words": pl.String,
    "counts": pl.String,
}
MOST_ROWS = 500_000
SECONDS = 10.0  # that a person takes for a decision, unless told
LONGEST_TEXT = 300  # signs of a name or a sentence in a file of measures


@dataclass(frozen=True)
class CellInfo:
    """One combination of options, or of players where others confirm a figure."""

    number: int
    label: str
    players: tuple[str, ...]
    confirms: bool = False
    strength: float = 0.0  # of its weakest player: its iterations a decision, or less than 0 where it slips
    other_rules: bool = False  # whether it confirms with other options than the first cell's, as before

    @property
    def names(self) -> str:
        """The players, each named once."""
        return ", ".join(dict.fromkeys(self.players))


@dataclass(frozen=True)
class Shown:
    """One game that shows something: why, its number, its record as text and its moves in words."""

    key: str  # the threshold's name
    game: int
    why: str
    record: str
    moves: tuple[str, ...] = ()  # each as a sentence, with who made it


@dataclass(frozen=True)
class Findings:
    """Everything that a report says about an experiment."""

    title: str
    author: str
    seats: int
    folder: str  # its name, for the commands
    settings: tuple[tuple[str, str], ...]
    experiment: str  # the TOML as settled
    cells: tuple[CellInfo, ...]
    measures: pl.DataFrame  # see `checked`
    missing: dict[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()
    lengths: pl.DataFrame | None = None  # cell, low, high, share: how many decisions games take
    tension: pl.DataFrame | None = None  # cell, at, entropy: how open games are, from 0 to 1 of their time
    shown: tuple[Shown, ...] = ()
    spans: Mapping[int, tuple[float, float]] = field(default_factory=dict)  # decisions of nine in ten games
    seconds: float = SECONDS

    @property
    def main(self) -> tuple[CellInfo, ...]:
        """The cells without those that confirm."""
        return tuple(cell for cell in self.cells if not cell.confirms)


def checked(frame: pl.DataFrame, where: str, cells: int) -> pl.DataFrame:
    """Return measures with the columns that a report reads.

    Raises `CorruptRecord`, naming `where`, for a frame that cannot be one: a column that is missing or of
    another kind, a cell that the experiment does not have, too many rows.
    """
    optional = {"games": pl.lit(None), "p": pl.lit(None), "words": pl.lit(""), "kind": pl.lit("level")}
    optional["counts"] = pl.lit("")  # older files have none
    absent = [name for name in COLUMNS if name not in frame.columns and name not in optional]
    if absent:
        raise CorruptRecord(f"{where} isn't a table of measures: the column {absent[0]!r} is missing.")
    if frame.height > MOST_ROWS:
        raise CorruptRecord(f"{where} has {frame.height:,} rows; at most {MOST_ROWS:,} are allowed.")
    frame = frame.with_columns(
        part.alias(name) for name, part in optional.items() if name not in frame.columns
    )
    try:
        frame = frame.select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())
    except pl.exceptions.PolarsError as error:
        raise CorruptRecord(f"{where} isn't a table of measures: {first_line(error)}.") from error
    texts = [name for name, kind in COLUMNS.items() if kind is pl.String]
    frame = frame.with_columns(
        *(pl.col(name).fill_null("").str.head(LONGEST_TEXT) for name in texts),
        *(
            pl.when(pl.col(name).is_finite()).then(pl.col(name)).otherwise(None)
            for name in ("estimate", "low", "high", "p")
        ),
    )
    odd = frame.filter(pl.col("cell").is_null() | ~pl.col("cell").is_between(0, cells - 1))
    if odd.height:
        raise CorruptRecord(f"{where} lists cell {odd['cell'][0]}; the experiment has {cells}, from 0.")
    return frame


def read_measures(path: Path, cells: int) -> pl.DataFrame:
    """Read and check ``measures.parquet``; raises `CorruptRecord`."""
    try:
        frame = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise CorruptRecord(f"{path} cannot be read: {first_line(error)}.") from error
    return checked(frame, str(path), cells)

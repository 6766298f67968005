"""Play a chunk of an experiment: some deals in all cells; and lay its games out as a frame.

A frame of games has a row a game, in the order of their numbers.  Columns of a seat end in its number:
``won_1``, ``return_1``, ``points_1``, ``decisions_1``, ``wait_1``, and arrays ``offered_1`` and ``chosen_1``
by verb, ``gained_1`` by source of points, ``held_1``, ``played_1`` and ``opened_1`` by piece, where they are
measured.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bartizan.lab.batch import GameBatch, deal_seed
from bartizan.lab.clauses import CLAUSE_GAMES, ClauseCounter
from bartizan.lab.design import Cell, Design
from bartizan.lab.whatif import frame_of_trials, row_of, sampled_deals, try_game
from bartizan.search import batch as columns
from bartizan.search.batches import Games, Wanted

FAST = 4_000  # games in a chunk, where they are played in compiled batches
SLOW = 4  # and where players look ahead
SLICE = 500  # games between two looks at whether to stop

FIXED = {
    "plies": columns.PLIES,
    "rounds": columns.ROUNDS,
    "turns": columns.TURNS,
    "dead_turns": columns.DEAD_TURNS,
    "forced": columns.FORCED,
    "stall": columns.STALL,
    "contact": columns.CONTACT,
    "median_legal": columns.MEDIAN,
    "ninetieth_legal": columns.NINETIETH,
}
PER_SEAT = {
    "won": columns.WON,
    "points": columns.POINTS,
    "decisions": columns.DECISIONS,
    "wait": columns.WAIT,
}
PIECE_MARKS = ((columns.HELD, "held"), (columns.PLAYED, "played"), (columns.OPENED, "opened"))
RECORDED = 2  # grows when games get another column; since 2 there are ``gained`` and ``opened``


class Stopped(Exception):
    """Raised inside a chunk that no one wants any more."""


@dataclass(frozen=True)
class Chunk:
    """Some deals of an experiment, numbers `first` to `first + deals` - 1, and what has been played of them.

    Cells of the grid and those that confirm may have different numbers of games, and each may be given more.
    """

    number: int
    first: int
    deals: int
    had: int = 0  # of these deals, which the cells of the grid have played already
    had_confirming: int = 0  # and those that confirm
    only: Literal["", "grid", "confirming"] = ""  # which of the two are played now; empty: both
    most: int = 0  # deals to play now; 0: all that are left

    @property
    def last(self) -> int:
        """The number after the last deal."""
        return self.first + self.deals

    def of(self, cell: Cell) -> range:
        """Return the deals that a cell is to play now."""
        at = self.first + (self.had_confirming if cell.confirms else self.had)
        if self.only == ("grid" if cell.confirms else "confirming"):
            return range(at, at)
        end = max(at, min(self.last, cell.deals))
        return range(at, min(end, at + self.most) if self.most else end)


def games_a_deal(design: Design) -> int:
    """Return how many games all cells play of one deal."""
    return sum(design.games_of(cell) for cell in design.cells)


def deals_a_chunk(design: Design) -> int:
    """Return how many deals a whole chunk of an experiment has; it does not depend on how many there are."""
    slow = design.looks_ahead and not design.confirms_slowly
    return max(1, (SLOW if slow else FAST) // games_a_deal(design))


def chunks_of(design: Design, size: int = 0) -> list[Chunk]:
    """Return all chunks of an experiment, of `size` deals or the usual number; the last may be smaller."""
    size = size or deals_a_chunk(design)
    firsts = range(0, design.deals, size)
    return [Chunk(number, at, min(size, design.deals - at)) for number, at in enumerate(firsts)]


def parts_of(design: Design, chunk: Chunk) -> Iterator[Chunk]:
    """Yield what of a chunk is still to be played, in the parts to play and keep one after another.

    It is one part, but where only the players who confirm look ahead: then their games come a few at a
    time, last, or first if the others may stop the run.
    """
    if not design.confirms_slowly:
        yield from [chunk] if any(map(chunk.of, design.cells)) else ()
        return
    grid = next(cell for cell in design.cells if not cell.confirms)
    confirming = next(cell for cell in design.cells if cell.confirms)
    all_of_it = replace(chunk, only="grid")
    most = max(1, SLOW // sum(design.games_of(cell) for cell in design.cells if cell.confirms))
    few = replace(chunk, only="confirming", most=most)
    grid_last = design.until is not None
    if not grid_last and all_of_it.of(grid):
        yield all_of_it
        few = replace(few, had=all_of_it.of(grid).stop - chunk.first)
    while few.of(confirming):
        yield few
        few = replace(few, had_confirming=few.of(confirming).stop - chunk.first)
    if grid_last and all_of_it.of(grid):
        yield replace(all_of_it, had_confirming=few.had_confirming)


class ChunkPlayer:
    """Play chunks of one experiment; in any number of threads at once."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self._counter = ClauseCounter(design.game) if design.measures_group("clauses") else None

    @cached_property
    def _batches(self) -> dict[tuple[int, int], GameBatch]:
        """Every cell's assignments, by the numbers of both."""
        game = self.design.game
        return {
            (cell.number, number): GameBatch(game, cell.options, order)
            for cell in self.design.cells
            for number, order in enumerate(cell.orders)
        }

    def batch(self, cell: int, order: int) -> GameBatch:
        """Return how the games of a cell with an assignment are played."""
        return self._batches[cell, order]

    def warm(self) -> None:
        """Compile or load what the games need, before they are timed and before threads want it at once."""
        self._batches[0, 0].follow(deal_seed(self.design.seed, 0), ())

    def play(self, chunk: Chunk, is_stopped: Callable[[], bool] = lambda: False) -> dict[str, pl.DataFrame]:
        """Play a chunk; return its frames by name: ``games``, and where they are asked for others.

        These are ``clauses``, and ``what_if``: games that are tried by the rules of other cells.

        Raises `Stopped` once `is_stopped` says so.
        """
        parts, counts = [], []
        for cell in self.design.cells:
            for order in range(len(cell.orders)):
                for repeat in range(self.design.repeats):
                    part = self._play_part(chunk, cell, order, repeat, is_stopped)
                    if part is not None:
                        parts.append(part)
                        counts.append(self._count(cell, order, repeat, part, is_stopped))
        games = pl.concat(parts).sort("game") if len(parts) > 1 else parts[0]  # which is in order already
        frames = {"games": games}
        if self._counter is not None:
            frames["clauses"] = pl.concat([each for each in counts if each is not None]).sort("game")
        if self.design.tries_other_rules:
            frames["what_if"] = self._try(chunk, is_stopped)
        return frames

    def _slot(self, cell: Cell, order: int, repeat: int) -> int:
        """Return the number among the games of a deal that the dice of the players follow from.

        It is the same in every cell, so that cells differ by their rules alone.
        """
        return order * self.design.repeats + repeat

    def number_of(self, deal: int, cell: Cell, order: int, repeat: int) -> int:
        """Return the number of a game in the experiment."""
        before = sum(self.design.games_of(each) for each in self.design.cells[: cell.number])
        return deal * games_a_deal(self.design) + before + self._slot(cell, order, repeat)

    def _play_part(
        self, chunk: Chunk, cell: Cell, order: int, repeat: int, is_stopped: Callable[[], bool]
    ) -> pl.DataFrame | None:
        deals = chunk.of(cell)
        if not deals:
            return None
        batch, slot = self.batch(cell.number, order), self._slot(cell, order, repeat)
        measures = self.design.measures_group
        wanted = Wanted(lengths=True, verbs=measures("choice"), pieces=measures("pieces"))
        step = 1 if batch.looks_ahead else SLICE
        played: list[Games] = []
        for at in range(0, len(deals), step):
            if is_stopped():
                raise Stopped
            played.append(batch.play_deals(self.design.seed, deals[at : at + step], slot, wanted))
        first = self.number_of(deals[0], cell, order, repeat)
        numbers = first + np.arange(len(deals), dtype=np.int64) * games_a_deal(self.design)
        head: dict[str, NDArray[Any]] = {
            "game": numbers,
            "cell": np.full(len(deals), cell.number, np.int32),
            "deal": np.arange(deals.start, deals.stop, dtype=np.int64),
            "order": np.full(len(deals), order, np.int32),
            "repeat": np.full(len(deals), repeat, np.int32),
        }
        return frame_of(head, Games.together(played), batch)

    def _count(
        self, cell: Cell, order: int, repeat: int, part: pl.DataFrame, is_stopped: Callable[[], bool]
    ) -> pl.DataFrame | None:
        """Count the clauses of the first games of a cell by playing them again."""
        if self._counter is None:
            return None
        sampled = part.filter(pl.col("deal") < -(-CLAUSE_GAMES // self.design.games_of(cell)))
        batch, slot = self.batch(cell.number, order), self._slot(cell, order, repeat)
        times = np.zeros((sampled.height, len(self._counter.told_apart)), np.int32)
        for at in range(0, sampled.height, SLICE):
            if is_stopped():
                raise Stopped
            games = sampled[at : at + SLICE]
            seeds, plies = games["seed"].to_list(), games["plies"].to_list()
            times[at : at + SLICE] = self._counter.count(batch, seeds, slot, plies)
        kind = pl.Array(pl.Int32, times.shape[1])
        return sampled.select("game", "cell", "deal", pl.Series("times", times, dtype=kind))

    def _try(self, chunk: Chunk, is_stopped: Callable[[], bool]) -> pl.DataFrame:
        """Try the first games of the first cell by the rules of the others."""
        first, *others = self.design.main_cells
        rows: list[tuple[object, ...]] = []
        for deal in chunk.of(first):
            if deal >= sampled_deals(self.design):
                break
            seed = deal_seed(self.design.seed, deal)
            for order, repeat in itertools.product(range(len(first.orders)), range(self.design.repeats)):
                batch, slot = self.batch(first.number, order), self._slot(first, order, repeat)
                number = self.number_of(deal, first, order, repeat)
                for cell in others:
                    if is_stopped():
                        raise Stopped
                    rows.append(row_of(number, cell, deal, try_game(batch, cell, seed, slot)))
        return frame_of_trials(rows)


def frame_of(head: dict[str, NDArray[Any]], games: Games, batch: GameBatch) -> pl.DataFrame:
    """Lay games out as a frame, behind the columns of `head`."""
    counts, seats = games.counts, batch.seats
    table: dict[str, Any] = {**head}
    table["seed"] = pl.Series(games.seeds).cast(pl.String)
    table["players"] = pl.Series([", ".join(batch.players)]).new_from_index(0, len(counts))
    finished = counts[:, columns.FINISHED] == 1
    won = np.stack([counts[:, _seat_column(seat, columns.WON)] for seat in range(seats)], axis=1) == 1
    table["finished"] = pl.Series(finished)
    table["drawn"] = pl.Series(finished & ~won.any(axis=1) & (seats > 1))
    codes = counts[:, columns.CLAUSE]
    names = pl.Series(
        [batch.game.clauses.id_of(code) for code in range(int(codes.max()) + 1)], dtype=pl.String
    )
    table["clause"] = names.gather(codes)
    for name, column in FIXED.items():
        table[name] = counts[:, column].astype(np.int32)
    for seat in range(seats):
        for name, column in PER_SEAT.items():
            table[f"{name}_{seat + 1}"] = counts[:, _seat_column(seat, column)].astype(np.int32)
        table[f"return_{seat + 1}"] = pl.Series(games.returns[:, seat])
        if len(games.verbs):
            for kind, name in ((columns.OFFERED, "offered"), (columns.CHOSEN, "chosen")):
                table[f"{name}_{seat + 1}"] = pl.Series(np.ascontiguousarray(games.verbs[:, seat, kind]))
        if len(games.gains):
            table[f"gained_{seat + 1}"] = pl.Series(np.ascontiguousarray(games.gains[:, seat]))
        if len(games.pieces) and games.pieces.shape[3]:
            for kind, name in PIECE_MARKS:
                table[f"{name}_{seat + 1}"] = pl.Series(np.ascontiguousarray(games.pieces[:, seat, kind]))
    return pl.DataFrame(table)


def _seat_column(seat: int, column: int) -> int:
    return columns.FIXED + columns.PER_SEAT * seat + column

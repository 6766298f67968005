"""Measure throws: build a bank of them, and the skill tables that games use."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np

from bartizan.lab.intervals import wilson
from bartizan.lab.journal import Journal
from bartizan.throwing.bank import (
    BATTLEFIELDS,
    CASTLE,
    KINDS,
    LEVELS,
    TARGET,
    Bank,
    BankCell,
    Row,
    cells,
    make_rows,
    save,
)
from bartizan.throwing.release import METHODS

BATCH = 100  # throws that are made, and kept, at once: about a third of a second
DEFAULT = "decent"  # the usual level
THOUSAND = 1000


class ThrowBatch(msgspec.Struct, frozen=True):
    """Some throws of one cell."""

    cell: int
    number: int
    rows: list[Row]


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """How often throws of a cell land on what they were aimed at, with the 95% interval."""

    method: str
    target: str
    level: str
    battlefield: int  # inches between the rows of walls
    throws: int
    landed: int
    share: float
    low: float
    high: float


def measure(
    throws: int,
    path: Path,
    journal: Path | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Simulate throws for every cell and write them as a bank.

    Args:
        throws: the number per cell, made in batches of 100.
        path: the file for the bank, written once all throws are made.
        journal: a file for finished batches, reused if it belongs to the same work.
        threads: the number of batches made at once; the bank doesn't depend on it.
        progress: gets the number of throws made and the total.
    """
    wanted = [(cell, number) for cell in range(len(cells())) for number in range(-(-throws // BATCH))]
    work = {"throws": throws, "cells": [cell.text() for cell in cells()]}
    with Journal(journal, work, ThrowBatch) as kept:
        made = {(batch.cell, batch.number): batch.rows for batch in kept.findings}
        missing = iter([each for each in wanted if each not in made])

        def make(each: tuple[int, int]) -> ThrowBatch:
            cell, number = each
            size = min(BATCH, throws - number * BATCH)
            return ThrowBatch(cell, number, make_rows(cells()[cell], number * BATCH, size))

        with ThreadPoolExecutor(threads) as pool:
            while group := list(islice(missing, threads)):
                for batch in pool.map(make, group):
                    kept.add(batch)
                    made[batch.cell, batch.number] = batch.rows
                if progress is not None:
                    progress(sum(map(len, made.values())), throws * len(cells()))
    rows: dict[BankCell, list[Row]] = {}
    for cell, number in wanted:
        rows.setdefault(cells()[cell], []).extend((*row,) for row in made[cell, number])
    save(path, rows)


def rates(bank: Bank) -> list[Rate]:
    """Return how often the throws of each cell landed."""
    rows = []
    for cell in cells():
        landed, throws = bank.share(cell)
        low, high = wilson(landed, throws)
        rows.append(
            Rate(
                method=METHODS[cell.method],
                target=list(KINDS)[cell.kind],
                level=list(LEVELS)[cell.level],
                battlefield=BATTLEFIELDS[cell.battlefield],
                throws=throws,
                landed=landed,
                share=landed / throws,
                low=low,
                high=high,
            )
        )
    return rows


HEADER = """\
# How often a throw of a simulated player lands, in thousandths, by level of skill, method and what was aimed
# at: hit = on the target alone, perfect = covering all four corners of a wall, double = on the target and
# another card of that seat; what is left is a miss; noise = how far its hand trembles where cards are thrown
# (1: 3% of the speed, 2 degrees of the elevation).  What stands under a level counts for walls 12 inches
# apart, what stands under at_9, at_10 and at_14 for those options of the battlefield; left out they are as at
# 12.  Put a file of your own into $BARTIZAN_DATA/card_barrage/data/skill.toml; levels may have other names,
# and there may be up to nine.
#
# Made by `bartizan throws measure` from {throws:,} throws; a wall is one of five, each as often.
"""


def skill_text(bank: Bank) -> str:
    """Return the figures of skill in the form of a game's ``skill.toml``."""
    lines = [HEADER.format(throws=len(bank)), f'default = "{DEFAULT}"']
    shares = {cell: _outcomes(bank, cell) for cell in cells()}
    with_castle, doubles = 0.0, 0.0
    for cell in cells():
        if list(KINDS)[cell.kind] != "castle":
            rows = bank.rows(cell)
            pairs = np.stack([bank.columns["first"][rows], bank.columns["second"][rows]])
            both = (pairs == TARGET).any(axis=0) & (pairs > 0).all(axis=0)
            doubles += np.count_nonzero(both)
            with_castle += np.count_nonzero(both & (pairs == CASTLE).any(axis=0))
    castle_doubles = round(THOUSAND * with_castle / doubles) if doubles else THOUSAND
    meaning = "of a thousand doubles aimed at a wall, how many take the castle along, not another wall"
    lines.append(f"castle_doubles = {castle_doubles}  # {meaning}")
    for level, (name, noise) in enumerate(LEVELS.items()):
        lines += ["", "[[level]]", f'name = "{name}"', f"noise = {noise}"]
        for battlefield, inches in enumerate(BATTLEFIELDS):
            lines += [f"[level.at_{inches}]"] if battlefield else []
            for method, word in enumerate(METHODS):
                inner, edge, castle = (
                    shares[BankCell(method, kind, level, battlefield)] for kind in range(len(KINDS))
                )
                # Three of five walls have one on either side.
                hit, perfect, double = (round(0.6 * a + 0.4 * b) for a, b in zip(inner, edge, strict=True))
                wall = f"{{ hit = {hit}, perfect = {perfect}, double = {double} }}"
                far = f"{{ hit = {castle[0]:.0f}, double = {castle[2]:.0f} }}"
                lines.append(f"{word} = {{ wall = {wall}, castle = {far} }}")
    return "\n".join(lines) + "\n"


def _outcomes(bank: Bank, cell: BankCell) -> tuple[float, float, float]:
    """Return in how many of a thousand throws the target is hit alone, perfectly, and with another card."""
    rows = bank.rows(cell)
    first, second = bank.columns["first"][rows], bank.columns["second"][rows]
    outcome = bank.columns["outcome"][rows]
    size = (rows.stop - rows.start) / THOUSAND
    alone = (first == TARGET) & (second == 0)
    perfect = np.count_nonzero(alone & (outcome == 2))
    both = np.count_nonzero(((first == TARGET) | (second == TARGET)) & (second > 0))
    return (np.count_nonzero(alone) - perfect) / size, perfect / size, both / size

"""Measure throws for ``make bench``: cards flown to rest, MuJoCo's own steps, draws from the bank."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

THROWS = 300  # in a run
RUNS = 5
DRAWS = 1_000_000
STEPS = 2_000


def median_rate(work: Callable[[], None], amount: int) -> float:
    """Return the median over some runs of how much of something is done a second."""
    rates = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        rates.append(amount / (time.perf_counter() - began))
    return statistics.median(rates)


def run() -> None:
    """Print the figures."""
    import mujoco
    import numpy as np

    from bartizan.throwing.bank import cells, load
    from bartizan.throwing.flight import fly
    from bartizan.throwing.hand import aim, tremble
    from bartizan.throwing.release import METHODS
    from bartizan.throwing.standard import standard_layout
    from bartizan.throwing.table import bench
    from bartizan.throwing.throw import throw

    duel = standard_layout()
    targets = ("2.wall3", "2.wall2", "2.castle", "2.wall5")
    releases = [
        tremble(aim(duel, 1, targets[n % 4], METHODS[n % 3]), 1.5, n)  # of a decent hand
        for n in range(THROWS)
    ]

    def fly_all() -> None:
        for release in releases:
            fly(duel, 1, release)

    def throw_all() -> None:
        for release in releases:
            throw(duel, 1, release).to_flown("")

    def roll_out() -> None:
        for _ in range(STEPS):
            mujoco.mj_step(table.model, table.data)

    throw_all()
    table = bench(1)  # a card that lies on the table, and one beside it
    table.state[:] = [0, 0, 0.0005, 1, 0, 0, 0, 0.2, 0, 0.0005, 0]
    seconds = statistics.fmean(fly(duel, 1, release).seconds for release in releases)
    print("\nThrown cards, aimed at four targets in three ways by a decent hand, one thread:")
    print(f"  {median_rate(fly_all, THROWS):,.0f} throws/s to rest, of {seconds:.2f} s each")
    print(f"  {1000 / median_rate(throw_all, THROWS):.1f} ms from a release to its verdict and key frames")
    steps = median_rate(roll_out, STEPS)
    alone = steps * 0.001 / seconds
    print(f"  MuJoCo itself: {steps:,.0f} steps/s of two cards at rest, as much as {alone:,.0f} throws/s")
    bank, dice = load(), np.random.default_rng(1)
    cell = cells()[0]

    def draw_many() -> None:
        bank.columns["outcome"][bank.draw(cell, DRAWS, dice)].sum()

    draws = median_rate(draw_many, DRAWS)
    print(f"  {draws / 1e6:.0f} M draws/s from the bank", flush=True)

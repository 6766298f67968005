"""Measure how many moves a server takes at its tables, and what each costs (see `benchmarks.load`)."""

from __future__ import annotations

import asyncio

from bartizan.engine import registry
from benchmarks.load import Figures
from benchmarks.server import measure_load

SECONDS = 5.0
SOCKETS = 50
CROWDS = (300, 1000)  # tables of one person each, …
PACE = 300.0  # … at which so many moves a second are made in all, where it is not how many but how late


def run() -> None:
    """Print the figures of every game, then those of a crowd at the first game for one."""
    print(f"\nTables of one server, {SOCKETS} sockets, every move answered before the next, durable:")
    for name in registry.names():
        seats = 2 if registry.get(name).max_seats > 1 else 1
        for figures in asyncio.run(measure_load(name, seats, SOCKETS // seats, SECONDS)):
            print(line(figures), flush=True)
    alone = next(name for name in registry.names() if registry.get(name).min_seats == 1)
    for tables in CROWDS:
        for figures in asyncio.run(measure_load(alone, 1, tables, SECONDS, (0.0, PACE))):
            print(line(figures), flush=True)


def line(figures: Figures) -> str:
    """Return figures in a line."""
    cost = "" if figures.processor is None else f", {figures.processor:.2f} ms of processor each"
    return (
        f"  {figures.what}: {figures.moves_per_second:,.0f} moves/s{cost}; answered in {figures.p50:.1f} ms, "
        f"99 of 100 in {figures.p99:.1f}; {figures.received:,} bytes a move"
    )

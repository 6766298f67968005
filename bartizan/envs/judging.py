"""Evaluate many tables with the game's heuristics: a generic module, bound to each game."""

from __future__ import annotations

from typing import Any

from bartizan.engine.bind import bound_heuristics
from bartizan.engine.record import Array
from bartizan.engine.rule import entry

heuristics: Any = bound_heuristics(__name__)

judges = hasattr(heuristics, "evaluate")

if judges:

    @entry
    def evaluate_all(states: Array, out: Array) -> None:
        """Write the value of each unfinished game to each seat, from -1 to 1; `out` is (n, seats) float32."""
        for i in range(len(out)):
            for seat in range(out.shape[1]):
                out[i, seat] = heuristics.evaluate(states[i], seat + 1)

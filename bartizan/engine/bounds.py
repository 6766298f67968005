"""Find the smaller or larger number inside rules; Numba compiles ``min`` and ``max`` again at every call."""

from __future__ import annotations

from bartizan.engine.rule import rule


@rule
def smaller(a: int, b: int) -> int:
    """Return the smaller of two integers."""
    return a if a < b else b


@rule
def larger(a: int, b: int) -> int:
    """Return the larger of two integers."""
    return a if a > b else b

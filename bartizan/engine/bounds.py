"""Bound numbers inside rules: compiled once each, where Numba compiles ``min`` and ``max`` at every call."""

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

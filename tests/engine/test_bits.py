"""Bits of a board: counted and found the same compiled and interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.engine import bits
from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import entry

BOARDS = st.integers(0, 2**63 - 1) | st.integers(0, 62).map(lambda bit: 1 << bit)


@entry
def look(board: int, found: Any) -> None:
    """Write the figures of a board that is not empty to `found`."""
    found[0] = bits.count(board)
    found[1] = bits.lowest(board)
    found[2] = bits.highest(board)


@entry
def count(board: int) -> int:
    return bits.count(board)


def test_an_empty_board() -> None:
    assert count(0) == bits.count(0) == 0


@given(board=BOARDS.filter(bool))
def test_figures_are_those_of_the_set_of_squares(board: int) -> None:
    squares = [square for square in range(63) if board >> square & 1]
    assert (bits.count(board), bits.lowest(board), bits.highest(board)) == (
        len(squares), squares[0], squares[-1],
    )  # fmt: skip
    found = np.zeros(3, np.int64)
    look(board, found)
    assert found.tolist() == [len(squares), squares[0], squares[-1]]


@pytest.mark.skipif(not COMPILED, reason="interpreted rules are not compiled")
def test_each_is_an_instruction() -> None:
    """Each is there as such in code that was compiled just now; code from the cache does not show it."""
    import numba

    fresh = numba.njit(look.py_func)  # type: ignore[attr-defined]
    fresh(1, np.zeros(3, np.int64))
    (text,) = fresh.inspect_llvm().values()
    for instruction in ("ctpop", "cttz", "ctlz"):
        assert f"llvm.{instruction}.i64" in text

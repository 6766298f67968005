"""A rule that only rules call is compiled inside the entries that reach it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import apart_rule, entry, inlined_rule, rule

if COMPILED:
    from numba import types

pytestmark = pytest.mark.skipif(not COMPILED, reason="interpreted rules are not compiled")


@rule
def doubled(n: int) -> int:
    """Return twice `n`."""
    return 2 * n


@inlined_rule
def raised(n: int) -> int:
    """Return one more than twice `n`."""
    return doubled(n) + 1


@rule
def lowered(n: int) -> int:
    """Return one less than twice `n`."""
    return doubled(n) - 1


@entry
def between(n: int) -> int:
    """Return the product of both neighbours of twice `n`: reaches `doubled` by two ways."""
    return raised(n) * lowered(n)


@entry
def above(n: int) -> int:
    """Return what an entry makes of another entry's result."""
    return between(n) + raised(n)


def compiled(part: Any) -> Any:
    """Return what Numba keeps of a part, compiled now: an entry from the cache has no need of it."""
    part.compile((types.int64,))
    (result,) = part.overloads.values()
    return result


def test_entries_link_all_that_their_parts_call() -> None:
    assert between(5) == 11 * 9
    assert above(5) == 11 * 9 + 11


def test_parts_have_no_machine_code() -> None:
    for part in (doubled, raised, lowered):
        result = compiled(part)
        name = result.fndesc.llvm_func_name
        assert [each.name for each in result.library.get_defined_functions()] == [name]  # and nothing linked
        assert not result.library.codegen._engine.is_symbol_defined(name)


def test_a_part_keeps_what_it_calls_for_the_entry() -> None:
    called, caller = (compiled(part).library for part in (doubled, lowered))
    assert called in caller._linking_libraries


def test_a_rule_apart_is_not_inlined_with_its_caller() -> None:
    """Numba hands the flag down to what it compiles meanwhile: a step of a batch took minutes to compile."""

    @rule
    def below(n: int) -> int:
        return 3 * n

    @apart_rule
    def apart(n: int) -> int:
        return below(n)

    @rule
    def beside(n: int) -> int:
        return n - 1

    @inlined_rule
    def dissolved(n: int) -> int:
        return apart(n) + beside(n)

    compiled(dissolved)
    inlined = {
        part.__name__: "alwaysinline" in str(next(iter(part.overloads.values())).library._final_module)  # type: ignore[attr-defined]
        for part in (below, apart, beside, dissolved)
    }
    assert inlined == {"below": False, "apart": False, "beside": True, "dissolved": True}


WITHOUT_SCIPY = """
import sys

import numba
import numpy as np

from tests.engine.test_parts import between

assert between(5) == 99
assert "scipy.linalg" not in sys.modules
assert numba.njit(lambda a: a @ a)(2 * np.eye(2)).tolist() == [[4, 0], [0, 4]]
assert "scipy.linalg" in sys.modules
"""


def test_a_rule_is_loaded_without_scipy() -> None:
    """Numba imported it, in 0.3 s, just to see whether it is there; functions of others still get it."""
    subprocess.run([sys.executable, "-c", WITHOUT_SCIPY], cwd=Path(__file__).parents[2], check=True)

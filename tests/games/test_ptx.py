"""Every game's rules compile for a CUDA device, too, where the compiler library is there (CUDA_HOME)."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import ptx


@pytest.mark.skipif(not COMPILED, reason="interpreted rules are not compiled")
@pytest.mark.parametrize("name", registry.names())
def test_the_rules_compile_for_a_device(name: str) -> None:
    import numba
    from numba import types

    game = registry.get(name)
    state = numba.from_dtype(game.state.dtype)
    try:
        ptx(game.rules.turn_of, (state,), optimised=False)
    except RuntimeError as error:
        if "NVVM" in str(error) or "libnvvm" in str(error):
            pytest.skip("NVVM is not here; set CUDA_HOME to where CUDA is")
        raise
    rules = game.rules

    def list_and_play(s: Any, out: Any, action: int) -> int:
        rules.apply(s, action)
        return int(rules.legal_actions(s, out))

    # Between them these two call nearly every rule there is; in one piece, what they share is compiled once.
    signature = (state, types.int32[::1], types.int64)
    assert ".visible .func" in ptx(list_and_play, signature, optimised=False)

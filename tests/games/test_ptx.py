"""Every game's rules compile for a CUDA device, too, where the compiler library is there (CUDA_HOME)."""

from __future__ import annotations

import os
from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import rule
from tests.corpus import THOROUGH

pytestmark = pytest.mark.skipif(not COMPILED, reason="interpreted rules are not compiled")

WRITES = os.environ.get("BARTIZAN_STAMPS", "") == "write"  # as `make generated` asks


@pytest.mark.parametrize("name", registry.names())
def test_the_rules_compile_for_a_device(name: str) -> None:
    from tests.games import stamps

    rules = registry.get(name).rules
    digest = stamps.digest_of(registry.get(name), rules.turn_of, rules.apply, rules.legal_actions)
    if stamps.read().get(name) == digest and not THOROUGH:
        pytest.skip("compiled when tests/games/device.toml was written; BARTIZAN_THOROUGH=1 does it again")
    compile_for_device(name)
    if WRITES:
        stamps.write(name, digest)


def compile_for_device(name: str) -> None:
    """Compile nearly all rules of a game; skip the test where there is no compiler."""
    import numba
    from numba import types

    from bartizan.engine.device import ptx

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


@rule
def between(number: int, low: int, high: int) -> int:
    return max(low, min(number, high), min(3, 4, number))


def test_min_and_max_of_several_numbers_compile_for_a_device() -> None:
    from numba import types

    from bartizan.engine.device import ptx

    assert between(2, 0, 9) == 2
    try:
        text = ptx(between, (types.int8, types.int64, types.int32), optimised=False)
    except RuntimeError as error:
        if "NVVM" in str(error) or "libnvvm" in str(error):
            pytest.skip("NVVM is not here; set CUDA_HOME to where CUDA is")
        raise
    assert ".visible .func" in text


FIGURE = 3


@rule
def deep(number: int) -> int:
    return number + FIGURE


@rule
def above(number: int) -> int:
    return deep(number)


def test_a_digest_tells_of_any_change_below(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.games import stamps

    game = registry.get("castle-danger")
    digests = {stamps.digest_of(game, above), stamps.digest_of(game, above)}
    assert len(digests) == 1
    digests.add(stamps.digest_of(registry.get("tower"), above))  # another state
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "FIGURE", 4)
        digests.add(stamps.digest_of(game, above))
        patch.setitem(globals(), "deep", above)
        digests.add(stamps.digest_of(game, above))
    assert len(digests) == 4
    assert stamps.digest_of(game, above) in digests

"""Kernels for devices, without one: they compile, and in CUDA's simulator they play what a batch plays."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import bartizan
from bartizan.engine import registry
from bartizan.engine.extras import MissingExtra
from bartizan.engine.mode import COMPILED
from bartizan.envs.settings import BadSetting
from tests.corpus import THOROUGH, sample
from tests.games.test_ptx import WRITES

KERNELS = ("choose", "refuse", "observe", "reset", "step")  # the others add opponents, whose rules take long
SIMULATED = ("alcazar", "tower")
ROOT = Path(__file__).parents[2]


def test_in_the_simulator_they_play_what_a_batch_plays() -> None:
    names = registry.names() if THOROUGH else SIMULATED
    done = subprocess.run(
        [sys.executable, "-m", "tests.envs.simulated", "4", str(sample(26, 120)), *names],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "BARTIZAN_MODE": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ended = {line.split()[0]: [int(each) for each in line.split()[1:]] for line in done.stdout.splitlines()}
    assert list(ended) == list(names)
    assert all(min(counts) >= 2 for counts in ended.values()), ended  # all were dealt again


@pytest.mark.skipif(not COMPILED, reason="interpreted rules are not compiled")
@pytest.mark.parametrize("name", registry.names())
def test_they_compile_for_a_device(name: str) -> None:
    from tests.games import stamps

    game = registry.get(name)
    assert game.observer is not None
    kernels: Any = game.bind("bartizan.envs.kernels")
    entries: list[Any] = [types.SimpleNamespace(py_func=getattr(kernels, each)) for each in KERNELS]
    digest = stamps.digest_of(game, *entries)
    key = f"{name}-kernels"
    if stamps.read().get(key) == digest and not THOROUGH:
        pytest.skip("compiled when tests/games/device.toml was written; BARTIZAN_THOROUGH=1 does it again")
    compile_for_device(name, kernels)
    if WRITES:
        stamps.write(key, digest)


def compile_for_device(name: str, kernels: Any) -> None:
    """Compile all kernels of a game; skip the test where there is no compiler."""
    import numba
    from numba import types as kinds

    from bartizan.engine.device import ptx
    from bartizan.envs import arrays

    game = registry.get(name)
    blank = game.blank(game.option_set(), game.min_seats, 0)
    tables = numba.typeof(arrays.new_tables([blank], 2, 1, skill=0, max_plies=9, mask=True))
    states, chosen, rows = numba.typeof(blank.cells), kinds.boolean[::1], kinds.int8[:, ::1]
    signatures: dict[str, tuple[Any, ...]] = {
        "choose": (tables, kinds.int64[::1]),
        "refuse": (tables, kinds.int64[::1]),
        "observe": (tables, kinds.int8[::1], chosen, states, rows, rows),
        "reset": (tables, chosen),
        "step": (tables, kinds.int64, states, rows, rows, rows),
    }
    for each in KERNELS:
        try:
            text = ptx(getattr(kernels, each), signatures[each], optimised=False, kernel=True)
        except RuntimeError as error:
            if "NVVM" in str(error) or "libnvvm" in str(error):
                pytest.skip("NVVM is not here; set CUDA_HOME to where CUDA is")
            raise
        assert ".visible .entry" in text


def test_a_machine_without_a_device_says_so() -> None:
    with pytest.raises((BadSetting, MissingExtra), match=r"bartizan\[cuda\]|has no CUDA device|interpreted"):
        bartizan.batch("tower", device="cuda")
    with pytest.raises(BadSetting, match="Did you mean 'cuda'"):
        bartizan.batch("alcazar", device="cud")  # type: ignore[arg-type]

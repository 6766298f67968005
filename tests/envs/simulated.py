"""Play tables on a device and on the processor, and compare them: for test_kernels.

Called with a number of tables, a number of steps and the names of games. Where there is no device, run it
with ``NUMBA_ENABLE_CUDASIM=1`` and ``BARTIZAN_MODE=python``. Prints a line for each game.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import bartizan
from bartizan.engine import registry
from bartizan.envs import arrays
from bartizan.envs.batch import Batch, Step
from bartizan.envs.settings import BadSetting

OFTEN = 7  # steps between two looks at whole states


def seen(step: Any, array: Any) -> Any:
    """Return an array of a device as NumPy's."""
    return array.get() if hasattr(array, "get") else array


def same(told: Step, step: Step) -> None:
    """Check that two results are the same."""
    count = seen(step, step.legal_count)
    ended = told.terminated | told.truncated
    for name in ("observation", "action_mask", "legal_count", "to_play", "reward", "terminated", "truncated"):
        assert (seen(step, getattr(step, name)) == getattr(told, name)).all(), name
    listed = np.arange(told.legal.shape[1]) < count[:, None]
    assert (seen(step, step.legal)[listed] == told.legal[listed]).all()
    assert (seen(step, step.final_observation)[ended] == told.final_observation[ended]).all()


def compare(name: str, n: int, steps: int, **settings: Any) -> int:
    """Return how many episodes ended on the way; raises `AssertionError` at the first difference."""
    env = bartizan.batch(name, n, seed="cd", **settings)
    device = bartizan.batch(name, n, seed="cd", device="cuda", **settings)
    same(env.reset(), device.reset())
    ended = 0
    for number in range(steps):
        actions = env.random_actions()
        assert (seen(device, device.random_actions()) == actions).all()
        running = np.flatnonzero(actions >= 0)
        if number % 5 == 4 and len(running):
            i = running[number % len(running)]
            refused = refusal_of(env, actions, i)
            assert refused == refusal_of(device, actions, i)
            actions[i] = actions[i] if refused else -1
        told = env.step(actions)
        same(told, device.step(actions))
        ended += int((told.terminated | told.truncated).sum())
        if settings.get("autoreset") == "disabled" and number % 9 == 8:
            over = told.to_play < 0
            same(env.reset(tables=over), device.reset(tables=over))
        if number % OFTEN == 0:
            equal_states(env, device)
    seat = env.seats
    assert (seen(device, device.observe(seat)) == env.observe(seat)).all()
    assert device.game_state(n - 1).to_bytes() == env.game_state(n - 1).to_bytes()
    same(env.reset(seed=5), device.reset(seed=5))
    equal_states(env, device)
    return ended


def refusal_of(env: Batch, actions: Any, i: int) -> str:
    """Return how a batch that refuses illegal actions refuses one at a table; nothing if it doesn't."""
    if env.settings.illegal != "raise":
        return ""
    wrong = actions.copy()
    wrong[i] = -1
    with pytest.raises(BadSetting) as refused:
        env.step(wrong)
    return str(refused.value)


def equal_states(env: Batch, device: Any) -> None:
    """Check that whole states are equal, with their random streams."""
    copy = device.to_cpu()
    for i in range(env.n):
        assert arrays.bytes_of(copy.tables, i) == arrays.bytes_of(env.tables, i), i
        for each in ("dice", "picks"):
            streams = [arrays.stream_of(getattr(table, each), i) for table in (copy.tables, env.tables)]
            assert streams[0] == streams[1], (i, each)


def variants_of(name: str) -> list[dict[str, Any]]:
    """Return the settings to compare a game with."""
    game = registry.get(name)
    settings: list[dict[str, Any]] = [{"max_plies": 11}]
    settings.append({"autoreset": "disabled", "illegal": "raise", "max_plies": 17})
    settings.append({"autoreset": "next_step", "observe_options": True, "max_plies": 23})
    if game.max_seats > 1:
        settings.append({"opponents": {2: "greedy"}, "seats": max(2, game.min_seats), "mask": False})
        settings.append({"opponents": {1: "random"}, "seats": max(2, game.min_seats), "observe": False})
    return settings


if __name__ == "__main__":
    for each in sys.argv[3:]:
        counts = [compare(each, int(sys.argv[1]), int(sys.argv[2]), **with_) for with_ in variants_of(each)]
        print(each, *counts, flush=True)

"""Play tables by the kernels of a device in CUDA's simulator, and a batch beside them: for test_kernels.

Called with the names of games and a number of steps, in a process with ``NUMBA_ENABLE_CUDASIM=1`` and
``BARTIZAN_MODE=python``; prints a line for each game.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numba import cuda

import bartizan
from bartizan.engine import registry
from bartizan.engine.rng import stream
from bartizan.envs import arrays

N = 5


def compare(name: str, steps: int) -> int:
    """Return how many episodes ended on the way; raises `AssertionError` at the first difference."""
    game = registry.get(name)
    env = bartizan.batch(game, N, seed="cd", max_plies=11)
    kernels: Any = game.bind("bartizan.envs.kernels")
    deal, apply, legal, observe, choose = (
        cuda.jit(getattr(kernels, each))[1, 8] for each in ("deal", "apply", "legal", "observe", "choose")
    )
    t = arrays.new_tables(
        game.blank(game.option_set.read(env.settings.options), env.seats, 0), N, stream("cd", "batch"),
        skill=env.settings.skill_level, max_plies=11, mask=True,
    )  # fmt: skip
    seen = np.zeros((N, env.layout.size), np.int8)
    every, actions = np.ones(N, np.bool_), np.zeros(N, np.int64)
    scratch = [game.state() for _ in range(N)]
    deal(t, every)
    told = env.reset()
    ended = 0
    for _ in range(steps):
        t.over[:] = False
        legal(t, every)
        observe(t.states, scratch, t.viewer, every, seen)
        choose(t, actions)
        assert [arrays.bytes_of(t, i) for i in range(N)] == [arrays.bytes_of(env.tables, i) for i in range(N)]
        assert (seen == told.observation).all()
        assert (t.mask == told.action_mask).all()
        assert (t.to_play == told.to_play).all()
        assert (actions == env.random_actions()).all()
        t.actions[:] = actions
        apply(t)
        told = env.step(actions)
        assert (t.reward == told.reward).all()
        assert (t.terminated == told.terminated).all()
        assert (t.truncated == told.truncated).all()
        deal(t, t.over.copy())
        ended += int((told.terminated | told.truncated).sum())
    return ended


if __name__ == "__main__":
    for each in sys.argv[2:]:
        print(each, compare(each, int(sys.argv[1])))

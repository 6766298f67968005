"""Step and observe tables on a device, one thread per table: a generic module, bound to each game.

The functions are kernels for ``numba.cuda.jit``. They only call the rules of `bartizan.envs.stepping` and
`bartizan.envs.observing` for one table. Arrays are on the device, with states as records; nothing is copied
to the host. Interpreted, in CUDA's simulator, states are lists of records.
"""

from __future__ import annotations

from typing import Any

from numba import cuda

from bartizan.engine.bind import bound_module
from bartizan.engine.record import Array
from bartizan.engine.rng import i64
from bartizan.envs.arrays import Tables

observing: Any = bound_module(__name__, "bartizan.envs.observing")
stepping: Any = bound_module(__name__, "bartizan.envs.stepping")


def deal(t: Tables, chosen: Array) -> None:
    """Deal the next episode at the `chosen` (n, bool) tables."""
    i = cuda.grid(1)
    if i < len(chosen) and chosen[i]:
        stepping.deal(t, i)


def apply(t: Tables) -> None:
    """Play ``t.actions``, and say whether the game is over."""
    i = cuda.grid(1)
    if i < len(t.actions) and stepping.begin_step(t, i):
        stepping.play_chosen(t, i)


def legal(t: Tables, chosen: Array) -> None:
    """Say who is to move and what is legal at the `chosen` (n, bool) tables."""
    i = cuda.grid(1)
    if i < len(chosen) and chosen[i]:
        stepping.forget_legal(t, i)
        if t.over[i]:
            t.to_play[i] = -1
        else:
            stepping.show(t, i, t.legal[i])  # the list is written in place


def observe(states: Array, scratch: Array, seats: Array, chosen: Array, out: Array) -> None:
    """Observe the `chosen` (n, bool) tables, each as one seat (n,); `scratch` (n,) is working memory."""
    i = cuda.grid(1)
    if i < len(chosen) and chosen[i]:
        observing.observe_one(states, i, scratch[i : i + 1], i64(seats[i]), out[i])


def choose(t: Tables, out: Array) -> None:
    """Write a random legal action of each table to `out` (n, int64), all equally likely; -1 for none."""
    i = cuda.grid(1)
    if i < len(out):
        out[i] = stepping.pick(t.legal, t.legal_count, t.picks, i)

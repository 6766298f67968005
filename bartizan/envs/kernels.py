"""Step and observe tables on a device, one thread per table: a generic module, bound to each game.

The functions are kernels for ``numba.cuda.jit``. They only call the rules of `bartizan.envs.stepping`,
`bartizan.envs.rolling` and `bartizan.envs.observing` for one table. Arrays are on the device, with states as
records; nothing is copied to the host. Interpreted, in CUDA's simulator, states are lists of records.
"""

from __future__ import annotations

from typing import Any

from numba import cuda

from bartizan.engine.bind import bound_module
from bartizan.engine.record import Array
from bartizan.engine.rng import i64
from bartizan.engine.rule import inlined_rule
from bartizan.envs.arrays import Tables

observing: Any = bound_module(__name__, "bartizan.envs.observing")
rolling: Any = bound_module(__name__, "bartizan.envs.rolling")
stepping: Any = bound_module(__name__, "bartizan.envs.stepping")

# What happens to a table whose game is over: see `bartizan.envs.settings.Autoreset`.
DISABLED, SAME_STEP, NEXT_STEP = 0, 1, 2


@inlined_rule
def look(t: Tables, i: int, scratch: Array, seat: int, numbers: Array, out: Array) -> None:
    """Observe a table as a seat; its options' `numbers` (k, m) follow. An empty `out` stays so."""
    if out.shape[1] == 0:
        return
    observing.observe_one(t.states, i, scratch[i : i + 1], seat, out[i])
    first = out.shape[1] - numbers.shape[1]
    for place in range(numbers.shape[1]):
        out[i, first + place] = numbers[i64(t.variant[i]), place]


def observe(t: Tables, seats: Array, chosen: Array, scratch: Array, numbers: Array, out: Array) -> None:
    """Observe the `chosen` (n, bool) tables, each as one seat (n,); `scratch` (n,) is working memory."""
    i = cuda.grid(1)
    if i < len(chosen) and chosen[i]:
        look(t, i, scratch, i64(seats[i]), numbers, out)


def reset(t: Tables, chosen: Array) -> None:
    """Deal the next episode at the `chosen` (n, bool) tables."""
    i = cuda.grid(1)
    if i < len(chosen) and chosen[i]:
        clear(t, i)
        stepping.begin(t, i, True, t.legal[i])


def reset_against(t: Tables, chosen: Array, policies: Array, work: Array) -> None:
    """Deal the next episode at the `chosen` (n, bool) tables, and let opponents play."""
    i = cuda.grid(1)
    if i < len(chosen) and chosen[i]:
        clear(t, i)
        rolling.advance(t, i, True, policies, work[i])


def step(t: Tables, again: int, scratch: Array, numbers: Array, final: Array, seen: Array) -> None:
    """Play ``t.actions``, deal again where `again` says so, and observe.

    `final` and `seen` (n, size) get the last observation of an episode that ends, and the current one.
    """
    i = cuda.grid(1)
    if i < len(t.actions):
        waits = t.over[i]
        stepping.advance(t, i, t.legal[i])
        if deals(t, i, waits, again, scratch, numbers, final):
            stepping.begin(t, i, True, t.legal[i])
        look(t, i, scratch, i64(t.viewer[i]), numbers, seen)


def step_against(
    t: Tables,
    again: int,
    scratch: Array,
    numbers: Array,
    final: Array,
    seen: Array,
    policies: Array,
    work: Array,
) -> None:
    """Do what `step` does, and let opponents play; `work` (n, max_legal) is for their legal actions."""
    i = cuda.grid(1)
    if i < len(t.actions):
        waits = t.over[i]
        rolling.advance(t, i, False, policies, work[i])
        if deals(t, i, waits, again, scratch, numbers, final):
            rolling.advance(t, i, True, policies, work[i])
        look(t, i, scratch, i64(t.viewer[i]), numbers, seen)


@inlined_rule
def clear(t: Tables, i: int) -> None:
    """Forget the results of a table's last step."""
    for seat in range(t.reward.shape[1]):
        t.reward[i, seat] = 0.0
    t.terminated[i] = t.truncated[i] = False


@inlined_rule
def deals(t: Tables, i: int, waits: bool, again: int, scratch: Array, numbers: Array, final: Array) -> bool:
    """Observe an episode that has ended; say whether the table is dealt the next one in this step.

    `waits` says whether the table had waited for that before the step.
    """
    if waits and again == NEXT_STEP:
        t.terminated[i] = t.truncated[i] = False
        return True
    if t.over[i] and (t.terminated[i] or t.truncated[i]):
        look(t, i, scratch, i64(t.viewer[i]), numbers, final)
    return t.over[i] and again == SAME_STEP


def choose(t: Tables, out: Array) -> None:
    """Write a random legal action of each table to `out` (n, int64), all equally likely; -1 for none."""
    i = cuda.grid(1)
    if i < len(out):
        out[i] = stepping.pick(t.legal, t.legal_count, t.picks, i)


def refuse(t: Tables, out: Array) -> None:
    """Lower `out` (1,) to the first table at which ``t.actions`` are illegal."""
    i = cuda.grid(1)
    if i < len(t.actions) and stepping.is_refused(t, i):
        cuda.atomic.min(out, 0, i)

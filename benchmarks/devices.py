"""Measure environments on a CUDA device beside the processor and Pgx: ``make bench ARGS=--device``.

What is counted: a step is a random legal action at one table, chosen and played, with observation, mask and
reset where a game has ended. A second is one of the clock, and the median of some runs counts. On the
processor a batch uses all cores. Pgx plays four in a row, like the first rows, in one compiled loop.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.envs.making import batch
from benchmarks.peers import example

RUNS = 5
RUN_SECONDS = 0.3  # about how long one run takes
TABLES = (1_024, 16_384, 131_072)


def rate(play: Callable[[int], None], n: int) -> float:
    """Return steps per second, where `play` makes so many steps at n tables."""
    play(2)  # compiles what isn't yet
    count, spent = 2, 0.0
    while spent < RUN_SECONDS / 2:
        count *= 2
        spent = clocked(play, count)
    return statistics.median(count * n / clocked(play, count) for _ in range(RUNS))


def clocked(play: Callable[[int], None], count: int) -> float:
    """Return how many seconds so many steps take."""
    began = time.perf_counter()
    play(count)
    return time.perf_counter() - began


def ours(game: Game, n: int, device: Any) -> Callable[[int], None]:
    """Return what steps a batch of ours."""
    env = batch(game, n, device=device)
    env.reset()

    def play(count: int) -> None:
        for _ in range(count):
            env.step(env.random_actions())
        int(env.last.to_play[0])  # waits for the device

    return play


def pgx(n: int) -> Callable[[int], None]:
    """Return what steps Pgx's four in a row; raises `ImportError`."""
    import jax
    import jax.numpy as jnp
    from pgx import make
    from pgx.experimental.wrappers import auto_reset

    env = make("connect_four")
    advance = jax.vmap(auto_reset(env.step, env.init))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
    key = jax.random.PRNGKey(1)

    @jax.jit  # type: ignore[untyped-decorator]
    def step(state: Any, key: Any) -> Any:
        key, chosen, dealt = jax.random.split(key, 3)
        actions = jax.random.categorical(chosen, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=1)
        return advance(state, actions, jax.random.split(dealt, n)), key

    def play(count: int) -> None:
        nonlocal state, key
        for _ in range(count):
            state, key = step(state, key)
        jax.block_until_ready(state.observation)

    return play


def run(names: Sequence[str] = ()) -> None:
    """Print steps per second, in millions, by game and number of tables."""
    four = example()
    games = [registry.get(name) for name in names or registry.names()]
    rows: list[tuple[str, Callable[[int], Callable[[int], None]]]] = []
    for game in ([four] if four is not None else []) + games:
        for device in ("cpu", "cuda"):
            where = "on the device" if device == "cuda" else "on the processor"
            rows.append((f"{game.title}, {where}", lambda n, game=game, device=device: ours(game, n, device)))  # type: ignore[misc]
        if game is four:
            rows.append(("Pgx's four in a row, on the device", pgx))
    print(f"{'million steps a second':42}" + "".join(f"{n:>12,}" for n in TABLES))
    for title, make in rows:
        print(f"{title:42}", end="", flush=True)
        try:
            for n in TABLES:
                print(f"{rate(make(n), n) / 1e6:12.2f}", end="", flush=True)
        except ImportError:
            print("  not installed", end="")
        print(flush=True)


if __name__ == "__main__":
    run()

"""Measure Connect Four, the game in examples/, beside the same game in OpenSpiel and in Pgx, in one run.

What is counted: an action is one disc of a game at random, the listing of the legal columns before it
included. A second is one of processor time, all threads of this process together, so that neither other
work on the machine nor more cores count; the three take turns. OpenSpiel plays in C++ alone:
`RandomRolloutEvaluator` is asked by one simulation of its MCTS for many rollouts from the empty rack, and
their number times the mean length of a game is that of the actions. Pgx plays a batch of games by one
compiled loop on the processor, each begun anew where it ends, as its authors measure it.
"""

from __future__ import annotations

import importlib
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bartizan.engine.game import Game
from bartizan.lab.simulate import simulate

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "connect_four"
RUNS = 7
RUN_SECONDS = 0.5  # about how long one run takes
BATCH, STEPS = 1024, 200  # Pgx's games at a time, and the discs of each in one call
LENGTHS = 2_000  # games whose mean length is taken

Plays = Callable[[int], float]  # plays about so many games, and returns how many actions they had


def example() -> Game | None:
    """Return the game in examples/, or nothing where this is no checkout."""
    if not (EXAMPLE / "pyproject.toml").is_file():
        return None
    if str(EXAMPLE) not in sys.path:
        sys.path.insert(0, str(EXAMPLE))
    game = importlib.import_module("connect_four").game
    assert isinstance(game, Game)
    return game


def ours(game: Game) -> Plays:
    """Return what plays a game of ours, on one thread."""

    def play(games: int) -> float:
        return games * simulate(game, games, ["random"] * game.min_seats, "1").plies.mean

    return play


def open_spiel() -> Plays:
    """Return what plays OpenSpiel's Connect Four in C++; raises `ImportError`."""
    import pyspiel

    game, dice, lengths = pyspiel.load_game("connect_four"), random.Random(1), 0
    for _ in range(LENGTHS):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
        lengths += state.move_number()
    start = game.new_initial_state()

    def play(games: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, 1, False).step(start)
        return games * lengths / LENGTHS

    return play


def pgx_arrays() -> Plays:
    """Return what plays Pgx's Connect Four in a compiled loop on the processor; raises `ImportError`."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(states: Any, key: Any) -> tuple[Any, None]:
        choosing, restarting = jax.random.split(key)
        logits = jax.numpy.log(states.legal_action_mask.astype("float32"))
        actions = jax.random.categorical(choosing, logits, axis=-1)
        return step(states, actions, jax.random.split(restarting, BATCH)), None

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def turns(states: Any, key: Any) -> Any:
        return jax.lax.scan(turn, states, jax.random.split(key, STEPS))[0]

    states = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), BATCH))

    def play(games: int) -> float:
        calls = max(1, games // BATCH)
        for call in range(calls):
            jax.block_until_ready(turns(states, jax.random.PRNGKey(call)))
        return float(calls * BATCH * STEPS)

    return play


def seconds_of(play: Plays, games: int) -> tuple[float, float]:
    """Return how many actions were played, and the seconds of processor time that it took."""
    began = time.process_time()
    actions = play(games)
    return actions, time.process_time() - began


def rates(plays: dict[str, Plays]) -> dict[str, float]:
    """Return the median of actions per second of each over some runs, in which they take turns."""
    games = dict.fromkeys(plays, 64)
    for name, play in plays.items():
        play(1)  # what is compiled or loaded at the first call
        while seconds_of(play, games[name])[1] < RUN_SECONDS / 2:
            games[name] *= 2
    found: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(RUNS):
        for name, play in plays.items():
            actions, took = seconds_of(play, games[name])
            found[name].append(actions / took)
    return {name: statistics.median(each) for name, each in found.items()}


def run() -> None:
    """Print the row; what is not there is said to be missing, and how it is got."""
    game = example()
    if game is None:
        print("\nConnect Four is not beside this installation: its row wants a checkout, with examples/.")
        return
    plays, missing = {"ours": ours(game)}, []
    for name, prepare in (("OpenSpiel, C++", open_spiel), ("Pgx, JAX on the processor", pgx_arrays)):
        try:
            plays[name] = prepare()
        except ImportError:
            missing.append(name.split(",", maxsplit=1)[0])
    measured = rates(plays)
    print(f"\n{game.title} (examples/), random play, actions per second of processor time:")
    for name, rate in measured.items():
        times = f" (ours is {measured['ours'] / rate:.1f} times that)" if name != "ours" else ""
        print(f"  {name}: {rate / 1e6:.2f} M{times}", flush=True)
    for name in missing:
        print(f"  {name} is not installed; `make openspiel` puts its figure here.")


if __name__ == "__main__":
    run()

"""Measure environments beside their peers: ``make bench ARGS=--envs``.

What is counted: a step is one action at one table, with observation, mask and reset where a game has ended;
choosing the actions is left out.  A second is one of processor time of the whole process.  Peers and ours
take turns, the medians of some runs are told.  Four in a row is the same game for all.
"""

from __future__ import annotations

import importlib.metadata
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.envs.batch import Batch
from bartizan.envs.making import batch
from bartizan.lab.simulate import simulate
from benchmarks.peers import example

RUNS = 5
RUN_SECONDS = 0.4  # about how long one run takes
TABLES = 1024
FEW_TABLES = 32  # for peers that play one game after the other in Python

Steps = Callable[[int], float]  # makes so many steps of all tables; returns the seconds of processor time


def rates(plays: dict[str, tuple[Steps, int]]) -> dict[str, float]:
    """Return steps per second of processor time of each, the median of some runs in which they take turns."""
    counts = {}
    for name, (play, _) in plays.items():
        counts[name] = 1
        play(1)  # what is compiled or loaded at the first call
        while play(counts[name]) < RUN_SECONDS / 2 and counts[name] < 1 << 20:
            counts[name] *= 2
    found: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(RUNS):
        for name, (play, tables) in plays.items():
            found[name].append(counts[name] * tables / max(play(counts[name]), 1e-9))
    return {name: statistics.median(each) for name, each in found.items()}


def ours(env: Batch) -> tuple[Steps, int]:
    """Return what steps a batch."""
    env.reset()

    def play(count: int) -> float:
        seconds = 0.0
        for _ in range(count):
            actions = env.random_actions()
            began = time.process_time()
            env.step(actions)
            seconds += time.process_time() - began
        return seconds

    return play, env.n


def vector(game: Game, copy: bool) -> tuple[Steps, int]:
    """Return what steps Gymnasium's vector of a game."""
    from bartizan.envs.gymnasium import BatchVectorEnv

    env = BatchVectorEnv(game, TABLES, threads=1, copy=copy)
    env.reset(seed=1)

    def play(count: int) -> float:
        seconds = 0.0
        for _ in range(count):
            actions = env.batch.random_actions()
            began = time.process_time()
            env.step(actions)
            seconds += time.process_time() - began
        return seconds

    return play, TABLES


def pgx_steps() -> tuple[Steps, int]:
    """Return what steps Pgx's four in a row, a compiled step with resets at a time; raises `ImportError`."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("connect_four")
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), TABLES))
    keys = jax.random.split(jax.random.PRNGKey(1), TABLES)
    dice = np.random.default_rng(1)

    def play(count: int) -> float:
        nonlocal state
        seconds = 0.0
        for _ in range(count):
            mask = np.asarray(state.legal_action_mask)
            actions = (dice.random(mask.shape) * mask).argmax(axis=1)
            began = time.process_time()
            state = step(state, actions, keys)
            jax.block_until_ready(state.observation)
            seconds += time.process_time() - began
        return seconds

    return play, TABLES


def envpool_steps() -> tuple[Steps, int]:
    """Return what steps EnvPool's four in a row; raises `ImportError` where it or that game is missing."""
    import envpool

    try:
        env = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs=TABLES, num_threads=1)
    except (AssertionError, KeyError, ValueError) as error:
        raise ImportError(str(error)) from error
    env.reset()
    dice = np.random.default_rng(1)

    def play(count: int) -> float:
        seconds = 0.0
        for _ in range(count):
            actions = dice.integers(0, 7, TABLES)
            began = time.process_time()
            env.step(actions)
            seconds += time.process_time() - began
        return seconds

    return play, TABLES


def their_vector(name: str) -> tuple[Steps, int]:
    """Return what steps OpenSpiel's vector of environments of one of its games, or of ours."""
    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    env = SyncVectorEnv([rl_environment.Environment(name) for _ in range(FEW_TABLES)])
    return _spiel_steps(env, StepOutput), FEW_TABLES


def our_vector(game: Game) -> tuple[Steps, int]:
    """Return what steps our answer to it."""
    from open_spiel.python.rl_agent import StepOutput

    from bartizan.envs.openspiel_vector import BatchSyncVectorEnv

    return _spiel_steps(BatchSyncVectorEnv(game, TABLES, threads=1), StepOutput), TABLES


def _spiel_steps(env: Any, output: Any) -> Steps:
    dice, steps = np.random.default_rng(1), env.reset()

    def play(count: int) -> float:
        nonlocal steps
        seconds = 0.0
        for _ in range(count):
            legal = [
                step.observations["legal_actions"][step.observations["current_player"]] for step in steps
            ]
            outputs = [output(actions[dice.integers(len(actions))], None) for actions in legal]
            began = time.process_time()
            steps, *_ = env.step(outputs, reset_if_done=True)
            seconds += time.process_time() - began
        return seconds

    return play


def python_moves(name: str) -> tuple[Steps, int]:
    """Return what plays one of OpenSpiel's games in Python, or of ours, move by move."""
    import pyspiel

    game, dice = pyspiel.load_game(name), np.random.default_rng(1)
    state = game.new_initial_state()

    def play(count: int) -> float:
        nonlocal state
        began = time.process_time()
        for _ in range(count):
            if state.is_terminal():
                state = game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            legal = state.legal_actions()
            state.apply_action(legal[dice.integers(len(legal))])
        return time.process_time() - began

    return play, 1


def simulations(evaluator: Any) -> tuple[Steps, int]:
    """Return what a search of OpenSpiel in Python does at the first position of a game of ours."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("bartizan_castle_danger(horizon=200)")
    state = game.new_initial_state()

    def play(count: int) -> float:
        bot = mcts.MCTSBot(game, 1.4, 4 * count, evaluator, random_state=np.random.RandomState(1))
        began = time.process_time()
        bot.mcts_search(state)
        return time.process_time() - began

    return play, 4


def version(package: str) -> str:
    """Return a package and its version."""
    return f"{package} {importlib.metadata.version(package)}"


def show(title: str, plays: dict[str, tuple[Steps, int]], base: str) -> dict[str, float]:
    """Measure and print rows, each beside the first; return the figures."""
    measured = rates(plays)
    print(f"\n{title}:")
    for name, rate in measured.items():
        times = f" ({base} is {measured[base] / rate:.1f} times that)" if name != base else ""
        print(f"  {name}: {rate / 1e3:,.1f} k/s{times}", flush=True)
    return measured


def run() -> None:
    """Print all rows; what is not installed is said to be missing."""
    four = example()
    plays: dict[str, tuple[Steps, int]] = {}
    if four is not None:
        plays["ours"] = ours(batch(four, TABLES, threads=1))
    for name, package, make in (
        ("Pgx, JAX on the processor", "pgx", pgx_steps),
        ("EnvPool", "envpool", envpool_steps),
        ("OpenSpiel's vector of environments", "open-spiel", lambda: their_vector("connect_four")),
    ):
        try:
            plays[f"{name} ({version(package)})"] = make()
        except (ImportError, importlib.metadata.PackageNotFoundError):
            print(f"{name} is not installed, or has no such game: left out.")
    if four is not None:
        show("Four in a row, steps with observations, masks and resets", plays, "ours")
    for name in registry.names():
        game = registry.get(name)
        rows = {
            "observations, masks, resets": ours(batch(game, TABLES, threads=1)),
            "lists of legal actions and resets": ours(
                batch(game, TABLES, threads=1, mask=False, observe=False)
            ),
        }
        measured = show(game.title, rows, "observations, masks, resets")
        batches = simulated(game)
        for row, rate in measured.items():
            print(f"  {row}: {100 * rate / batches:.0f}% of what whole games are simulated with")
    alone = registry.get(registry.names()[0])
    vectors = {
        "batch": ours(batch(alone, TABLES, threads=1)),
        "BatchVectorEnv": vector(alone, True),
        "BatchVectorEnv, own arrays": vector(alone, False),
    }
    show(f"{alone.title} by Gymnasium's conventions", vectors, "batch")
    _open_spiel()


def simulated(game: Game) -> float:
    """Return the actions per second of processor time of whole games at random."""

    def seconds(games: int) -> tuple[float, float]:
        began = time.process_time()
        report = simulate(game, games, seed="1")
        return time.process_time() - began, games * report.plies.mean

    games = 200
    while seconds(games)[0] < RUN_SECONDS:  # what a call costs by itself is not to count
        games *= 2
    found = []
    for _ in range(RUNS):
        spent, plies = seconds(games)
        found.append(plies / spent)
    return statistics.median(found)


def _open_spiel() -> None:
    try:
        from open_spiel.python.algorithms import mcts
        from open_spiel.python.games import tic_tac_toe  # noqa: F401 - which registers it

        import bartizan.envs.openspiel as spiel
    except ImportError:
        return
    game = registry.get("tower") if "tower" in registry.names() else registry.get(registry.names()[0])
    name = f"{spiel.PREFIX}{game.name.replace('-', '_')}"
    vectors = {"BatchSyncVectorEnv": our_vector(game), "theirs, over our game": their_vector(name)}
    show(f"{game.title} as a vector of OpenSpiel's", vectors, "BatchSyncVectorEnv")
    moves = {"ours": python_moves(name), "python_tic_tac_toe": python_moves("python_tic_tac_toe")}
    show("Games in Python, moves", moves, "ours")
    evaluators = {
        "CompiledRollouts": simulations(spiel.CompiledRollouts(1, 1)),
        "their evaluator": simulations(mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))),
    }
    show("Simulations of their MCTSBot in Python", evaluators, "CompiledRollouts")


if __name__ == "__main__":
    run()

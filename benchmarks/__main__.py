"""``make bench``: measure the rules, searches and the server on this machine, peers in the same run.

What is counted: an action is one decision of one seat, with the listing of all
legal actions before it; games are random from the deal to the end.  OpenSpiel's
figure is that of its C++ rollouts (``RandomRolloutEvaluator``, asked for by one
simulation of its MCTS), which list legal actions too; their number of actions
is the number of rollouts times the mean length of a game.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bartizan.engine import registry
from bartizan.lab.simulate import simulate
from benchmarks.lab import run as measure_lab
from benchmarks.peers import run as measure_example
from benchmarks.thinking import roll
from benchmarks.thinking import run as measure_thinking
from benchmarks.throws import run as measure_throws

PEERS = ("blackjack", "leduc_poker", "liars_dice", "gin_rummy", "hearts", "connect_four")
RUNS = 5
RUN_SECONDS = 1.5  # about how long one run plays


def machine() -> str:
    """Return what the figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as info:
            model = next(
                (line.split(":")[1].strip() for line in info if line.startswith("model name")), model
            )
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def measure_game(name: str, threads: int, player: str, games: int | None = None) -> float:
    """Return the median of actions per second over some runs, each of `games` or of about 1.5 s."""
    game = registry.get(name)
    players = [player] * game.min_seats
    if games is None:
        trial = simulate(game, 100 * threads, players, "0", threads)
        games = max(1, round(100 * threads * RUN_SECONDS / trial.seconds))
    rates = [
        simulate(game, games, players, f"{run + 1:x}", threads).actions_per_second for run in range(RUNS)
    ]
    return statistics.median(rates)


def measure_peer(pyspiel: Any, name: str, seconds: float = 1.0) -> float:
    """Return OpenSpiel's actions per second in random play of one of its games."""
    import random

    game = pyspiel.load_game(name)
    dice = random.Random(1)
    lengths = []
    for _ in range(200):
        state = game.new_initial_state()
        length = 0
        while not state.is_terminal():
            if state.is_chance_node():
                roll(state, dice)
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                length += 1
        lengths.append(length)
    start = game.new_initial_state()
    while start.is_chance_node():
        roll(start, dice)
    rollouts = 64
    rates: list[float] = []
    while len(rates) < RUNS:
        began = time.perf_counter()
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, len(rates) + 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, len(rates) + 1, False).step(start)
        took = time.perf_counter() - began
        if took < seconds / RUNS and rollouts < 1 << 24:
            rollouts *= 4
            continue
        rates.append(rollouts * statistics.mean(lengths) / took)
    return statistics.median(rates)


def run(words: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parsing = argparse.ArgumentParser(
        prog="make bench", description="Measure the rules, the searches and the server."
    )
    parsing.add_argument("--games", type=int, help="games a run; as many as take 1.5 s by default")
    parsing.add_argument("--no-server", action="store_true", help="leave the server out")
    parsing.add_argument("--envs", action="store_true", help="environments alone, beside their peers")
    parsing.add_argument("--device", action="store_true", help="environments on a CUDA device, alone")
    parsing.add_argument("--tables", action="store_true", help="the server's tables under load, alone")
    parsing.add_argument("--lab", action="store_true", help="what the Lab's measures cost, alone")
    args = parsing.parse_args(words)
    print(f"Machine: {machine()}.  Medians of {RUNS} runs; random play unless said otherwise.\n")
    if args.envs:
        from benchmarks.envs import run as measure_envs

        measure_envs()
        return 0
    if args.device:
        from benchmarks.devices import run as measure_devices

        measure_devices()
        return 0
    if args.lab:
        measure_lab()
        return 0
    if args.tables:
        from benchmarks.tables import run as measure_tables

        measure_tables()
        return 0
    for name in registry.names():
        title = registry.get(name).title
        one = measure_game(name, 1, "random", args.games)
        two = measure_game(name, 2, "random", args.games)
        greedy = measure_game(name, 1, "greedy", args.games)
        print(f"{title}: {one / 1e6:.2f} M actions/s on one thread,", end=" ")
        print(f"{two / 1e6:.2f} M on two ({two / one:.2f} times)")
        print(f"{title}, greedy: {greedy / 1e6:.2f} M actions/s on one thread", flush=True)
    _peers()
    measure_example()
    measure_thinking()
    measure_throws()
    measure_lab()
    if not args.no_server:
        from benchmarks.server import main as measure_server

        print()
        measure_server([])
        from benchmarks.tables import run as measure_tables

        measure_tables()
    return 0


def _peers() -> None:
    try:
        import pyspiel
    except ImportError:
        print("\nOpenSpiel is not installed; `make openspiel` puts its figures here.")
        return
    print("\nOpenSpiel, C++ rollouts on one thread:")
    for name in PEERS:
        print(f"  {name}: {measure_peer(pyspiel, name) / 1e6:.2f} M actions/s", flush=True)


if __name__ == "__main__":
    raise SystemExit(run())

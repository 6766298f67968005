"""Measure how fast programs think, beside OpenSpiel's C++ searches where it is installed.

What is counted: an iteration goes down the tree once, plays on from there to the end (or to where the game's
`evaluate` is asked) and enters what came of it; where something is hidden, it deals anew what the seat cannot
know.  A second is one of a processor's time, so other work on the machine does not count.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.match import Match
from bartizan.search.players import Player
from bartizan.search.tree import Tree
from bartizan.search.workspace import tuning_of

PLIES = (0, 8, 16)  # how far into a game the positions are
RUNS = 5
RUN_SECONDS = 0.4
# Of OpenSpiel's games those of like size: where all is known, and where cards are hidden.
OPEN, HIDDEN = ("connect_four",), ("gin_rummy", "hearts", "euchre")


def rate(run: Callable[[int], object]) -> float:
    """Return the median over some runs of how many iterations `run` does in a second of processor time."""
    iterations, rates = 16, list[float]()
    while len(rates) < RUNS:
        began = time.thread_time()
        run(iterations)
        took = time.thread_time() - began
        if took < RUN_SECONDS / 2:
            iterations *= 2
        else:
            rates.append(iterations / took)
    return statistics.median(rates)


def measure(game: Game, plies: int) -> float | None:
    """Return the iterations per second at a position some plies into a greedy game; None if it is over."""
    match, player = Match(game, seed="1"), Player.named(game, "greedy", 1)
    while not match.is_over and (match.ply < plies or len(match.legal()) == 1):
        match.play(player.choose(match.game_state(), match.legal()))
    if match.is_over:
        return None
    tree = Tree(game, match.seats, 1, tuning_of(game))

    def run(iterations: int) -> None:
        tree.forget()
        tree.look_at(match.game_state(), match.seat_to_move)
        tree.run(iterations)

    run(1)  # what is compiled or loaded at the first call
    return rate(run)


def roll(state: Any, dice: random.Random) -> None:
    """Let chance decide at a state of OpenSpiel's."""
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(dice.choices(outcomes, weights)[0])


def measure_peer(pyspiel: Any, name: str, plies: int) -> float | None:
    """Return the same of one of OpenSpiel's games, by its own search."""
    game = pyspiel.load_game(name)
    state, dice, played = game.new_initial_state(), random.Random(1), 0
    while not state.is_terminal() and (
        state.is_chance_node() or played < plies or len(state.legal_actions()) == 1
    ):
        if state.is_chance_node():
            roll(state, dice)
        else:
            state.apply_action(dice.choice(state.legal_actions()))
            played += 1
    if state.is_terminal():
        return None

    def run(iterations: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        if name in HIDDEN:
            pyspiel.ISMCTSBot(1, evaluator, 1.4, iterations, allow_inconsistent_action_sets=True).step(state)
        else:
            pyspiel.MCTSBot(game, evaluator, 1.4, iterations, 1000, False, 1, False).step(state)

    return rate(run)


def _line(title: str, rates: list[float | None]) -> str:
    parts = [
        f"{each / 1000:.1f} k {f'after {plies} plies' if plies else 'at the opening'}"
        for plies, each in zip(PLIES, rates, strict=True)
        if each is not None
    ]
    return f"{title}: {', '.join(parts)}"


def run() -> None:
    """Print the figures."""
    print("\nThinking, iterations per second on one core:")
    for name in registry.names():
        game = registry.get(name)
        print(_line(f"  {game.title}", [measure(game, plies) for plies in PLIES]), flush=True)
    try:
        import pyspiel
    except ImportError:
        return
    print("OpenSpiel, C++ searches with one random rollout an iteration:")
    for name in (*OPEN, *HIDDEN):
        how = "ISMCTS" if name in HIDDEN else "MCTS"
        rates = [measure_peer(pyspiel, name, plies) for plies in PLIES]
        print(_line(f"  {name}, {how}", rates), flush=True)


if __name__ == "__main__":
    run()

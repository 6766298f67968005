"""Let OpenSpiel's outcome-sampling MCCFR learn one deal of a short Tower.

pip install 'bartizan[openspiel]'
python examples/openspiel_mccfr.py --iterations 2000

It keeps a strategy for each information state. Deals differ so much that hardly any state occurs twice, so it
learns nothing that helps at another deal. Here all games start from the same one.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver

import bartizan.envs.openspiel as spiel

GAME = f"{spiel.PREFIX}tower(options=turn_cap:2/build_cap:1/cap_result:levels)"


class OneDealSolver(OutcomeSamplingSolver):  # type: ignore[misc]  # OpenSpiel has no types
    """OpenSpiel's solver, which starts each game after the same deal."""

    def __init__(self, start: Any) -> None:
        """Take the state to start from."""
        super().__init__(start.get_game())
        self.start = start

    def iteration(self) -> None:
        """Play a game to learn for each player."""
        for player in range(self._num_players):
            self._episode(self.start.clone(), player, my_reach=1.0, opp_reach=1.0, sample_reach=1.0)


def dealt(game: Any, seed: int) -> Any:
    """Return a state after the deal."""
    dice, state = np.random.default_rng(seed), game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(int(dice.choice([outcome for outcome, _ in state.chance_outcomes()])))
    return state


def value(start: Any, policy: Any, games: int) -> float:
    """Return the mean result of a policy against random play, from both seats."""
    dice, total = np.random.default_rng(1), 0.0
    for number in range(games):
        state = start.clone()
        while not state.is_terminal():
            shares = policy.action_probabilities(state)
            if state.current_player() != number % 2:
                shares = dict.fromkeys(shares, 1 / len(shares))
            state.apply_action(int(dice.choice(list(shares), p=list(shares.values()))))
        total += state.returns()[number % 2]
    return total / games


def main() -> None:
    """Learn, and print the result."""
    parsing = argparse.ArgumentParser(description="OpenSpiel's MCCFR on one deal of a short Tower.")
    parsing.add_argument("--iterations", type=int, default=2_000)
    parsing.add_argument("--games", type=int, default=400)
    parsing.add_argument("--seed", type=int, default=1)
    args = parsing.parse_args()
    np.random.seed(args.seed)  # OpenSpiel's solver draws from it
    start = dealt(pyspiel.load_game(GAME), args.seed)
    solver = OneDealSolver(start)
    before = value(start, solver.average_policy(), args.games)
    for _ in range(args.iterations):
        solver.iteration()
    after = value(start, solver.average_policy(), args.games)
    print(
        f"MCCFR knows {len(solver._infostates):,} information states after {args.iterations:,} iterations. "
        f"Its mean result against random play was {before:+.2f} and is now {after:+.2f}."
    )


if __name__ == "__main__":
    main()

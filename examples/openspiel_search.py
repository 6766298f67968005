"""Let OpenSpiel's searches meet our levels: their MCTS at Castle Danger, their ISMCTS at Tower.

pip install 'bartizan[openspiel]'
python examples/openspiel_search.py --games 4 --simulations 100
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import bartizan.envs.openspiel as spiel
from bartizan.engine import registry
from bartizan.search.players import Player


def searcher(game: Any, simulations: int, hidden: bool, seed: int) -> Any:
    """Return their search with our compiled playouts."""
    dice, evaluator = np.random.RandomState(seed), spiel.CompiledRollouts(1, seed)
    if hidden:
        return ismcts.ISMCTSBot(
            game=game, uct_c=1.4, evaluator=evaluator, max_simulations=simulations, random_state=dice
        )
    return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=dice)


def play(name: str, level: str, simulations: int, number: int) -> float:
    """Play one game, from the first seat in even games; return what it came to for their search."""
    own = registry.get(name)
    game = pyspiel.load_game(f"{spiel.PREFIX}{name.replace('-', '_')}")
    bot = searcher(game, simulations, not own.perfect_information, number)
    player, seat = Player.named(own, level, number), number % 2
    dice, state = np.random.default_rng(number), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(dice.choice(outcomes, p=shares)))
        elif state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(player.choose(state.core.table, state.legal_actions()))
    return float(state.returns()[seat])


def main() -> None:
    """Play both matches and print what they came to."""
    parsing = argparse.ArgumentParser(description="OpenSpiel's searches against our levels.")
    parsing.add_argument("--games", type=int, default=4)
    parsing.add_argument("--simulations", type=int, default=100)
    parsing.add_argument("--level", default="greedy")
    args = parsing.parse_args()
    for name, search in (("castle-danger", "MCTS"), ("tower", "ISMCTS")):
        returns = [play(name, args.level, args.simulations, number) for number in range(args.games)]
        won = sum(each > 0 for each in returns)
        print(
            f"{name}: their {search} with {args.simulations} simulations wins {won} of {args.games} games "
            f"against {args.level}"
        )


if __name__ == "__main__":
    main()

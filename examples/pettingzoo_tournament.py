"""Let computer players meet in a round robin on PettingZoo's environment, each pair from both seats.

pip install 'bartizan[zoo]'
python examples/pettingzoo_tournament.py --game castle-danger --players random,greedy,squire --games 10
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

import bartizan.envs.pettingzoo as zoo
from bartizan.engine import registry
from bartizan.search.players import Player

MOST_PLIES = 2_000


def play(game: str, names: tuple[str, str], seed: int) -> list[float]:
    """Play one game, with the first name in the first seat; return each player's points: 1, 0.5 or 0."""
    env = zoo.env(game, seats=2, max_plies=MOST_PLIES)
    env.reset(seed=seed)
    players = {
        agent: Player.named(registry.get(game), name, seed)
        for agent, name in zip(env.possible_agents, names, strict=True)
    }
    points = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            points.append(float(np.sign(reward)) / 2 + 0.5)
            env.step(None)
            continue
        # Our players read the state itself; a network would read `observation["observation"]`.
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        env.step(players[agent].wish(env.unwrapped.batch.game_state(0), legal))
    return points


def main() -> None:
    """Play all pairs, and print the table."""
    parsing = argparse.ArgumentParser(description="A round robin on PettingZoo's environment.")
    parsing.add_argument("--game", default="castle-danger")
    parsing.add_argument("--players", default="random,greedy,squire")
    parsing.add_argument("--games", type=int, default=10, help="for each pair, half from each seat")
    args = parsing.parse_args()
    names = args.players.split(",")
    points, played = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for pair in itertools.combinations(names, 2):
        for number in range(args.games):
            seated = pair if number % 2 == 0 else pair[::-1]
            for name, each in zip(seated, play(args.game, seated, number // 2), strict=True):
                points[name] += each
                played[name] += 1
    for name in sorted(names, key=lambda each: -points[each]):
        print(f"{name:<12} {points[name]:5.1f} of {played[name]} points")


if __name__ == "__main__":
    main()

"""Train MaskablePPO of sb3-contrib on many tables at once.

pip install 'bartizan[gym]' sb3-contrib
python examples/maskable_ppo.py --game castle-danger --steps 200000
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from bartizan.envs.gymnasium import BatchVectorEnv

HELD_OUT = 1_000_000  # the first seed of the deals that training never sees


class BatchVecEnv(VecEnv):  # type: ignore[misc]  # Stable-Baselines3 need not be installed
    """A `BatchVectorEnv` with the interface of Stable-Baselines3, which is older than Gymnasium's."""

    def __init__(self, env: BatchVectorEnv) -> None:
        """Take an environment that resets finished tables in the same step."""
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> NDArray[np.int8]:
        """Deal all tables."""
        return self.env.reset(seed=self._seeds[0])[0]

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, ...]:
        """Play a step; a finished table's info holds the last observation of its game."""
        seen, reward, terminated, truncated, told = self.env.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = terminated | truncated
        for i in np.flatnonzero(over):
            cut = bool(truncated[i] and not terminated[i])
            infos[i] = {"terminal_observation": told["final_obs"][i], "TimeLimit.truncated": cut}
        return seen, reward.astype(np.float32), over, infos

    def env_method(self, name: str, *args: Any, indices: Any = None, **named: Any) -> list[Any]:
        """Return the result for each table; MaskablePPO asks for `action_masks`."""
        return list(getattr(self.env, name)(*args, **named))

    def has_attr(self, name: str) -> bool:
        """Say whether the environment has an attribute."""
        return hasattr(self.env, name)

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, the same for each table."""
        return [getattr(self.env, name, None)] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute."""
        setattr(self.env, name, value)

    def env_is_wrapped(self, wrapper: type, indices: Any = None) -> Sequence[bool]:
        """Say of each table that no wrapper is around it."""
        return [False] * self.num_envs

    def close(self) -> None:
        """End the threads."""
        self.env.close()


def won(model: MaskablePPO, game: str, opponent: str, games: int) -> float:
    """Return the share of games on held-out deals that the model wins from the first seat; draws are half."""
    env = BatchVectorEnv(game, games, opponents=opponent, autoreset="disabled")
    seen, told = env.reset(seed=HELD_OUT)
    over, result = np.zeros(games, np.bool_), np.zeros(games)
    while not over.all():
        actions, _ = model.predict(seen, action_masks=told["action_mask"], deterministic=True)
        seen, reward, terminated, truncated, told = env.step(actions)
        result[~over] = reward[~over]
        over |= terminated | truncated
    return float((np.sign(result) / 2 + 0.5).mean())


def main() -> None:
    """Train, and say how often the model wins before and after."""
    parsing = argparse.ArgumentParser(description="MaskablePPO on many tables at once.")
    parsing.add_argument("--game", default="castle-danger")
    parsing.add_argument("--opponent", default="random")
    parsing.add_argument("--steps", type=int, default=200_000)
    parsing.add_argument("--tables", type=int, default=64)
    parsing.add_argument("--games", type=int, default=400)
    parsing.add_argument("--rate", type=float, default=1e-3)
    parsing.add_argument("--width", type=int, default=256)
    parsing.add_argument("--seed", type=int, default=1)
    args = parsing.parse_args()
    torch.set_num_threads(1)
    env = BatchVecEnv(BatchVectorEnv(args.game, args.tables, opponents=args.opponent, autoreset="same_step"))
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        ent_coef=0.01,
        gamma=0.995,
        learning_rate=args.rate,
        policy_kwargs={"net_arch": [args.width] * 2},
        seed=args.seed,
    )
    before = won(model, args.game, args.opponent, args.games)
    began = time.perf_counter()
    model.learn(args.steps)
    rate = model.num_timesteps / (time.perf_counter() - began)
    after = won(model, args.game, args.opponent, args.games)
    print(
        f"{args.game}: MaskablePPO takes {before:.1%} of the points of {args.games} games against "
        f"{args.opponent} at first, and {after:.1%} after {model.num_timesteps:,} steps "
        f"({rate:,.0f} a second)."
    )


if __name__ == "__main__":
    main()

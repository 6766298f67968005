"""PettingZoo environments in which every seat is an agent: `env`, and `raw_env` without wrappers.

    import bartizan.envs.pettingzoo as zoo

    env = zoo.env("tower", seats=3)

The agents are ``player_0``, ``player_1`` … Players never move at the same time, so there is no parallel
environment.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from bartizan.engine.extras import require
from bartizan.engine.game import Game
from bartizan.envs.batch import Batch
from bartizan.envs.settings import check_choice, check_settings, one_action

require("zoo", "A PettingZoo environment")

import pettingzoo  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from bartizan.envs.gymnasium import (  # noqa: E402
    RENDER_MODES,
    VERSION,
    check_reset_options,
    observation_box,
    rendered,
    with_mask,
)

ILLEGAL = -1.0  # the cost of an illegal action


def env(game: str | Game, seats: int | None = None, **settings: Any) -> Any:
    """Make an environment in which every seat of a table is an agent, with PettingZoo's usual wrappers.

    An illegal action ends the game and costs its agent 1.  `settings` are those of `raw_env`.
    Raises what `bartizan.batch` raises.
    """
    made: Any = raw_env(game, seats, **settings)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(pettingzoo.AECEnv):  # type: ignore[misc,type-arg,unused-ignore]  # noqa: N801 - so PettingZoo calls it
    """A table all of whose seats are agents."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        *,
        options: Mapping[str, object] | None = None,
        skill: str | None = None,
        max_plies: int | None = None,
        observe_options: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Make the table; `reset` deals it.

        Args:
            game: its name.
            seats: how many play; by default the fewest that can.
            options: of the game.
            skill: how well agents throw, in games with throws.
            max_plies: after which an episode is truncated.
            observe_options: whether observations end with the options as numbers.
            render_mode: with ``"human"``, `render` prints the table; with ``"ansi"`` and ``"svg"`` it returns
                text or a picture.

        Raises what `bartizan.batch` raises.
        """
        super().__init__()
        settings = check_settings(
            game,
            1,
            seats,
            options=options,
            threads=1,
            skill=skill,
            max_plies=max_plies,
            observe_options=observe_options,
            autoreset="disabled",
        )
        self.render_mode = render_mode and check_choice(render_mode, "render_mode", RENDER_MODES)
        self.batch = Batch(settings)
        self.game = settings.game
        self.metadata = {
            "name": f"bartizan_{self.game.name.replace('-', '_')}_{VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{number}" for number in range(settings.seats)]
        self.agents: list[str] = []
        box, actions = observation_box(self.batch.layout), self.batch.spaces.actions
        self._spaces = {agent: with_mask(box, actions) for agent in self.possible_agents}
        self._choices = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return an agent's observation space: ``observation`` and ``action_mask``, both int8."""
        return self._spaces[self._known(agent)]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._choices[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: with a seed the first game of that seed, otherwise the next one.

        `options` has no meaning here: a game's are set when the environment is made, and refused with
        `BadSetting`; others are ignored, as PettingZoo's own tests ask.
        """
        if options:
            check_reset_options(dict.fromkeys({spec.key for spec in self.game.options} & {*options}))
        if seed is None and not self.batch.is_dealt:
            seed = secrets.randbits(63)
        self.batch.reset(seed=seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self._asked()

    def step(self, action: int | None) -> None:
        """Play the action of the selected agent; None if its game is over."""
        self.batch.check_dealt()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        step = self.batch.step(one_action(action))
        self._cumulative_rewards[agent] = 0.0
        for number, each in enumerate(self.possible_agents):
            self.rewards[each] = float(step.reward[0, number])
            self.terminations[each] = bool(step.terminated[0])
            self.truncations[each] = bool(step.truncated[0])
        self._accumulate_rewards()
        if not (step.terminated[0] or step.truncated[0]):
            self.agent_selection = self._asked()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation and its legal actions: none if it isn't its turn.

        Raises `BadSetting` before the first reset, and for an agent who isn't in the game.
        """
        number = self.possible_agents.index(self._known(agent))
        self.batch.check_dealt()
        step = self.batch.last
        mask = np.zeros(self.batch.spaces.actions, np.int8)
        if int(step.to_play[0]) == number:
            mask[:] = step.action_mask[0]
        return {"observation": self.batch.observe(number + 1)[0], "action_mask": mask}

    def state(self) -> Any:
        """Return the whole state as bytes, including hidden information: uint8 (size,)."""
        return np.frombuffer(self.batch.copy_of(0).state, np.uint8).copy()

    def render(self) -> str | None:
        """Render the table as the agent to move sees it, according to `render_mode`."""
        return rendered(self.batch, int(self.batch.last.to_play[0]) + 1, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window to close."""

    def _known(self, agent: object) -> str:
        return check_choice(agent, "agent", tuple(self.possible_agents))

    def _asked(self) -> str:
        return self.possible_agents[int(self.batch.last.to_play[0])]

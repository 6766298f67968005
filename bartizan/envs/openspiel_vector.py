"""Many tables at once for OpenSpiel's PyTorch and JAX agents, with the interface of its `SyncVectorEnv`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.extras import require
from bartizan.engine.game import Game
from bartizan.envs.batch import Batch
from bartizan.envs.making import batch
from bartizan.envs.settings import GivenOptions

require("openspiel", "OpenSpiel's interface")

from open_spiel.python import rl_environment  # noqa: E402

TERMINAL = -4  # OpenSpiel's current player of a finished game
FIRST, MID, LAST = (rl_environment.StepType[name] for name in ("FIRST", "MID", "LAST"))


class BatchSyncVectorEnv:
    """Tables of one game whose seats are all players; time steps hold what each player observes."""

    def __init__(  # noqa: PLR0913 - each is a choice of its own, and all but two have a usual value
        self,
        game: str | Game,
        num_envs: int,
        *,
        players: int | None = None,
        options: GivenOptions = None,
        skill: str | None = None,
        max_plies: int | None = None,
        observe_options: bool = False,
        seed: str | int = "0",
        threads: int | None = None,
    ) -> None:
        """Make the tables; see `bartizan.batch` for the settings and errors."""
        self._batch: Batch = batch(
            game,
            num_envs,
            seats=players,
            options=options,
            skill=skill,
            max_plies=max_plies,
            observe_options=observe_options,
            seed=seed,
            threads=threads,
            mask=False,
            observe=False,
            autoreset="disabled",
        )
        self.num_players = self._batch.seats
        self.num_actions = self._batch.spaces.actions
        self._all = np.ones(self._batch.n, np.bool_)
        self._begun = np.zeros(self._batch.n, np.bool_)  # whether the current step is an episode's first

    def __len__(self) -> int:
        return self._batch.n

    def observation_spec(self) -> dict[str, Any]:
        """Return the shapes of the arrays in time steps, as OpenSpiel's environments do."""
        size = (self._batch.spaces.observation_size,)
        return {
            "info_state": size,
            "legal_actions": (self.num_actions,),
            "current_player": (),
            "serialized_state": (),
        }

    def action_spec(self) -> dict[str, Any]:
        """Return the number of actions."""
        return {"num_actions": self.num_actions, "min": 0, "max": self.num_actions - 1, "dtype": int}

    def reset(self, envs_to_reset: Sequence[bool] | None = None) -> list[Any]:
        """Reset all environments, or the given ones, and return all time steps."""
        chosen = None if envs_to_reset is None else np.array(envs_to_reset, np.bool_)
        if chosen is None or chosen.any():
            self._deal(chosen)
        return self._time_steps(self._all)

    def step(
        self, step_outputs: Sequence[Any], reset_if_done: bool = False
    ) -> tuple[list[Any], list[Any], list[bool], list[Any]]:
        """Play the actions of some agents' outputs.

        Returns time steps, rewards, which games are over, and the time steps before any resets.
        """
        step = self._batch.step(np.array([output.action for output in step_outputs]))
        self._begun[:] = False
        over = step.terminated | step.truncated
        before = self._time_steps(self._all)
        steps = before
        if reset_if_done and over.any():
            self._deal(over)
            steps = before[:]
            for i, dealt in zip(np.flatnonzero(over).tolist(), self._time_steps(over), strict=True):
                steps[i] = dealt
        return steps, [each.rewards for each in before], over.tolist(), before

    def _deal(self, chosen: NDArray[np.bool_] | None) -> None:
        self._batch.reset(tables=chosen)
        self._begun |= True if chosen is None else chosen

    def _time_steps(self, chosen: NDArray[np.bool_]) -> list[Any]:
        """Return a time step for each of the `chosen` (n) tables; arrays become lists here, all at once."""
        step, ragged = self._batch.last, self._batch.ragged()
        bounds, legal = ragged.offsets.tolist(), ragged.actions.tolist()
        seen = [self._batch.observe(seat, chosen) for seat in range(1, self.num_players + 1)]
        over = (step.terminated | step.truncated).tolist()
        begun, to_play, rewards = self._begun.tolist(), step.to_play.tolist(), step.reward.tolist()
        return [
            self._time_step(
                [each[i] for each in seen],
                TERMINAL if over[i] else to_play[i],
                [] if over[i] else legal[bounds[i] : bounds[i + 1]],
                None if begun[i] and not over[i] else rewards[i],
            )
            for i in np.flatnonzero(chosen).tolist()
        ]

    def _time_step(
        self, seen: list[NDArray[np.int8]], player: int, actions: list[int], rewards: list[float] | None
    ) -> Any:
        """Return a time step; the first one of an episode has no rewards."""
        legal: list[list[int]] = [[] for _ in seen]
        kind = MID
        if player == TERMINAL:
            kind = LAST
        else:
            legal[player] = actions
            if rewards is None:
                kind = FIRST
        discounts = None if rewards is None else [0.0 if kind is LAST else 1.0] * len(seen)
        told = {"info_state": seen, "legal_actions": legal, "current_player": player, "serialized_state": []}
        return rl_environment.TimeStep(told, rewards, discounts, kind)

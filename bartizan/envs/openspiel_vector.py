"""Many tables at once for OpenSpiel's PyTorch and JAX agents, as their `SyncVectorEnv` answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import Game
from bartizan.envs.batch import Batch, Step, batch
from bartizan.envs.extras import need

if TYPE_CHECKING:
    from open_spiel.python import rl_environment
else:
    rl_environment = need("open_spiel.python.rl_environment", "openspiel")

TERMINAL = -4  # the current player of a finished game, as OpenSpiel has it


class BatchSyncVectorEnv:
    """Tables of one game, all of whose seats are players; time steps hold what each player observes."""

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        skill: str | None = None,
        max_plies: int | None = None,
        seed: str | int = "0",
        threads: int | None = None,
    ) -> None:
        """Make the tables; see `bartizan.batch` for what each setting means, and for what it raises."""
        self._batch: Batch = batch(
            game,
            num_envs,
            seats=players,
            options=options,
            skill=skill,
            max_plies=max_plies,
            seed=seed,
            threads=threads,
            mask=False,
            autoreset="disabled",
        )
        self.num_players = self._batch.seats
        self.num_actions = self._batch.spaces.actions
        self._begun = np.zeros(num_envs, np.bool_)  # whether the present step is an episode's first

    def __len__(self) -> int:
        return self._batch.n

    def observation_spec(self) -> dict[str, Any]:
        """Return the shapes of what time steps hold, as their environments do."""
        size = (self._batch.spaces.observation_size,)
        return {
            "info_state": size,
            "legal_actions": (self.num_actions,),
            "current_player": (),
            "serialized_state": (),
        }

    def action_spec(self) -> dict[str, Any]:
        """Return how actions are numbered."""
        return {"num_actions": self.num_actions, "min": 0, "max": self.num_actions - 1, "dtype": int}

    def reset(self, envs_to_reset: Sequence[bool] | None = None) -> list[Any]:
        """Deal anew, everywhere or where it is asked for; return all time steps."""
        chosen = None if envs_to_reset is None else np.array(envs_to_reset, np.bool_)
        step = self._batch.last
        if chosen is None or chosen.any():
            step = self._batch.reset(tables=chosen)
            self._begun |= True if chosen is None else chosen
        return self._time_steps(step)

    def step(
        self, step_outputs: Sequence[Any], reset_if_done: bool = False
    ) -> tuple[list[Any], list[Any], list[bool], list[Any]]:
        """Play the actions of some agents' outputs.

        Returns time steps, rewards, which games are over, and the time steps before any were dealt anew.
        """
        step = self._batch.step(np.array([output.action for output in step_outputs], np.int64))
        self._begun[:] = False
        before = self._time_steps(step)
        done = (step.terminated | step.truncated).tolist()
        steps = self.reset(done) if reset_if_done else before
        return steps, [each.rewards for each in before], done, before

    def _time_steps(self, step: Step) -> list[Any]:
        seen = [self._batch.observe(seat) for seat in range(1, self.num_players + 1)]
        over = step.terminated | step.truncated
        return [self._time_step(step, i, seen, bool(over[i])) for i in range(len(self))]

    def _time_step(self, step: Step, i: int, seen: list[NDArray[np.int8]], over: bool) -> Any:
        player = TERMINAL if over else int(step.to_play[i])
        legal: list[list[int]] = [[] for _ in range(self.num_players)]
        if not over:
            legal[player] = step.legal[i, : step.legal_count[i]].tolist()
        kinds = rl_environment.StepType
        kind = kinds.LAST if over else (kinds.FIRST if self._begun[i] else kinds.MID)
        return rl_environment.TimeStep(
            observations={
                "info_state": [each[i] for each in seen],
                "legal_actions": legal,
                "current_player": player,
                "serialized_state": [],
            },
            rewards=None if kind == kinds.FIRST else step.reward[i].tolist(),
            discounts=None if kind == kinds.FIRST else [0.0 if over else 1.0] * self.num_players,
            step_type=kind,
        )

"""Begin by imitating greedy, because a network that plays at random has no wins to learn from.

Ross, Gordon and Bagnell: "A Reduction of Imitation Learning and Structured Prediction to No-Regret Online
Learning", 2011: half of the moves are the learner's own, so that it learns greedy's answers to them too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from bartizan.engine.rng import stream
from bartizan.envs import arrays
from bartizan.envs.batch import Batch
from bartizan.search.players import PROGRAMS, action_array
from bartizan.search.workspace import record_array
from bartizan.train.network import ActionScorer, ActionView, decide, log_shares, look

STEPS = 16  # at every table, between two updates


class Imitation:
    """Tables at which greedy says what it would play."""

    def __init__(self, env: Batch, seed: int) -> None:
        """Take tables at which the learner has every seat."""
        self._env = env
        self._pick: Any = env.game.bind("bartizan.search.rollout").pick
        self._dice = record_array(env.game.state, env.n)
        self._lots = np.random.default_rng(seed)
        for i in range(env.n):
            arrays.set_stream(self._dice, i, stream(f"{seed:x}", "imitation", i))
        env.reset()

    def update(self, network: ActionScorer, teacher: torch.optim.Optimizer) -> float:
        """Play some steps and learn greedy's choices; return how often they were the network's best."""
        found = [self._step(network) for _ in range(STEPS)]
        agreed = total = 0
        for view, wanted in found:
            scores, _ = network(*view[:3])
            logs = log_shares(scores, view.rows, len(view.seen))
            loss = -logs[wanted].mean()
            teacher.zero_grad()
            loss.backward()
            teacher.step()
            agreed += int((logs[wanted].exp() > 0.5).sum())
            total += len(wanted)
        return agreed / max(total, 1)

    def _step(self, network: ActionScorer) -> tuple[ActionView, torch.Tensor]:
        """Play a step; return the views, and the indices of greedy's choices in them."""
        env = self._env
        view = look(env)
        wanted = torch.from_numpy(self._wanted(view))
        own = decide(network, view).chosen
        played = torch.where(torch.from_numpy(self._lots.random(env.n) < 0.5), own, wanted)
        env.step(view.actions[played.numpy()].astype(np.int64))
        return view, wanted

    def _wanted(self, view: ActionView) -> NDArray[np.int64]:
        states, policy = self._env.states, PROGRAMS.index("greedy")
        places = np.zeros(self._env.n, np.int64)
        for i in range(self._env.n):
            first, after = view.offsets[i], view.offsets[i + 1]
            legal = view.actions[first:after]
            chosen = self._pick(
                states[i : i + 1], self._dice[i : i + 1], action_array(legal.tolist()), len(legal), policy
            )
            places[i] = first + int(np.searchsorted(legal, chosen))
        return places

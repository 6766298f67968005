"""Measure a network on fresh deals: how often it wins with its best-scored actions."""

from __future__ import annotations

import numpy as np
import torch

from bartizan.engine.game import Game
from bartizan.train.network import ActionScorer, best, look
from bartizan.train.tables import tables_of

SEED = "e7a1"  # for the deals, which training never sees


def wins_of(network: ActionScorer, game: Game, seats: int, deals: int, seed: str = SEED) -> list[float]:
    """Return the share of fresh deals that a network wins, by seat; with several seats against greedy.

    A draw counts as half.
    """
    return [_wins_at(network, game, seats, seat, deals, seed) for seat in range(seats)]


def _wins_at(network: ActionScorer, game: Game, seats: int, seat: int, deals: int, seed: str) -> float:
    env = tables_of(game, deals, seats=seats, seed=seed, learner=seat, autoreset="disabled")
    step = env.reset()
    score, ended = np.zeros(deals), np.zeros(deals, bool)
    while (step.to_play >= 0).any():
        view = look(env)
        with torch.no_grad():
            scores, _ = network(*view[:3])
        places = best(scores.numpy(), view)
        actions = np.zeros(deals, np.int64)
        actions[view.rows.numpy()[places]] = view.actions[places]
        step = env.step(actions)
        fresh = step.terminated & ~ended
        score[fresh] = np.sign(step.reward[fresh, seat]) / 2 + 0.5
        ended |= fresh
    return float(score.mean())

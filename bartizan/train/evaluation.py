"""Measure a network on fresh deals: how often it wins with its best-scored actions."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from bartizan.engine.game import Game
from bartizan.train.network import ActionScorer, best, look
from bartizan.train.tables import TrainedVariants, tables_of

SEED = "e7a1"  # for the deals, which training never sees


def results_of(
    network: ActionScorer, game: Game, seats: int, deals: int, seed: str, variants: TrainedVariants
) -> NDArray[np.float64]:
    """Return the results of fresh deals (seats, deals): 1 for a win, 0.5 for a draw, 0 for a loss.

    Deal *i* is of variant *i* modulo their number.
    """
    return np.array([_results_at(network, game, seats, seat, deals, seed, variants) for seat in range(seats)])


def _results_at(
    network: ActionScorer,
    game: Game,
    seats: int,
    seat: int,
    deals: int,
    seed: str,
    variants: TrainedVariants,
) -> NDArray[np.float64]:
    env = tables_of(game, deals, variants, seats=seats, seed=seed, learner=seat, autoreset="disabled")
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
    return score

"""Teach a linear policy Tower against the game's own advice: the plainest use of a batch with opponents.

    python examples/selfplay_tower.py --seconds 60

The policy scores each legal action by the sum of a weight for each of its tokens (REINFORCE with a running
baseline).  It sees no more of the table than that, so it learns which plays are good on the whole.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import bartizan

RATE = 0.02


def choose(
    scores: np.ndarray, offsets: np.ndarray, dice: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of one action of each table, drawn by softmax, and the probabilities of all."""
    counts = np.diff(offsets)
    best = np.maximum.reduceat(scores, offsets[:-1])
    shares = np.exp(scores - np.repeat(best, counts))
    shares /= np.repeat(np.add.reduceat(shares, offsets[:-1]), counts)
    noise = np.log(shares + 1e-12) + dice.gumbel(size=len(shares))
    order = np.lexsort((noise, np.repeat(np.arange(len(counts)), counts)))
    return order[offsets[1:] - 1], shares


def main() -> None:
    """Learn for a while, then play against the same opponent on fresh deals."""
    parsing = argparse.ArgumentParser(description="Teach a linear policy Tower.")
    parsing.add_argument("--seconds", type=float, default=60.0)
    parsing.add_argument("--tables", type=int, default=256)
    args = parsing.parse_args()
    dice = np.random.default_rng(1)
    env = bartizan.batch("tower", args.tables, opponents={2: "greedy"}, mask=False, observe=False)
    weights = np.zeros(env.spaces.tokens)
    traces = np.zeros((args.tables, env.spaces.tokens))  # of each running game: what its plays were like
    baseline, games, won = 0.0, 0, 0
    env.reset()
    until = time.perf_counter() + args.seconds
    while time.perf_counter() < until:
        ragged = env.ragged(tokens=True)
        assert ragged.tokens is not None
        scores = weights[ragged.tokens].sum(axis=1)
        chosen, shares = choose(scores, ragged.offsets, dice)
        np.add.at(traces, (np.arange(args.tables)[:, None], ragged.tokens[chosen]), 1.0)
        np.add.at(traces, (ragged.rows[:, None], ragged.tokens), -shares[:, None])
        step = env.step(ragged.actions[chosen])
        over = np.flatnonzero(step.terminated)
        for i in over:
            reward = float(step.reward[i, 0])
            weights += RATE * (reward - baseline) * traces[i]
            baseline += 0.01 * (reward - baseline)
            games, won = games + 1, won + (reward > 0)
        weights[0] = 0.0  # of no token
        traces[over] = 0.0
    print(f"{games:,} games against greedy while it learned, {100 * won / max(games, 1):.1f}% of them won")
    print(f"now it wins {100 * evaluate(weights, args.tables):.1f}% of fresh deals")


def evaluate(weights: np.ndarray, tables: int) -> float:
    """Return the share of fresh deals that are won by the best-scored actions."""
    env = bartizan.batch(
        "tower", tables, seed="e7a1", opponents={2: "greedy"}, mask=False, observe=False, autoreset="disabled"
    )
    step, won = env.reset(), np.zeros(tables, bool)
    while (step.to_play >= 0).any():
        ragged = env.ragged(tokens=True)
        assert ragged.tokens is not None
        scores = weights[ragged.tokens].sum(axis=1)
        order = np.lexsort((scores, ragged.rows))
        actions = np.zeros(tables, np.int64)
        last = ragged.offsets[1:][np.diff(ragged.offsets) > 0] - 1
        actions[ragged.rows[last]] = ragged.actions[order[last]]
        step = env.step(actions)
        won |= step.reward[:, 0] > 0
    return float(won.mean())


if __name__ == "__main__":
    main()

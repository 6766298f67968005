"""Teach a network Alcazar by PPO, scoring each legal action by its tokens.

    pip install bartizan torch
    python examples/ppo_alcazar.py --seconds 600

(Schulman and others: "Proximal Policy Optimization Algorithms", 2017.)
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn

import bartizan

TABLES, STEPS, EPOCHS, PARTS = 256, 64, 3, 16
GAMMA, LAMBDA, CLIP, ENTROPY = 0.999, 0.95, 0.2, 0.004


class Policy(nn.Module):
    """Scores legal actions (an embedding of their tokens against the table's) and values tables."""

    def __init__(self, observation: int, tokens: int, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(observation, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.tokens = nn.EmbeddingBag(tokens, width, mode="sum", padding_idx=0)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(width, 1))
        self.value = nn.Linear(width, 1)

    def forward(
        self, seen: torch.Tensor, tokens: torch.Tensor, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a score for each action (k,) and a value for each table (n,)."""
        body = self.body(seen.float() / 8)
        return self.head(body[rows] + self.tokens(tokens)).squeeze(-1), self.value(body).squeeze(-1)


def log_shares(scores: torch.Tensor, rows: torch.Tensor, n: int) -> torch.Tensor:
    """Return the logarithms of the softmax of each table's scores."""
    scores = scores - torch.full((n,), -1e9).scatter_reduce(0, rows, scores.detach(), "amax")[rows]
    return scores - torch.zeros(n).index_add(0, rows, scores.exp()).log()[rows]


def look(env: bartizan.Batch) -> tuple[tuple[torch.Tensor, ...], np.ndarray, np.ndarray]:
    """Return what a policy takes; where each table's legal actions begin, and what they are."""
    ragged = env.ragged(tokens=True)
    seen, tokens = torch.from_numpy(env.last.observation.copy()), torch.from_numpy(ragged.tokens).long()
    return (seen, tokens, torch.from_numpy(ragged.rows)), ragged.offsets, ragged.actions


def collect(env: bartizan.Batch, policy: Policy) -> tuple[list[tuple[torch.Tensor, ...]], torch.Tensor]:
    """Play some steps everywhere; return of each what was seen and done, advantage and target; rewards."""
    kept, values, rewards, ends = [], [], [], []
    for _ in range(STEPS):
        (seen, tokens, rows), offsets, actions = look(env)
        with torch.no_grad():
            scores, value = policy(seen, tokens, rows)
        logs = log_shares(scores, rows, TABLES)
        noisy = (logs - torch.empty_like(logs).exponential_().log()).numpy()
        chosen = torch.from_numpy(np.lexsort((noisy, rows.numpy()))[offsets[1:] - 1])
        step = env.step(actions[chosen.numpy()])
        kept.append((seen, tokens, rows, chosen, logs[chosen]))
        values.append(value)
        rewards.append(torch.from_numpy(step.reward[:, 0].copy()))
        ends.append(torch.from_numpy(step.terminated.copy()).float())
    with torch.no_grad():
        ahead = policy(*look(env)[0])[1]
    advantage, found = torch.zeros(TABLES), []
    for value, reward, end in zip(reversed(values), reversed(rewards), reversed(ends), strict=True):
        surprise = reward + GAMMA * ahead * (1 - end) - value
        advantage = surprise + GAMMA * LAMBDA * (1 - end) * advantage
        found.append(advantage)
        ahead = value
    found.reverse()
    return [(*each, a, a + v) for each, a, v in zip(kept, found, values, strict=True)], torch.stack(rewards)


def merged(steps: list[tuple[torch.Tensor, ...]]) -> list[torch.Tensor]:
    """Return some steps as if they had been one, of as many more tables."""
    parts = [list(each) for each in steps]
    actions = 0
    for number, part in enumerate(parts):
        part[2], part[3] = part[2] + number * TABLES, part[3] + actions
        actions += len(part[1])
    return [torch.cat(column) for column in zip(*parts, strict=True)]


def learn(policy: Policy, teacher: torch.optim.Optimizer, kept: list[tuple[torch.Tensor, ...]]) -> None:
    """Go over what was played a few times."""
    spread = torch.stack([each[5] for each in kept])
    mean, deviation = spread.mean(), spread.std() + 1e-6
    for _ in range(EPOCHS):
        for part in torch.randperm(len(kept)).split(STEPS // PARTS):
            seen, tokens, rows, chosen, before, advantage, target = merged([kept[i] for i in part])
            scores, value = policy(seen, tokens, rows)
            logs = log_shares(scores, rows, len(seen))
            ratio, gain = (logs[chosen] - before).exp(), (advantage - mean) / deviation
            surrogate = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            spreading = -(logs.exp() * logs).sum() / len(seen)
            loss = -surrogate + 0.5 * (value - target).square().mean() - ENTROPY * spreading
            teacher.zero_grad()
            loss.backward()
            teacher.step()


def evaluate(policy: Policy, deals: int, seed: str = "f5e5") -> float:
    """Return the share of fresh deals that the best-scored actions win."""
    env = bartizan.batch("alcazar", deals, seed=seed, mask=False, autoreset="disabled")
    step, won = env.reset(), np.zeros(deals, bool)
    while (step.to_play >= 0).any():
        given, offsets, legal = look(env)
        with torch.no_grad():
            scores = policy(*given)[0].numpy()
        order = np.lexsort((scores, given[2].numpy()))
        last = offsets[1:][np.diff(offsets) > 0] - 1
        actions = np.zeros(deals, np.int64)
        actions[given[2].numpy()[last]] = legal[order[last]]
        step = env.step(actions)
        won |= step.reward[:, 0] > 0
    return float(won.mean())


def main() -> None:
    """Learn for some seconds of processor time and tell how it goes."""
    parsing = argparse.ArgumentParser(description="Teach a network Alcazar.")
    parsing.add_argument("--seconds", type=float, default=600.0, help="of processor time")
    parsing.add_argument("--deals", type=int, default=2_000, help="fresh ones that it is judged by")
    args = parsing.parse_args()
    env = bartizan.batch("alcazar", TABLES, seed="1", mask=False)
    torch.set_num_threads(1)
    policy = Policy(env.spaces.observation_size, env.spaces.tokens)
    teacher = torch.optim.Adam(policy.parameters(), lr=2e-3)
    env.reset()
    began, steps = time.process_time(), 0
    while time.process_time() - began < args.seconds:
        kept, rewards = collect(env, policy)
        learn(policy, teacher, kept)
        steps += STEPS * TABLES
        won, lost = int((rewards > 0).sum()), int((rewards < 0).sum())
        print(
            f"{time.process_time() - began:6.0f} s, {steps:10,} steps, wins {won / max(won + lost, 1):.3f}",
            flush=True,
        )
    print(f"wins {evaluate(policy, args.deals):.3f} of {args.deals:,} fresh deals with its best moves")


if __name__ == "__main__":
    main()

"""Teach a network Alcazar by PPO, scoring each legal action by its tokens.

    pip install 'bartizan[policy]' torch onnxscript
    python examples/ppo_alcazar.py --seconds 600 --out mine.onnx
    bartizan play alcazar --seats policy:mine.onnx

A win is far off at first, so cards of the tower saved and cards of the deck gone are rewarded too; and
a horizon of some dozens of decisions learns much faster than one of a thousand.  (Schulman and others:
"Proximal Policy Optimization Algorithms", 2017.)
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

import bartizan
from bartizan.envs.policy import from_torch, save

TABLES, STEPS, EPOCHS, PARTS = 256, 64, 3, 16
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.97, 0.85, 0.2, 0.004, 2e-3
OF_TOWER, OF_DECK = 0.2, 1 / 40  # rewards of a card


class Policy(nn.Module):
    """Scores legal actions (an embedding of their tokens against the table's) and values tables."""

    def __init__(self, most: np.ndarray, tokens: int, width: int = 128) -> None:
        super().__init__()
        self.scale = nn.Buffer(torch.from_numpy(1 / most))
        layers = [nn.Linear(len(most), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.tokens = nn.EmbeddingBag(tokens, width, mode="sum", padding_idx=0)
        self.tokens.weight.data.mul_(0.3)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(width, 1))
        self.value = nn.Linear(width, 1)

    def forward(
        self, seen: torch.Tensor, tokens: torch.Tensor, rows: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a score for each action (k,), of the table in `rows` or of the only one; values (n,)."""
        body = self.body(seen.float() * self.scale)
        about = self.tokens.weight[tokens].sum(1) if rows is None else self.tokens(tokens)
        at = body if rows is None else body[rows]
        return self.head(at + about).squeeze(-1), self.value(body).squeeze(-1)


def log_shares(scores: torch.Tensor, rows: torch.Tensor, n: int) -> torch.Tensor:
    """Return the logarithms of the softmax of each table's scores."""
    scores = scores - torch.full((n,), -1e9).scatter_reduce(0, rows, scores.detach(), "amax")[rows]
    return scores - torch.zeros(n).index_add(0, rows, scores.exp()).log()[rows]


def look(env: bartizan.Batch) -> tuple[tuple[torch.Tensor, ...], np.ndarray, np.ndarray]:
    """Return what a policy takes; where each table's legal actions begin, and what they are."""
    ragged = env.ragged(tokens=True)
    seen, tokens = torch.from_numpy(env.last.observation.copy()), torch.from_numpy(ragged.tokens).long()
    return (seen, tokens, torch.from_numpy(ragged.rows)), ragged.offsets, ragged.actions


def progress(env: bartizan.Batch) -> np.ndarray:
    """Return how far each table is on the way to a win."""
    return OF_TOWER * env.states["tower"]["count"] - OF_DECK * env.states["deck"]["count"]


def largest(env: bartizan.Batch) -> np.ndarray:
    """Return the largest size of each observed number in some random play, 1 at least."""
    most = np.abs(env.reset().observation).max(axis=0)
    for _ in range(STEPS):
        most = np.maximum(most, np.abs(env.step(env.random_actions()).observation).max(axis=0))
    return np.maximum(most, 1).astype(np.float32)


def collect(env: bartizan.Batch, policy: Policy) -> tuple[list[tuple[torch.Tensor, ...]], np.ndarray]:
    """Play some steps everywhere; return of each what was seen and done, advantage and target; outcomes."""
    kept, values, rewards, ends, wins = [], [], [], [], []
    for _ in range(STEPS):
        (seen, tokens, rows), offsets, actions = look(env)
        with torch.no_grad():
            scores, value = policy(seen, tokens, rows)
        logs = log_shares(scores, rows, TABLES)
        noisy = (logs - torch.empty_like(logs).exponential_().log()).numpy()
        chosen = torch.from_numpy(np.lexsort((noisy, rows.numpy()))[offsets[1:] - 1])
        before = progress(env)
        step = env.step(actions[chosen.numpy()])
        nearer = np.where(step.terminated, 0, progress(env) - before).astype(np.float32)
        kept.append((seen, tokens, rows, chosen, logs[chosen]))
        values.append(value)
        wins.append(step.reward[:, 0].copy())
        rewards.append(torch.from_numpy(step.reward[:, 0] + nearer))
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
    return [(*each, a, a + v) for each, a, v in zip(kept, found, values, strict=True)], np.stack(wins)


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
    parsing.add_argument("--out", type=Path, help="a file .onnx for the policy, to play with at the table")
    args = parsing.parse_args()
    env = bartizan.batch("alcazar", TABLES, seed=1, mask=False)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    policy = Policy(largest(env), env.spaces.tokens)
    teacher = torch.optim.Adam(policy.parameters(), lr=RATE, eps=1e-5)
    began, spent, steps = time.process_time(), 0.0, 0
    while spent < args.seconds:
        teacher.param_groups[0]["lr"] = RATE * max(1 - spent / args.seconds, 0.02)
        kept, outcomes = collect(env, policy)
        learn(policy, teacher, kept)
        steps += STEPS * TABLES
        spent = time.process_time() - began
        won, lost = int((outcomes > 0).sum()), int((outcomes < 0).sum())
        print(f"{spent:6.0f} s, {steps:10,} steps, wins {won / max(won + lost, 1):.3f}", flush=True)
    if args.out is not None:
        save(from_torch(policy, "alcazar", tokens=True), "alcazar", args.out)
    print(f"wins {evaluate(policy, args.deals):.3f} of {args.deals:,} fresh deals with its best moves")


if __name__ == "__main__":
    main()

"""The network that is trained: it scores legal actions by their tokens, and evaluates tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bartizan.engine.policy_network import PolicyNetwork, rounded_policy
from bartizan.envs.batch import Batch
from bartizan.train.sparse import ActionHead, SparseProduct

WIDTH = 128


class ActionScorer(nn.Module):  # type: ignore[misc]  # PyTorch need not be installed
    """Score legal actions, comparing an embedding of their tokens with the table's, and evaluate tables."""

    def __init__(self, most: NDArray[np.float32], tokens: int, width: int = WIDTH) -> None:
        """Take the largest size of each observed number (see `largest`), and the number of tokens."""
        super().__init__()
        self.scale = nn.Buffer(torch.from_numpy(1 / most))
        bound = len(most) ** -0.5
        # The first layers of the body and of the critic, side by side; the two share nothing.
        self.inlet = nn.Parameter(torch.empty(len(most), 2 * width).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(2 * width))
        self.body = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.critic = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.tokens = nn.Parameter(0.3 * torch.randn(tokens, width))
        self.tokens.data[0] = 0  # no token
        self.head = nn.Linear(width, 1)

    def forward(
        self, seen: torch.Tensor, tokens: torch.Tensor, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a score for each action (k,) of its table in `rows`, and values (n,)."""
        entered = SparseProduct.apply(seen, self.scale, self.inlet) + self.bias
        own, judged = entered.relu().chunk(2, 1)
        scores = ActionHead.apply(tokens, rows, self.body(own), self.tokens, self.head.weight[0])
        return scores + self.head.bias, self.critic(judged).squeeze(-1)


class ActionScores(nn.Module):  # type: ignore[misc]
    """The scores of a network alone, in PyTorch's operators: a policy, without the critic that helped it."""

    def __init__(self, network: ActionScorer) -> None:
        super().__init__()
        width = network.tokens.shape[1]
        self.scale, self.body, self.head = network.scale, network.body, network.head
        # The first layers of the body and of the critic, side by side; the two share nothing.
        self.inlet = nn.Parameter(network.inlet.detach()[:, :width].clone())
        self.bias = nn.Parameter(network.bias.detach()[:width].clone())
        self.tokens = network.tokens

    def forward(self, seen: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """Return a score for each action (k,) of one table."""
        table = self.body(((seen.float() * self.scale) @ self.inlet + self.bias).relu())
        scores: torch.Tensor = self.head((table + self.tokens[tokens].sum(1)).relu()).squeeze(-1)
        return scores

    def whole(self) -> PolicyNetwork:
        """Return the same network in whole numbers."""
        weights = {
            "inlet": self.inlet,
            "first": self.bias,
            "body": self.body[0].weight.T,
            "second": self.body[0].bias,
            "tokens": self.tokens,
            "head": self.head.weight[0],
        }
        return rounded_policy(
            1 / self.scale.numpy(), **{name: each.detach().numpy() for name, each in weights.items()}
        )


class ActionView(NamedTuple):
    """The view at some tables, and their legal actions one after the other."""

    seen: torch.Tensor  # (n, size) int8
    tokens: torch.Tensor  # (k, width): the tokens of each action
    rows: torch.Tensor  # (k,): the row of each action's table
    actions: NDArray[np.int32]  # (k,)
    offsets: NDArray[np.int64]  # (n + 1,): the start of each table's actions

    def of(self, tables: NDArray[np.bool_]) -> ActionView:
        """Return the view of some tables alone, numbered from 0."""
        if tables.all():
            return self
        number = np.cumsum(tables) - 1
        rows = self.rows.numpy()
        kept = tables[rows]
        counts = np.diff(self.offsets)[tables]
        return ActionView(
            self.seen[torch.from_numpy(tables)],
            self.tokens[torch.from_numpy(kept)],
            torch.from_numpy(number[rows[kept]]),
            self.actions[kept],
            np.concatenate([[0], np.cumsum(counts)]),
        )


def look(env: Batch) -> ActionView:
    """Return the view of the seats to move; copies, as a batch overwrites its own arrays."""
    ragged = env.ragged(tokens=True)
    assert ragged.tokens is not None
    seen, tokens = torch.from_numpy(env.last.observation.copy()), torch.from_numpy(ragged.tokens)
    return ActionView(
        seen, tokens, torch.from_numpy(ragged.rows), ragged.actions.copy(), ragged.offsets.copy()
    )


def log_shares(scores: torch.Tensor, rows: torch.Tensor, n: int) -> torch.Tensor:
    """Return the logarithm of the softmax of each table's scores."""
    scores = scores - torch.full((n,), -1e9).scatter_reduce(0, rows, scores.detach(), "amax")[rows]
    return scores - torch.zeros(n).index_add(0, rows, scores.exp()).log()[rows]


def best(scores: NDArray[np.float32], view: ActionView) -> NDArray[np.int64]:
    """Return the index of each table's best-scored action; tables without actions are left out."""
    order = np.lexsort((scores, view.rows.numpy()))
    return order[view.offsets[1:][np.diff(view.offsets) > 0] - 1]


def drawn(logs: torch.Tensor, view: ActionView) -> torch.Tensor:
    """Return the index of a random action for each table, by its probability (Gumbel's trick)."""
    noisy = logs - torch.empty_like(logs).exponential_().log()
    return torch.from_numpy(best(noisy.numpy(), view))


class Decisions(NamedTuple):
    """What was chosen at some tables, and the network's estimates."""

    view: ActionView
    chosen: torch.Tensor  # (n,): the indices of the actions in the view
    logs: torch.Tensor  # (n,): the logarithms of their probabilities
    value: torch.Tensor  # (n,)


def decide(network: ActionScorer, view: ActionView) -> Decisions:
    """Draw an action for each table by its probability."""
    with torch.no_grad():
        scores, value = network(*view[:3])
    logs = log_shares(scores, view.rows, len(view.seen))
    chosen = drawn(logs, view)
    return Decisions(view, chosen, logs[chosen], value)


def largest(env: Batch, steps: int = 64) -> NDArray[np.float32]:
    """Return the largest size of each observed number in some random play, at least 1."""
    most = np.abs(env.reset().observation).max(axis=0)
    for _ in range(steps):
        most = np.maximum(most, np.abs(env.step(env.random_actions()).observation).max(axis=0))
    sizes: NDArray[np.float32] = np.maximum(most, 1).astype(np.float32)
    return sizes

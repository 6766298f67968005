"""Score actions by a small network that has learned which ones to choose.

What a seat observes goes through two hidden layers. An action's score is what the last weights make of the
second layer with the action's tokens added.

Its weights are whole numbers, in units of 1 / `UNIT`, so it scores alike on every machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BadData
from bartizan.engine.network import UNIT, read_weights

Weights = NDArray[Any]


class PolicyNetwork(NamedTuple):
    """Weights, in units of 1 / `UNIT`; `most` alone is in those of the observation."""

    most: Weights  # (size,) int16: the largest size of each observed number, which counts as 1
    inlet: Weights  # (size, width) int16
    first: Weights  # (width,) int16: added to the first hidden layer
    body: Weights  # (width, width) int16
    second: Weights  # (width,) int16: added to the second
    tokens: Weights  # (tokens, width) int16
    head: Weights  # (width,) int16

    def scores(self, observation: NDArray[np.int8], tokens: NDArray[np.int16]) -> NDArray[np.int64]:
        """Return the score of each action (k,), from what a seat observes (size,) and tokens (k, width)."""
        seen = observation.astype(np.int64) * UNIT // self.most
        first = np.maximum(seen @ self.inlet + self.first.astype(np.int64) * UNIT, 0) // UNIT
        table = np.maximum(first @ self.body + self.second.astype(np.int64) * UNIT, 0) // UNIT
        added = self.tokens[tokens].sum(axis=1, dtype=np.int64)
        found: NDArray[np.int64] = np.maximum(table + added, 0) @ self.head.astype(np.int64)
        return found


def rounded_policy(most: Weights, **weights: Weights) -> PolicyNetwork:
    """Return a network with rounded weights, by their names."""
    limit = np.iinfo(np.int16)
    whole = {
        name: np.clip(np.rint(given * UNIT), limit.min, limit.max).astype(np.int16)
        for name, given in weights.items()
    }
    return PolicyNetwork(np.rint(most).astype(np.int16), **whole)


def load_policy(path: Path) -> PolicyNetwork:
    """Read a network from a file of `save_policy`; raises `BadData`."""
    network = PolicyNetwork(**read_weights(path, PolicyNetwork._fields))
    size, width, tokens = len(network.most), len(network.head), len(network.tokens)
    shapes = ((size,), (size, width), (width,), (width, width), (width,), (tokens, width), (width,))
    fits = tuple(weights.shape for weights in network) == shapes
    if not fits or any(weights.dtype != np.int16 for weights in network) or not (network.most > 0).all():
        raise BadData(f"{path} isn't a policy. `bartizan train` writes one.")
    return network


def save_policy(network: PolicyNetwork, path: Path) -> None:
    """Write a network to a file."""
    with path.open("wb") as file:
        np.savez_compressed(file, **network._asdict())

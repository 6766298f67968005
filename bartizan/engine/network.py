"""Evaluate positions by a small network that has learned from play: one hidden layer over features.

A position has some of a game's features; a feature that it has twice counts twice.

Its weights are whole numbers, in units of 1 / `UNIT`, so it gives the same values interpreted and compiled.
(Tesauro: "Temporal difference learning and TD-Gammon", 1995.)
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BadData
from bartizan.engine.record import Array
from bartizan.engine.rule import rule

UNIT = 1 << 10  # a weight of 1


class FeatureLayout:
    """Number a game's features: named groups, one behind the other, from 0."""

    def __init__(self, **sizes: int) -> None:
        self.groups = tuple(sizes)
        self._first: dict[str, int] = {}
        self.size = 0
        for name, size in sizes.items():
            self._first[name] = self.size
            self.size += size

    def first(self, group: str) -> int:
        """Return the number of a group's first feature."""
        return self._first[group]


class Network(NamedTuple):
    """Weights, in units of 1 / `UNIT`."""

    inputs: Any  # (features, hidden) int16
    offsets: Any  # (hidden,) int32: of the hidden units
    outputs: Any  # (hidden,) int32

    @property
    def hidden(self) -> int:
        """The number of hidden units."""
        return len(self.offsets)

    @property
    def features(self) -> int:
        """The number of features."""
        return len(self.inputs)


def rounded(inputs: NDArray[Any], offsets: NDArray[Any], outputs: NDArray[Any]) -> Network:
    """Return a network with rounded weights; given are (features, hidden), (hidden,) and (hidden,)."""

    def parts(weights: NDArray[Any], kind: Any) -> NDArray[Any]:
        limit = np.iinfo(kind)
        return np.clip(np.rint(weights * UNIT), limit.min, limit.max).astype(kind)

    return Network(parts(inputs, np.int16), parts(offsets, np.int32), parts(outputs, np.int32))


def blank_network() -> Network:
    """Return a network without weights, for games that have none."""
    return Network(np.zeros((0, 0), np.int16), np.zeros(0, np.int32), np.zeros(0, np.int32))


def read_weights(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Read a network's weights by their names; raises `BadData`."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in names}
    except (ValueError, KeyError, EOFError, OSError, RuntimeError, BadZipFile, zlib.error) as error:
        raise BadData(f"{path} isn't a network: {error}.") from error


def load_network(path: Path, layout: FeatureLayout) -> Network:
    """Read a network over some features from a file of `save_network`; raises `BadData`."""
    network = Network(**read_weights(path, Network._fields))
    kinds = tuple(weights.dtype.name for weights in network)
    shapes = tuple(weights.shape for weights in network)
    if kinds != ("int16", "int32", "int32") or shapes != (
        (layout.size, network.hidden),
        *[(network.hidden,)] * 2,
    ):
        raise BadData(f"{path} was trained on other features. Train a new network with `bartizan learn`.")
    return network


def save_network(network: Network, path: Path) -> None:
    """Write a network to a file."""
    with path.open("wb") as file:
        np.savez_compressed(file, **network._asdict())


@rule
def network_value(network: Any, features: Array, count: int, units: Array) -> float:
    """Return the value of a position with the first `count` of `features` (int32), from -1 to 1.

    `units` (hidden, int32) is memory for the hidden units, and is overwritten.
    """
    hidden = len(network.offsets)
    for unit in range(hidden):
        units[unit] = network.offsets[unit]
    for at in range(count):
        weights = network.inputs[features[at]]
        for unit in range(hidden):
            units[unit] += weights[unit]
    total = 0
    for unit in range(hidden):
        if units[unit] > 0:
            total += network.outputs[unit] * units[unit]
    return math.tanh(total / float(2 * UNIT * UNIT))

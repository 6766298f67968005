"""Train a network by gradient descent: its weights as fractions, one position at a time."""

from __future__ import annotations

import math
from typing import NamedTuple

from bartizan.engine.record import Array
from bartizan.engine.rule import entry, rule


class Weights(NamedTuple):
    """A network while it learns, and memory for its hidden units."""

    inputs: Array  # (features, hidden) float32
    offsets: Array  # (hidden,) float32
    outputs: Array  # (hidden,) float32
    units: Array  # (hidden,) float32: overwritten


class Positions(NamedTuple):
    """Positions to learn from."""

    features: Array  # (positions, FEATURES) int32: each row begins with its features
    counts: Array  # (positions,) int64: the number of its features
    values: Array  # (positions,) float64: the target value for the seat that saw it


@rule
def predict(weights: Weights, features: Array, count: int) -> float:
    """Return the value of a position with the first `count` of `features` (int32), from -1 to 1.

    Writes the values of the hidden units to `weights.units`.
    """
    units = weights.units
    for unit in range(len(units)):
        units[unit] = weights.offsets[unit]
    for at in range(count):
        row = weights.inputs[features[at]]
        for unit in range(len(units)):
            units[unit] += row[unit]
    total = 0.0
    for unit in range(len(units)):
        if units[unit] > 0:
            total += weights.outputs[unit] * units[unit]
    return math.tanh(total / 2)


@entry
def teach(weights: Weights, positions: Positions, order: Array, rate: float) -> float:
    """Take one step of stochastic gradient descent for each position whose number is in `order` (int64).

    Returns the mean squared error before the steps. The gradient is that of the cross entropy: for values
    from -1 to 1, it is half of the prediction's error.
    """
    inputs, offsets, outputs, units = weights.inputs, weights.offsets, weights.outputs, weights.units
    error = 0.0
    for number in order:
        features, count = positions.features[number], positions.counts[number]
        off = positions.values[number] - predict(weights, features, count)
        error += off * off
        step = rate * off / 2
        for unit in range(len(units)):
            slope = 0.0
            if units[unit] > 0:
                slope = step * outputs[unit]
                outputs[unit] += step * units[unit]
            units[unit] = slope
            offsets[unit] += slope
        for at in range(count):
            row = inputs[features[at]]
            for unit in range(len(units)):
                row[unit] += units[unit]
    return error / len(order)

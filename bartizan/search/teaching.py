"""Teach a network by gradient descent: its weights as fractions, one position after another."""

from __future__ import annotations

import math

from bartizan.engine.record import Array
from bartizan.engine.rule import entry, rule


@rule
def answer(
    inputs: Array, offsets: Array, outputs: Array, hidden: Array, features: Array, count: int
) -> float:
    """Return what the network makes of a position, from -1 to 1; `hidden` is left with its units."""
    for unit in range(len(hidden)):
        hidden[unit] = offsets[unit]
    for at in range(count):
        weights = inputs[features[at]]
        for unit in range(len(hidden)):
            hidden[unit] += weights[unit]
    total = 0.0
    for unit in range(len(hidden)):
        if hidden[unit] > 0:
            total += outputs[unit] * hidden[unit]
    return math.tanh(total / 2)


@entry
def teach(
    inputs: Array,
    offsets: Array,
    outputs: Array,
    hidden: Array,
    noted: Array,
    counts: Array,
    values: Array,
    order: Array,
    rate: float,
) -> float:
    """Take one step for each position in `order`; return the mean squared error before the steps.

    The gradient is that of the cross entropy: for a worth from -1 to 1 it is half of what the answer is off.
    """
    error = 0.0
    for row in order:
        features, count = noted[row], counts[row]
        off = values[row] - answer(inputs, offsets, outputs, hidden, features, count)
        error += off * off
        step = rate * off / 2
        for unit in range(len(hidden)):
            slope = 0.0
            if hidden[unit] > 0:
                slope = step * outputs[unit]
                outputs[unit] += step * hidden[unit]
            hidden[unit] = slope
            offsets[unit] += slope
        for at in range(count):
            weights = inputs[features[at]]
            for unit in range(len(hidden)):
                weights[unit] += hidden[unit]
    return error / len(order)

"""Move a card through free air: Runge-Kutta steps of fourth order, compiled.

A *state* is an array of 13 numbers: position (m), quaternion w, x, y, z (card to table), velocity on the
table (m/s), rotation in the card's axes (rad/s).  MuJoCo, which takes over when something may touch, has the
same fields in the same order; its own step is of first order, too coarse for a card that spins.
"""

from __future__ import annotations

import math
from typing import Any

from bartizan.engine.rule import entry, inlined_rule, rule
from bartizan.throwing.air import Plate, accelerations

SIZE = 13
WORK = 6  # rows of work space, each a state


@inlined_rule
def turn(y: Any, row: int, a: float, b: float, c: float) -> tuple[float, float, float]:
    """Return a vector of the card's axes in those of the table."""
    w, i, j, k = y[row, 3], y[row, 4], y[row, 5], y[row, 6]
    tx, ty, tz = 2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)
    return a + w * tx + j * tz - k * ty, b + w * ty + k * tx - i * tz, c + w * tz + i * ty - j * tx


@inlined_rule
def turn_back(y: Any, row: int, a: float, b: float, c: float) -> tuple[float, float, float]:
    """Return a vector of the table's axes in those of the card."""
    w, i, j, k = y[row, 3], -y[row, 4], -y[row, 5], -y[row, 6]
    tx, ty, tz = 2 * (j * c - k * b), 2 * (k * a - i * c), 2 * (i * b - j * a)
    return a + w * tx + j * tz - k * ty, b + w * ty + k * tx - i * tz, c + w * tz + i * ty - j * tx


@rule
def slope(plate: Plate, y: Any, row: int, into: int) -> None:
    """Write the rate of change of the state in `row` to the row `into`."""
    v = turn_back(y, row, y[row, 7], y[row, 8], y[row, 9])
    g = turn_back(y, row, 0.0, 0.0, -plate.weight)
    w1, w2, w3 = y[row, 10], y[row, 11], y[row, 12]
    a1, a2, a3, r1, r2, r3 = accelerations(plate, v, (w1, w2, w3), g)
    ax, ay, az = turn(y, row, a1, a2, a3)
    w, i, j, k = y[row, 3], y[row, 4], y[row, 5], y[row, 6]
    y[into, 0], y[into, 1], y[into, 2] = y[row, 7], y[row, 8], y[row, 9]
    y[into, 3] = 0.5 * (-i * w1 - j * w2 - k * w3)
    y[into, 4] = 0.5 * (w * w1 + j * w3 - k * w2)
    y[into, 5] = 0.5 * (w * w2 + k * w1 - i * w3)
    y[into, 6] = 0.5 * (w * w3 + i * w2 - j * w1)
    y[into, 7], y[into, 8], y[into, 9] = ax, ay, az
    y[into, 10], y[into, 11], y[into, 12] = r1, r2, r3


@rule
def step(plate: Plate, y: Any, h: float) -> None:
    """Move the state in row 0 on by `h` seconds; rows 1 to 5 are work space."""
    slope(plate, y, 0, 2)
    for n in range(SIZE):
        y[1, n] = y[0, n] + 0.5 * h * y[2, n]
    slope(plate, y, 1, 3)
    for n in range(SIZE):
        y[1, n] = y[0, n] + 0.5 * h * y[3, n]
    slope(plate, y, 1, 4)
    for n in range(SIZE):
        y[1, n] = y[0, n] + h * y[4, n]
    slope(plate, y, 1, 5)
    for n in range(SIZE):
        y[0, n] += h / 6 * (y[2, n] + 2 * y[3, n] + 2 * y[4, n] + y[5, n])
    size = math.sqrt(y[0, 3] ** 2 + y[0, 4] ** 2 + y[0, 5] ** 2 + y[0, 6] ** 2)
    for n in range(3, 7):
        y[0, n] /= size


@inlined_rule
def lowest(plate: Plate, y: Any, row: int, thickness: float) -> float:
    """Return how high the lowest corner of the card is, in metres, if it is so thick."""
    w, i, j, k = y[row, 3], y[row, 4], y[row, 5], y[row, 6]
    x_up, y_up, z_up = 2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)
    reach = plate.width * abs(x_up) + plate.length * abs(y_up) + thickness * abs(z_up)
    return float(y[row, 2] - 0.5 * reach)


@entry
def fall_to(plate: Plate, y: Any, height: float, h: float, most: int) -> int:
    """Move the state in row 0 of `y` on until the card's middle comes down to `height`; return the steps.

    The last step is cut so that it ends there.  After `most` steps of `h` seconds the card is left where it
    is.
    """
    for count in range(most):
        drop = height - y[0, 2]
        if y[0, 9] < 0.0 and y[0, 9] * h < drop:
            if drop < 0.0:
                step(plate, y, drop / y[0, 9])
            return count
        step(plate, y, h)
    return most

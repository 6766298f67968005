"""The falling plate of Andersen, Pesavento & Wang in the plane, a second time.

Their equations as printed (J. Fluid Mech. 541, 2005, 91-104), for a plate without thickness, in their units
(half the width, the speed of descent); written apart from the package, to check it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

LIFT, ROTATION_LIFT = 1.2, math.pi  # C_T, C_R
DRAG_MEAN, DRAG_SWING = 1.4, 1.0  # A, B
DAMPING = 0.2  # mu_1 and mu_2
BORDER = 1.2191  # of the moment of inertia: with these equations lighter plates flutter, heavier ones tumble

State = tuple[float, float, float, float, float, float]


class Rates(NamedTuple):
    """What a plate does in the long run: speeds down and sideways, turning, how often it turns back."""

    descent: float
    drift: float
    turning: float
    swings: float


def slope(y: State, inertia: float) -> State:
    """Return the rates of velocity along and across the plate, rotation, angle, x and y."""
    along, across, spin, angle, _, _ = y
    speed = math.hypot(along, across) or 1e-12
    circulation = 2 / math.pi * (-LIFT * along * across / speed + ROTATION_LIFT * spin)
    drag = (DRAG_MEAN - DRAG_SWING * (along**2 - across**2) / speed**2) * speed / math.pi
    damping = DAMPING * (1 + abs(spin)) * spin
    sine, cosine = math.sin(angle), math.cos(angle)
    return (
        ((inertia + 1) * spin * across - circulation * across - sine - drag * along) / inertia,
        (-inertia * spin * along + circulation * along - cosine - drag * across) / (inertia + 1),
        4 * (-along * across - damping) / (inertia + 0.5),
        spin,
        along * cosine - across * sine,
        along * sine + across * cosine,
    )


def fall(inertia: float, settle: float, measure: float, h: float = 0.02) -> Rates:
    """Let a plate fall from an angle of 45° and measure it once it has settled."""
    y: State = (0.001, 0.001, 0.0, math.pi / 4, 0.0, 0.0)
    first = y
    swings = 0
    for n in range(round((settle + measure) / h)):
        if n == round(settle / h):
            first, swings = y, 0
        before = y[2]
        one = slope(y, inertia)
        two = slope(ahead(y, one, h / 2), inertia)
        three = slope(ahead(y, two, h / 2), inertia)
        four = slope(ahead(y, three, h), inertia)
        mean = tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(one, two, three, four, strict=True))
        y = ahead(y, mean, h)
        swings += before < 0 <= y[2]
    return Rates(
        (first[5] - y[5]) / measure,
        (y[4] - first[4]) / measure,
        (y[3] - first[3]) / measure,
        swings / measure,
    )


def ahead(y: State, rate: tuple[float, ...], h: float) -> State:
    """Return the state after `h` at this rate."""
    a, b, c, d, e, f = (value + h * change for value, change in zip(y, rate, strict=True))
    return a, b, c, d, e, f

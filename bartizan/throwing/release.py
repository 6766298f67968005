"""Say how a card leaves the hand: the figures of a release, their ranges, and what is wrong with others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.layout import Chair

METHODS = ("lob", "frisbee", "flip")


class BadRelease(BartizanError):
    """A release with a figure that no hand could give, or that its method does not have."""

    code = "bad_release"


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """Convert a release to the card's initial state, as seen from a chair."""

    method: str
    speed: float  # m/s
    elevation: float  # degrees, of the way the card goes, above the table
    azimuth: float  # degrees to the thrower's right
    height: float  # metres, of the card's middle above the table
    offset: float  # metres to the right of the middle of your own castle
    nose: float  # degrees, the front edge above the back edge
    roll: float  # degrees, the right edge below the left edge
    spin: float  # rad/s about the card's normal, anticlockwise seen from above
    tumble: float  # rad/s about its width, the front edge going up

    def figures(self) -> dict[str, float]:
        """Return the figures by field, in their order."""
        return {field: getattr(self, field) for field in FIELDS}


FIELDS = tuple(field for field in Release.__struct_fields__ if field != "method")


class Range(msgspec.Struct, frozen=True):
    """Say what a figure of a release may be."""

    low: float
    high: float
    default: float
    unit: str
    meaning: str
    either_way: bool = False  # the range is that of its size; it may be negative, too

    def holds(self, value: float) -> bool:
        """Say whether a figure is within the range."""
        return self.low <= (abs(value) if self.either_way else value) <= self.high

    def text(self) -> str:
        """Return the range in words: ``1.8 to 3.2 m/s``."""
        way = " either way" if self.either_way else ""
        return f"{self.low:g} to {self.high:g} {self.unit}{way}"


SPEED = "how fast the card leaves the hand"
ELEVATION = "how steeply upwards it goes"
NOSE = "how far its front edge is up"
SPIN = "how fast it spins in its own plane, anticlockwise seen from above"
TUMBLE = "how fast it turns end over end, the front edge going up"
COMMON = {
    "azimuth": Range(-50, 50, 0, "degrees", "how far to the thrower's right it goes"),
    "height": Range(0.08, 0.25, 0.2, "m", "how high above the table it is let go"),
    # The castle's line is as long as its card, and as long again at either end (CB-27).
    "offset": Range(-0.1425, 0.1425, 0, "m", "how far right of the middle of your own castle it is let go"),
    "roll": Range(-40, 40, 0, "degrees", "how far its right edge is down"),
}
RANGES: dict[str, dict[str, Range]] = {
    "lob": {
        "speed": Range(1.8, 3.2, 2.5, "m/s", SPEED),
        "elevation": Range(40, 75, 70, "degrees", ELEVATION),
        **COMMON,
        "nose": Range(-30, 60, 20, "degrees", NOSE),
        "spin": Range(-20, 20, 0, "rad/s", SPIN),
        "tumble": Range(-8, 8, 0, "rad/s", TUMBLE),
    },
    "frisbee": {
        "speed": Range(1.4, 3.5, 1.55, "m/s", SPEED),
        "elevation": Range(0, 35, 33, "degrees", ELEVATION),
        **COMMON,
        "nose": Range(10, 45, 42, "degrees", NOSE),
        "spin": Range(30, 80, 40, "rad/s", SPIN, either_way=True),
        "tumble": Range(-5, 5, 0, "rad/s", TUMBLE),
    },
    "flip": {
        "speed": Range(1.6, 3.0, 2.2, "m/s", SPEED),
        "elevation": Range(35, 65, 40, "degrees", ELEVATION),
        **COMMON,
        "nose": Range(-60, 60, 30, "degrees", NOSE),
        "spin": Range(-20, 20, 0, "rad/s", SPIN),
        "tumble": Range(12, 30, 25, "rad/s", TUMBLE, either_way=True),
    },
}


def read_release(method: object, figures: Mapping[str, object]) -> Release:
    """Return the release with these figures, and the method's defaults for the rest.

    Raises `BadRelease` with the field, its value and its range, or the nearest field to one that is none.
    """
    if not isinstance(method, str) or method not in METHODS:
        meant = nearest(str(method), METHODS)
        raise BadRelease(
            f"There is no way of throwing called {method!r}; there are {', '.join(METHODS)}.{meant}"
        )
    ranges = RANGES[method]
    for field in figures:
        if field not in ranges:
            raise BadRelease(
                f"A release has no figure {field!r}; it has {', '.join(FIELDS)}.{nearest(str(field), FIELDS)}"
            )
    values: dict[str, Any] = {field: ranges[field].default for field in FIELDS}
    values.update({field: _figure(method, field, value) for field, value in figures.items()})
    return Release(method=method, **values)


def _figure(method: str, field: str, value: object) -> float:
    """Return a figure as a number of floating point; raises `BadRelease`."""
    limits = RANGES[method][field]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    number = _float(value) if is_number else math.nan
    if not limits.holds(number):  # NaN is within no range
        shown = value if is_number else repr(value)
        raise BadRelease(f"The {field} of a {method} is {shown}; it must be {limits.text()}.")
    return number + 0.0  # no -0.0


def _float(value: Any) -> float:
    """Return a number as floating point, infinity where it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def launch(chair: Chair, release: Release) -> list[float]:
    """Return the card's state as it leaves the hand: see `bartizan.throwing.motion`."""
    yaw = chair.castle.yaw
    ahead, right = (-math.sin(yaw), math.cos(yaw)), (math.cos(yaw), math.sin(yaw))
    x = chair.castle.x + chair.line * ahead[0] + release.offset * right[0]
    y = chair.castle.y + chair.line * ahead[1] + release.offset * right[1]
    heading, up = yaw - math.radians(release.azimuth), math.radians(release.elevation)
    level = release.speed * math.cos(up)
    attitude = _turns(heading, math.radians(release.nose), math.radians(release.roll))
    velocity = (-math.sin(heading) * level, math.cos(heading) * level, release.speed * math.sin(up))
    return [x, y, release.height, *attitude, *velocity, release.tumble, 0.0, release.spin]


def _turns(yaw: float, nose: float, roll: float) -> tuple[float, float, float, float]:
    """Return the quaternion of a card turned about the vertical, then its width, then its length."""
    cz, sz = math.cos(yaw / 2), math.sin(yaw / 2)
    cx, sx = math.cos(nose / 2), math.sin(nose / 2)
    cy, sy = math.cos(roll / 2), math.sin(roll / 2)
    w, i, j, k = cz * cx, cz * sx, sz * sx, sz * cx
    return w * cy - j * sy, i * cy - k * sy, w * sy + j * cy, k * cy + i * sy

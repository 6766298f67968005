"""Throw as people do: an aim, and a hand that does not quite do what it is told.

The *level* of a hand is the size of its noise: 1 is a speed off by 3%, a direction by 2° up or down and 1.5°
sideways, an attitude by 4°, a spin by 10% (standard deviations), and everything grows with it.  0 is a
steady hand.  A decent person is thought to be between 1 and 2; no one has measured it.
"""

from __future__ import annotations

import functools
import math

import msgspec
import numpy as np

from bartizan.engine.layout import Chair, Piece, Spot, TableLayout
from bartizan.throwing.flight import CARD, chair_of, fly
from bartizan.throwing.motion import SIZE, WORK, fall_to
from bartizan.throwing.release import RANGES, BadRelease, Release, launch, read_release
from bartizan.throwing.verdict import judge

SPEED, ELEVATION, AZIMUTH, ATTITUDE, SPIN = 0.03, 2.0, 1.5, 4.0, 0.1
SLOWEST = 0.1  # m/s: no hand trembles so much that the card flies backwards

MASK = 0xFFFF_FFFF_FFFF_FFFF


class Hand:
    """Add a hand's noise to releases; the same for the same seed, call by call."""

    def __init__(self, level: float, seed: int) -> None:
        """Take the level (0 or more) and any whole number as the seed."""
        self.level = level
        self._stream = seed & MASK

    def tremble(self, release: Release) -> Release:
        """Return the actual release for the one that this hand intends."""
        off = [self.level * self._normal() for _ in range(7)]
        return msgspec.structs.replace(
            release,
            speed=max(SLOWEST, release.speed * (1 + SPEED * off[0])),
            elevation=release.elevation + ELEVATION * off[1],
            azimuth=release.azimuth + AZIMUTH * off[2],
            nose=release.nose + ATTITUDE * off[3],
            roll=release.roll + ATTITUDE * off[4],
            spin=release.spin * (1 + SPIN * off[5]),
            tumble=release.tumble * (1 + SPIN * off[6]),
        )

    def _uniform(self) -> float:
        """Return a number from 0 to 1, neither included (splitmix64; see `bartizan.engine.rng`)."""
        self._stream = (self._stream + 0x9E3779B97F4A7C15) & MASK
        z = self._stream
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (((z ^ (z >> 31)) >> 12) + 0.5) / (1 << 52)

    def _normal(self) -> float:
        """Sample the standard normal distribution (Box & Muller)."""
        radius = math.sqrt(-2 * math.log(self._uniform()))
        return radius * math.cos(math.tau * self._uniform())


def tremble(release: Release, level: float, seed: int) -> Release:
    """Return the actual release for the one that a hand of `level` intends; `seed` determines its dice."""
    return Hand(level, seed).tremble(release)


# --- Aim ------------------------------------------------------------------------


class Style(msgspec.Struct, frozen=True):
    """Say how a program holds the card, and what it aims beyond."""

    figures: dict[str, float]
    beyond: (
        float  # m: how far beyond the middle of the target, seen from the hand, the card's middle comes down
    )


# As the books show it, not as a search of all releases would have it: a lob is steep and comes down flat, a
# Frisbee throw holds its front high and so loses its speed, a flip turns backwards.  The later ones are for
# what the first does not reach.  `beyond` is where the most throws of level 1 land on a wall, by trying from
# -6 to 6 cm: a lob slides on, a Frisbee throw lands on its back edge.
STYLES: dict[str, tuple[Style, ...]] = {
    "lob": tuple(Style({"elevation": e, "nose": 20, "height": 0.2}, -0.028) for e in (70, 62, 54, 46, 40)),
    "frisbee": tuple(
        Style({"elevation": e, "nose": 42, "height": 0.2, "spin": 40}, 0.018) for e in (33, 25, 15)
    ),
    "flip": (
        Style({"elevation": 40, "nose": 30, "height": 0.15, "tumble": 25}, -0.018),
        *(Style({"elevation": e, "nose": 30, "height": 0.15, "tumble": -14}, -0.02) for e in (55, 48, 40)),
    ),
}
LOW = 0.02  # m: how high the card's middle is when it counts as come down, an edge being about to touch
CLOSE_ENOUGH = 0.0005  # m
STEP, MOST_STEPS = 0.002, 1000  # seconds, and how many of them a card may fly
ROUNDS = 25
SHORTEST = 0.05  # m
ENDLESS = 100.0  # m: a table without an edge
CHANGES = (0.0, -0.012, 0.012)  # m: what to try where a card that turns comes down on the wrong edge


def aim(layout: TableLayout, seat: int, target: str, method: str) -> Release:
    """Return the undisturbed release with which `seat` hits the middle of a piece.

    Raises `BadRelease` if there is no such piece or method, if no one throws from that seat, or if it is out
    of reach.
    """
    chair = chair_of(layout, seat)
    read_release(method, {})
    for piece in layout.pieces:
        if piece.name == target:
            return _aim_at(chair, piece, method)
    raise BadRelease(
        f"There is no {target!r} on the table; there are {', '.join(p.name for p in layout.pieces)}."
    )


@functools.lru_cache(maxsize=4096)
def _aim_at(chair: Chair, piece: Piece, method: str) -> Release:
    """Return the first release that comes down where it should and, thrown at the piece, lands on it."""
    yaw = chair.castle.yaw
    dx, dy = piece.spot.x - chair.castle.x, piece.spot.y - chair.castle.y
    right, ahead = math.cos(yaw) * dx + math.sin(yaw) * dy, math.cos(yaw) * dy - math.sin(yaw) * dx
    reach = RANGES[method]["offset"]
    offset = min(max(right, reach.low), reach.high)  # as straight before it as the castle's line allows
    away = max(SHORTEST, math.hypot(right - offset, ahead - chair.line))
    alone = TableLayout(pieces=(piece,), chairs=(chair,), width=ENDLESS, depth=ENDLESS)
    likely = None
    for style in STYLES[method]:
        start = read_release(method, {**style.figures, "offset": offset})
        for change in CHANGES:
            further = 1 + (style.beyond + change) / away
            goal = (offset + (right - offset) * further, chair.line + (ahead - chair.line) * further)
            release = _solve(start, chair.line, goal)
            if release is None:
                continue
            if judge(alone, chair.side, fly(alone, chair.seat, release)).verdict != "miss":
                return release
            likely = likely or release
    if likely is None:
        raise BadRelease(f"No {method} from seat {chair.seat} reaches {piece.name}.")
    return likely


def _solve(start: Release, line: float, goal: tuple[float, float]) -> Release | None:
    """Return the release with the speed and azimuth that come down at `goal`, or None if none of a hand's
    does.

    Newton's method; `goal` is to the right and ahead of the castle's middle.
    """
    ranges = RANGES[start.method]
    across, deep = goal[0] - start.offset, goal[1] - line
    speed, azimuth = ranges["speed"].default, math.degrees(math.atan2(across, deep))
    for _ in range(ROUNDS):
        here = _comes_down(start, line, speed, azimuth)
        miss = (goal[0] - here[0], goal[1] - here[1])
        if math.hypot(*miss) < CLOSE_ENOUGH:
            within = ranges["speed"].holds(speed) and ranges["azimuth"].holds(azimuth)
            return msgspec.structs.replace(start, speed=speed, azimuth=azimuth) if within else None
        faster = _comes_down(start, line, speed + 0.01, azimuth)
        wider = _comes_down(start, line, speed, azimuth + 0.5)
        a, b = (faster[0] - here[0]) / 0.01, (wider[0] - here[0]) / 0.5
        c, d = (faster[1] - here[1]) / 0.01, (wider[1] - here[1]) / 0.5
        size = a * d - b * c
        if abs(size) < 1e-9:
            return None
        change, turn = (d * miss[0] - b * miss[1]) / size, (a * miss[1] - c * miss[0]) / size
        speed = min(max(speed + max(-0.25, min(0.25, change)), 0.8), 4.5)
        azimuth = min(max(azimuth + max(-8.0, min(8.0, turn)), -75.0), 75.0)
    return None


def _comes_down(start: Release, line: float, speed: float, azimuth: float) -> tuple[float, float]:
    """Return how far right and ahead of the castle's middle the card is when it comes down."""
    chair = Chair(seat=1, side=1, castle=Spot(x=0.0, y=0.0), line=line)
    y = np.zeros((WORK, SIZE))
    y[0] = launch(chair, msgspec.structs.replace(start, speed=speed, azimuth=azimuth))
    fall_to(CARD, y, LOW, STEP, MOST_STEPS)
    return float(y[0, 0]), float(y[0, 1])

"""Throw a card and judge it: the one call that a game, a table or a command makes."""

from __future__ import annotations

from typing import Any

import msgspec

from bartizan.engine.layout import Flown, Spot, TableLayout
from bartizan.throwing import frames, story
from bartizan.throwing.flight import Flight, chair_of, fly
from bartizan.throwing.release import BadRelease, Release
from bartizan.throwing.verdict import GRACE, ThrowVerdict, contact_times, judge, yaw_of

LONGEST_GRACE = 0.1  # seconds


class Throw(msgspec.Struct, frozen=True, kw_only=True):
    """A throw: the release, the flight, and the result."""

    layout: TableLayout
    seat: int
    release: Release
    grace: float
    flight: Flight
    result: ThrowVerdict
    sentence: str

    @property
    def verdict(self) -> str:
        """Return ``miss``, ``hit``, ``double`` or ``perfect``."""
        return self.result.verdict

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the names of what it landed on, none for a miss."""
        return tuple(landing.target for landing in self.result.landings)

    def to_json(self) -> dict[str, Any]:
        """Return the throw in plain values, SI units; see docs/throwing.md."""
        side = chair_of(self.layout, self.seat).side
        theirs = {piece.name: piece for piece in self.layout.pieces if piece.side != side}
        t_table, t_card = contact_times(theirs, self.flight)
        first = self.flight.first_contact
        return {
            "seat": self.seat,
            "release": {"method": self.release.method, **self.release.figures()},
            "first_contact": None if first is None else {"with": first[0], "t": _round(first[1])},
            "t_table": None if t_table is None else _round(t_table),
            "t_card": None if t_card is None else _round(t_card),
            "grace": self.grace,
            "at_rest": self.flight.at_rest,
            "area": [self.layout.width, self.layout.depth],
            "lands_on": [
                {"target": each.target, "overlap_mm2": each.overlap, "corners": list(each.corners)}
                for each in self.result.landings
            ],
            "verdict": self.verdict,
            "moved": list(self.result.moved),
            "poses": {"card": list(self.flight.card)}
            | {name: list(pose) for name, pose in self.flight.pieces.items()},
            "frames": len(self.flight.frames) // (2 * frames.NUMBERS),
            "sentence": self.sentence,
        }

    def to_flown(self, card: str) -> Flown:
        """Return what a client shows again; `card` is the face of the card that was thrown."""
        first = self.flight.first_contact
        return Flown(
            card=card,
            seat=self.seat,
            method=self.release.method,
            release={field: round(value, 4) for field, value in self.release.figures().items()},
            verdict=self.verdict,
            sentence=self.sentence,
            frames=frames.as_text(self.flight.frames),
            contact_with="" if first is None else first[0],
            contact_at=0.0 if first is None else _round(first[1]),
            landings=self.result.landings,
            moved=tuple((name, spot_of(self.flight, name)) for name in self.result.moved),
        )


def spot_of(flight: Flight, name: str) -> Spot:
    """Return where a piece lies after a throw."""
    pose = flight.pieces[name]
    return Spot(x=round(pose[0], 5), y=round(pose[1], 5), yaw=round(yaw_of(pose), 5))


def throw(layout: TableLayout, seat: int, release: Release, grace: object = GRACE) -> Throw:
    """Throw a card for `seat` and judge it.

    `grace` is 0 to 0.1 s (see `bartizan.throwing.verdict`).  Raises `BadRelease` for a grace that is none, or
    if no one throws from that seat.
    """
    seconds = read_grace(grace)
    side = chair_of(layout, seat).side
    flight = fly(layout, seat, release)
    result = judge(layout, side, flight, seconds)
    return Throw(
        layout=layout,
        seat=seat,
        release=release,
        grace=seconds,
        flight=flight,
        result=result,
        sentence=story.sentence(layout, side, flight, result),
    )


def read_grace(grace: object) -> float:
    """Return the grace of a throw in seconds; raises `BadRelease` unless it is a number from 0 to 0.1."""
    if isinstance(grace, bool) or not isinstance(grace, int | float) or not 0 <= grace <= LONGEST_GRACE:
        raise BadRelease(f"The grace of a throw is {grace!r}; it must be 0 to {LONGEST_GRACE} seconds.")
    return float(grace)


def _round(seconds: float) -> float:
    return round(seconds, 6)

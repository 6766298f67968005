"""Compute the unobstructed path of a card, as an aid for aiming."""

from __future__ import annotations

from bartizan.engine.layout import Chair, TableLayout
from bartizan.throwing import frames
from bartizan.throwing.flight import fly
from bartizan.throwing.release import Release

WIDE = 20.0  # metres: a table on which everything comes down


def path(chair: Chair, release: Release) -> tuple[tuple[float, float, float, float], ...]:
    """Return seconds, x, y and z (metres) of a card's middle, at key frames, from the hand to the table."""
    layout = TableLayout(pieces=(), chairs=(chair,), width=WIDE, depth=WIDE)
    flight = fly(layout, chair.seat, release)
    first = flight.first_contact
    until = first[1] if first is not None else flight.seconds
    return tuple(
        (round(frame[0] / 1000, 4), round(frame[1], 4), round(frame[2], 4), round(frame[3], 4))
        for frame in frames.unpack(flight.frames).tolist()
        if frame[0] / 1000 <= until + 0.001
    )

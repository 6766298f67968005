"""Follow a card from the hand to rest: what it touched and when, and where everything lies then."""

from __future__ import annotations

import functools
import math
from typing import Any

import msgspec
import numpy as np

from bartizan.engine.layout import Chair, TableLayout
from bartizan.throwing import contact, frames
from bartizan.throwing.air import Plate, card
from bartizan.throwing.motion import SIZE, WORK
from bartizan.throwing.release import BadRelease, Release, launch
from bartizan.throwing.table import BODY_THICKNESS, CARD_STATE, PIECE_STATE, bench

TABLE = "table"
CARD = card()
FAR = 1e9  # metres: where cards stand that are in the model, for those that look for others
# A corner comes down by more than a card's thickness in a millisecond, so that what happens at another card's
# edge hangs on the step.  Steps half as long from when a card comes near another, for so long, halve the
# share of verdicts that a yet shorter step would change, to 0.8% of random throws; all the way they cost a
# third more.
FINER, FINE_FOR = 2, 50  # times; milliseconds
TIMES = frames.frame_times(2 * contact.LIMIT)

Pose = tuple[float, float, float, float, float, float, float]


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a throw did.  Metres, seconds, quaternions w, x, y, z."""

    contacts: dict[str, float]  # when the card first touched the table ("table") and each piece
    at_rest: bool  # everything within 5 s; what is not is a miss
    seconds: float  # from release to rest
    card: Pose
    pieces: dict[str, Pose]
    frames: bytes  # see `bartizan.throwing.frames`

    @property
    def first_contact(self) -> tuple[str, float] | None:
        """Return what the card touched first and when; a piece before the table if both at once."""
        if not self.contacts:
            return None
        return min(self.contacts.items(), key=lambda item: (item[1], item[0] == TABLE))


@functools.lru_cache(maxsize=256)
def places(layout: TableLayout) -> Any:
    """Return x, y and yaw of the pieces as an array."""
    spots = [(piece.spot.x, piece.spot.y, piece.spot.yaw) for piece in layout.pieces]
    return np.array(spots, dtype=np.float64).reshape(-1, 3)


def chair_of(layout: TableLayout, seat: int) -> Chair:
    """Return where a seat throws from; raises `BadRelease` if it does not throw."""
    for chair in layout.chairs:
        if chair.seat == seat:
            return chair
    seats = ", ".join(str(chair.seat) for chair in layout.chairs)
    raise BadRelease(f"Nobody throws from seat {seat}; seats that throw are {seats}.")


def fly(
    layout: TableLayout, seat: int, release: Release, *, substeps: int = 1, plate: Plate = CARD
) -> Flight:
    """Throw a card and return what it did.

    The same on every call with the same build of MuJoCo and Numba, bit by bit.

    Args:
        layout: what stands on the table.
        seat: who throws.
        release: how; nothing in it is checked here, so that a hand may tremble past a range.
        substeps: steps of the simulation in a millisecond (1 or more).
        plate: the card's figures for the air.
    """
    y = np.zeros((WORK, SIZE))
    y[0] = launch(chair_of(layout, seat), release)
    clock = np.zeros(contact.CLOCK, dtype=np.int64)
    film = np.empty((len(TIMES) // 2 + 8, frames.NUMBERS))
    spots = places(layout)
    apart = spots.copy()
    active: list[int] = []
    firsts = np.full(1, -1.0)
    rest = y[0, :CARD_STATE]
    code = contact.fly_free(plate, y, clock, TIMES, film, substeps)
    if code == contact.REST:
        turn, steps, until = 1, substeps, contact.LIMIT
        on = bench(0, 0.001 / steps)
        on.state[:], on.rates[:] = y[0, :CARD_STATE], y[0, CARD_STATE:]
        while True:
            bodies = (on.state, on.rates, on.load, on.sensors, on.anchor)
            reel = (TIMES, film, turn, steps, until)
            code = contact.settle(on.addresses, plate, bodies, y, apart, clock, firsts, reel)
            if code == contact.NEAR:
                active.append(int(clock[contact.WHICH]))
                apart[active[-1], :2] = FAR
                firsts = np.append(firsts, -1.0)
                turn, steps = 1, FINER * substeps
                until = int(clock[contact.MILLISECOND]) + FINE_FOR
            elif code == contact.CALM:
                turn, steps, until = 1, substeps, contact.LIMIT
            elif code == contact.SLUGGISH:
                turn, steps = 2, substeps
            else:
                break
            on = _carry(on, len(active), 0.001 * turn / steps)
            if code == contact.NEAR:
                on.state[-PIECE_STATE:] = _state_of(spots[active[-1]])
        rest = on.state
    return _flight(layout, clock, code, active, firsts, rest, film)


def _carry(before: Any, pieces: int, step: float) -> Any:
    """Return another table, of more pieces or other steps, with everything that is on one."""
    after = bench(pieces, step)
    for to, of in (
        (after.state, before.state),
        (after.rates, before.rates),
        (after.warmstart, before.warmstart),
        (after.anchor, before.anchor),
    ):
        to[: len(of)] = of
    return after


def _state_of(spot: Any) -> tuple[float, float, float, float]:
    """Return the state of a lying card in MuJoCo's model."""
    return spot[0], spot[1], BODY_THICKNESS / 2, spot[2]


def _flight(
    layout: TableLayout, clock: Any, code: int, active: list[int], firsts: Any, rest: Any, film: Any
) -> Flight:
    """Gather what loops left behind."""
    names = [TABLE, *(layout.pieces[n].name for n in active)]
    contacts = {name: float(t) for name, t in zip(names, firsts, strict=True) if t >= 0}
    pieces = {p.name: lying(p.spot.x, p.spot.y, BODY_THICKNESS / 2, p.spot.yaw) for p in layout.pieces}
    for order, n in enumerate(active):
        at = CARD_STATE + PIECE_STATE * order
        x, y, z, yaw = (float(value) for value in rest[at : at + PIECE_STATE])
        pieces[layout.pieces[n].name] = lying(x, y, z, yaw)
    x, y, z, w, i, j, k = (float(value) for value in rest[:CARD_STATE])
    return Flight(
        contacts=contacts,
        at_rest=code == contact.REST,
        seconds=0.001 * int(clock[contact.MILLISECOND]),
        card=(x, y, z, w, i, j, k),
        pieces=pieces,
        frames=frames.pack(film[: clock[contact.FRAMES]]),
    )


def lying(x: float, y: float, z: float, yaw: float) -> Pose:
    """Return the pose of a card that lies flat."""
    return (x, y, z, math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))

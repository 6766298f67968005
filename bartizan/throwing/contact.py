"""Run a throw in compiled code: free flight by our own steps, then MuJoCo's once something may touch.

MuJoCo's `mj_step` is called by its address, so that no step goes through Python; interpreted
(``BARTIZAN_MODE=python``) the same loops call it through `ctypes`.
"""

from __future__ import annotations

import math
from typing import Any

from bartizan.engine.mode import COMPILED
from bartizan.engine.rule import entry, inlined_rule, rule
from bartizan.throwing.air import LENGTH, WIDTH, Plate, applied, load
from bartizan.throwing.motion import lowest, step, turn, turn_back
from bartizan.throwing.table import BODY_THICKNESS, CARD_RATE, CARD_STATE, PIECE_STATE

LIMIT = 5000  # milliseconds: what has not come to rest by then never does, and is a miss
REST, NEAR, LATE, LOST = range(
    4
)  # how a loop ends: at rest, near a card that is not in the model, out of time, NaN
# What loops keep between calls, an array of integers.
MILLISECOND, FRAMES, NEXT, QUIET, TOUCHES, TOUCHED, WHICH = range(7)
CLOCK = 7

# A corner of a card at 3 m/s and 30 rad/s comes down by 5 mm in a step, and 1 mm lies there already.
CLEARANCE = 0.009  # m, of the lowest corner: below that MuJoCo takes over
REACH = math.hypot(WIDTH, LENGTH)  # how near the middles of two cards must be to touch
NEARNESS = (REACH + 0.006) ** 2
# At rest is what moves slower than this for so long.  Falling freely, a card is faster after a millisecond.
SLOW, SLOW_TURN = 0.004, 0.1  # m/s, rad/s
QUIET_FOR = 15  # milliseconds

if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[misc]
    def call_step(_: Any, address: Any, model: Any, data: Any) -> Any:
        """Call a C function of two pointers that returns nothing, all given as integers."""

        def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
            pointer = ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [pointer, pointer])
            function = builder.inttoptr(args[0], kind.as_pointer())
            builder.call(function, [builder.inttoptr(each, pointer) for each in args[1:]])
            return ir.Constant(ir.IntType(64), 0)

        return types.int64(types.int64, types.int64, types.int64), code

else:
    import ctypes

    def call_step(address: int, model: int, data: int) -> int:
        """Call a C function of two pointers that returns nothing, all given as integers."""
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(model, data)
        return 0


@inlined_rule
def note_frame(y: Any, millisecond: int, clock: Any, frames: Any) -> None:
    """Write the pose in row 0 down as a key frame, unless there is one of this millisecond."""
    count = clock[FRAMES]
    if count > 0 and frames[count - 1, 0] == millisecond:
        return
    frames[count, 0] = millisecond
    for n in range(7):
        frames[count, 1 + n] = y[0, n]
    clock[FRAMES] = count + 1


@entry
def fly_free(plate: Plate, y: Any, clock: Any, times: Any, frames: Any, substeps: int) -> int:
    """Move a card on through free air until it may touch something; return REST then, LATE if it never does.

    Args:
        plate: the card.
        y: float64[6, 13], its state in row 0.
        clock: int64[CLOCK], what loops keep.
        times: int64[:], the milliseconds of key frames.
        frames: float64[:, 8], where they go.
        substeps: steps in a millisecond.
    """
    h = 0.001 / substeps
    while clock[MILLISECOND] < LIMIT:
        if times[clock[NEXT]] == clock[MILLISECOND]:
            note_frame(y, clock[MILLISECOND], clock, frames)
            clock[NEXT] += 1
        if lowest(plate, y, 0, BODY_THICKNESS) < CLEARANCE:
            return REST
        for _ in range(substeps):
            step(plate, y, h)
        clock[MILLISECOND] += 1
    return LATE


@rule
def push(plate: Plate, y: Any, xfrc: Any, touching: bool) -> None:
    """Write what the air does to the card whose state is in row 0 of `y` to MuJoCo's applied forces."""
    v = turn_back(y, 0, y[0, 7], y[0, 8], y[0, 9])
    w = (y[0, 10], y[0, 11], y[0, 12])
    if touching:  # the table holds it, too: what its acceleration takes along of the air is not known
        f1, f2, f3, t1, t2, t3 = load(plate, v[0], v[1], v[2], w[0], w[1], w[2])
    else:
        g = turn_back(y, 0, 0.0, 0.0, -plate.weight)
        f1, f2, f3, t1, t2, t3 = applied(plate, v, w, g)
    xfrc[1, 0], xfrc[1, 1], xfrc[1, 2] = turn(y, 0, f1, f2, f3)
    xfrc[1, 3], xfrc[1, 4], xfrc[1, 5] = turn(y, 0, t1, t2, t3)


@rule
def approach(state: Any, rates: Any, pieces: int, apart: Any) -> int:
    """Return which card outside the model something is near that may reach it, or -1."""
    for body in range(-1, pieces):
        if body < 0:
            if state[2] > 0.5 * REACH + CLEARANCE:
                continue
            x, y = state[0], state[1]
        else:
            at, rate = CARD_STATE + PIECE_STATE * body, CARD_RATE + PIECE_STATE * body
            if abs(rates[rate]) + abs(rates[rate + 1]) + abs(rates[rate + 3]) < 1e-3:
                continue
            x, y = state[at], state[at + 1]
        for other in range(apart.shape[0]):
            dx, dy = apart[other, 0] - x, apart[other, 1] - y
            if dx * dx + dy * dy < NEARNESS:
                return other
    return -1


@rule
def is_slow(rates: Any, pieces: int) -> bool:
    """Say whether everything in the model moves so slowly that it may be at rest."""
    v = rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2]
    w = rates[3] * rates[3] + rates[4] * rates[4] + rates[5] * rates[5]
    if not (v < SLOW * SLOW and w < SLOW_TURN * SLOW_TURN):
        return False
    for piece in range(pieces):
        at = CARD_RATE + PIECE_STATE * piece
        v = rates[at] * rates[at] + rates[at + 1] * rates[at + 1] + rates[at + 2] * rates[at + 2]
        if not (v < SLOW * SLOW and abs(rates[at + 3]) < SLOW_TURN):
            return False
    return True


@entry
def settle(
    addresses: Any, plate: Plate, bodies: Any, y: Any, apart: Any, clock: Any, firsts: Any, film: Any
) -> int:
    """Let MuJoCo step until all is at rest, or until something comes near a card that is not in its model.

    Args:
        addresses: of `mj_step`, of the model and of its data.
        plate: the card.
        bodies: MuJoCo's arrays `qpos`, `qvel`, `xfrc_applied`, `sensordata`.
        y: float64[6, 13], work space.
        apart: float64[:, 2], where the cards lie that are not in the model (far away: those that are).
        clock: int64[CLOCK], what loops keep; WHICH is the card that something came near.
        firsts: float64[:], seconds of the first contact with the table and each card in the model, -1 for
        none. film: the times of key frames, the frames, and the number of steps in a millisecond.
    """
    state, rates, xfrc, sensors = bodies
    times, frames, substeps = film
    pieces = firsts.shape[0] - 1
    while clock[MILLISECOND] < LIMIT:
        clock[WHICH] = approach(state, rates, pieces, apart)
        if clock[WHICH] >= 0:
            return NEAR
        for part in range(substeps):
            for n in range(7):
                y[0, n] = state[n]
            for n in range(6):
                y[0, 7 + n] = rates[n]
            push(plate, y, xfrc, clock[TOUCHES] > 0)
            call_step(addresses[0], addresses[1], addresses[2])
            clock[TOUCHES] = 0
            for n in range(pieces + 1):
                if sensors[n] > 0:
                    clock[TOUCHES] = 1
                    if firsts[n] < 0:
                        firsts[n] = 0.001 * (clock[MILLISECOND] + part / substeps)
            if clock[TOUCHES] > 0 and clock[TOUCHED] == 0:
                clock[TOUCHED] = 1
                note_frame(y, clock[MILLISECOND], clock, frames)
        clock[MILLISECOND] += 1
        for n in range(7):
            y[0, n] = state[n]
            if not math.isfinite(state[n]):
                return LOST
        if times[clock[NEXT]] == clock[MILLISECOND]:
            note_frame(y, clock[MILLISECOND], clock, frames)
            clock[NEXT] += 1
        clock[QUIET] = clock[QUIET] + 1 if is_slow(rates, pieces) else 0
        if clock[QUIET] >= QUIET_FOR:
            note_frame(y, clock[MILLISECOND], clock, frames)
            return REST
    return LATE

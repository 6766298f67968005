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
# How a loop ends: at rest, near a card that is not in its model, its time over, slow, out of all time, NaN.
REST, NEAR, CALM, SLUGGISH, LATE, LOST = range(6)
# What loops keep between calls, an array of integers.
MILLISECOND, FRAMES, NEXT, QUIET, TOUCHES, MET, WHICH = range(7)
CLOCK = 7

# A corner of a card at 3 m/s and 30 rad/s comes down by 5 mm in a step, and 1 mm lies there already.
CLEARANCE = 0.009  # m, of the lowest corner: below that MuJoCo takes over
MARGIN = 0.005  # m: what is so near may touch within a step
NEARNESS = (math.hypot(WIDTH, LENGTH) + MARGIN) ** 2  # of the middles of two cards, squared
# A thing is at rest if it stays this close to its place for this long.  Speed is a worse test: a card that
# leans on another's edge trembles at 0.2 rad/s forever, by hundredths of a millimetre.  In free fall a card
# moves 0.7 mm in that time.
STILL, STILL_TURN = 0.0001, 0.0015  # m; of a quaternion's numbers and, in rad, of yaw
QUIET_FOR = 24  # milliseconds
# Anything slower than this on the table moves by at most 0.3 mm in two milliseconds.
SLOW, SLOW_TURN = 0.12, 3.0  # m/s, rad/s


if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
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


@inlined_rule
def overlaps(x: float, y: float, sides: Any, apart: Any, other: int) -> bool:
    """Say whether a card in the middle of which is x, y may be over, or about to touch, a card that lies
    there.

    `sides` are the halves of its sides laid on the table: width's x and y, length's x and y.  A test along
    the sides of the lying card alone: what is apart by it is apart.
    """
    dx, dy = x - apart[other, 0], y - apart[other, 1]
    if dx * dx + dy * dy > NEARNESS:
        return False
    c, s = math.cos(apart[other, 2]), math.sin(apart[other, 2])
    across = abs(c * sides[0] + s * sides[1]) + abs(c * sides[2] + s * sides[3])
    along = abs(c * sides[1] - s * sides[0]) + abs(c * sides[3] - s * sides[2])
    return bool(
        abs(c * dx + s * dy) < 0.5 * WIDTH + across + MARGIN
        and abs(c * dy - s * dx) < 0.5 * LENGTH + along + MARGIN
    )


@rule
def approach(plate: Plate, y: Any, state: Any, rates: Any, pieces: int, apart: Any) -> int:
    """Return which card outside the model something is near that may reach it, or -1.

    The card's state is in row 0 of `y`.
    """
    if lowest(plate, y, 0, BODY_THICKNESS) < CLEARANCE:
        a1, a2, _ = turn(y, 0, 0.5 * WIDTH, 0.0, 0.0)
        b1, b2, _ = turn(y, 0, 0.0, 0.5 * LENGTH, 0.0)
        for other in range(apart.shape[0]):
            if overlaps(y[0, 0], y[0, 1], (a1, a2, b1, b2), apart, other):
                return other
    for piece in range(pieces):
        at = CARD_STATE + PIECE_STATE * piece
        if moves(rates, piece):
            c, s = math.cos(state[at + 3]), math.sin(state[at + 3])
            sides = (0.5 * WIDTH * c, 0.5 * WIDTH * s, -0.5 * LENGTH * s, 0.5 * LENGTH * c)
            for other in range(apart.shape[0]):
                if overlaps(state[at], state[at + 1], sides, apart, other):
                    return other
    return -1


@inlined_rule
def moves(rates: Any, piece: int) -> bool:
    """Say whether a lying card in the model moves."""
    at = CARD_RATE + PIECE_STATE * piece
    return bool(abs(rates[at]) + abs(rates[at + 1]) + abs(rates[at + 2]) + abs(rates[at + 3]) > 1e-3)


@inlined_rule
def is_alone(plate: Plate, y: Any, rates: Any, pieces: int) -> bool:
    """Say whether the card is in the air, too high to touch anything, while all else lies still."""
    if lowest(plate, y, 0, BODY_THICKNESS) < CLEARANCE:
        return False
    moving = 0
    for piece in range(pieces):
        moving += moves(rates, piece)
    return moving == 0


@rule
def is_still(state: Any, anchor: Any) -> bool:
    """Say whether everything in the model is still where `anchor` says; if not, update `anchor`."""
    still = True
    for n in range(state.shape[0]):
        turns = n in (3, 4, 5, 6) or (n >= CARD_STATE and (n - CARD_STATE) % PIECE_STATE == PIECE_STATE - 1)
        if not abs(state[n] - anchor[n]) < (STILL_TURN if turns else STILL):
            still = False
    if not still:
        for n in range(state.shape[0]):
            anchor[n] = state[n]
    return still


@rule
def is_slow(rates: Any, pieces: int) -> bool:
    """Say whether everything in the model moves so slowly that steps of two milliseconds will do."""
    fast = 0
    for n in range(CARD_RATE):
        fast += abs(rates[n]) > (SLOW if n < 3 else SLOW_TURN)
    for piece in range(pieces):
        at = CARD_RATE + PIECE_STATE * piece
        for n in range(PIECE_STATE):
            fast += abs(rates[at + n]) > (SLOW if n < 3 else SLOW_TURN)
    return fast == 0


@inlined_rule
def take(y: Any, state: Any, rates: Any) -> None:
    """Copy the card's state from MuJoCo's arrays to row 0 of `y`."""
    for n in range(CARD_STATE):
        y[0, n] = state[n]
    for n in range(CARD_RATE):
        y[0, CARD_STATE + n] = rates[n]


@inlined_rule
def give(y: Any, state: Any, rates: Any) -> None:
    """Copy the card's state from row 0 of `y` to MuJoCo's arrays."""
    for n in range(CARD_STATE):
        state[n] = y[0, n]
    for n in range(CARD_RATE):
        rates[n] = y[0, CARD_STATE + n]


@rule
def note_contacts(sensors: Any, firsts: Any, clock: Any, seconds: float) -> bool:
    """Note what the card touches; say whether it is the first contact of all."""
    clock[TOUCHES] = 0
    for n in range(firsts.shape[0]):
        if sensors[n] > 0:
            clock[TOUCHES] = 1
            if firsts[n] < 0:
                firsts[n] = seconds
    if clock[TOUCHES] == 0 or clock[MET] > 0:
        return False
    clock[MET] = 1
    return True


@entry
def settle(
    addresses: Any, plate: Plate, bodies: Any, y: Any, apart: Any, clock: Any, firsts: Any, film: Any
) -> int:
    """Let MuJoCo step until all is at rest, or until it must go on with another model; return why.

    Args:
        addresses: of `mj_step`, of the model and of its data.
        plate: the card.
        bodies: MuJoCo's `qpos`, `qvel`, `xfrc_applied`, `sensordata`, and a copy of `qpos` to compare with.
        y: float64[6, 13], work space.
        apart: float64[:, 3], x, y and yaw of the cards that are not in the model (far away: those that are).
        clock: int64[CLOCK], what loops keep; WHICH is the card that something came near.
        firsts: float64[:], seconds of the first contact with the table and each card in the model, or -1.
        film: the times of key frames, the frames, the milliseconds of a turn, the steps in it, and the
            millisecond in which to return CALM.
    """
    state, rates, xfrc, sensors, anchor = bodies
    times, frames, turn_ms, substeps, until = film
    pieces = firsts.shape[0] - 1
    h = 0.001 * turn_ms / substeps
    while clock[MILLISECOND] < LIMIT:
        if clock[MILLISECOND] >= until:
            return CALM
        take(y, state, rates)
        clock[WHICH] = approach(plate, y, state, rates, pieces, apart)
        if clock[WHICH] >= 0:
            return NEAR
        if clock[TOUCHES] == 0 and is_alone(plate, y, rates, pieces):
            for _ in range(substeps):  # it has bounced: our own step is cheaper
                step(plate, y, h)
            give(y, state, rates)
        else:
            for part in range(substeps):
                if part > 0:
                    take(y, state, rates)
                push(plate, y, xfrc, clock[TOUCHES] > 0)
                call_step(addresses[0], addresses[1], addresses[2])
                if note_contacts(sensors, firsts, clock, 0.001 * clock[MILLISECOND] + h * part):
                    note_frame(y, clock[MILLISECOND], clock, frames)
            take(y, state, rates)
        clock[MILLISECOND] += turn_ms
        for n in range(CARD_STATE):
            if not math.isfinite(y[0, n]):
                return LOST
        if times[clock[NEXT]] <= clock[MILLISECOND]:
            note_frame(y, clock[MILLISECOND], clock, frames)
            clock[NEXT] += 1
        clock[QUIET] = clock[QUIET] + turn_ms if is_still(state, anchor) else 0
        if clock[QUIET] >= QUIET_FOR:
            note_frame(y, clock[MILLISECOND], clock, frames)
            return REST
        if turn_ms == 1 and until == LIMIT and clock[TOUCHES] > 0 and is_slow(rates, pieces):
            return SLUGGISH
    return LATE

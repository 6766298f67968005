"""Say what still air does to a moving card: force and torque from velocity and rotation.

A quasi-steady plate in the form of Andersen, Pesavento & Wang ("Analysis of transitions between fluttering,
tumbling and steady descent of falling cards", J. Fluid Mech. 541, 2005, 91-104), taken to three dimensions:
drag that goes from that of an edge to that of a face, lift of translation and of rotation, damping of
rotation, and the air that a plate carries with it (added mass).  Where the plane law turns the plate by the
added mass alone (Munk's moment), which is far too much for a short plate, a card is turned by its normal
force acting ahead of the middle, ever less so as it stands up to the wind.

Axes are the card's: 1 along its width, 2 along its length, 3 out of its face.  Units are SI.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from bartizan.engine.rule import inlined_rule

GRAVITY = 9.81  # m/s²
AIR_DENSITY = 1.2  # kg/m³, a room at 20 °C
WIDTH, LENGTH, THICKNESS = 0.0635, 0.095, 0.0003  # metres: a poker card
MASS = 0.0019  # kg


class Plate(NamedTuple):
    """Hold what the law asks of a plate: bodily figures and coefficients."""

    mass: float  # kg
    width: float  # m
    length: float  # m
    inertia_1: float  # kg m², about the axis along the width
    inertia_2: float  # about the axis along the length
    inertia_3: float  # about the normal
    density: float  # of the fluid, kg/m³
    weight: float  # of gravity that acts, m/s²: less than 9.81 where the fluid buoys
    drag_mean: float  # A: drag on the area is A - B cos 2α, α the angle between plate and motion
    drag_swing: float  # B
    lift: float  # C_T: lift of translation is C_T sin 2α
    rotation_lift: float  # C_R: the circulation that rotation brings about
    arm: float  # how far before the middle the normal force acts when α is small, in chords
    munk: float  # share of Munk's moment
    added_mass: float  # kg, for motion along the normal
    added_inertia_1: float  # kg m²
    added_inertia_2: float
    damping_still: float  # of rotation, 1/s: grows with rotation alone
    damping_speed: float  # grows with rotation and speed
    damping_rate: float  # grows with the square of rotation
    damping_spin: float  # of spin in the card's own plane


def card(mass: float = MASS, density: float = AIR_DENSITY) -> Plate:
    """Return a poker card of `mass` in air of `density`; with density 0 it is a card in a vacuum.

    Calibrated: drag of the face 1.2 (a rectangle of this shape, Hoerner, "Fluid-Dynamic Drag", 1965), of the
    edge 0.03 (two laminar sides at a Reynolds number of 10⁴), the slope of the lift that of a wing as short
    as long (about 2 for each radian), added mass 0.69 of that in the plane (Brennen, "A review of added mass
    and fluid inertial forces", 1982), damping by rotation as strips of the plate feel it at that drag.
    Guessed: how far ahead the force acts (a quarter of the chord), the damping of spin, and the lift of
    rotation and the damping by speed, chosen together so that a card dropped on its edge tumbles at 25 rad/s.
    """
    shape = 0.69
    a, b = WIDTH / 2, LENGTH / 2
    return Plate(
        mass=mass,
        width=WIDTH,
        length=LENGTH,
        inertia_1=mass * (LENGTH**2 + THICKNESS**2) / 12,
        inertia_2=mass * (WIDTH**2 + THICKNESS**2) / 12,
        inertia_3=mass * (WIDTH**2 + LENGTH**2) / 12,
        density=density,
        weight=GRAVITY,
        drag_mean=0.615,
        drag_swing=0.585,
        lift=1.0,
        rotation_lift=1.0,
        arm=0.25,
        munk=0.0,
        added_mass=shape * math.pi * density * a**2 * LENGTH,
        added_inertia_1=shape * math.pi * density * b**4 * WIDTH / 8,
        added_inertia_2=shape * math.pi * density * a**4 * LENGTH / 8,
        damping_still=0.0,
        damping_speed=0.01,
        damping_rate=0.095,
        damping_spin=0.006,
    )


@inlined_rule
def load(
    plate: Plate, v1: float, v2: float, v3: float, w1: float, w2: float, w3: float
) -> tuple[float, float, float, float, float, float]:
    """Return the quasi-steady force (N) and torque (N m) on a plate moving at v (m/s), turning at w (rad/s).

    All in the card's axes; the fluid is at rest.  The air carried along is not in it (see `accelerations`).
    """
    area = plate.width * plate.length
    speed = math.sqrt(v1 * v1 + v2 * v2 + v3 * v3)
    along = math.sqrt(v1 * v1 + v2 * v2)
    f1 = f2 = f3 = t1 = t2 = 0.0
    if speed > 1e-9:
        # Drag: -½ρS (A - B cos 2α) |v| v
        swing = (along * along - v3 * v3) / (speed * speed)
        drag = 0.5 * plate.density * area * (plate.drag_mean - plate.drag_swing * swing) * speed
        # Lift: at right angles to the motion, ρS C_T (along · normal / |v|), towards (normal u - along e3)
        lift = plate.density * area * plate.lift * v3 / speed
        f1 = lift * v3 * v1 - drag * v1
        f2 = lift * v3 * v2 - drag * v2
        f3 = -lift * along * along - drag * v3
        # The normal force acts ahead of the middle, in the middle where the plate meets the wind with its
        # face.
        ahead = plate.arm * along / (speed * speed)
        t1 = ahead * plate.length * v2 * f3
        t2 = -ahead * plate.width * v1 * f3
    # Munk's moment: v × (added mass times v)
    t1 -= plate.munk * plate.added_mass * v2 * v3
    t2 += plate.munk * plate.added_mass * v1 * v3
    # Lift of rotation: ρ (circulation about each axis in the plane) × v
    circulation = 0.5 * plate.density * plate.rotation_lift * area
    c1 = circulation * plate.length * w1
    c2 = circulation * plate.width * w2
    f1 += c2 * v3
    f2 -= c1 * v3
    f3 += c1 * v2 - c2 * v1
    # Damping
    b, a = plate.length / 2, plate.width / 2
    still, rate = plate.damping_still, plate.damping_rate
    round_1 = math.pi * plate.density * b * b * b * b * plate.width
    round_2 = math.pi * plate.density * a * a * a * a * plate.length
    t1 -= round_1 * (still + plate.damping_speed * speed / b + rate * abs(w1)) * w1
    t2 -= round_2 * (still + plate.damping_speed * speed / a + rate * abs(w2)) * w2
    half = 0.5 * math.sqrt(plate.width * plate.width + plate.length * plate.length)
    t3 = -plate.damping_spin * plate.density * area * half * half * half * abs(w3) * w3
    return f1, f2, f3, t1, t2, t3


@inlined_rule
def accelerations(
    plate: Plate, v: tuple[float, float, float], w: tuple[float, float, float], g: tuple[float, float, float]
) -> tuple[float, float, float, float, float, float]:
    """Return how a plate free in the fluid is accelerated (m/s²) and its rotation changes (rad/s²).

    `v`, `w` and gravity `g` are in the card's axes, and so is the answer; the acceleration is that seen from
    the table.  Kirchhoff's equations of a body and the fluid that it carries with it.
    """
    v1, v2, v3 = v
    w1, w2, w3 = w
    f1, f2, f3, t1, t2, t3 = load(plate, v1, v2, v3, w1, w2, w3)
    m, added = plate.mass, plate.added_mass
    a1 = g[0] + (f1 - added * w2 * v3) / m
    a2 = g[1] + (f2 + added * w1 * v3) / m
    a3 = (f3 + m * g[2] + added * (w1 * v2 - w2 * v1)) / (m + added)
    j1 = plate.inertia_1 + plate.added_inertia_1
    j2 = plate.inertia_2 + plate.added_inertia_2
    j3 = plate.inertia_3
    r1 = (t1 + (j2 - j3) * w2 * w3) / j1
    r2 = (t2 + (j3 - j1) * w3 * w1) / j2
    r3 = (t3 + (j1 - j2) * w1 * w2) / j3
    return a1, a2, a3, r1, r2, r3


@inlined_rule
def applied(
    plate: Plate, v: tuple[float, float, float], w: tuple[float, float, float], g: tuple[float, float, float]
) -> tuple[float, float, float, float, float, float]:
    """Return the force and torque that make a bare body of the plate's mass move as `accelerations` say.

    For a simulator that knows gravity and the body's own inertia, and no added mass.
    """
    a1, a2, a3, r1, r2, r3 = accelerations(plate, v, w, g)
    m = plate.mass
    i1, i2, i3 = plate.inertia_1, plate.inertia_2, plate.inertia_3
    w1, w2, w3 = w
    t1 = i1 * r1 - (i2 - i3) * w2 * w3
    t2 = i2 * r2 - (i3 - i1) * w3 * w1
    t3 = i3 * r3 - (i1 - i2) * w1 * w2
    return m * (a1 - g[0]), m * (a2 - g[1]), m * (a3 - g[2]), t1, t2, t3

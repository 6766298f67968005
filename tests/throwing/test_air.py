"""A card in the air: against closed forms and against the published falling plates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from bartizan.engine.rule import entry
from bartizan.throwing import motion
from bartizan.throwing.air import AIR_DENSITY, GRAVITY, LENGTH, MASS, WIDTH, Plate, card
from tests.throwing import reference_plate as reference

CARD = card()


def published(inertia: float) -> Plate:
    """Return the plate of the paper as one of ours: half a width, the fluid's density and the speed are 1."""
    return CARD._replace(
        mass=math.pi * inertia,
        width=2.0,
        length=1.0,
        inertia_1=math.pi * inertia,
        inertia_2=math.pi * inertia / 4,
        inertia_3=math.pi * inertia,
        density=1.0,
        weight=1 / inertia,
        drag_mean=reference.DRAG_MEAN,
        drag_swing=reference.DRAG_SWING,
        lift=reference.LIFT,
        rotation_lift=reference.ROTATION_LIFT,
        arm=0.0,
        munk=1.0,
        added_mass=math.pi,
        added_inertia_1=0.0,
        added_inertia_2=math.pi / 8,
        damping_still=reference.DAMPING,
        damping_speed=0.0,
        damping_rate=reference.DAMPING,
        damping_spin=0.0,
    )


@entry
def drift(plate: Any, y: Any, h: float, steps: int) -> None:
    """Move the state in row 0 of `y` on by `steps` steps of `h` seconds."""
    for _ in range(steps):
        motion.step(plate, y, h)


def state(
    tilt: float = 0.0, velocity: tuple[float, ...] = (0, 0, 0), spin: tuple[float, ...] = (0, 0, 0)
) -> Any:
    """Return a card's state, tilted about its width by `tilt` radians, front up."""
    y = np.zeros((motion.WORK, motion.SIZE))
    y[0, 3], y[0, 4] = math.cos(tilt / 2), math.sin(tilt / 2)
    y[0, 7:10], y[0, 10:13] = velocity, spin
    return y


def fall(inertia: float, settle: float, measure: float) -> reference.Rates:
    """Let the published plate fall as our card does, its width in the plane of the fall."""
    plate = published(inertia)
    y = np.zeros((motion.WORK, motion.SIZE))
    y[0, 3], y[0, 5] = math.cos(math.pi / 8), -math.sin(math.pi / 8)
    y[0, 7] = 0.001
    drift(plate, y, 0.01, round(settle * 100))
    x, z = y[0, 0], y[0, 2]
    angle = swings = 0.0
    for _ in range(round(measure * 20)):
        before = -y[0, 11]
        drift(plate, y, 0.01, 5)
        angle -= 0.05 * (y[0, 11] - before) / 2
        swings += before < 0 <= -y[0, 11]
    return reference.Rates(
        (z - y[0, 2]) / measure, (y[0, 0] - x) / measure, angle / measure, swings / measure
    )


def test_a_card_falls_broadside_at_its_terminal_speed() -> None:
    y = state()
    drift(CARD, y, 0.001, 3000)
    area, drag = WIDTH * LENGTH, CARD.drag_mean + CARD.drag_swing
    expected = math.sqrt(2 * MASS * GRAVITY / (AIR_DENSITY * area * drag))
    assert expected == pytest.approx(2.07, abs=0.01)
    assert -y[0, 9] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("inertia", [0.5, 1.1, 1.2])
def test_light_plates_flutter_as_published(inertia: float) -> None:
    ours, theirs = fall(inertia, 100, 400), reference.fall(inertia, 100, 400)
    assert theirs.swings > 0.03
    assert abs(ours.turning) < 0.05
    assert ours.descent == pytest.approx(theirs.descent, rel=0.15)
    assert ours.swings == pytest.approx(theirs.swings, rel=0.15)


@pytest.mark.parametrize("inertia", [1.25, 1.4, 1.45])
def test_heavy_plates_tumble_as_published(inertia: float) -> None:
    ours, theirs = fall(inertia, 100, 400), reference.fall(inertia, 100, 400)
    assert abs(theirs.turning) > 0.2
    assert ours.descent == pytest.approx(theirs.descent, rel=0.15)
    assert abs(ours.turning) == pytest.approx(abs(theirs.turning), rel=0.15)
    assert abs(ours.drift) == pytest.approx(abs(theirs.drift), rel=0.15)


def test_the_border_of_tumbling_is_where_it_was_published() -> None:
    below = fall(reference.BORDER - 0.01, 300, 300)
    above = fall(reference.BORDER + 0.01, 300, 300)
    assert abs(below.turning) < 0.03
    assert abs(above.turning) > 0.1


def test_without_air_energy_is_kept() -> None:
    vacuum = card(density=0.0)
    dice = np.random.default_rng(1)
    for _ in range(20):
        y = state(velocity=tuple(dice.normal(0, 2, 3)), spin=tuple(dice.normal(0, 40, 3)))
        before = energy(vacuum, y)
        drift(vacuum, y, 0.001, 1000)
        assert energy(vacuum, y) == pytest.approx(before, rel=1e-6)


def energy(plate: Plate, y: Any) -> float:
    moving = 0.5 * plate.mass * float(np.sum(y[0, 7:10] ** 2))
    inertia = (plate.inertia_1, plate.inertia_2, plate.inertia_3)
    turning = 0.5 * sum(i * w * w for i, w in zip(inertia, y[0, 10:13], strict=True))
    return moving + float(turning) + plate.mass * plate.weight * float(y[0, 2])


def test_a_spun_card_nods_at_the_rate_of_the_closed_form() -> None:
    """Small tilts of a body that spins about its third axis: Euler's equations, solved."""
    plate = card(density=0.0)._replace(added_inertia_1=2e-7, added_inertia_2=1e-7)  # of the air, and no force
    j1, j2 = plate.inertia_1 + plate.added_inertia_1, plate.inertia_2 + plate.added_inertia_2
    j3, spin = plate.inertia_3, 60.0
    rate = spin * math.sqrt((j3 - j1) * (j3 - j2) / (j1 * j2))
    y = state(spin=(0.5, 0.0, spin))
    crossings, before = [], 0.5
    for n in range(1, 2001):
        drift(plate, y, 0.001, 1)
        if before < 0 <= y[0, 10]:
            crossings.append(n - y[0, 10] / (y[0, 10] - before))
        before = y[0, 10]
    period = (crossings[-1] - crossings[0]) / (len(crossings) - 1) * 0.001
    assert period == pytest.approx(2 * math.pi / rate, rel=1e-3)


def time_to_tilt(spin: float, degrees: float) -> float:
    """Return after how many seconds a card thrown flat at 4 m/s, front 5° up, has tilted so far."""
    y = state(math.radians(5), (0, 4, 0), (0, 0, spin))
    first = normal(y)
    for n in range(2000):
        drift(CARD, y, 0.001, 1)
        if math.degrees(math.acos(min(1.0, float(normal(y) @ first)))) > degrees:
            return n * 0.001
    return 2.0


def normal(y: Any) -> Any:
    w, i, j, k = y[0, 3:7]
    return np.array([2 * (i * k + w * j), 2 * (j * k - w * i), 1 - 2 * (i * i + j * j)])


def test_spin_holds_a_card_up() -> None:
    assert time_to_tilt(0, 30) < 0.15
    assert time_to_tilt(100, 30) > 2.5 * time_to_tilt(0, 30)


def test_a_spun_card_leans_sideways_as_the_closed_form_says() -> None:
    """A torque across the spin turns the card about the third axis: torque / (inertia * spin), small tilt."""
    tilt, speed, spin = math.radians(3), 3.0, 120.0
    plate = CARD._replace(
        weight=0.0, damping_speed=0.0, damping_rate=0.0, damping_spin=0.0, rotation_lift=0.0
    )
    y = state(tilt, (0, speed, 0), (0, 0, spin))
    sine = math.sin(tilt)
    force = (
        plate.density
        * WIDTH
        * LENGTH
        * speed**2
        * sine
        * (plate.lift + (plate.drag_mean - plate.drag_swing) / 2)
    )
    arm = plate.arm * (LENGTH + WIDTH) / 2  # the mean over a turn of the chord that lies in the wind
    duration = 0.05
    drift(plate, y, 0.0005, round(duration / 0.0005))
    lean = math.atan2(normal(y)[0], normal(y)[2])
    assert lean == pytest.approx(force * arm / (plate.inertia_3 * spin) * duration, rel=0.15)


def test_an_edge_drop_tumbles() -> None:
    y = np.zeros((motion.WORK, motion.SIZE))
    y[0, 3:7] = math.cos(math.radians(42)), 0, math.sin(math.radians(42)), 0
    drift(CARD, y, 0.001, 4000)
    turned = 0.0
    for _ in range(1000):
        drift(CARD, y, 0.001, 1)
        turned += 0.001 * float(y[0, 11])
    assert abs(turned) == pytest.approx(25, rel=0.15)  # rad/s, as playing cards do


def test_the_second_program_has_its_border_there_too() -> None:
    assert abs(reference.fall(reference.BORDER - 0.01, 300, 300).turning) < 0.03
    assert abs(reference.fall(reference.BORDER + 0.01, 300, 300).turning) > 0.1

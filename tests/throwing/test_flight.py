"""From the hand to rest."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import mujoco
import numpy as np
import pytest

from bartizan.throwing import contact, frames
from bartizan.throwing.air import LENGTH, WIDTH
from bartizan.throwing.flight import CARD, TIMES, fly
from bartizan.throwing.release import BadRelease, read_release
from bartizan.throwing.standard import PITCH, standard_layout
from bartizan.throwing.table import BODY_THICKNESS, bench, model
from bartizan.throwing.verdict import judge
from tests.corpus import sample
from tests.throwing.releases import mirrored, random_releases

DUEL = standard_layout()
STANDING = 2 * BODY_THICKNESS  # a card lies on another: no deeper than this less a little


def test_the_duel_is_laid_out_as_the_rules_say() -> None:
    spots = {piece.name: piece.spot for piece in DUEL.pieces}
    assert len(spots) == 12
    assert spots["2.wall3"].y - spots["1.wall3"].y - LENGTH == pytest.approx(12 * 0.0254)
    assert spots["1.wall3"].y - spots["1.castle"].y == pytest.approx(3 * 0.0254 + (LENGTH + WIDTH) / 2)
    assert spots["1.wall2"].x - spots["1.wall1"].x == pytest.approx(PITCH)
    assert spots["2.wall1"].x == pytest.approx(-spots["1.wall1"].x)  # each at the left of its own seat


def test_mujoco_orders_a_state_as_we_do() -> None:
    two = model(2)
    assert list(two.jnt_qposadr) == [0, *range(7, 15)]
    assert list(two.jnt_dofadr) == [0, *range(6, 14)]
    assert two.nsensordata == 3


def test_throws_come_to_rest_above_the_table() -> None:
    """No NaN, nothing that never rests, nothing under the table, no card through another."""
    for release in random_releases(sample(150, 3000)):
        flight = fly(DUEL, 1, release)
        assert flight.at_rest, release
        assert flight.contacts
        for pose in (flight.card, *flight.pieces.values()):
            assert all(math.isfinite(value) for value in pose)
            assert math.hypot(*pose[3:]) == pytest.approx(1, abs=1e-6)
        assert flight.card[2] > 0.4 * BODY_THICKNESS
        for pose in flight.pieces.values():
            assert 0.4 * BODY_THICKNESS < pose[2] < 3 * BODY_THICKNESS


def test_a_card_that_lies_on_another_lies_higher() -> None:
    """No card is in another: where the outlines overlap much, one is a thickness above the other."""
    looked_at = 0
    for release in random_releases(sample(300, 3000), seed=5):
        flight = fly(DUEL, 1, release)
        verdict = judge(DUEL, 1, flight)
        for landing in verdict.landings:
            if landing.overlap > 0.5 * WIDTH * LENGTH * 1e6:
                looked_at += 1
                assert flight.card[2] - flight.pieces[landing.target][2] > 0.4 * BODY_THICKNESS
    assert looked_at > 0


def test_mirror_images_land_mirrored() -> None:
    """The duel's table is its own mirror image, walls named in the other order."""
    for release in random_releases(sample(40, 400), seed=2):
        one, other = fly(DUEL, 1, release), fly(DUEL, 1, mirrored(release))
        assert one.seconds == other.seconds
        assert other.card[0] == pytest.approx(-one.card[0], abs=1e-9)
        assert other.card[1:3] == pytest.approx(one.card[1:3], abs=1e-9)
        for wall in range(1, 6):
            pose, image = one.pieces[f"2.wall{wall}"], other.pieces[f"2.wall{6 - wall}"]
            assert (image[0], image[1]) == pytest.approx((-pose[0], pose[1]), abs=1e-9)


def test_both_seats_throw_alike() -> None:
    for release in random_releases(sample(10, 60), seed=3):
        one, other = fly(DUEL, 1, release), fly(DUEL, 2, release)
        assert other.seconds == one.seconds
        assert (other.card[0], other.card[1]) == pytest.approx((-one.card[0], -one.card[1]), abs=1e-6)
        assert {name[1:] for name in one.contacts} == {name[1:] for name in other.contacts}


def test_a_throw_is_the_same_every_time() -> None:
    releases = random_releases(6, seed=4)
    first = [fly(DUEL, 1, release) for release in releases]
    assert [fly(DUEL, 1, release) for release in reversed(releases)] == first[::-1]


def test_another_process_throws_the_same() -> None:
    program = (
        "from bartizan.throwing.standard import standard_layout\n"
        "from bartizan.throwing.flight import fly\n"
        "from tests.throwing.releases import random_releases\n"
        "for r in random_releases(3, 4): print(repr(fly(standard_layout(), 1, r).card))\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    assert printed.splitlines() == [repr(fly(DUEL, 1, r).card) for r in random_releases(3, 4)]


def test_interpreted_throws_go_the_same_way() -> None:
    """Without a compiler: the same flight to the rounding of sums."""
    program = (
        "from bartizan.throwing.standard import standard_layout\n"
        "from bartizan.throwing.flight import fly\n"
        "from bartizan.throwing.release import read_release\n"
        "f = fly(standard_layout(), 1, read_release('lob', {}))\n"
        "print(min(f.contacts.values()), f.card[0], f.card[1])\n"
    )
    environment = {**os.environ, "BARTIZAN_MODE": "python"}
    printed = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env=environment,
    ).stdout
    flight = fly(DUEL, 1, read_release("lob", {}))
    expected = (min(flight.contacts.values()), flight.card[0], flight.card[1])
    assert [float(word) for word in printed.split()] == pytest.approx(expected, abs=1e-6)


def test_half_the_step_changes_few_verdicts() -> None:
    """Fewer than 1% of 2,000 random throws; the usual sample allows for its size."""
    number = sample(150, 2000)
    changed = 0
    for release in random_releases(number, seed=11):
        one, other = (judge(DUEL, 1, fly(DUEL, 1, release, substeps=n)) for n in (1, 2))
        changed += one.verdict != other.verdict
    assert changed <= max(4, 0.01 * number)


def test_cards_that_nothing_comes_near_change_nothing() -> None:
    """A card joins the model when something comes near: without those far away the throw is the same."""
    near = {"2.wall2", "2.wall3", "2.wall4", "2.castle", "1.wall3"}
    fewer = msgspec.structs.replace(DUEL, pieces=tuple(p for p in DUEL.pieces if p.name in near))
    release = read_release("lob", {"nose": 15, "speed": 2.1})
    one, other = fly(DUEL, 1, release), fly(fewer, 1, release)
    assert set(one.contacts) <= near | {"table"}
    assert one.card == other.card
    assert one.frames == other.frames


def test_a_card_on_a_bare_table_and_one_off_its_edge() -> None:
    bare = standard_layout(0)
    assert set(fly(bare, 1, read_release("lob", {})).contacts) == {"table"}


def test_a_seat_that_does_not_throw_is_refused() -> None:
    with pytest.raises(BadRelease, match=r"Nobody throws from seat 3; seats that throw are 1, 2\."):
        fly(DUEL, 3, read_release("lob", {}))


def test_a_pushed_card_asks_for_the_card_before_it() -> None:
    """A wall that slides towards another one, outside the model: the loop stops before they touch."""
    on, gap = bench(1), 0.03
    on.state[:7] = [1, 1, BODY_THICKNESS / 2, 1, 0, 0, 0]  # the card itself rests elsewhere
    on.state[7:] = [0, 0, BODY_THICKNESS / 2, 0]
    on.rates[7] = 1.0
    y, clock = np.zeros((6, 13)), np.zeros(contact.CLOCK, dtype=np.int64)
    apart = np.array([[0.3, 0.0, 0.0], [0.0, LENGTH + gap, 0.0]])
    film = (TIMES, np.empty((700, frames.NUMBERS)), 1, 1, contact.LIMIT)
    bodies = (on.state, on.rates, on.load, on.sensors, on.anchor)
    code = contact.settle(on.addresses, CARD, bodies, y, apart, clock, np.full(2, -1.0), film)
    assert (code, clock[contact.WHICH]) == (contact.NEAR, 1)
    assert gap - contact.MARGIN - 0.001 < on.state[8] < gap


def test_key_frames_tell_the_flight() -> None:
    for release in random_releases(9, seed=7):
        flight = fly(DUEL, 1, release)
        way = frames.unpack(flight.frames)
        times = way[:, 0]
        assert times[0] == 0
        assert times[-1] == pytest.approx(1000 * flight.seconds)
        assert np.all(np.diff(times) > 0)
        assert np.max(np.diff(times)) <= 10  # 120 a second, taken at whole milliseconds, or at even ones
        assert any(abs(time - 1000 * min(flight.contacts.values())) <= 1 for time in times)
        assert np.max(np.abs(way[-1, 1:4] - flight.card[:3])) < 1e-4
        assert abs(abs(way[-1, 4:] @ np.array(flight.card[3:])) - 1) < 1e-3
        assert np.all(np.sum(way[1:, 4:] * way[:-1, 4:], axis=1) >= 0)  # no attitude is told by its opposite
        assert len(flight.frames) < 4000


def test_frames_are_kept_to_their_precision() -> None:
    rows = [[17, 0.1234, -0.5, 0.0005, 0.5, -0.5, 0.5, 0.5], [25, 9.0, -9.0, 0, 1, 0, 0, 0]]
    back = frames.unpack(frames.pack(rows))
    assert back[0] == pytest.approx(rows[0], abs=5e-5)
    assert back[1, 1:3] == pytest.approx([3.2767, -3.2768])  # what is past the numbers stays at their end


def test_without_air_and_contact_a_throw_is_a_parabola() -> None:
    from bartizan.throwing.air import GRAVITY, card

    release = read_release("lob", {"height": 0.2})
    flight = fly(DUEL, 1, release, plate=card(density=0.0))
    way = frames.unpack(flight.frames)
    up = release.speed * math.sin(math.radians(release.elevation))
    for time, _, _, z, *_ in way[:30]:
        t = time / 1000
        assert z == pytest.approx(0.2 + up * t - GRAVITY * t**2 / 2, abs=1e-4)


def test_energy_is_kept_on_the_way_into_contact() -> None:
    """MuJoCo's own steps, a few before the first contact, are of first order and keep it well enough."""
    on = bench(0)
    on.state[:] = [0, 0, 1, 1, 0, 0, 0]
    on.rates[:] = [0, 2, 1, 10, 0, 40]
    import mujoco

    inertia, mass = on.model.body_inertia[1], on.model.body_mass[1]

    def energy() -> float:
        moving = 0.5 * mass * float(np.sum(on.rates[:3] ** 2))
        turning = 0.5 * float(np.sum(inertia * on.rates[3:6] ** 2))
        return float(moving + turning + mass * 9.81 * float(on.state[2]))

    before = energy()
    for _ in range(5):
        mujoco.mj_step(on.model, on.data)
    assert energy() == pytest.approx(before, rel=5e-4)


def test_warnings_of_the_physics_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spoiled = bench(1)
    spoiled.data.qpos[0] = math.nan
    mujoco.mj_step(spoiled.model, spoiled.data)
    assert sum(each.number for each in spoiled.data.warning) > 0  # there was one
    bench(1)
    assert not list(tmp_path.iterdir())

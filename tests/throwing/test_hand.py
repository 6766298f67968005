"""Aims, and hands that tremble."""

from __future__ import annotations

import math
import statistics

import msgspec
import pytest

from bartizan.engine.layout import Spot
from bartizan.throwing.flight import fly
from bartizan.throwing.hand import AZIMUTH, SPEED, SPIN, Hand, aim
from bartizan.throwing.release import FIELDS, METHODS, RANGES, BadRelease, read_release
from bartizan.throwing.standard import standard_layout
from bartizan.throwing.verdict import judge
from tests.corpus import sample

DUEL = standard_layout()
WALLS = tuple(f"2.wall{n}" for n in range(1, 6))


@pytest.mark.parametrize("method", METHODS)
def test_a_steady_hand_hits_any_wall_and_is_within_the_ranges(method: str) -> None:
    for target in WALLS:
        release = aim(DUEL, 1, target, method)
        assert all(RANGES[method][field].holds(getattr(release, field)) for field in FIELDS)
        verdict = judge(DUEL, 1, fly(DUEL, 1, release))
        assert target in [landing.target for landing in verdict.landings], verdict


def test_a_lob_hits_the_castle_and_both_seats_aim_alike() -> None:
    release = aim(DUEL, 1, "2.castle", "lob")
    assert judge(DUEL, 1, fly(DUEL, 1, release)).verdict != "miss"
    for target in ("wall1", "wall3", "castle"):
        one, other = aim(DUEL, 1, f"2.{target}", "frisbee"), aim(DUEL, 2, f"1.{target}", "frisbee")
        for field in FIELDS:
            assert getattr(other, field) == pytest.approx(getattr(one, field), abs=0.05)


def test_what_is_not_there_or_out_of_reach_is_refused() -> None:
    with pytest.raises(BadRelease, match=r"There is no '2\.wall9' on the table; there are 1\.wall1, "):
        aim(DUEL, 1, "2.wall9", "lob")
    with pytest.raises(BadRelease, match="no way of throwing"):
        aim(DUEL, 1, "2.wall3", "roll")
    far = msgspec.structs.replace(DUEL.pieces[8], spot=Spot(x=0, y=3))
    with pytest.raises(BadRelease, match=r"No lob from seat 1 reaches 2\.wall3\."):
        aim(msgspec.structs.replace(DUEL, pieces=(far,)), 1, far.name, "lob")


def test_a_hand_is_the_same_for_the_same_seed() -> None:
    release = read_release("flip", {})
    one, other = Hand(1.0, 7), Hand(1.0, 7)
    first = [one.tremble(release) for _ in range(3)]
    assert first == [other.tremble(release) for _ in range(3)]
    assert len({each.speed for each in first}) == 3
    assert Hand(1.0, 8).tremble(release) != first[0]
    assert Hand(0.0, 7).tremble(release) == release


def test_noise_is_as_large_as_it_says() -> None:
    release = read_release("flip", {"azimuth": 3})
    hand = Hand(2.0, 1)
    trembled = [hand.tremble(release) for _ in range(4000)]
    for values, mean, spread in (
        ([each.speed for each in trembled], release.speed, 2 * SPEED * release.speed),
        ([each.azimuth for each in trembled], 3.0, 2 * AZIMUTH),
        ([each.tumble for each in trembled], release.tumble, 2 * SPIN * release.tumble),
    ):
        assert statistics.fmean(values) == pytest.approx(mean, abs=4 * spread / math.sqrt(4000))
        assert statistics.stdev(values) == pytest.approx(spread, rel=0.06)


@pytest.mark.parametrize(
    ("method", "low", "high"), [("lob", 0.65, 0.97), ("frisbee", 0.45, 0.85), ("flip", 0.5, 0.9)]
)
def test_a_hand_of_level_one_lands_about_as_often_as_measured(method: str, low: float, high: float) -> None:
    release, number, hits = aim(DUEL, 1, "2.wall3", method), sample(60, 600), 0
    hand = Hand(1.0, 3)
    for _ in range(number):
        verdict = judge(DUEL, 1, fly(DUEL, 1, hand.tremble(release)))
        hits += "2.wall3" in [landing.target for landing in verdict.landings]
    assert low < hits / number < high

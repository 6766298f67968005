"""What a release may be, and what is said about others."""

from __future__ import annotations

import math
from typing import Any

import pytest

from bartizan.engine.layout import Chair, Spot
from bartizan.throwing.release import METHODS, RANGES, BadRelease, launch, read_release


@pytest.mark.parametrize("method", METHODS)
def test_ranges_hold_their_ends_and_refuse_what_is_beyond(method: str) -> None:
    assert read_release(method, {}).method == method
    for field, limits in RANGES[method].items():
        assert limits.meaning
        assert limits.unit
        ends = (limits.low, limits.high, *((-limits.low, -limits.high) if limits.either_way else ()))
        for end in ends:
            assert getattr(read_release(method, {field: end}), field) == end
        step = 1e-6 * max(1, abs(limits.high))
        for beyond in (limits.high + step, limits.low - step):
            with pytest.raises(BadRelease) as refusal:
                read_release(method, {field: beyond})
            assert field in str(refusal.value)
            assert f"{limits.low:g} to {limits.high:g}" in str(refusal.value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "2.4", None, [2.4], 10**400, 2j])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(BadRelease, match=r"The speed of a lob is .*; it must be 1\.8 to 3\.2 m/s\."):
        read_release("lob", {"speed": value})


def test_misspelt_words_get_the_nearest() -> None:
    with pytest.raises(BadRelease, match="Did you mean 'elevation'"):
        read_release("lob", {"elevaton": 50})
    with pytest.raises(BadRelease, match="Did you mean 'frisbee'"):
        read_release("frisbe", {})
    with pytest.raises(BadRelease):
        read_release(3, {})


def test_a_card_starts_before_the_castle_and_goes_where_it_is_sent() -> None:
    chair = Chair(seat=2, side=2, castle=Spot(x=0.1, y=0.4, yaw=math.pi), line=0.2)
    release = read_release("lob", {"speed": 2.0, "elevation": 60, "azimuth": 30, "offset": 0.05, "nose": 20})
    x, y, z, qw, qx, qy, qz, vx, vy, vz, *spin = launch(chair, release)
    assert (x, y, z) == pytest.approx((0.1 - 0.05, 0.4 - 0.2, release.height))  # its right is to the left
    assert (vx, vy, vz) == pytest.approx((-0.5, -math.cos(math.radians(30)), 2 * math.sin(math.radians(60))))
    assert qw**2 + qx**2 + qy**2 + qz**2 == pytest.approx(1)
    front = 2 * (qy * qz + qw * qx)  # how far the card's length points up
    assert front == pytest.approx(math.sin(math.radians(20)))
    assert spin == [0, 0, 0]


def test_roll_puts_the_right_edge_down() -> None:
    chair = Chair(seat=1, side=1, castle=Spot(x=0, y=0), line=0.2)
    _, _, _, qw, qx, qy, qz, *_ = launch(chair, read_release("lob", {"roll": 10, "nose": 0}))
    assert 2 * (qx * qz - qw * qy) == pytest.approx(-math.sin(math.radians(10)))

"""States of a running game: packed, copied, loaded."""

from __future__ import annotations

import pytest

from bartizan.engine import registry
from bartizan.engine.live import LARGE, Live
from bartizan.match import Match


@pytest.mark.parametrize("name", registry.names())
def test_what_is_packed_unpacks_to_the_same_bytes(name: str) -> None:
    match = Match(name, seed="1")
    live, other = match.live(), match.live()
    match.play(match.legal()[0])
    later = match.live()
    assert later.to_bytes() != live.to_bytes()
    other.unpack(later.pack())
    assert other.to_bytes() == later.to_bytes() == Live.unpacked(live.game, later.pack()).to_bytes()
    other.unpack(live.to_bytes())
    assert other.to_bytes() == live.to_bytes()
    assert len(live.pack()) <= len(live.to_bytes())


@pytest.mark.parametrize("name", registry.names())
def test_a_state_kept_for_each_ply_is_small(name: str) -> None:
    match = Match(name, seed="1")
    while not match.is_over and match.ply < 200:
        match.play(match.legal()[match.ply % len(match.legal())])
    assert len(match.live().pack()) <= 2 * LARGE


@pytest.mark.parametrize("name", registry.names())
def test_a_copy_shares_nothing(name: str) -> None:
    live = Match(name, seed="1").live()
    copy, before = live.copy(), live.to_bytes()
    copy.rekey(7)
    assert live.to_bytes() == before != copy.to_bytes()
    assert copy.view().rng == 7

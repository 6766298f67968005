"""States of a running game: packed, copied, loaded."""

from __future__ import annotations

import pytest

from bartizan.engine import registry
from bartizan.engine.game_state import LARGE, GameState
from bartizan.match import Match


@pytest.mark.parametrize("name", registry.names())
def test_what_is_packed_unpacks_to_the_same_bytes(name: str) -> None:
    match = Match(name, seed="1")
    game_state, other = match.game_state(), match.game_state()
    match.play(match.legal()[0])
    later = match.game_state()
    assert later.to_bytes() != game_state.to_bytes()
    other.unpack(later.pack())
    assert (
        other.to_bytes() == later.to_bytes() == GameState.unpacked(game_state.game, later.pack()).to_bytes()
    )
    other.unpack(game_state.to_bytes())
    assert other.to_bytes() == game_state.to_bytes()
    assert len(game_state.pack()) <= len(game_state.to_bytes())


@pytest.mark.parametrize("name", registry.names())
def test_a_state_kept_for_each_ply_is_small(name: str) -> None:
    match = Match(name, seed="1")
    while not match.is_over and match.ply < 200:
        match.play(match.legal()[match.ply % len(match.legal())])
    assert len(match.game_state().pack()) <= 2 * LARGE


@pytest.mark.parametrize("name", registry.names())
def test_a_copy_shares_nothing(name: str) -> None:
    game_state = Match(name, seed="1").game_state()
    copy, before = game_state.copy(), game_state.to_bytes()
    copy.rekey(7)
    assert game_state.to_bytes() == before != copy.to_bytes()
    assert copy.view().rng == 7

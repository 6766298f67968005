"""Tables as another framework's searches see them; the searches themselves are theirs."""

from __future__ import annotations

import random

import pytest

from bartizan.engine import registry
from bartizan.match import Match
from benchmarks.rivals import Playouts, Position, main


def position(name: str, seed: int = 1) -> Position:
    match = Match(name, seed=f"{seed:x}")
    return Position(match.game_state(), None, random.Random(seed))


@pytest.mark.parametrize("name", registry.names())
def test_a_game_is_played_to_its_end_and_its_clones_stay(name: str) -> None:
    dice = random.Random(2)
    here = position(name)
    before = here.information_state_string()
    assert not here.is_terminal()
    assert not here.is_chance_node()
    for _ in range(3):
        there = here.clone()
        while not there.is_terminal():
            legal = there.legal_actions()
            assert legal == sorted(set(legal))
            there.apply_action(dice.choice(legal))
        assert there.current_player() == -4
        assert all(-1 <= worth <= 1 for worth in there.returns())
        assert here.information_state_string() == before


def test_a_player_cannot_tell_apart_what_is_dealt_anew() -> None:
    here = position("tower")
    player = here.current_player()
    fresh = [here.resample_from_infostate(player, None) for _ in range(8)]
    assert {each.information_state_string() for each in fresh} == {here.information_state_string()}
    assert {tuple(each.legal_actions()) for each in fresh} == {tuple(here.legal_actions())}
    other = {each.information_state_string() for each in (position("tower", 3), here)}
    assert len(other) == 2


def test_random_games_tell_what_a_position_is_worth() -> None:
    playouts = Playouts(random.Random(4))
    here = position("alcazar")
    assert set(playouts.evaluate(here)) <= {-1.0, 1.0}
    prior = playouts.prior(here)
    assert [action for action, _ in prior] == here.legal_actions()
    assert sum(share for _, share in prior) == pytest.approx(1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("alcasar", "Did you mean 'alcazar'"),
        ("card-barrage", "a model of the throw"),
        ("--deals many", "invalid int value"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], words: str, sentence: str) -> None:
    with pytest.raises(SystemExit) as error:
        main(words.split())
    assert error.value.code == 2
    assert sentence in capsys.readouterr().err

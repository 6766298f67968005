"""Levels that choose as they have learned."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadData
from bartizan.search.learned import LearnedChoice
from tests.test_house import ROOT

BARRAGE = registry.get("card-barrage")
GAME = """
from bartizan.engine import registry
from bartizan.match import Match
from bartizan.search.players import Player
game = registry.get("card-barrage")
match = Match(game, {}, %d, "ab")
players = [Player.named(game, "castellan", seat) for seat in range(%d)]
while not match.is_over and match.ply < 60:
    match.play(players[match.seat_to_move - 1].choose(match.game_state(), match.legal(), match))
print(match.record().text())
"""


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_it_plays_the_same_game_interpreted_and_compiled(seats: int) -> None:
    played = {
        subprocess.run(
            [sys.executable, "-c", GAME % (seats, seats)],
            env=dict(os.environ) | {"BARTIZAN_MODE": mode},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for mode in ("python", "compiled")
    }
    assert len(played) == 1
    assert played.pop().count("report") > 3


def test_a_policy_that_saw_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = BARRAGE.heuristics.POLICY
    monkeypatch.setattr(BARRAGE.heuristics, "POLICY", policy._replace(most=policy.most[1:]))
    with pytest.raises(BadData, match="The policy of Card Barrage was trained on other observations"):
        LearnedChoice(BARRAGE)
    monkeypatch.delattr(BARRAGE.heuristics, "POLICY")
    with pytest.raises(BadData, match="has a level with `learned=True`, but no POLICY"):
        LearnedChoice(BARRAGE)

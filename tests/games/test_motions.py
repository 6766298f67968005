"""Play every game and look at the motions that its log tells: they name what the seat sees."""

from __future__ import annotations

import pytest

from bartizan.engine.scene import Scene
from bartizan.match import Match

GAMES = (("alcazar", 1), ("castle-danger", 2), ("tower", 3), ("card-cassonne", 2), ("card-barrage", 2))
PLIES = 70
# What deserves a moment within those plies.
WEIGHTS = {
    "alcazar": {1, 2},
    "castle-danger": {1, 3},
    "tower": {1},
    "card-cassonne": set(),
    "card-barrage": {1},
}
KINDS = {
    "alcazar": {"deal", "turn", "move", "strike", "fall"},
    "castle-danger": {"shot", "fall"},
    "tower": {"strike", "fall"},
    "card-cassonne": set(),
    "card-barrage": {"throw", "fall"},
}


def ids(scene: Scene) -> set[str]:
    """Return all ids of a scene."""
    found = {zone.id for zone in scene.zones}
    found |= {item.id for zone in scene.zones for item in zone.items}
    return found | {slot.id for zone in scene.zones for slot in zone.slots}


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_motions_name_what_a_seat_sees(game: str, seats: int) -> None:
    kinds: set[str] = set()
    weights: set[int] = set()
    for seed in ("1", "2", "3"):
        match = Match(game, seats=seats, seed=seed)
        before = {seat: match.views.scene(seat) for seat in range(seats + 1)}
        while not match.is_over and match.ply < PLIES:
            match.play(match.views.hints(1, player="greedy")[0].action)
            for seat, was in before.items():
                now = match.views.scene(seat)
                known = ids(was) | ids(now)
                for motion in now.log[-1].motions:
                    kinds.add(motion.kind)
                    weights.add(motion.weight)
                    named = {motion.item, motion.origin, motion.goal} - {""}
                    assert motion.item
                    assert named <= known, (game, seed, match.ply, seat, motion)
                before[seat] = now
    assert kinds >= KINDS[game], kinds
    assert weights >= WEIGHTS[game], weights

"""The contest at the tower shows the attack that the rules compute, and what each move makes of it."""

from __future__ import annotations

from typing import Any

from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Contest
from bartizan.games.alcazar import rules, values
from bartizan.games.alcazar.state import Phase
from bartizan.match import Match
from bartizan.match.close_look import standing_on
from tests.alcazar.tables import STILL, table
from tests.games.tables import positions

plain: Any = interpreted(rules)
worth: Any = interpreted(values)


def contest_of(match: Match) -> Contest:
    [contest] = match.views.scene(1).contests
    return contest


def test_it_is_what_the_rules_say() -> None:
    shown = contested = 0
    for match, _ in positions("alcazar", 80, 0.3, first=9_000):
        state, scene = match.view(), match.views.scene(1)
        if state.phase == Phase.OVER or not state.tower.count:
            assert scene.contests == ()
            continue
        [contest] = scene.contests
        attack, tower = contest.sides
        assert attack.value == max(plain.attack_strength(state), 0)
        assert tower.value == worth.tower_value(state.tower.listed()[0])
        assert [segment.value for segment in attack.segments] == [
            max(plain.attack_of(state, army), 0) for army in (1, 2, 0)
        ]
        shown += 1
        contested += attack.value > 0
    assert shown > 40
    assert contested > 20


def test_a_choice_tells_what_the_attack_will_be() -> None:
    """Play every defence, missile and swap: while the turn goes on, the contest is as it was told."""
    played = 0
    for match, _ in positions("alcazar", 60, 0.3, first=9_500):
        top = match.view().tower.listed()[:1]
        for choice in match.views.scene(1).choices:
            if not choice.contests:
                assert choice.verb not in ("Defend", "Missile", "Swap")
                continue
            after = standing_on(match, match.game_state())
            after.play(choice.text)
            state = after.view()
            if state.phase != Phase.ACTION or state.round != match.round or state.tower.listed()[:1] != top:
                continue
            told = tuple(
                tuple(part.value for part in side.segments) or (side.value,)
                for side in contest_of(after).sides
            )
            assert choice.contests == {"attack": told}, choice.text
            played += 1
    assert played > 30


def test_face_down_cards_are_hatched_and_add_nothing() -> None:
    match = table(
        STILL, left=["8d", "~5d"], top=["~9h", "-"], right=["6h", "-"], tower=["7c", "~2h"], hand=["2d"]
    )
    attack, _ = contest_of(match).sides
    assert [(part.value, part.hidden) for part in attack.segments] == [(8, True), (0, True), (6, False)]

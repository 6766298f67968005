"""What Alcazar's network goes by: in range, told apart, and nothing that the player does not know."""

from __future__ import annotations

from bartizan.engine.game import GameState
from bartizan.engine.rule import interpreted
from bartizan.games.alcazar import features as module
from bartizan.games.alcazar.features import FEATURES
from bartizan.match import Match
from bartizan.match.close_look import hidden
from bartizan.search.workspace import FEATURES as MOST
from tests.alcazar.tables import STILL, table
from tests.games.tables import positions

PLAIN = interpreted(module)


def features(game_state: GameState) -> list[int]:
    """Return the features of a position."""
    out = [-1] * MOST
    return out[: PLAIN.features(game_state.view(), 1, out)]


def of(match: Match, group: str) -> set[int]:
    """Return the features of one group, counted from its first."""
    first = FEATURES.first(group)
    others = [FEATURES.first(name) for name in FEATURES.groups if FEATURES.first(name) > first]
    return {
        each - first for each in features(match.game_state()) if first <= each < min([*others, FEATURES.size])
    }


def test_features_are_in_range_and_every_group_comes_up() -> None:
    seen = set()
    for match, _ in positions("alcazar", 120, 0.3, first=7_000, most=200):
        if match.is_over:
            continue
        found = features(match.game_state())
        assert len(set(found)) >= len(found) - 4  # several specials of one rank may be playable
        assert all(0 <= each < FEATURES.size for each in found)
        seen |= set(found)
    assert len(seen) > FEATURES.size * 0.6
    assert all(any(FEATURES.first(group) <= each for each in seen) for group in FEATURES.groups)


def test_features_tell_nothing_that_is_hidden() -> None:
    checked = 0
    for match, dice in positions("alcazar", 60, 0.3, first=7_500, most=120):
        if not match.is_over:
            checked += 1
            assert features(hidden(match, 1, dice.getrandbits(32))) == features(match.game_state())
    assert checked > 100


def test_colours_are_told_as_the_top_sees_them() -> None:
    black = table(STILL, tower=["7c", "~2h"], right=["9d", "-"], hand=["6c", "8h"])
    red = table(
        STILL,
        tower=["7d", "~2s"],
        right=["9c", "-"],
        left=["3d", "-"],
        top=["4d", "-"],
        hand=["6d", "8s"],
    )
    for group in ("hand", "attack", "enemies", "repairs", "sums", "beatable", "armies"):
        told = of(red, group)
        if group == "enemies":  # the idle armies differ in colour for the top's sake
            assert len(told) == len(of(black, group))
        else:
            assert told == of(black, group), group
    assert of(black, "top") != of(red, "top")


def test_what_the_hand_can_do_is_told() -> None:
    match = table(STILL, tower=["7c", "~5h"], right=["9d", "-"], left=["Jh", "-"], hand=["6c", "8s", "2h"])
    assert of(match, "repairs") == {2}
    assert of(match, "beatable") == {0, 2}  # black cards of 14 reach 9 and 11; the red deuce no 4c
    assert of(match, "deck") == {match.view().deck.count}

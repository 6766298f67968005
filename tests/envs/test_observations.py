"""What programs observe: all that matters to their seat, within bounds, and nothing that it cannot know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bartizan.engine import registry
from bartizan.engine.game import Game
from bartizan.engine.observation import ObservationLayout, TokenLayout, group
from bartizan.engine.rule import interpreted
from bartizan.match import Match
from bartizan.match.close_look import hidden
from tests.corpus import sample
from tests.envs.seeing import observed, plainly_observed
from tests.games.tables import GAMES, played, positions

every_game = pytest.mark.parametrize("name", GAMES)


Look = Callable[[Game, Any, int], bytes]  # of a state, with the eyes of a seat


def observation(game: Game, view: Any, seat: int) -> bytes:
    return plainly_observed(game, view, seat).tobytes()


def blanked(game: Game, view: Any, seat: int) -> bytes:
    return bytes(game.observe(view, seat).to_array().tobytes())


def everything(game: Game, view: Any, seat: int) -> bytes:
    copy = view.copy()
    copy.rng = 0
    return bytes(copy.to_array().tobytes())


def as_first_seat(game: Game, view: Any, seat: int) -> bytes:
    return observation(game, view, seat or 1)


def leaks(name: str, number: int, look: Look) -> int:
    """Count the looks that differ when what their seat cannot know is dealt anew."""
    game = registry.get(name)
    found = 0
    for match, dice in positions(name, 30, 0.2, first=3_000, most=number):
        for seat in range(1, match.seats + 1):
            other = hidden(match, seat, dice.getrandbits(32)).view()
            for eyes in (0, seat):  # a spectator knows no more than anybody
                found += look(game, other, eyes) != look(game, match.view(), eyes)
    return found


@every_game
def test_what_is_hidden_changes_no_observation(name: str) -> None:
    """Nor anything else of the blanked state, so that no observer could find it there."""
    for look in (observation, blanked):
        assert leaks(name, sample(20, 200), look) == 0


@every_game
def test_looks_that_show_too_much_are_found_out(name: str) -> None:
    """The test above can fail: by a look that blanks nothing, and by one that shows a spectator a hand."""
    game = registry.get(name)
    assert (leaks(name, 20, everything) > 0) != game.perfect_information
    if game.max_seats > 1 and not game.perfect_information:
        assert leaks(name, 20, as_first_seat) > 0


@every_game
def test_compiled_and_interpreted_rules_observe_the_same(name: str) -> None:
    game = registry.get(name)
    for match, _ in positions(name, 40, 0.15, first=3_000, most=sample(30, 200)):
        for seat in range(match.seats + 1):
            mine = observed(game, match.game_state(), seat)
            assert (mine == plainly_observed(game, match.view(), seat)).all()
            for each in game.observer.OBSERVATION:
                numbers = mine[each.first : each.end]
                assert each.low <= numbers.min() <= numbers.max() <= each.high, each.name
                if each.private and seat == 0:
                    assert not numbers.any(), each.name


@every_game
def test_every_group_is_used_and_some_are_private(name: str) -> None:
    game = registry.get(name)
    seen = np.zeros(game.observer.OBSERVATION.size, np.int64)
    for match, _ in positions(name, 30, 0.3, first=3_000, most=sample(50, 300)):
        seen |= plainly_observed(game, match.view(), max(match.seat_to_move, 1)) != 0
    unused = [each.name for each in game.observer.OBSERVATION if not seen[each.first : each.end].any()]
    rare = {"stormed", "aside", "scored", "top_discards", "in_sight"}
    assert set(unused) <= rare, unused
    assert any(each.private for each in game.observer.OBSERVATION) != game.perfect_information


def sight_of(match: Match, seat: int) -> tuple[object, ...]:
    """Return what a seat sees on the table and may do, without counts of plies and the log."""
    scene = match.views.scene(seat)
    items = tuple((zone.id, zone.count, zone.items, zone.regions) for zone in scene.zones)
    return items, tuple(choice.action for choice in scene.choices)


@every_game
def test_a_ply_that_a_seat_notices_changes_its_observation(name: str) -> None:
    game = registry.get(name)
    noticed = 0
    for number in range(sample(2, 6)):
        before: dict[int, tuple[Any, Any]] = {}
        for match in played(name, number):
            if match.ply > sample(60, 300):
                break
            for seat in range(match.seats + 1):
                now = sight_of(match, seat), plainly_observed(game, match.view(), seat)
                if seat in before and before[seat][0] != now[0]:
                    noticed += 1
                    assert (before[seat][1] != now[1]).any(), (match.ply, seat, match.moves[-1])
                before[seat] = now
    assert noticed > 20


@every_game
def test_tokens_tell_legal_actions_apart(name: str) -> None:
    game = registry.get(name)
    tokens: TokenLayout = game.observer.TOKENS
    tell = interpreted(game.observer).tokens  # type: ignore[arg-type]
    offered: set[str] = set()  # verbs with several legal moves at once
    apart: set[str] = set()  # those whose moves look different
    for match, _ in positions(name, 20, 0.15, first=3_000, most=sample(12, 150)):
        seat = match.seat_to_move
        if seat == 0:
            continue
        seen = game.observe(match.view(), seat)
        other = game.observe(hidden(match, seat, 7).view(), seat)
        bags: dict[str, list[tuple[int, ...]]] = {}
        for action in match.legal():
            row, theirs = np.zeros(tokens.width, np.int16), np.zeros(tokens.width, np.int16)
            tell(seen, action, row)
            tell(other, action, theirs)
            assert (row == theirs).all()
            assert 0 <= row.min() <= row.max() < tokens.size
            assert row[0] == tokens.first("verb") + game.actions.block_of(action).number
            bags.setdefault(game.actions.decode(action)[0], []).append(tuple(sorted(row)))
        distinct = sum(len(set(each)) for each in bags.values())
        assert distinct >= len(match.legal()) * 0.5, "most actions look alike"
        offered |= {verb for verb, each in bags.items() if len(each) > 1}
        apart |= {verb for verb, each in bags.items() if len(set(each)) > 1}
    assert apart == offered, "the moves of these verbs always look alike: write tokens_of_VERB in observe.py"


def test_layouts_refuse_what_int8_cannot_hold() -> None:
    for shape, low, high in (((3,), 0, 128), ((3,), -200, 1), ((0,), 0, 1), ((), 0, 1), ((2,), 1, 0)):
        with pytest.raises(ValueError, match="is none"):
            group(*shape, low=low, high=high, meaning="x")
    layout = ObservationLayout(a=group(2, 3, meaning="x"), b=group(1, meaning="y"))
    assert (layout.size, layout.first("b"), layout["a"].end) == (7, 6, 6)
    with pytest.raises(KeyError):
        layout["c"]

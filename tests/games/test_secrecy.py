"""What a seat cannot know changes no byte of anything that reaches it."""

from __future__ import annotations

import itertools
import random
from typing import Any

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError
from bartizan.match import Match
from bartizan.match.close_look import hidden, ids_in, standing_on
from tests.corpus import sample
from tests.games.tables import GAMES, dealt, hides_by_swaps, played, positions, some_ids

pytestmark = pytest.mark.parametrize("name", GAMES)

WRONG_TEXTS = ("", "qqq", "end end", "9x", "d", "1-1", "play", "\x00", "défend", "*", "?")


def answer(call: Any, *given: Any) -> object:
    """Return what a call gives, or its error in full."""
    try:
        return call(*given)
    except BartizanError as error:
        rest = {key: value for key, value in vars(error).items() if not key.startswith("_")}
        return type(error).__name__, str(error), rest


def told(match: Match, seat: int, dice: random.Random) -> list[bytes]:
    """Return all that a seat could be told of a table, as bytes; asks the same whatever is hidden."""
    size = match.game.actions.size
    scene = match.views.scene(seat)
    said: list[object] = [
        scene,
        match.views.scene(0),
        match.views.log(seat),
        match.views.log(0),
        match.record().text(),
    ]
    said += [match.seat_to_move, match.is_over, match.round, match.ply, match.moves]
    if seat == match.seat_to_move:
        ids = ids_in(scene)
        said += [match.legal(), match.legal_texts(), match.views.hints(5, player="greedy")]
        if not hides_by_swaps(match):
            said.append(match.views.hints(3, iterations=8))
        asked = [*some_ids(match.game, dice, 25), *match.legal()[:5], size * 3 + 1, -1]
        said += [answer(match.why_not, action) for action in asked]
        said += [answer(match.play, action) for action in asked if action not in match.legal()]
        for _ in range(8):
            touched = dice.sample(ids, min(len(ids), dice.randint(1, 4)))
            said.append(answer(match.views.why_not_items, touched))
        forms = match.game.vocabulary.move_forms
        cut = [form[: dice.randint(1, len(form))] for form in forms]
        said += [answer(match.why_not, text) for text in (*WRONG_TEXTS, *forms, *cut)]
        said += [answer(match.parse, text) for text in (*WRONG_TEXTS, *cut)]
    nobody = match.seats + 1  # another seat's moves may depend on its hand
    said += [answer(match.play, 0, nobody), answer(match.undo), answer(match.redo), answer(match.go_to, 99)]
    return [msgspec.json.encode(each) for each in said]


def test_what_is_hidden_changes_nothing_that_a_seat_is_told(name: str) -> None:
    different = 0
    for match, dice in positions(name, 32, 0.13, first=1_000, most=sample(40, 100)):
        for seat in range(1, match.seats + 1):
            questions = dice.getrandbits(32)
            mine = told(standing_on(match, match.game_state()), seat, random.Random(questions))
            other = hidden(match, seat, questions)
            different += other.to_bytes() != match.game_state().to_bytes()
            theirs = told(standing_on(match, other), seat, random.Random(questions))
            assert mine == theirs
    perfect = all(len(set(_seen_by_all(match))) == 1 for match in [dealt(name, 0)[0]])
    assert different > sample(12, 30) or perfect


def _seen_by_all(match: Match) -> list[bytes]:
    """Return the position and what each seat sees of it; all the same where nothing is hidden."""
    views = [match.view(), *(match.game.observe(match.view(), seat) for seat in range(match.seats + 1))]
    for view in views:
        view.rng = 0
    return [view.to_array().tobytes() for view in views]


def test_the_running_table_tells_nothing_of_chance(name: str) -> None:
    """Neither the seed nor the random stream stands in anything that a seat is told."""
    for number in range(sample(1, 3)):
        for match in itertools.islice(played(name, number), 25):
            if match.is_over:
                continue
            words = [match.seed, f"{match.view().rng:x}", str(match.view().rng)]
            for seat in range(match.seats + 1):
                text = b"".join(
                    told(standing_on(match, match.game_state()), seat, random.Random(number))
                ).decode()
                assert not [word for word in words if len(word) > 8 and word in text]
                assert f'"{match.seed}"' not in text
                assert match.record().seed is None


def test_programs_choose_by_what_their_seat_can_know(name: str) -> None:
    game = registry.get(name)
    rollout = game.bind("bartizan.search.rollout")
    for match, _ in positions(name, 40, 0.2, first=2_000, most=sample(60, 150)):
        seat = match.seat_to_move
        if seat == 0:
            continue
        first = match.views.hints(len(match.legal()), player="greedy")
        for number in range(2):
            other = standing_on(match, hidden(match, seat, number))
            assert other.views.hints(len(match.legal()), player="greedy") == first
    assert rollout.action_scores is not None

"""Have the second implementations of the rules judge what lessons and puzzles ask, refuse and promise."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.lab.puzzles import toml_value
from bartizan.match import Match
from bartizan.match.lessons import Lesson, Task, find_lesson, read_lessons, read_puzzles
from bartizan.match.tutor import LOOKED, Tutor
from tests.corpus import sample

GAMES = ("alcazar", "card-barrage", "card-cassonne", "castle-danger", "tower")


def scenarios(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a scenario for each task of a game's lessons, and for its puzzles, each with a name."""
    game = registry.get(name)
    for lesson in read_lessons(game).lesson:
        tutor = Tutor(*find_lesson(name, lesson.id))
        while (task := tutor.task) is not None:
            at, first = tutor.at, len(tutor.match.moves)
            position = tutor.match.position()
            while tutor.at == at:
                move = tutor.next_shown
                assert tutor.attempt(LOOKED if move is None else move.action).accepted
            if not task.is_look:
                played = tutor.match.moves[first:]
                played = played[: len(played) - len(task.then)]
                yield f"{lesson.id} {at}", scenario(name, lesson, position, step(task, played))
    if game.has_puzzles:
        puzzles = read_puzzles(game)
        for puzzle in puzzles.puzzle[:: sample(4, 1)]:
            lesson = puzzles.lesson(puzzle)
            match = Match(game.plain, puzzle.options, puzzle.seats, lesson.seed, puzzle.position)
            goal = {key: value for key, value in puzzle.goal.items() if key != "winner"}
            wins = {"winner": puzzle.goal["winner"]} if "winner" in puzzle.goal else {}
            shown = {"play": list(puzzle.show), "expect": goal, **wins}
            yield puzzle.id, scenario(name, lesson, match.position(), shown)


def step(task: Task, played: list[str]) -> dict[str, Any]:
    """Return what a task says as a step of a scenario."""
    after = dict(task.after) if not task.then else {}
    wins = {"winner": after.pop("winner")} if "winner" in after else {}
    legal = [move for move in task.moves if "*" not in move]
    return {"legal": legal, "illegal": dict(task.refused), "play": played, "expect": after, **wins}


def scenario(
    name: str, lesson: Lesson, position: dict[str, Any], only_step: dict[str, Any]
) -> dict[str, Any]:
    """Return a scenario of one step."""
    seats = {"seats": lesson.seats} if lesson.seats is not None else {}
    head = {"game": name, "title": lesson.title, "options": lesson.options, **seats}
    return {**head, "position": position, "step": [only_step]}


@pytest.mark.parametrize("name", GAMES)
def test_a_second_implementation_agrees(name: str, tmp_path: Path) -> None:
    module = importlib.import_module(f"tests.{name.replace('-', '_')}.reference_scenarios")
    judge: Callable[[Path], list[str]] = module.run_scenario
    failures = []
    count = 0
    for label, table in scenarios(name):
        path = tmp_path / "scenario.toml"
        path.write_text("\n".join(f"{key} = {toml_value(value)}" for key, value in table.items()))
        failures += [f"{label}: {failure}" for failure in judge(path)]
        count += 1
    assert failures == []
    assert count > 5

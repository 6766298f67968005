"""Learn without a table: lessons, what comes of a try, and what nobody may do to a server that teaches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Serving

STEPS = "/api/games/castle-danger/lessons/steps"


def test_the_lobby_is_told_which_games_teach(alcazar: Serving) -> None:
    _, listed = alcazar.json("GET", "/api/games")
    games = listed["games"]
    assert all(game["lessons"] for game in games)
    for game in games:
        status, told = alcazar.json("GET", f"/api/games/{game['name']}/puzzles")
        assert status == (200 if game["puzzles"] else 404)
        assert not game["puzzles"] or [one["level"] for one in told["puzzles"]] == sorted(
            one["level"] for one in told["puzzles"]
        )


def test_a_lesson_goes_from_task_to_task(alcazar: Serving) -> None:
    status, course = alcazar.json("GET", "/api/games/castle-danger/lessons")
    assert status == 200
    assert course["title"] == "Castle Danger"
    assert course["puzzles"]
    assert not alcazar.json("GET", "/api/games/card-barrage/lessons")[1]["puzzles"]
    assert course["first"]["seats"] == 2
    assert "steps" in [one["id"] for one in course["lessons"]]

    status, begun = alcazar.json("POST", STEPS, {})
    assert status == 200
    assert begun["setting"]["title"] == "Castle Danger"
    assert begun["ask"]["task"] == 0
    assert begun["ask"]["say"]
    assert begun["ask"]["lit"]
    assert not begun["ask"]["look"]

    _, shown = alcazar.json("POST", STEPS, {"show": True})
    assert shown["shown"]["text"] == "f1-e1"
    _, after = alcazar.json("POST", STEPS, {"attempt": "f1-e1"})
    assert after["accepted"]
    assert after["ask"]["task"] == 1
    assert after["said"]
    assert after["setting"] is None
    assert after["scenes"][-1]["status"]["ply"] == 1
    _, done = alcazar.json("POST", STEPS, {"done": after["done"], "attempt": "e1-e2"})
    assert done["ask"]["say"] == ""
    assert alcazar.json("POST", STEPS, {"done": done["done"], "attempt": "e2-e3"})[0] == 400


def test_wrong_tries_are_explained_and_change_nothing(alcazar: Serving) -> None:
    _, wrong = alcazar.json("POST", STEPS, {"attempt": "f1-g1"})
    assert not wrong["accepted"]
    assert wrong["said"]
    assert wrong["done"] == []
    _, refused = alcazar.json("POST", STEPS, {"attempt": "f1-e2"})
    assert refused["refusal"]["clause"] == "CD-26"
    _, why = alcazar.json("POST", STEPS, {"items": ["f2"]})
    assert why["refusal"]["sentence"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/games/chess/lessons", None, 404),
        ("/api/games/castle-danger/lessons/stebs", {}, 404),
        (STEPS, {"done": [5_000_000]}, 400),
        (STEPS, {"done": [2**31 - 1]}, 400),
        (STEPS, {"done": [-1]}, 400),
        (STEPS, {"done": [-2]}, 400),
        (STEPS, {"done": [0] * 101}, 400),
        (STEPS, {"done": "all"}, 400),
        (STEPS, {"attempt": "fly"}, 400),
        (STEPS, {"attempt": ""}, 400),
        (STEPS, {"attempt": 10**12}, 400),
        (STEPS, {"attempt": {"$": 1}}, 400),
        (STEPS, {"items": ["x" * 101]}, 400),
        (STEPS, b"{", 400),
    ],
)
def test_what_cannot_be_is_one_sentence(alcazar: Serving, path: str, body: Any, status: int) -> None:
    answered, _, data = alcazar.request("GET" if body is None else "POST", path, body)
    assert answered == status, data
    assert json.loads(data)["sentence"]


def test_too_many_learners_at_once_are_told_to_wait(tmp_path: Path) -> None:
    limits = {"lessons_per_second": 0.01, "lesson_burst": 2.0}
    with Serving("tests.server.duel", tmp_path / "data", limits) as serving:
        statuses = [serving.json("POST", STEPS, {})[0] for _ in range(3)]
    assert statuses == [200, 200, 429]

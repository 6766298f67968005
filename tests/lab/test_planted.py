"""The Lab names planted truths: a card that wins, what brings points, what strong players avoid."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bartizan.lab.report.plans import NOBODY_STRONGER
from tests.server.serving import ROOT

# Rules are interpreted in another process: compiling a game takes longer than these games.
SCRIPT = """
import json, sys
from pathlib import Path
from bartizan.engine import registry
from bartizan.lab.experiment import Experiment
from bartizan.lab.report.gather import answers_of, gather
from bartizan.lab.report.verdict import reasons
from tests.lab import planted, triples

for name in sys.argv[3:]:
    delattr(planted, name)
registry.add(planted.game)
registry.add(triples.game)
experiment = Experiment.begin(json.loads(sys.argv[1]), Path(sys.argv[2]))
frame = experiment.run()
print(json.dumps({
    "plan": [each.sentence for each in answers_of(experiment, frame).answers if each.key == "plan"],
    "reasons": {each.key: each.text for each in reasons(gather(experiment))},
    "measures": frame.select("measure", "cell", "estimate", "counts", "p").rows(),
}))
"""
TABLES: dict[str, Any] = {
    "game": "planted",
    "players": ["random"],
    "games": 600,
    "measures": ["fairness", "choice", "pieces"],
}


def played(tables: dict[str, Any], folder: Path, *without: str) -> dict[str, Any]:
    """Run an experiment; the planted game is `without` some of its names."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(tables), str(folder / "out"), *without],
        cwd=ROOT,
        env={**os.environ, "BARTIZAN_MODE": "python", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    confirm = {"players": ["search@40"], "games": 120}
    return played({**TABLES, "confirm": confirm}, tmp_path_factory.mktemp("confirmed"))


def test_all_points_come_from_the_one_action_that_brings_them(confirmed: dict[str, Any]) -> None:
    points = {name: at for name, cell, at, *_ in confirmed["measures"] if name.startswith("points_from.")}
    assert points == {"points_from.show": 1.0, "points_from.wait": 0.0, "points_from.slip": 0.0}
    assert "of the points come from show" in confirmed["plan"][0]


def test_a_card_that_wins_from_the_start_is_named_and_no_other(confirmed: dict[str, Any]) -> None:
    named = confirmed["reasons"]["opening"]
    assert "Ax (" in named
    assert not any(f"{rank}x (" in named for rank in "23456")
    assert "Players who start with these win more or less often: Ax" in confirmed["plan"][0]


def test_what_strong_players_never_do_is_named(confirmed: dict[str, Any]) -> None:
    assert confirmed["reasons"]["avoided"].startswith("Strong players almost never choose these: slip (0")
    assert "weaker players 1" in confirmed["reasons"]["avoided"]
    assert confirmed["reasons"]["unplayed"].startswith("Strong players almost never play these")
    assert "Jx (" in confirmed["reasons"]["unplayed"]
    assert not any(f"{rank}x (" in confirmed["reasons"]["unplayed"] for rank in "A23456")


def test_without_stronger_players_that_is_not_measured(tmp_path: Path) -> None:
    found = played({**TABLES, "games": 300}, tmp_path)
    assert not any(name.startswith(("avoided.", "unplayed.")) for name, *_ in found["measures"])
    assert NOBODY_STRONGER in found["plan"][0]
    weaker = {**TABLES, "games": 40, "players": ["greedy"], "confirm": {"players": ["random"], "games": 40}}
    found = played(weaker, tmp_path / "weaker")
    assert "isn't measured" in found["plan"][0]


def test_a_turn_lasts_until_another_seat_moves_if_a_game_does_not_say_what_a_round_is(tmp_path: Path) -> None:
    """Three decisions a turn, of which the second seat has no choice; six turns in three rounds."""
    found = played({"game": "triples", "games": 2, "measures": ["length"]}, tmp_path)
    lengths = {name: at for name, _, at, *_ in found["measures"]}
    assert (lengths["decisions"], lengths["turns"], lengths["rounds"]) == (18, 6, 3)
    assert lengths["dead_turns"] == 0.5

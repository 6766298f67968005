"""A card game with hidden hands in one module: the engine derives all that it does not write."""

from __future__ import annotations

from pathlib import Path

import pytest

from bartizan.match import Match
from tests.examples.installing import install, run, run_generic
from tests.server.serving import ROOT

EXAMPLE = ROOT / "examples" / "battle_line"
NAME = "battle-line"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(EXAMPLE, tmp_path_factory.mktemp("site"))


def test_it_does_what_every_game_must(installed: dict[str, str]) -> None:
    assert run_generic(installed, NAME) > 25


def test_its_scenarios_hold(installed: dict[str, str]) -> None:
    assert "0 failures" in run(installed, "-m", "bartizan", "judge", str(EXAMPLE / "scenarios"))


def test_it_is_written_in_two_files() -> None:
    package = EXAMPLE / "battle_line"
    files = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.name for path in files} == {"__init__.py", "clauses.toml"}


def test_its_goal_is_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from battle_line import game  # type: ignore[import-not-found]

    match = Match(game, {"stones_to_win": 4}, 2, "1")
    scene = match.views.scene(1)
    [race] = scene.races
    assert (race.goal, [(racer.label, racer.value, racer.seat) for racer in race.racers]) == (
        4,
        [("North", 0, 1), ("South", 0, 2)],
    )
    assert "Points" not in {fact.label for fact in scene.status.facts}


def test_programs_play_it_and_it_is_shown(installed: dict[str, str], tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    said = run(
        installed, "-m", "bartizan", "play", NAME, "--players", "greedy,random", "--seed", "5",
        "--record", str(record),
    )  # fmt: skip
    assert "wins." in said or "drawn" in said
    assert "all legal" in run(installed, "-m", "bartizan", "replay", str(record), "--verify")


def test_the_lab_plays_it_and_counts_its_clauses(installed: dict[str, str], tmp_path: Path) -> None:
    folder = str(tmp_path / "lab")
    words = ("--game", NAME, "--players", "random", "--games", "12", "--confirm", "none", "--out", folder)
    said = run(installed, "-m", "bartizan", "lab", "run", *words, "--measures", "fairness,clauses")
    assert "won.seat_1" in said
    assert "in_games.BL-8" in said

"""A game for three to five with two phases in one module."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.installing import install, run, run_generic
from tests.server.serving import ROOT

EXAMPLE = ROOT / "examples" / "pledge"
NAME = "pledge"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(EXAMPLE, tmp_path_factory.mktemp("site"))


def test_it_does_what_every_game_must(installed: dict[str, str]) -> None:
    assert run_generic(installed, NAME) > 25


def test_its_scenarios_hold(installed: dict[str, str]) -> None:
    assert "0 failures" in run(installed, "-m", "bartizan", "judge", str(EXAMPLE / "scenarios"))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_programs_play_it_with_any_number_of_seats(
    installed: dict[str, str], seats: int, tmp_path: Path
) -> None:
    record = str(tmp_path / "game.txt")
    players = ",".join(["greedy"] * seats)
    said = run(
        installed, "-m", "bartizan", "play", NAME, "--players", players, "--seed", "3", "--record", record
    )
    assert "wins." in said or "drawn" in said
    assert "all legal" in run(installed, "-m", "bartizan", "replay", record, "--verify")

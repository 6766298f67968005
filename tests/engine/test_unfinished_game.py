"""A game that is being written says what it lacks, and does all that its parts allow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bartizan.engine import levels
from bartizan.engine.errors import UnfinishedGame
from bartizan.engine.game import CALLS, DRAWS, Game

PACKAGE = "half_a_game"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of a game that has nothing but its name."""
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def game() -> Game:
    return Game(name="half", package=PACKAGE, min_seats=2, max_seats=2)


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("options", "options"),
        ("actions", "state"),
        ("rules", "api"),
        ("positions", "position"),
        ("vocabulary", "vocabulary"),
        ("scenes", "scene"),
    ],
)
def test_a_part_that_is_not_there_is_named(written: Path, game: Game, asked: str, part: str) -> None:
    with pytest.raises(UnfinishedGame, match=rf"The game 'half' has no {part}\.py yet"):
        getattr(game, asked)


def test_a_name_that_a_part_lacks_is_named(written: Path, game: Game) -> None:
    (written / "state.py").write_text("MAX_LEGAL = 6\n")
    assert game.max_legal == 6
    with pytest.raises(UnfinishedGame, match=r"no ACTIONS in its state\.py yet"):
        _ = game.actions


def test_every_call_of_the_engine_must_be_there(written: Path, game: Game) -> None:
    lines = [f"def {name}(): ..." for name in CALLS if name != "resume"]
    (written / "api.py").write_text("\n".join(lines))
    with pytest.raises(UnfinishedGame, match=r"no resume in its api\.py yet"):
        _ = game.rules


def test_all_that_a_scene_is_asked_must_be_there(written: Path, game: Game) -> None:
    (written / "scene.py").write_text("\n".join(f"def {name}(): ..." for name in DRAWS if name != "intents"))
    with pytest.raises(UnfinishedGame, match=r"no intents in its scene\.py yet"):
        _ = game.scenes


def test_what_a_part_imports_in_vain_is_not_taken_for_the_part(written: Path, game: Game) -> None:
    (written / "state.py").write_text("import half_a_game.borad\n")
    with pytest.raises(ModuleNotFoundError, match="borad"):
        _ = game.actions


def test_it_is_played_before_it_has_heuristics(written: Path, game: Game) -> None:
    assert game.heuristics is levels
    assert game.player_levels == levels.DEFAULT_LEVELS
    (written / "heuristics.py").write_text("PLAYER_LEVELS = ()\n")
    fresh = Game(name="half", package=PACKAGE, min_seats=2, max_seats=2)
    assert fresh.player_levels == ()

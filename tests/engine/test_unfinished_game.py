"""A game that is being written says what it lacks, and does all that its parts allow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bartizan.engine import levels
from bartizan.engine.assembly import CALLS
from bartizan.engine.errors import BadSeats, UnfinishedGame
from bartizan.engine.game import DRAWS, Game

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
        ("positions", "position"),
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


@pytest.mark.parametrize(("least", "most"), [(3, 2), (0, 2)])
def test_a_game_has_a_number_of_seats(least: int, most: int) -> None:
    with pytest.raises(BadSeats, match=rf"'half' has min_seats={least} and max_seats={most}; they must be"):
        Game(name="half", package=PACKAGE, min_seats=least, max_seats=most)


STATE = """
from bartizan.engine.actions import ActionSpace, block
ACTIONS = ActionSpace(block("turn_up"), block("pass"))
"""
PHASES = """
from bartizan.engine.phases import PhaseRow, PhaseTable
from half_a_game.state import ACTIONS
PHASES = PhaseTable(ACTIONS, PhaseRow("turn", asks=ACTIONS.verbs))
def why_not_in_phase(s, verb): return PHASES.why_not(0, verb)
"""
VERB_RULES = ["why_not_turn_up", "why_not_pass", "turn_up", "pass_"]


@pytest.mark.parametrize("missing", [*CALLS, *VERB_RULES])
def test_every_rule_that_the_engine_calls_must_be_there(written: Path, game: Game, missing: str) -> None:
    (written / "state.py").write_text(STATE)
    (written / "phases.py").write_text(PHASES)
    names = [name for name in (*CALLS, *VERB_RULES) if name != missing]
    (written / "rules.py").write_text("\n".join(f"def {name}(s): ..." for name in names))
    with pytest.raises(UnfinishedGame, match=rf"has no {missing} yet \(looked in rules, phases\)"):
        _ = game.rules


def test_a_rule_that_is_there_twice_is_named(written: Path) -> None:
    (written / "state.py").write_text(STATE)
    (written / "phases.py").write_text(PHASES)
    names = (*CALLS, *VERB_RULES)
    (written / "rules.py").write_text("\n".join(f"def {name}(s): ..." for name in names))
    (written / "more.py").write_text("from half_a_game.rules import pass_\ndef turn_up(s): ...\n")
    game = Game(name="half", package=PACKAGE, min_seats=2, max_seats=2, rules_in=("rules", "more", "phases"))
    with pytest.raises(
        UnfinishedGame, match=r"has turn_up twice: in half_a_game\.rules and half_a_game\.more"
    ):
        _ = game.rules


CLAUSES = """
title = "Half"
source = "none"
summary = "A game for tests."
clause = [{ id = "TST-1", section = "s", title = "t", text = "One." }]
"""


def test_every_verb_has_its_class_of_words(written: Path, game: Game) -> None:
    (written / "state.py").write_text(STATE)
    (written / "phases.py").write_text(PHASES + "def phase_of(s): return 0\n")
    (written / "clauses.toml").write_text(CLAUSES)
    (written / "words.py").write_text(
        "from bartizan.engine.words import Verb\nclass Pass(Verb): form = example = 'pass'\n"
    )
    with pytest.raises(UnfinishedGame, match=r"has no TurnUp yet \(looked in words\)"):
        _ = game.vocabulary


def test_all_that_a_scene_is_asked_must_be_there(written: Path, game: Game) -> None:
    (written / "scene.py").write_text("\n".join(f"def {name}(): ..." for name in DRAWS if name != "result"))
    with pytest.raises(UnfinishedGame, match=r"no result in its scene\.py yet"):
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

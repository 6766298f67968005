"""A new or changed game is played interpreted before its compiled rules, which check nothing, are trusted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bartizan.engine import trial
from bartizan.engine.mode import COMPILED
from tests.examples.broken import Broken
from tests.server.serving import ROOT

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

BOUNDED = "0 <= y < ROWS and s.board"  # in the rule that looks for a line; without it the board is overrun
EXPERIMENT = (
    'game = "connect-four"\nplayers = ["random", "random"]\ngames = 4\nseed = "1"\nmeasures = ["length"]\n'
)
PYTHON = {
    "a match": "from bartizan.match import Match; Match('connect-four')",
    "a batch": "import bartizan; bartizan.batch('connect-four', 2)",
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Broken:
    """Return a game that no process has tried yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    site = tmp_path / "site"
    site.mkdir()
    return Broken(site)


def overrun(game: Broken) -> str:
    """Let a rule overrun the board; return the sentence that tells of it."""
    game.change("__init__.py", BOUNDED, "0 <= y and s.board")
    lines = (game.package / "__init__.py").read_text("utf-8").splitlines()
    line = next(number for number, line in enumerate(lines, 1) if "0 <= y and" in line)
    return f"connect_four/__init__.py:{line}: An array is overrun: "


def marks(folder: Path) -> dict[str, int]:
    """Return what was noted of trials, and when."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("cache/bartizan/rules/trials/*-*-*")}


def python(game: Broken, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=game.environment("compiled"),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "connect-four", "--games", "2"),
        ("play", "connect-four", "--players", "random,random"),
        ("compile", "connect-four"),
        ("lab", "run", "{experiment}"),
    ],
    ids=lambda words: words[0],
)
def test_an_overrun_is_told_before_anything_is_compiled(
    game: Broken, tmp_path: Path, words: tuple[str, ...]
) -> None:
    told = overrun(game)
    experiment = tmp_path / "one.toml"
    experiment.write_text(EXPERIMENT)
    filled = [word.format(experiment=experiment) for word in words]
    code, _, err = game.run(*filled, mode="compiled")
    assert code == 2, err
    assert err.startswith("bartizan: ")
    assert err.count(told) == 1
    assert not list((tmp_path / "cache").rglob("*.nbi"))


@pytest.mark.parametrize("code", PYTHON.values(), ids=PYTHON)
def test_an_overrun_is_told_in_python(game: Broken, code: str) -> None:
    told = overrun(game)
    done = python(game, code)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("bartizan.")  # an error of ours
    assert told in last


def test_too_small_a_max_legal_is_told_before_anything_is_compiled(game: Broken) -> None:
    game.change("__init__.py", "\n\n\n@rule", "\nMAX_LEGAL = 3\n\n\n@rule")
    code, _, err = game.run("simulate", "connect-four", "--games", "2", mode="compiled")
    assert code == 2
    assert "MAX_LEGAL is 3, but 7 actions were legal at once." in err
    assert "connect_four/__init__.py:" in err


# A fault in a file, and the sentence about it; {line} is the number of its line.
MISTAKES = {
    "a field without a zone": (
        "__init__.py",
        "    board: Cells = grid(",
        "    laid: int = field(I8)\n    board: Cells = grid(",
        "connect_four/__init__.py:{line}: State.laid does not say what it is",
    ),
    "a verb without a rule": (
        "__init__.py",
        'block("drop", column=COLUMNS)',
        'block("drop", column=COLUMNS), block("pop", column=COLUMNS)',
        "connect_four/__init__.py:{line}: The verb 'pop' has no rule why_not_pop(s, column).",
    ),
    "an unknown clause": (
        "__init__.py",
        "Return the row in which a disc comes to rest (CF-3)",
        "Return the row in which a disc comes to rest (CF-33)",
        "connect_four/__init__.py:{line}: clauses.toml has no CF-33.",
    ),
    "a name that doesn't bind": (
        "__init__.py",
        "    row = resting_row(s, column)\n    s.board",
        "    row = resting_raw(s, column)\n    s.board",
        "connect_four/__init__.py:{line}: The name 'resting_raw' isn't defined.",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_before_anything_is_compiled(game: Broken, tmp_path: Path, mistake: str) -> None:
    file, old, new, sentence = MISTAKES[mistake]
    game.change(file, "import Cells, chosen", "import I8, Cells, chosen, field")
    text = (game.package / file).read_text("utf-8")
    game.change(file, old, new)
    line = text[: text.index(old)].count("\n") + 1
    code, _, err = game.run("simulate", "connect-four", "--games", "2", mode="compiled")
    assert code == 2, err
    assert err.startswith("bartizan: ")
    assert err.count(sentence.format(line=line)) == 1, err
    assert not list((tmp_path / "cache").rglob("*.nbi"))


def test_an_unchanged_game_is_tried_once_and_an_edited_one_again(game: Broken, tmp_path: Path) -> None:
    code = PYTHON["a match"].replace("Match('", "registry.get('").replace("')", "').array_rules")
    code = f"from bartizan.engine import registry; {code}"
    assert python(game, code).returncode == 0
    (first,) = marks(tmp_path).items()
    assert python(game, code).returncode == 0
    assert dict([first]) == marks(tmp_path)
    game.change("clauses.toml", "title =", "# An edit.\ntitle =")
    assert python(game, code).returncode == 0
    assert len(marks(tmp_path)) == 2
    overrun(game)
    assert "An array is overrun" in python(game, code).stderr


def test_a_game_that_was_checked_is_not_tried_again(game: Broken, tmp_path: Path) -> None:
    assert game.run("check", "connect-four")[0] == 0
    before = marks(tmp_path)
    assert len(before) == 1
    assert (
        python(
            game, "from bartizan.engine import registry; registry.get('connect-four').array_rules"
        ).returncode
        == 0
    )
    assert marks(tmp_path) == before


def test_scripts_beside_the_rules_are_left_alone(game: Broken) -> None:
    (game.package / "train.py").write_text("import nonesuch\n")
    done = python(game, "from bartizan.engine import registry; registry.get('connect-four').array_rules")
    assert done.returncode == 0, done.stderr


def test_games_of_bartizan_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    from bartizan.engine import registry

    monkeypatch.setattr(trial, "_tried", {})
    monkeypatch.setattr(trial, "_try", lambda *_: ("it was tried.", False))
    tower = registry.get("tower")
    trial.require_trial(tower.name, tower.package, tower.folder)


def test_a_failed_trial_is_shown_where_games_are_listed_until_an_edit(
    game: Broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = overrun(game)
    assert game.run("trace", "connect-four", "--games", "1", mode="compiled")[0] == 2
    code, out, _ = game.run("games")
    assert (code, "An array is overrun" in out) == (0, True), out
    assert "Alcazar" in out
    assert "Connect Four, for 2" not in out
    for command in ("games", "rules"):
        code, out, err = game.run(command, "connect-four")
        assert (code, out, err.count(told)) == (2, "", 1)
    _, listed = game.listed("compiled", tmp_path / "data", monkeypatch)
    ((name, sentence),) = [(each["name"], each["sentence"]) for each in listed["broken"]]
    assert (name, told in sentence) == ("connect-four", True)
    assert name not in [each["name"] for each in listed["games"]]
    game.change("__init__.py", "0 <= y and s.board", BOUNDED)
    assert "Connect Four, for 2" in game.run("games")[1]

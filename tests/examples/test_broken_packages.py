"""A game package that is broken is named with the line that breaks it, and leaves the other games alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import ROOT, Serving

EXAMPLE = ROOT / "examples" / "connect_four" / "connect_four"
ROW = "    row = resting_row(s, column)\n"  # in the rule that plays a move


class Broken:
    """A copy of Connect Four that tests break, installed as pip would."""

    def __init__(self, folder: Path, target: str = "connect_four:game") -> None:
        self.site = folder
        self.package = folder / "connect_four"
        shutil.copytree(EXAMPLE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        metadata = folder / "towers-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: towers\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text(f"[bartizan.games]\nconnect-four = {target}\n")

    def change(self, file: str, old: str, new: str) -> None:
        """Replace text in one of its files, or write a file that it does without."""
        path = self.package / file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        assert old in text
        (self.package / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    def environment(self, mode: str) -> dict[str, str]:
        """Return the variables with which it is installed."""
        path = os.pathsep.join((str(ROOT), str(self.site)))
        return {**os.environ, "PYTHONPATH": path, "BARTIZAN_MODE": mode}

    def run(self, *words: str, mode: str = "python") -> tuple[int, str, str]:
        """Run a command; return its exit code and what it printed, line breaks as spaces."""
        done = subprocess.run(
            [sys.executable, "-m", "bartizan", *words],
            cwd=ROOT,
            env=self.environment(mode),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, " ".join(done.stdout.split()), " ".join(done.stderr.split())


@pytest.fixture
def broken(tmp_path: Path) -> Broken:
    return Broken(tmp_path)


IN_INIT = "from bartizan.engine.game import Game\n"
FAULTS = [
    (
        "clauses.toml",
        "title =",
        "minutes = 10\ntitle =",
        "clauses.toml:3: Expected `array | null`, got `int`",
    ),
    ("clauses.toml", "title =", "title", "connect_four/clauses.toml is not TOML: Expected '='"),
    ("clauses.toml", 'id = "CF-2"', "id = 2", "clauses.toml:17: Expected `str`, got `int`"),
    ("__init__.py", IN_INIT, f"{IN_INIT}from = 3\n", "connect_four/__init__.py:10: invalid syntax."),
    ("__init__.py", IN_INIT, f"{IN_INIT}import nonesuch\n", "__init__.py:10: No module named 'nonesuch'."),
    ("__init__.py", "    min_seats=2,\n", "", "connect_four/__init__.py:16: TypeError: "),
    (
        "__init__.py",
        IN_INIT,
        f"{IN_INIT}raise SystemExit(3)\n",
        "connect_four/__init__.py:10: SystemExit: 3.",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "told"), FAULTS)
def test_a_broken_package_is_named_and_leaves_the_others_alone(
    broken: Broken, file: str, old: str, new: str, told: str
) -> None:
    broken.change(file, old, new)
    sentence = "The game 'connect-four' of the package towers cannot be loaded: "
    code, out, _ = broken.run("games")
    assert code == 0
    assert "Alcazar" in out
    assert sentence in out
    assert told in out
    code, out, err = broken.run("rules", "connect-four")
    assert (code, out) == (2, "")
    assert err.startswith(f"bartizan: {sentence}")
    assert told in err
    assert broken.run("rules", "alcazar", "1")[0] == 0
    code, out, err = broken.run("games", "--json")
    assert code == 0
    assert "connect-four" not in [game["name"] for game in json.loads(out)]
    assert sentence in err


@pytest.mark.parametrize(
    ("target", "reason"),
    [("nonesuch:game", "No module named 'nonesuch'"), ("json:loads", "json:loads is no Game")],
)
def test_a_package_without_its_game_is_named(tmp_path: Path, target: str, reason: str) -> None:
    code, out, _ = Broken(tmp_path, target).run("games")
    assert code == 0
    assert f"The game 'connect-four' of the package towers cannot be loaded: {reason}." in out


# What is wrong in a rule, and what is said of it interpreted and compiled.
RULES = [
    ("    row = s.to_mov\n", "63 (AttributeError: 'State' object has no ", "63 (KeyError: 'to_mov')"),
    ('    row = s.to_move + "x"\n', "63 (TypeError: ", "63 (No implementation of function "),
    ("    row = moover\n", "63 (NameError: ", "61 (NameError: name 'moover' is not defined)"),
    ("    row = s.to_move.up(3)\n", "63 (AttributeError: ", "63 (Unknown attribute 'up' of type int8)"),
]


@pytest.mark.parametrize("mode", ["python", "compiled"])
@pytest.mark.parametrize(("line", "interpreted", "compiled"), RULES)
def test_a_mistake_in_a_rule_is_told_with_its_line(
    broken: Broken, mode: str, line: str, interpreted: str, compiled: str
) -> None:
    broken.change("__init__.py", ROW, line)
    code, _, err = broken.run("simulate", "connect-four", "--games", "2", mode=mode)
    assert code == 2
    told = interpreted if mode == "python" else compiled
    assert err.startswith(f"bartizan: The game 'connect-four' fails at connect_four/__init__.py:{told}")


def test_a_mistake_in_a_rule_is_told_where_it_is_compiled_beside(broken: Broken) -> None:
    broken.change("__init__.py", ROW, "    row = s.to_mov\n")
    code, _, err = broken.run("compile", "connect-four", mode="compiled")
    assert code == 2
    assert (
        err
        == "bartizan: connect-four could not be compiled: connect_four/__init__.py:63: KeyError: 'to_mov'."
    )


def test_a_part_that_is_imported_later_is_told_with_its_line(broken: Broken) -> None:
    (broken.package / "options.py").write_text("from from bartizan\n")
    code, _, err = broken.run("games", "connect-four")
    assert code == 2
    assert err.startswith(
        "bartizan: The game 'connect-four' fails at connect_four/options.py:1 (invalid syntax)"
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "clauses.toml",
            "title =",
            "minutes = 10\ntitle =",
            "cannot be loaded: connect_four/clauses.toml:3: ",
        ),
        ("options.py", "", "from from bartizan\n", "fails at connect_four/options.py:1 (invalid "),
    ],
)
def test_a_server_lists_what_is_broken_beside_the_others(
    broken: Broken,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    old: str,
    new: str,
    told: str,
) -> None:
    broken.change(file, old, new)
    for name, value in broken.environment("python").items():
        monkeypatch.setenv(name, value)
    serving = Serving("bartizan.server.run", tmp_path / "data")
    try:
        status, listed = serving.json("GET", "/api/games")
    finally:
        serving.stop()
    assert status == 200
    assert "alcazar" in [game["name"] for game in listed["games"]]
    ((name, sentence),) = [(game["name"], game["sentence"]) for game in listed["broken"]]
    assert name == "connect-four"
    assert told in sentence

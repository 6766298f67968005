"""A game package that is broken is named with the line that breaks it, and leaves the other games alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.examples.broken import Broken

ROW = "    row = resting_row(s, column)\n"  # in the rule that plays a move


@pytest.fixture
def broken(tmp_path: Path) -> Broken:
    return Broken(tmp_path)


IN_INIT = "from bartizan.engine.game import Game\n"
FAULTS = [
    (
        "clauses.toml",
        "title =",
        "minutes = 10\ntitle =",
        "clauses.toml:3: minutes is a whole number; it must be a list.",
    ),
    ("clauses.toml", "title =", "title", "connect_four/clauses.toml is not TOML: Expected '='"),
    (
        "clauses.toml",
        'id = "CF-2"',
        "id = 2",
        "clauses.toml:16: clause[1].id is a whole number; it must be a text.",
    ),
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


SENTENCE = "The game 'connect-four' of the package towers cannot be loaded: "


@pytest.mark.parametrize(("file", "old", "new", "told"), FAULTS)
def test_a_broken_package_is_named(broken: Broken, file: str, old: str, new: str, told: str) -> None:
    broken.change(file, old, new)
    code, out, err = broken.run("rules", "connect-four")
    assert (code, out) == (2, "")
    assert err.startswith(f"bartizan: {SENTENCE}")
    assert told in err


def test_a_broken_package_leaves_the_others_alone(broken: Broken) -> None:
    broken.change("__init__.py", IN_INIT, f"{IN_INIT}import nonesuch\n")
    code, out, _ = broken.run("games")
    assert code == 0
    assert "Alcazar" in out
    assert SENTENCE in out
    assert broken.run("rules", "alcazar", "1")[0] == 0
    code, out, err = broken.run("games", "--json")
    assert code == 0
    assert "connect-four" not in [game["name"] for game in json.loads(out)]
    assert SENTENCE in err


@pytest.mark.parametrize(
    ("target", "reason"),
    [("nonesuch:game", "No module named 'nonesuch'"), ("json:loads", "json:loads is no Game")],
)
def test_a_package_without_its_game_is_named(tmp_path: Path, target: str, reason: str) -> None:
    code, out, _ = Broken(tmp_path, target).run("games")
    assert code == 0
    assert f"The game 'connect-four' of the package towers cannot be loaded: {reason}." in out


# What is wrong in a rule, and what is said of it: interpreted, and before it is compiled.
RULES = [
    (
        "    row = s.to_mov\n",
        "63 (AttributeError: 'State' object has no ",
        "63: State has no field 'to_mov'. ",
    ),
    ('    row = s.to_move + "x"\n', "63 (TypeError: ", "63: TypeError: "),
    ("    row = moover\n", "63 (NameError: ", "63: The name 'moover' isn't defined."),
    ("    row = s.to_move.up(3)\n", "63 (AttributeError: ", "63: int has no 'up' ("),
]


@pytest.mark.parametrize("mode", ["python", "compiled"])
@pytest.mark.parametrize(("line", "interpreted", "compiled"), RULES)
def test_a_mistake_in_a_rule_is_told_with_its_line(
    broken: Broken, mode: str, line: str, interpreted: str, compiled: str
) -> None:
    broken.change("__init__.py", ROW, line)
    code, _, err = broken.run("simulate", "connect-four", "--games", "2", mode=mode)
    assert code == 2
    if mode == "python":
        told = f"bartizan: The game 'connect-four' fails at connect_four/__init__.py:{interpreted}"
    else:
        told = f"bartizan: The game 'connect-four' can't be compiled: {broken.package}/__init__.py:{compiled}"
    assert err.startswith(told)


def test_a_rule_that_only_python_understands_is_told_with_its_line(broken: Broken) -> None:
    broken.change("__init__.py", ROW, "    row = min([resting_row(s, column)])\n")
    code, _, err = broken.run("simulate", "connect-four", "--games", "2", mode="compiled")
    assert code == 2
    assert err.startswith("bartizan: The game 'connect-four' fails at connect_four/__init__.py:63 (")


def test_another_game_with_a_rule_of_that_name_is_not_blamed(broken: Broken) -> None:
    broken.change("__init__.py", "def resting_row", "def finish")  # Card Barrage has one, too
    broken.change("__init__.py", "    row = 0\n", "    row = min([0])\n")
    broken.change("__init__.py", ROW, ROW.replace("resting_row", "finish"))
    broken.change("__init__.py", ROW, ROW.replace("resting_row", "finish"))
    code, _, err = broken.run("simulate", "connect-four", "--games", "2", mode="compiled")
    assert code == 2
    assert err.startswith("bartizan: The game 'connect-four' fails at connect_four/__init__.py:54 (")


def test_a_mistake_in_a_rule_is_told_where_it_is_compiled_beside(broken: Broken) -> None:
    broken.change("__init__.py", ROW, "    row = s.to_mov\n")
    code, _, err = broken.run("compile", "connect-four", mode="compiled")
    assert code == 2
    assert (
        err == f"bartizan: connect-four could not be compiled: {broken.package}/__init__.py:63: "
        "State has no field 'to_mov'. Did you mean 'to_move'?"
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
    status, listed = broken.listed("python", tmp_path / "data", monkeypatch)
    assert status == 200
    assert "alcazar" in [game["name"] for game in listed["games"]]
    ((name, sentence),) = [(game["name"], game["sentence"]) for game in listed["broken"]]
    assert name == "connect-four"
    assert told in sentence

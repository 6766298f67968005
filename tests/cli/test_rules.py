"""The rulebook at the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bartizan.cli.main import main
from bartizan.engine import registry
from bartizan.engine.clauses import Clause

BARTIZAN = [sys.executable, "-m", "bartizan"]
ROOT = Path(__file__).resolve().parents[2]
CLAUSES = registry.get("alcazar").clauses.all()


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: clause.id)
def test_every_clause_is_shown_whole(clause: Clause, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "alcazar", clause.id.lower()]) == 0
    shown = capsys.readouterr().out
    joined = " ".join(shown.split())
    assert joined.startswith(f"{clause.id} {clause.title} {clause.text.replace('`', '')}")
    assert ("Our ruling: " + clause.ruling.replace("`", "") in joined) == bool(clause.ruling)
    assert all(line == line.rstrip() and len(line) <= 88 for line in shown.splitlines())


def test_the_whole_book_in_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "alcazar"]) == 0
    shown = capsys.readouterr().out
    heads = re.findall(r"^(ALC-\w+)  ", shown, re.MULTILINE)
    assert heads == [clause.id for clause in CLAUSES]
    assert shown.count("Our ruling: ") == sum(1 for clause in CLAUSES if clause.ruling)
    assert "Julian Jimenez" in shown


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "alcazar", "--json"]) == 0
    book = json.loads(capsys.readouterr().out)
    assert [clause["id"] for clause in book["clauses"]] == [clause.id for clause in CLAUSES]
    assert main(["rules", "alcazar", "66c", "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert one == book["clauses"][[clause.id for clause in CLAUSES].index("ALC-66c")]


QUESTIONS = sorted({question for clause in CLAUSES for question in clause.questions})


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_by_its_rulings(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers = [clause.id for clause in CLAUSES if question in clause.questions]
    assert main(["rules", "alcazar", question.removeprefix("ALC-").lower()]) == 0
    assert re.findall(r"^(ALC-\w+)  ", capsys.readouterr().out, re.MULTILINE) == answers


def test_an_unknown_question_is_told_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "alcazar", "ALC-Q490"]) == 2
    told = capsys.readouterr().err
    assert "they run from ALC-Q1 to ALC-Q48. Did you mean 'ALC-Q4" in told


def test_the_book_is_complete() -> None:
    """Hold the clauses to the numbering of the rulebook, and the rulings to the list of open questions."""
    wanted = [f"ALC-{number}" for number in range(1, 77)]
    for after, extra in (
        ("ALC-27", ["ALC-27b"]),
        ("ALC-63", ["ALC-63b"]),
        ("ALC-66", ["ALC-66b", "ALC-66c"]),
    ):
        place = wanted.index(after) + 1
        wanted[place:place] = extra
    assert [clause.id for clause in CLAUSES] == wanted
    answered = {question for clause in CLAUSES for question in clause.questions}
    assert answered == {f"ALC-Q{number}" for number in range(1, 49)} | {"ALC-Q43b"}
    assert all(clause.ruling for clause in CLAUSES if clause.questions)


def test_every_option_is_named_by_a_clause_and_nothing_else_is() -> None:
    named = {
        word for clause in CLAUSES for word in re.findall(r"`([^`]+)`", f"{clause.text} {clause.ruling}")
    }
    assert named == {spec.key for spec in registry.get("alcazar").options}


def test_every_clause_that_a_clause_points_to_exists() -> None:
    known = {clause.id for clause in CLAUSES}
    for clause in CLAUSES:
        assert set(re.findall(r"ALC-\d+[a-z]?", f"{clause.text} {clause.ruling}")) <= known


def test_the_list_of_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert "alcazar" in capsys.readouterr().out
    assert main(["games", "alcazar"]) == 0
    shown = capsys.readouterr().out
    assert "actions_per_turn = unlimited | 3 | one_of_each" in shown
    assert "round_cap = 200 (1 to 30000)" in shown
    assert "havoc = false | true" in shown
    assert main(["games", "--json"]) == 0
    assert "alcazar" in [game["name"] for game in json.loads(capsys.readouterr().out)]


def test_the_list_of_games_comes_at_once() -> None:
    """A command that needs no compiler must not load one."""
    script = "import sys; from bartizan.cli.main import main; main(); sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", script, "games"], cwd=ROOT, check=True, capture_output=True)


def test_the_versions_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert capsys.readouterr().out == f"bartizan {version}\n"

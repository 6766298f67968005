"""``bartizan perft``: lines of play counted, from the set-up and from files."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from bartizan.cli.main import main
from bartizan.engine import registry
from bartizan.lab.perft import divide
from bartizan.match import Match

OPEN = [name for name in registry.names() if not registry.get(name).chance]
GAME = "castle-danger"
POSITION = """
board = ["....k..", ".......", "..#....", "...c...", "~~~~~~~", "...C.B.", ".......", ".W#....", "K......"]
moves_left = 4
"""


def counted(match: Match, depth: int) -> int:
    """Count lines by playing them all on a table."""
    if depth == 0:
        return 1
    total = 0
    for action in match.legal():
        match.play(action)
        total += counted(match, depth - 1)
        match.undo()
    return total


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["perft", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("name", OPEN)
def test_counts_are_those_of_playing_all_lines(name: str) -> None:
    match = Match(name, seed="1")
    for _ in range(12):
        lines = divide(match, 2)
        assert list(lines) == match.legal_texts()
        assert sum(lines.values()) == counted(match, 2)
        assert divide(match, 1) == dict.fromkeys(match.legal_texts(), 1)
        match.play(match.legal()[match.ply % len(match.legal())])


def test_a_line_that_ends_early_does_not_count() -> None:
    position = {
        "board": ["..k....", *["......."] * 3, "~~~~~~~", "..C....", *["......."] * 2, "K......"],
        "moves_left": 5,
    }
    match = Match(GAME, seed="1", position=position)
    assert divide(match, 2)["fire c4 c9"] == 0
    assert divide(match, 1)["fire c4 c9"] == 1
    match.play("fire c4 c9")
    assert divide(match, 3) == {}


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    divide(Match(GAME, seed="1"), 2, lambda done, total: told.append((done, total)))
    assert told == [(number, 8) for number in range(1, 9)]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, GAME, "--depth", "3") == (0, "414\n", "")
    code, out, _ = run(capsys, GAME, "--depth", "2", "--divide")
    assert code == 0
    assert out.splitlines()[0] == "add wizard: 8"
    assert out.splitlines()[-1] == "57"
    assert sum(int(line.rpartition(": ")[2]) for line in out.splitlines()[:-1]) == 57
    code, out, _ = run(capsys, GAME, "--depth", "2", "--json", "--set", "setup.king_file=c")
    assert code == 0
    assert json.loads(out)["lines"] == counted(Match(GAME, {"setup.king_file": "c"}, seed="1"), 2)


@pytest.mark.parametrize("form", ["toml", "scenario", "json"])
def test_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str) -> None:
    position = tomllib.loads(POSITION)
    texts = {
        "toml": POSITION,
        "scenario": f'game = "{GAME}"\n[position]\n{POSITION}',
        "json": json.dumps({"position": position}),
    }
    path = tmp_path / "position"
    path.write_text(texts[form])
    code, out, _ = run(capsys, GAME, "--depth", "3", "--position", str(path))
    assert code == 0
    assert int(out) == counted(Match(GAME, seed="1", position=position), 3)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["alcazar", "--depth", "2"], "leaves something to chance"),
        ([GAME], "--depth is missing"),
        ([GAME, "--depth", "0"], "'0' is no whole number from 1"),
        ([GAME, "--depth", "2", "--set", "setup.king_file=d"], "setup.king_file is 'd'"),
        ([GAME, "--depth", "2", "--position", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_cannot_be_counted(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert sentence in err


@pytest.mark.parametrize("text", ["board = 3", "this is no TOML", "{", "position = 3"])
def test_a_file_that_is_no_position(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong"
    path.write_text(text)
    code, _, err = run(capsys, GAME, "--depth", "2", "--position", str(path))
    assert code == 2
    assert err

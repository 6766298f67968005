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


# --- From a file --------------------------------------------------------------


SCENARIO = f"""
game = "{GAME}"
seats = 2
[options]
builder_diagonal = true
setup = {{ king_file = "c" }}
[position]
{POSITION}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "position"


@pytest.mark.parametrize("form", ["toml", "scenario", "json"])
def test_from_a_file(capsys: pytest.CaptureFixture[str], path: Path, form: str) -> None:
    position = tomllib.loads(POSITION)
    texts = {
        "toml": POSITION,
        "scenario": f'game = "{GAME}"\n[position]\n{POSITION}',
        "json": json.dumps({"position": position}),
    }
    path.write_text(texts[form])
    code, out, _ = run(capsys, GAME, "--depth", "3", "--position", str(path))
    assert code == 0
    assert int(out) == counted(Match(GAME, seed="1", position=position), 3)


def test_a_file_brings_its_game_and_options(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    path.write_text(SCENARIO)
    match = Match(GAME, {"builder_diagonal": True}, position=tomllib.loads(POSITION))
    lines = counted(match, 3)
    assert lines != counted(Match(GAME, position=tomllib.loads(POSITION)), 3)
    for words in ((), (GAME,), ("--set", "builder_diagonal=on"), ("--seats", "2")):
        assert run(capsys, *words, "--depth", "3", "--position", str(path)) == (0, f"{lines}\n", "")


def test_a_scenario_that_is_dealt(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    path.write_text(f'game = "{GAME}"\ntitle = "A deal"\n[options]\nsetup.king_file = "c"\n')
    lines = counted(Match(GAME, {"setup.king_file": "c"}), 2)
    assert lines != counted(Match(GAME), 2)
    assert run(capsys, GAME, "--depth", "2", "--position", str(path)) == (0, f"{lines}\n", "")


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        (SCENARIO, ["tower"], f"position is about {GAME}, not tower."),
        (SCENARIO, ["--seats", "3"], "position is for 2 seats, and --seats 3 says otherwise."),
        (SCENARIO, ["--set", "setup.king_file=e"], "setup.king_file is 'c' there, and --set"),
        (SCENARIO.replace("setup =", "setupp ="), [], "There is no option 'setupp.king_file'."),
        (SCENARIO.replace(GAME, "castle"), [], "There is no game 'castle'."),
        (POSITION, [], "GAME is missing, and"),
        (f'game = "{GAME}"\nboard = []', [], "'board' does not go beside 'game'; what lies on"),
        (f'game = "{GAME}"\noption = {{}}', [], "Did you mean 'options'?"),
        ('game = 3', [GAME], "game is a whole number; it must be a text."),
        ("a = " + "[" * 5000, [GAME], "nested too deeply"),
    ],
)  # fmt: skip
def test_a_file_that_says_otherwise(
    capsys: pytest.CaptureFixture[str], path: Path, text: str, words: list[str], sentence: str
) -> None:
    path.write_text(text)
    code, out, err = run(capsys, *words, "--depth", "2", "--position", str(path))
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["alcazar", "--depth", "2"], "leaves something to chance"),
        ([GAME], "--depth is missing"),
        ([GAME, "--depth", "0"], "'0' isn't a whole number from 1"),
        ([GAME, "--depth", "2", "--set", "setup.king_file=d"], "setup.king_file is 'd'"),
        ([GAME, "--depth", "2", "--position", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_cannot_be_counted(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert sentence in err


@pytest.mark.parametrize("name", ["castle_danger", "Castle Danger"])
def test_a_file_may_spell_the_game_as_the_command_line_may(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    path = tmp_path / "start.toml"
    path.write_text(f'game = "{name}"\n')
    assert run(capsys, GAME, "--depth", "1", "--position", str(path)) == (0, "8\n", "")


@pytest.mark.parametrize("text", ["board = 3", "this is no TOML", "{", "position = 3"])
def test_a_file_that_is_no_position(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong"
    path.write_text(text)
    code, _, err = run(capsys, GAME, "--depth", "2", "--position", str(path))
    assert code == 2
    assert err

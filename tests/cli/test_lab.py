"""``bartizan lab``: from the template to tables, games and comparisons; refusals; kill -9 in the middle."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from bartizan.cli.main import main
from bartizan.engine.mode import COMPILED
from bartizan.lab.experiment import Experiment
from bartizan.lab.reading import KEYS, SEARCH_KEYS

TEXT = """
game = "castle-danger"
players = ["greedy", "random"]
games = 40
confirm = { players = [] }
measures = ["fairness", "length"]
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["lab", *words])
    out, err = capsys.readouterr()
    return code, out, err


def help_of(capsys: pytest.CaptureFixture[str], part: str) -> str:
    assert main(["lab", part, "--help"]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    return path


def test_from_the_file_to_the_records(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    code, out, err = run(capsys, "run", str(file), "--threads", "2")
    assert (code, err) == (0, "")
    assert "Castle Danger: greedy, random; 40 games" in out
    assert "won.player.greedy" in out
    assert "40 games in a cell can show a difference in win share of about 22 points" in out
    assert out.index("Is it fair?") < out.index("How long is it?") < out.index("What did my change do?")
    assert out.index("What did my change do?") < out.index("Castle Danger: greedy, random")
    assert "You changed no rule. Add `--vary OPTION=A,B` to compare." in out
    folder = str(tmp_path / "mine")
    assert "won.player.greedy" in run(capsys, "show", folder)[1]
    printed = json.loads(run(capsys, "show", folder, "--json")[1])
    assert {row["group"] for row in printed["measures"]} == {"fairness", "length"}
    assert [each["key"] for each in printed["answers"]["answers"]] == ["fair", "length", "change"]
    quick, slow = (run(capsys, "show", folder, "--seconds-per-decision", each)[1] for each in ("5", "60.5"))
    assert "at 5 seconds a decision" in quick
    assert "at 60.5 seconds a decision" in slow
    for odd in ("0", "nan", "inf", "much", "-3"):
        code, _, err = run(capsys, "show", folder, "--seconds-per-decision", odd)
        assert (code, "is not a number above 0" in err) == (2, True), err
    where = ("--where", "won_1 = 1", "--best", "plies", "--take", "2")
    code, out, _ = run(capsys, "games", folder, *where, "--out", str(tmp_path / "records"))
    assert code == 0
    assert "won by 1" in out
    shortest = run(capsys, "games", folder, "--best", "-plies", "--take", "3")
    assert shortest[0] == 0
    plies = [int(text) for text in re.findall(r"(\d+) decisions", shortest[1])]
    assert plies == sorted(plies)
    assert run(capsys, "games", folder, "--best=-plies", "--take", "3") == shortest
    assert "--best -COLUMN" in help_of(capsys, "games")
    settled = f"{folder}/experiment.toml"
    assert run(capsys, "show", settled) == run(capsys, "show", folder)
    code, out, err = run(capsys, "run", settled)
    assert (code, err) == (0, "")
    assert not Path(folder, "experiment").exists()
    records = sorted((tmp_path / "records").iterdir())
    assert len(records) == 2
    assert main(["replay", str(records[0]), "--verify"]) == 0
    capsys.readouterr()
    code, out, _ = run(capsys, "compare", folder, folder)
    assert code == 0
    assert "paired by deal" in out


def test_the_template_runs_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    assert run(capsys, "new", "castle-danger", "--out", str(path))[0] == 0
    assert run(capsys, "new", "castle-danger", "--out", str(path))[0] == 2
    code, out, _ = run(capsys, "run", str(path), "--games", "6", "--out", str(tmp_path / "out"))
    assert code == 0
    assert "6 games" in out


def test_an_experiment_without_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a folder named like what is varied; the same words resume it, others get another folder."""
    monkeypatch.chdir(tmp_path)
    words = ("run", "--game", "castle-danger", "--games", "4")
    code, out, err = run(capsys, *words, "--vary", "add-cost=1..2")
    assert (code, err) == (0, "")
    assert out.startswith("  4 games in a cell")
    assert "Castle Danger: greedy, greedy; 12 games" in out
    assert out.index("What did my change do?") < out.index("Is it fair?")
    assert run(capsys, *words, "--vary", "add_cost=1,2") == (code, out, err)
    assert run(capsys, *words, "--vary", "add_cost=2,1")[0] == 0
    (tmp_path / "castle-danger").write_text("something else")
    assert run(capsys, *words)[0] == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        *("castle-danger", "castle-danger-2"),
        *("castle-danger-add-cost", "castle-danger-add-cost-2"),
    }
    kept = Experiment.open(tmp_path / "castle-danger-add-cost").design
    assert kept.vary == {"add_cost": (1, 2)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("runn",), "run"),
        (("new", "towr"), "Did you mean 'tower'"),
        (("show", "nowhere"), "isn't an experiment's folder"),
        (("run", "nowhere.toml"), "cannot be read"),
        ((), "is missing"),
        (("run",), "FILE or --game is missing"),
        (("run", "--game", "tower", "--vary", "jokerz=0,2"), "; jokers: 0, 2; decks: by_seats, 1, 2; "),
        (("run", "--game", "tower", "--vary", "jokers=0", "--vary", "jokers=2"), "jokers is given twice"),
        (("run", "--game", "tower", "--vary", "turn_limit=5..1"), "5..1 isn't a range"),
        (("run", "--game", "tower", "--vary", "turn_limit=1..9999999"), "at most 1,000 are allowed"),
        (("run", "--game", "towr", "--out", "x"), "Did you mean 'tower'"),
        (("run", "--game", "tower", "--seats", "7", "--out", "x"), "2 to 6 seats"),
        (("run", "--game", "tower", "--players", "greedy,gredy", "--out", "x"), "Did you mean 'greedy'"),
        (("run", "--game", "tower", "--players", "greedy,", "--out", "x"), "has an empty name"),
        (("run", "--game", "tower", "--set", "jokerz=2", "--out", "x"), "Did you mean 'jokers'"),
        (("run", "--game", "tower", "--vary", "jokers", "--out", "x"), "not of the form key=value"),
        (("run", "--game", "tower", "--until-most", "9", "--out", "x"), "--until-most goes with --until."),
        (
            ("run", "--game", "tower", "--confirm", "none", "--confirm-games", "4", "--out", "x"),
            "--confirm-games asks for games that --confirm none forbids.",
        ),
        (("run", "--game", "tower", "--until", "won.seat_1", "--out", "x"), "not of the form measure=width"),
        (("run", "--game", "tower", "--until", "won.seat1=0.1", "--out", "x"), "Did you mean 'won.seat_1'"),
        (("run", "--game", "tower", "--search-budgets", "9,x", "--out", "x"), "it must be two or more"),
        (("run", "--game", "tower", "--measurs", "x"), "Did you mean '--measures'"),
    ],
)
def test_refusals_are_sentences(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    code, _, err = run(capsys, *words)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


def test_every_key_of_an_experiment_is_a_flag(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    """The same words as flags and in a file are the same experiment; a flag goes before the file's key."""
    text = """
    game = "castle-danger"
    seats = 2
    players = ["greedy", "random"]
    seed = "word"
    measures = ["fairness", "what-if"]
    repeats = 2
    tried = 6
    until = { measure = "drawn", width = 0.9, most = 8 }
    options = { friendly_fire = "none" }
    vary = { turn_limit = [50, 4], "setup.king_file" = ["a", "b"] }
    confirm = { players = ["random"], games = 2 }
    search = { games = 3, iterations = 5, budgets = [4, 8], rounds = 2 }
    """
    flags = (
        *("--game", "castle-danger", "--seats", "2", "--players", "greedy,random", "--seed", "word"),
        *("--measures", "fairness,what-if", "--repeats", "2", "--tried", "6"),
        *("--until", "drawn=0.9", "--until-most", "8"),
        *("--set", "friendly-fire=none", "--vary", "turn_limit=50,4", "--vary", "setup.king_file=a,b"),
        *("--confirm", "random", "--confirm-games", "2", "--search-games", "3", "--search-iterations", "5"),
        *("--search-budgets", "4,8", "--search-rounds", "2"),
    )
    written = {flag.lstrip("-") for flag in flags if flag.startswith("--")}
    keys = {*KEYS, "set", "until-most", "confirm-games", *(f"search-{key}" for key in SEARCH_KEYS)}
    assert written == keys - {"options", "search", "games", "each"}  # which --set and others say; those below
    file.write_text(text)
    assert run(capsys, "run", str(file))[0] == 0
    assert run(capsys, "run", *flags, "--out", str(tmp_path / "flags"))[0] == 0
    settled = [(tmp_path / name / "experiment.toml").read_text() for name in ("mine", "flags")]
    assert settled[0] == settled[1]
    file.write_text(TEXT)
    over = ("--games", "4", "--set", "turn_limit=9", "--out", str(tmp_path / "over"))
    assert run(capsys, "run", str(file), *over)[0] == 0
    assert "turn_limit = 9\n" in (tmp_path / "over" / "experiment.toml").read_text()
    assert "4 games" in run(capsys, "show", str(tmp_path / "over"))[1]
    code, _, err = run(capsys, "run", str(tmp_path / "over"), "--seed", "other")
    assert (code, "holds another experiment: its seed" in err) == (2, True)


CONDITIONS = (
    *(
        "plies > 5; DROP TABLE games",
        "plies",
        "'a'",
        "((((",
        "won_1 = 'x'",
        "offered_1 > 3",
        "\x00",
        "plies >",
    ),
    *("__import__('os').system('touch PWNED')", "read_csv('SECRET') > 1", "plies > (SELECT 3)"),
    *("EXISTS (SELECT * FROM read_csv('SECRET'))", "plies IN (SELECT plies FROM games)", "nosuch > 3"),
)


def test_a_condition_is_an_expression_over_columns_and_nothing_else(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No condition runs a program, reads a file, or ends in more than a sentence."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "SECRET").write_text("secret,columns\n1,2\n")
    assert run(capsys, "run", str(file), "--measures", "fairness,choice", "--games", "4")[0] == 0
    before = sorted(path.name for path in tmp_path.iterdir())
    for condition in CONDITIONS:
        code, out, err = run(capsys, "games", "mine", "--where", condition)
        assert (code, out) == (2, ""), condition
        assert "--where" in err
        assert "secret" not in err.lower().replace("'secret'", "")
        assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_what_is_no_folder_of_an_experiment_is_told(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    assert run(capsys, "run", str(file))[0] == 0
    folder, settled = str(tmp_path / "mine"), tmp_path / "mine" / "experiment.toml"
    text, journal = settled.read_text(), tmp_path / "mine" / "chunks.jsonl"
    for damaged, said in (
        (text.replace("[made_with]", "[made_withh]"), "made_withh"),
        ("made_with = 3\n" + text.partition("[made_with]")[0], "played with"),
        (text + "x = [", "isn't valid TOML"),
        (text.replace('game = "castle-danger"', 'game = "tower"'), "another experiment"),
    ):
        settled.write_text(damaged)
        code, _, err = run(capsys, "run", str(file))
        assert (code, said in err) == (2, True), err
    settled.write_text(text)
    journal.write_text(journal.read_text().replace("games/000000.parquet", "../../SECRET"))
    assert "isn't a file of an experiment" in run(capsys, "show", folder)[1]
    (tmp_path / "tower.toml").write_text('game = "tower"\ngames = 2\n')
    assert run(capsys, "run", str(tmp_path / "tower.toml"))[0] == 0
    code, _, err = run(capsys, "compare", folder, str(tmp_path / "tower"))
    assert (code, "only experiments of one game" in err) == (2, True)


def test_a_file_of_other_games_is_told(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    """A Parquet file that is whole, and whose digest is right, but which lacks a column."""
    assert run(capsys, "run", str(file))[0] == 0
    path, journal = tmp_path / "mine" / "games" / "000000.parquet", tmp_path / "mine" / "chunks.jsonl"
    before = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    pl.read_parquet(path).drop("won_1").write_parquet(path)
    now = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    journal.write_text(journal.read_text().replace(before, now))
    code, _, err = run(capsys, "show", str(tmp_path / "mine"))
    assert (code, "other games than its experiment's" in err) == (2, True)


@pytest.mark.skipif(not COMPILED, reason="needs a run that lasts, and goes fast")
def test_a_killed_run_goes_on_and_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TEXT.replace("40", "60000"))
    command = [sys.executable, "-m", "bartizan", "lab", "run", str(tmp_path / "mine.toml")]
    killed = subprocess.Popen([*command, "--out", str(tmp_path / "a")], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while len(list((tmp_path / "a" / "games").glob("0*.parquet"))) < 3:
        assert killed.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert 3 <= len(list((tmp_path / "a" / "games").glob("0*.parquet"))) < 15
    for out, threads in (("a", "2"), ("b", "1")):
        subprocess.run(
            [*command, "--out", str(tmp_path / out), "--threads", threads],
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=240,
        )
    one, other = (sorted((tmp_path / out / "games").glob("0*.parquet")) for out in "ab")
    assert [path.name for path in one] == [path.name for path in other]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, other, strict=True))
    measures = [(tmp_path / out / "measures.parquet").read_bytes() for out in "ab"]
    assert measures[0] == measures[1]


@pytest.mark.skipif(not COMPILED, reason="needs a run that lasts, and goes fast")
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT.replace("40", "2000000"))
    command = [sys.executable, "-m", "bartizan", "lab", "run", str(path), "--threads", "2"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    games = tmp_path / "mine" / "games"
    deadline = time.monotonic() + 120
    while len(list(games.glob("0*.parquet"))) < 2:
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "resumes it" in out
    assert "Traceback" not in err
    assert not list(games.glob("*.part"))


def test_a_folder_from_before_confirmations_is_gone_on_with(
    capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    """A folder that was begun without a stronger player stays as it is, by its file and by itself."""
    folder = tmp_path / "mine"
    file.write_text(TEXT.replace("confirm = { players = [] }", ""))
    Experiment.begin(file, folder)
    for words in (str(file), str(folder)):
        code, out, err = run(capsys, "run", words)
        assert (code, err) == (0, "")
        assert "Castle Danger: greedy, random; 40 games" in out
    assert run(capsys, "run", str(file), "--confirm", "none", "--out", str(tmp_path / "alone"))[0] == 0
    assert "[confirm]\nplayers = []\n" in (tmp_path / "alone" / "experiment.toml").read_text()

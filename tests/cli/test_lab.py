"""``bartizan lab``: from the template to tables, games and comparisons; refusals; kill -9 in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bartizan.cli.main import main
from bartizan.engine.mode import COMPILED

TEXT = """
game = "castle-danger"
players = ["greedy", "random"]
games = 40
measures = ["fairness", "length"]
"""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["lab", *words])
    out, err = capsys.readouterr()
    return code, out, err


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
    folder = str(tmp_path / "mine")
    assert "won.player.greedy" in run(capsys, "show", folder)[1]
    rows = json.loads(run(capsys, "show", folder, "--json")[1])
    assert {row["group"] for row in rows} == {"fairness", "length"}
    where = ("--where", "won_1 = 1", "--best", "plies", "--take", "2")
    code, out, _ = run(capsys, "games", folder, *where, "--out", str(tmp_path / "records"))
    assert code == 0
    assert "won by 1" in out
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("runn",), "run"),
        (("new", "towr"), "Did you mean 'tower'"),
        (("show", "nowhere"), "holds no experiment"),
        (("run", "nowhere.toml"), "cannot be read"),
        ((), "is missing"),
    ],
)
def test_refusals_are_sentences(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    code, _, err = run(capsys, *words)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


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
    assert "goes on with it" in out
    assert "Traceback" not in err
    assert not list(games.glob("*.part"))

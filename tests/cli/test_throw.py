"""``bartizan throw`` and ``bartizan throws``."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from bartizan.cli.main import main
from bartizan.throwing.frames import NUMBERS, unpack
from bartizan.throwing.release import RANGES, read_release
from bartizan.throwing.standard import standard_layout
from bartizan.throwing.throw import throw

POSITION = """
game = "card-barrage"
seats = 4
"""


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def test_a_throw_is_told_and_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "throw")
    assert (code, err) == (0, "")
    *picture, legend, sentence = out.splitlines()
    assert legend == "o own cards, # opposing cards, . path, x first contact, @ thrown card"
    assert sentence == throw(standard_layout(), 1, read_release("lob", {})).sentence
    signs = set("".join(picture)) - {" "}
    assert signs == {"o", "#", ".", "x", "@"}


def test_json_and_frames(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    frames = tmp_path / "frames.csv"
    words = ("--method", "frisbee", "--speed", "1.6", "--azimuth", "-5", "--seat", 2, "--grace", "0.004")
    code, out, _ = run(capsys, "throw", *words, "--frames", frames, "--json")
    assert code == 0
    plain = json.loads(out)
    thrown = throw(standard_layout(), 2, read_release("frisbee", {"speed": 1.6, "azimuth": -5.0}), 0.004)
    assert plain == json.loads(json.dumps(thrown.to_json()))
    rows = list(csv.reader(frames.read_text().splitlines()))
    assert rows[0] == ["ms", "x", "y", "z", "qw", "qx", "qy", "qz"]
    assert len(rows) == plain["frames"] + 1
    assert len(rows[1]) == NUMBERS
    assert [float(v) for v in rows[-1]] == pytest.approx(unpack(thrown.flight.frames)[-1].tolist(), abs=1e-5)


def test_the_table_of_a_position(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "four.toml"
    path.write_text(POSITION)
    code, out, _ = run(capsys, "throw", "--table", path, "--seat", 3, "--json")
    assert code == 0
    poses = json.loads(out)["poses"]
    assert {name.split(".")[0] for name in poses if name != "card"} == {"1", "2", "3", "4"}
    code, _, err = run(capsys, "throw", "--table", path, "--seat", 5)
    assert (code, err) == (2, "bartizan: Nobody throws from seat 5; seats that throw are 1, 2, 3, 4.\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--speed", "9"], "The speed of a lob is 9.0; it must be 1.8 to 3.2 m/s."),
        (["--speed", "nan"], "The speed of a lob is nan; it must be 1.8 to 3.2 m/s."),
        (["--height", "high"], "The height of a lob is 'high'; it must be 0.08 to 0.25 m."),
        (["--method", "flip", "--tumble", "5"], "it must be 12 to 30 rad/s either way."),
        (
            ["--method", "frisbe"],
            "There is no way of throwing called 'frisbe'; there are lob, frisbee, flip. Did",
        ),
        (["--seat", "7"], "Nobody throws from seat 7; seats that throw are 1, 2."),
        (["--grace", "soon"], "The grace of a throw is 'soon'; it must be 0 to 0.1 seconds."),
        (["--elevaton", "50"], "has no option --elevaton. Did you mean '--elevation'?"),
        (["--table", "nowhere.toml"], "nowhere.toml"),
        (["--frames", "nowhere/frames.csv"], "nowhere/frames.csv"),
    ],
)
def test_bad_throws_are_refused(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    code, out, err = run(capsys, "throw", *words)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_game_without_throws_has_no_such_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "alcazar.toml"
    path.write_text('game = "alcazar"\n')
    code, _, err = run(capsys, "throw", "--table", path)
    assert code == 2
    assert "in which nothing is thrown" in err


def test_help_names_every_range(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "throw", "--help")
    assert code == 0
    for method, ranges in RANGES.items():
        for field, limits in ranges.items():
            assert f"{method} --{field}: {limits.text()}" in out


def test_throws_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "throws", "show")
    assert code == 0
    assert len(out.splitlines()) == 2 + 144
    code, out, _ = run(capsys, "throws", "show", "--json")
    rows = json.loads(out)
    assert len(rows) == 144
    assert set(rows[0]) == {
        "method",
        "target",
        "level",
        "throws",
        "landed",
        "share",
        "low",
        "high",
        "battlefield",
    }


def test_throws_measure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    made, skill = tmp_path / "made.parquet", tmp_path / "skill.toml"
    code, out, _ = run(capsys, "throws", "measure", "--throws", 1, "--bank", made, "--skill", skill)
    assert code == 0
    assert out.startswith("144 throws of the duel")
    assert "castle_doubles" in skill.read_text()
    assert run(capsys, "throws", "show", "--bank", made)[0] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["mesure"], "`bartizan throws` has no 'mesure'; it has measure and show. Did you mean 'measure'?"),
        (["show", "--bank", "none.parquet"], "none.parquet cannot be read as a bank of throws"),
        (["measure", "--bank", "none/b.parquet"], "There is no folder none for b.parquet."),
        (["measure", "--throws", "0"], "'0' isn't a whole number from 1 to 1000000"),
    ],
)
def test_bad_banks_are_refused(capsys: pytest.CaptureFixture[str], words: list[str], sentence: str) -> None:
    code, out, err = run(capsys, "throws", *words)
    assert (code, out) == (2, "")
    assert sentence in err

"""Exported games read back, and are the games that a batch plays."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
import pytest

import bartizan
from bartizan.cli.main import main
from bartizan.engine.errors import UnknownPlayer
from bartizan.envs.dataset import Unexportable, export
from bartizan.envs.settings import BadSetting, MissingExtra
from tests.games.tables import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_the_decisions_of_the_games(name: str, tmp_path: Path) -> None:
    (path,) = export(name, 3, tmp_path / "data", seed="ab", max_plies=15)
    rows = parquet.read_table(path).to_pylist()
    assert [(row["episode"], row["ply"]) for row in rows] == sorted(
        (row["episode"], row["ply"]) for row in rows
    )
    env = bartizan.batch(name, 3, seed="ab", max_plies=15, autoreset="disabled")
    step = env.reset()
    ends: dict[int, list[float]] = {}
    played = 0
    while (step.to_play >= 0).any():
        actions = np.zeros(3, np.int64)
        for i in np.flatnonzero(step.to_play >= 0):
            row = next(row for row in rows if (row["episode"], row["ply"]) == (i, env.plies[i]))
            assert row["observation"] == step.observation[i].tolist()
            assert row["legal"] == step.legal[i, : step.legal_count[i]].tolist()
            assert row["seat"] == step.to_play[i]
            assert row["action"] in row["legal"]
            assert (row["game"], json.loads(row["options"])) == (name, env.settings.options)
            actions[i] = row["action"]
            played += 1
        step = env.step(actions)
        for i in np.flatnonzero(step.terminated | step.truncated):
            ends.setdefault(int(i), step.reward[i].tolist())
    assert played == len(rows)
    assert all(row["rewards"] == ends[row["episode"]] for row in rows)


def test_the_command_writes_files_that_do_not_depend_on_how_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["export", "castle-danger", "--games", "5", "--players", "greedy,random", "--max-plies", "8"]
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    assert "5 games in 1 file" in capsys.readouterr().out
    monkeypatch.setattr("bartizan.envs.dataset.PER_FILE", 2)
    assert main([*words, "--out", str(tmp_path / "many")]) == 0
    assert "5 games in 3 files" in capsys.readouterr().out
    one, many = (
        [row for path in sorted((tmp_path / name).iterdir()) for row in parquet.read_table(path).to_pylist()]
        for name in ("one", "many")
    )
    assert one == many
    assert main([*words, "--out", str(tmp_path / "one")]) == 2
    assert "has Parquet files already" in capsys.readouterr().err
    assert main([*words[:-2], "--out", str(tmp_path / "x"), "--players", "gredy"]) == 2
    assert "greedy" in capsys.readouterr().err


def test_what_cannot_be_exported_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unexportable, match="cannot be made"):
        export("tower", 1, tmp_path / "file" / "data")
    with pytest.raises(BadSetting, match="games is 0"):
        export("tower", 0, tmp_path)
    with pytest.raises(UnknownPlayer):
        export("tower", 1, tmp_path, players=["nobody", "greedy"])
    with pytest.raises(BadSetting, match="several skills"):
        export("card-barrage", 1, tmp_path, players=["greedy:child", "greedy:expert"])


@pytest.mark.parametrize(
    ("module", "framework", "extra"),
    [
        ("gymnasium", "gymnasium", "gym"),
        ("pettingzoo", "pettingzoo", "zoo"),
        ("openspiel", "pyspiel", "openspiel"),
        ("dataset", "pyarrow", "data"),
    ],
)
def test_a_missing_framework_names_its_extra(
    module: str, framework: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == framework or name == f"bartizan.envs.{module}":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(MissingExtra, match=rf"{framework} is not installed.*bartizan\[{extra}\]"):
        importlib.import_module(f"bartizan.envs.{module}")

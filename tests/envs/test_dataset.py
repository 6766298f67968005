"""Games as Parquet: what is written is what was played, and nothing is lost or overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bartizan
from bartizan.cli.main import INTERRUPTED, main
from bartizan.engine.errors import UnknownPlayer
from bartizan.envs import dataset
from bartizan.envs.dataset import COLUMNS, HEADING, NoDataSet, export
from bartizan.envs.policy import BadPolicy
from bartizan.envs.settings import BadSetting

GIVEN: dict[str, dict[str, Any]] = {
    "tower": {"players": ["greedy", "random", "greedy"], "max_plies": 40},
    "card-barrage": {"players": ["greedy:expert"], "max_plies": 25},
}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Five games of each, two a file."""
    made = {}
    for name, given in GIVEN.items():
        made[name] = tmp_path_factory.mktemp(name) / "made"
        found = export(name, made[name], 5, seed="ab", games_a_file=2, threads=2, **given)
        assert (found.games, found.files) == (5, 3)
        assert found.bytes == sum(path.stat().st_size for path in made[name].glob("*.parquet"))
        assert found.plies == len(pl.read_parquet(made[name] / "*.parquet"))
    return made


@pytest.mark.parametrize("name", GIVEN)
def test_a_batch_plays_the_same_again(name: str, folders: dict[str, Path]) -> None:
    given = GIVEN[name]
    skill = "expert" if name == "card-barrage" else None
    env = bartizan.batch(
        name, 2, seats=len(given["players"]), options=given.get("options"), seed="ab", skill=skill,
        max_plies=given["max_plies"], autoreset="disabled", illegal="raise",
    )  # fmt: skip
    for number in range(3):
        table = pl.read_parquet(folders[name] / f"games-{number:06}.parquet")
        assert table.columns == list(COLUMNS)
        step = env.reset()
        for ply in range(given["max_plies"]):
            actions = np.zeros(2, np.int64)
            due = table.filter(pl.col("ply") == ply).to_dicts()
            active = [row["episode"] - 2 * number for row in due]
            assert set(active) == set(np.flatnonzero(step.to_play >= 0)) & ({0} if number == 2 else {0, 1})
            for i, row in zip(active, due, strict=True):
                assert row["seat"] == step.to_play[i] + 1
                assert row["player"] == given["players"][row["seat"] - 1]
                assert row["observation"] == step.observation[i].tolist()
                assert row["legal"] == step.legal[i, : step.legal_count[i]].tolist()
                assert row["action"] in row["legal"]
                actions[i] = row["action"]
            if number == 2:  # the last file has one game
                actions[1] = step.legal[1, 0]
            step = env.step(actions)
            for i, row in zip(active, due, strict=True):
                assert row["rewards"] == step.reward[i].tolist()
                assert (row["terminated"], row["truncated"]) == (step.terminated[i], step.truncated[i])


def test_programs_read_it_with_its_types(folders: dict[str, Path]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(folders["tower"])  # the whole folder; the heading is passed over
    ours = pl.read_parquet(folders["tower"] / "*.parquet")
    assert table.num_rows == len(ours)
    layout = bartizan.batch("tower").layout
    kinds = {field.name: str(field.type).replace("large_", "") for field in table.schema}
    assert kinds["observation"] == f"fixed_size_list<element: int8>[{layout.size}]"
    assert kinds["legal"] == "list<element: int32>"
    assert kinds["rewards"] == "fixed_size_list<element: float>[3]"
    assert kinds["terminated"] == "bool"
    for name in ("observation", "legal", "rewards", "action", "options"):
        assert table.column(name).to_pylist() == ours[name].to_list()
    assert ours["episode"].unique().to_list() == [0, 1, 2, 3, 4]
    assert not ours.filter(~pl.col("terminated") & ~pl.col("truncated"))["rewards"].arr.max().sum()


def test_who_looks_ahead_plays_the_same_whatever_the_threads(tmp_path: Path) -> None:
    given: dict[str, Any] = {"players": ["page", "greedy"], "max_plies": 3, "seed": 5}
    for threads in (1, 2):
        export("castle-danger", tmp_path / str(threads), 2, threads=threads, **given)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_what_was_cut_short_goes_on(tmp_path: Path, folders: dict[str, Path]) -> None:
    given = GIVEN["tower"] | {"seed": "ab", "games_a_file": 2}
    folder = tmp_path / "deep" / "set"

    def stop(done: int, total: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export("tower", folder, 5, progress=stop, **given)
    assert sorted(contents(folder)) == [HEADING, "games-000000.parquet"]
    kept = (folder / "games-000000.parquet").stat().st_mtime_ns
    seen: list[tuple[int, int]] = []
    export("tower", folder, 3, **given)
    export("tower", folder, 5, progress=lambda done, total: seen.append((done, total)), **given)
    assert contents(folder) == contents(folders["tower"])
    assert (folder / "games-000000.parquet").stat().st_mtime_ns == kept
    assert seen[0] == (2, 5)
    assert seen[-1] == (5, 5)
    assert seen == sorted(seen)
    assert export("tower", folder, 4, **given).games == 5  # what is there stays
    assert contents(folder) == contents(folders["tower"])


def test_another_data_set_is_left_alone(tmp_path: Path, folders: dict[str, Path]) -> None:
    folder = folders["tower"]
    before = contents(folder)
    given = GIVEN["tower"] | {"seed": "ab", "games_a_file": 2}
    for change, told in (
        ({"seed": "ac"}, 'its seed is "ab", not "ac"'),
        ({"players": ["random"] * 3}, "its players are"),
        ({"max_plies": None}, "its max plies is 40, not null"),
        ({"games_a_file": 3}, "its games a file is 2, not 3"),
    ):
        with pytest.raises(NoDataSet, match=told):
            export("tower", folder, 5, **(given | change))
    with pytest.raises(NoDataSet, match="its game is"):
        export("alcazar", folder, 5)
    assert contents(folder) == before
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(NoDataSet, match=r"holds 'notes\.txt'"):
        export("alcazar", tmp_path, 5)
    for text in ("{", '{"form": 1}', '{"form": 1e400}', "[]", "\0"):
        (tmp_path / HEADING).write_text(text)
        with pytest.raises(NoDataSet, match="isn't the heading of a data set"):
            export("alcazar", tmp_path, 5)


def test_a_damaged_file_is_told_and_not_replaced(tmp_path: Path) -> None:
    given: dict[str, Any] = {"games_a_file": 2, "max_plies": 3}
    export("alcazar", tmp_path, 3, **given)
    path = tmp_path / "games-000000.parquet"
    whole = path.read_bytes()
    for data in (b"", b"PAR1", whole[:-9], whole[100:], whole[:40] + bytes(len(whole) - 48) + whole[-8:]):
        path.write_bytes(data)
        with pytest.raises(NoDataSet, match="Delete it to have it written again"):
            export("alcazar", tmp_path, 3, **given)
        assert path.read_bytes() == data
    path.unlink()
    export("alcazar", tmp_path, 3, **given)
    assert path.read_bytes() == whole


def test_what_is_asked_for_is_checked_first(tmp_path: Path) -> None:
    folder = tmp_path / "never"
    for given, error in (
        ({"games": 0}, BadSetting),
        ({"games": True}, BadSetting),
        ({"games_a_file": 0}, BadSetting),
        ({"max_plies": -1}, BadSetting),
        ({"players": ["gredy"]}, UnknownPlayer),
        ({"players": ["policy:nowhere.onnx"]}, BadPolicy),
    ):
        with pytest.raises(error):
            export("alcazar", folder, **({"games": 3} | given))
        assert not folder.exists()


def test_a_trained_policy_takes_part(tmp_path: Path) -> None:
    players = ["policy:shipped", "greedy"]
    assert export("castle-danger", tmp_path / "out", 2, players=players, max_plies=6).plies == 12


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["export", "alcazar", "--games", "2", "--max-plies", "3", "--players", "greedy"]
    assert main([*words, "--out", str(tmp_path / "set")]) == 0
    assert "2 games, 6 plies in 1 file (0.0 MB): " in capsys.readouterr().out
    assert main([*words, "--out", str(tmp_path / "set"), "--json"]) == 0
    assert '"games": 2, "plies": 6, "files": 1' in capsys.readouterr().out
    assert main([*words, "--out", str(tmp_path / "set"), "--seed", "1"]) == 2
    assert "holds another data set: its seed is" in capsys.readouterr().err
    assert main([*words, "--out", str(tmp_path / "set"), "--set", "revive_range=exactly_2"]) == 2
    assert 'its option revive_range is "up_to_2", not "exactly_2"' in capsys.readouterr().err

    def stop(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dataset.Export, "play", stop)
    assert main([*words, "--out", str(tmp_path / "other")]) == INTERRUPTED
    assert [path.name for path in (tmp_path / "other").iterdir()] == [HEADING]


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ("greedy", "players is 'greedy'; it must be a list of names"),
        ([3, 4], "a player is 3; it must be a text"),
    ],
)
def test_players_are_a_list_of_names(players: Any, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=sentence):
        export("tower", tmp_path, 1, players=players)

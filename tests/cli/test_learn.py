"""``bartizan learn``: networks, training to go on with, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bartizan.cli.main import main
from bartizan.engine.mode import COMPILED
from bartizan.engine.network import load_network
from bartizan.games.alcazar.features import FEATURES

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="whole games want compiled rules"),
    pytest.mark.usefixtures("learning_compiled"),
]

SHORT = ("--games", "20", "--batch", "10", "--iterations", "8", "--hidden", "4")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["learn", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_network_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    code, out, err = run(capsys, "alcazar", str(path), *SHORT)
    assert (code, err) == (0, "")
    assert "2 batches, 20 games" in out
    assert load_network(path, FEATURES).hidden == 4


def test_rounds_as_json_and_training_gone_on_with(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("alcazar", str(tmp_path / "n.npz"), *SHORT, "--resume", str(tmp_path / "course"), "--json")
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert [json.loads(line)["number"] for line in out.splitlines()] == [1, 2]
    (tmp_path / "n.npz").unlink()
    assert run(capsys, *words) == (0, "", "")  # nothing is left to learn
    assert load_network(tmp_path / "n.npz", FEATURES).hidden == 4
    code, _, err = run(capsys, *words, "--seed", "1")
    assert code == 2
    assert "another training plan" in err


def test_ctrl_c_keeps_the_rounds_so_far(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bartizan.lab.learn import Training

    takes = Training.next_round

    def one_and_no_more(self: Training, *progress: object) -> object:
        if self.rounds:
            raise KeyboardInterrupt
        return takes(self)

    monkeypatch.setattr(Training, "next_round", one_and_no_more)
    path = tmp_path / "network.npz"
    code, out, _ = run(capsys, "alcazar", str(path), *SHORT)
    assert code == 130
    assert "1 of 2 batches, 10 games" in out
    assert load_network(path, FEATURES).hidden == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tower", "n.npz"), "Tower has no features"),
        (("alcasar", "n.npz"), "alcazar"),
        (("alcazar", "no/such/folder/n.npz"), "no/such/folder"),
        (("alcazar", "."), "it is a folder"),
        (("alcazar", "/dev/null"), "/dev/null cannot be written: it isn't a file"),
        (("alcazar", "n.npz", "--resume", "/dev/null"), "/dev/null cannot be written: it isn't a file"),
        (("alcazar", "n.npz", "--file", "/dev/null"), "/dev/null cannot be written: it isn't a file"),
        (("alcazar",), "NETWORK"),
    ],
)
def test_bad_input(
    words: tuple[str, ...],
    told: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *words, *SHORT)
    assert (code, out) == (2, "")
    assert told in err

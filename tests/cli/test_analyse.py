"""``bartizan analyse``: a bar for every decision, the turning point, JSON, and what is known when stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bartizan.cli.main import INTERRUPTED, main
from bartizan.engine.scene import Verdict
from bartizan.match import Match, analysis
from tests.castle_danger.tables import table


@pytest.fixture
def blunder(tmp_path: Path) -> Path:
    """Keep a game in which Blue leaves the King alone that he could hit, and is hit himself."""
    match = table(moves=9, g4="C", b2="W", a6="c", b9="w")
    for move in ("b2-b3", "end", "fire a6 a1"):
        match.play(move)
    return written(tmp_path, match)


def written(folder: Path, match: Match) -> Path:
    path = folder / "game.toml"
    path.write_text(match.record(secret_seed=True).text(), encoding="utf-8")
    return path


def test_every_decision_has_a_line_and_the_turning_point_a_sentence(
    blunder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(blunder), "--iterations", "60"]) == 0
    out, err = capsys.readouterr()
    heading, *lines = out.splitlines()
    assert (heading, err) == ("Blue’s chance to win before each move:", "")
    assert [line[:6] for line in lines[:3]] == ["    1.", "►   2.", "    3."]
    assert lines[1].split()[2:5] == ["Blue", "█" * 20, "100%"]
    assert ": fire g4 g9" in lines[1]
    assert lines[2].split()[1:4] == ["Red", "░" * 20, "0%"]  # it was Red's chance beside Blue's bar
    assert lines[3].split() == ["end", "░" * 20, "0%", ":", "100%"]
    assert lines[4].startswith("Average cost of a decision, in points of the chance to win: Blue ")
    assert lines[5].startswith("Turning point: move 2. “End the turn: Red is next” cut Blue’s chance ")
    assert len(lines) == 6


def test_json_has_every_field(blunder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(blunder), "--iterations", "60", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["seats"], told["over"], told["interrupted"]) == (
        "castle-danger",
        2,
        True,
        False,
    )
    assert (told["turning"], told["end"]) == (2, [0.0, 1.0])
    assert [verdict["move"] for verdict in told["verdicts"]] == ["b2-b3", "end", "fire a6 a1"]
    assert all(set(verdict) == set(Verdict.__struct_fields__) for verdict in told["verdicts"])
    assert told["verdicts"][1]["best"] == "fire g4 g9"
    assert len(told["mean_losses"]) == 2


def test_a_game_that_is_not_over_is_judged_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match("castle-danger", seed="1")
    match.play("add cannon")
    path = written(tmp_path, match)
    assert main(["analyse", str(path), "--iterations", "20"]) == 0
    assert capsys.readouterr().out.endswith("The game isn't over, so the last chances are estimates.\n")
    assert main(["analyse", str(path), "--iterations", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["over"] is False


def test_a_record_without_moves_and_a_broken_one_are_refused(
    tmp_path: Path, blunder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = blunder.read_text(encoding="utf-8").replace("fire a6 a1", "fire a6 g9")
    empty = written(tmp_path, Match("castle-danger", seed="1"))
    assert main(["analyse", str(empty)]) == 2
    assert capsys.readouterr().err == (f"bartizan: {empty} has no moves: there is nothing to review.\n")
    empty.write_text(text, encoding="utf-8")
    assert main(["analyse", str(empty)]) == 2
    assert "fire a6 g9" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_what_is_known_by_then_is_shown_when_it_is_stopped(
    blunder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    whole = analysis.verdicts

    def stopped(match: Match, iterations: int) -> Iterator[Verdict]:
        for verdict in whole(match, iterations):
            yield verdict
            if verdict.ply == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(analysis, "verdicts", stopped)
    assert main(["analyse", str(blunder), "--iterations", "20", *words]) == INTERRUPTED
    out = capsys.readouterr().out
    if words:
        told = json.loads(out)
        assert (told["interrupted"], told["turning"], len(told["verdicts"])) == (True, None, 2)
    else:
        assert [line[:6] for line in out.splitlines()[1:]] == ["    1.", "    2."]


def test_stopped_before_anything_is_known_it_says_nothing(
    blunder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(match: Match, iterations: int) -> Iterator[Verdict]:
        raise KeyboardInterrupt

    monkeypatch.setattr(analysis, "verdicts", stopped)
    assert main(["analyse", str(blunder)]) == INTERRUPTED
    assert capsys.readouterr() == ("", "")

"""``bartizan puzzles`` from the command line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from bartizan.cli.main import INTERRUPTED, main
from bartizan.engine import registry
from bartizan.lab.puzzles import Finder
from bartizan.match.lessons import Puzzle, read_puzzles


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "There is no game 'chess'"),
        (["card-barrage"], "Card Barrage comes with no puzzles"),
        (["alcazar", "--kind", "holt"], "no kind of puzzle 'holt'. Did you mean 'hold'?"),
        (["alcazar", "--games", "0"], "--games"),
    ],
)
def test_what_cannot_be_sought_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzles", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_what_was_found_is_written_even_if_the_search_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = read_puzzles(registry.get("alcazar")).puzzle

    def found_in(finder: Any, number: int) -> list[Puzzle]:
        if number == 3:
            raise KeyboardInterrupt
        return [known[number]]

    monkeypatch.setattr(Finder, "found_in", found_in)
    out = tmp_path / "found.toml"
    assert main(["puzzles", "alcazar", "--games", "9", "--out", str(out)]) == INTERRUPTED
    assert [one["show"] for one in tomllib.loads(out.read_text())["puzzle"]] == [
        list(one.show) for one in known[:3]
    ]

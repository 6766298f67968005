"""Figures in files: whose are read, and that a change of them is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bartizan.engine.data import data_file, own_data
from bartizan.engine.rule import cache_of, source_digest


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_ones_own_file_goes_before_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "games" / "somegame"
    theirs = write(game / "data" / "figures.toml", "a = 1")
    other = write(game / "data" / "other.toml", "a = 1")
    mine = write(tmp_path / "mine" / "somegame" / "data" / "figures.toml", "a = 2")
    monkeypatch.delenv("BARTIZAN_DATA", raising=False)
    assert own_data(game) == ()
    assert data_file(game, "figures.toml") == theirs
    monkeypatch.setenv("BARTIZAN_DATA", str(tmp_path / "mine"))
    assert data_file(game, "figures.toml") == mine
    assert data_file(game, "other.toml") == other
    monkeypatch.setenv("BARTIZAN_DATA", str(tmp_path / "nowhere"))
    assert data_file(game, "figures.toml") == theirs


def test_other_figures_are_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BARTIZAN_DATA", raising=False)
    digests = set()
    for number in range(2):
        write(tmp_path / "somegame" / "data" / "figures.toml", f"a = {number}")
        source_digest.cache_clear()
        digests.add(cache_of("somegame", tmp_path / "somegame"))
    monkeypatch.setenv("BARTIZAN_DATA", str(tmp_path / "mine"))
    for number in range(2):
        write(tmp_path / "mine" / "somegame" / "data" / "figures.toml", f"a = {number}")
        source_digest.cache_clear()
        digests.add(cache_of("somegame", tmp_path / "somegame"))
    source_digest.cache_clear()
    assert len(digests) == 4

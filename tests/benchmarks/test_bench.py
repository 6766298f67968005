"""What `make bench` prints of searches; not how fast they are."""

from __future__ import annotations

import asyncio
import re
import sys

import pytest

from bartizan.engine import registry
from benchmarks import lab, thinking, throws
from benchmarks.server import measure_load


def test_thinking_is_measured_for_every_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(thinking, "RUNS", 1)
    monkeypatch.setattr(thinking, "RUN_SECONDS", 0.001)
    monkeypatch.setattr(thinking, "OPEN", ())
    monkeypatch.setattr(thinking, "HIDDEN", ())
    thinking.run()
    out = capsys.readouterr().out
    for name in registry.names():
        told = re.search(rf"  {re.escape(registry.get(name).title)}: ([\d.]+) k at the opening", out)
        assert told, out
        assert float(told[1]) > 0


def test_a_game_that_is_over_too_early_is_left_out() -> None:
    assert thinking.measure(registry.get("alcazar"), 100_000) is None
    assert thinking._line("X", [1000.0, None, 2500.0]) == "X: 1.0 k at the opening, 2.5 k after 16 plies"


def test_throws_are_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name, value in (("RUNS", 1), ("THROWS", 3), ("DRAWS", 100), ("STEPS", 10)):
        monkeypatch.setattr(throws, name, value)
    throws.run()
    out = capsys.readouterr().out
    for words in (r"[\d,]+ throws/s to rest", r"[\d,]+ steps/s of two cards", r"M draws/s from the bank"):
        assert re.search(words, out), out


def test_a_load_is_played_where_the_cards_would_wait_for_shares() -> None:
    assert asyncio.run(measure_load("tower", 2, 1, 0.2))[0].moves > 0


def test_what_measuring_costs_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one game, and without a cluster, which takes longer to start than all other tests of this file."""
    for name, value in (("RUNS", 1), ("SECONDS", 0.01), ("CHUNKS", 2), ("FAST", 20)):
        monkeypatch.setattr(lab, name, value)
    monkeypatch.setattr(registry, "names", lambda: ["castle-danger"])
    monkeypatch.setitem(sys.modules, "ray", None)
    lab.run()
    out = capsys.readouterr().out
    assert re.search(r"Castle Danger: [\d,]+ bare, [\d,]+ with fairness and length \([\d.]+\)", out), out
    assert re.search(r"[\d,]+ with all that needs no search \([\d.]+\)", out), out
    assert re.search(
        r"[\d,]+ games/s on two threads, [\d.]+ s a chunk\n  not on Ray: A Ray cluster needs packages", out
    ), out

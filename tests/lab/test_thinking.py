"""Measures that search: a curve of chances made by hand, and games that are looked at once and kept."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

from bartizan.lab.experiment import Experiment
from bartizan.lab.groups.analysis import AnalysedGames, drama_of, weight_of


def curve(*chances: tuple[float, ...], over: bool = True) -> pl.DataFrame:
    last = len(chances) - 1
    rows = [
        {
            **{f"chance_{seat}": each for seat, each in enumerate(row, 1)},
            "seat": 0 if over and ply == last else 1,
            "legal": 0 if ply == last else 2 + ply,
            "weight": math.nan if ply == last else 0.1 * ply,
            "near": 0 if ply == last else 2,
        }
        for ply, row in enumerate(chances)
    ]
    return pl.DataFrame(rows)


def test_a_curve_made_by_hand() -> None:
    """Seat 1 leads, falls behind at decision 1, is ahead for good from decision 3, wins after four."""
    facts = drama_of(curve((0.6, 0.4), (0.2, 0.8), (0.5, 0.5), (0.9, 0.1), (1.0, 0.0)))
    assert facts["lead_changes"] == 2
    assert facts["decided_at"] == 3 / 4  # level at decision 2: seat 2 is still the one who led last
    assert facts["comeback"] == 0.2
    steps = [0.4, 0.3, 0.4, 0.1]
    assert facts["surprise"] == pytest.approx(math.sqrt(sum(step**2 for step in steps) / 4))

    def bits(p: float) -> float:
        return -(p * math.log2(p) + (1 - p) * math.log2(1 - p))

    assert facts["uncertainty"] == pytest.approx((bits(0.6) + bits(0.2) + 1 + bits(0.9)) / 4)


def test_a_game_for_one_is_played_against_losing() -> None:
    facts = drama_of(curve((0.3,), (0.7,), (0.4,), (0.0,)))
    assert facts["lead_changes"] == 2
    assert facts["decided_at"] == 2 / 3  # lost for good from decision 2 on
    assert facts["comeback"] == pytest.approx(0.3)  # the least that losing had


def test_a_draw_and_a_broken_off_game_are_decided_by_nobody() -> None:
    for frame in (curve((0.6, 0.4), (0.5, 0.5)), curve((0.6, 0.4), (0.7, 0.3), over=False)):
        facts = drama_of(frame)
        assert math.isnan(facts["decided_at"])
        assert math.isnan(facts["comeback"])


def test_the_weight_of_decisions_is_that_of_choices() -> None:
    assert weight_of(curve((0.5, 0.5), (0.5, 0.5), (0.5, 0.5), (1.0, 0.0)))["weight"] == pytest.approx(0.1)
    assert math.isnan(weight_of(curve((1.0, 0.0)))["weight"])


def test_games_are_looked_at_once_and_kept(tmp_path: Path) -> None:
    tables = {
        "game": "castle-danger",
        "games": 4,
        "measures": ["drama", "weight", "skill"],
        "search": {"games": 2, "iterations": 8, "budgets": [2, 4], "rounds": 1},
    }
    experiment = Experiment.begin(tables, tmp_path / "out")
    experiment.run()
    assert experiment.forecast() > 0
    told: list[tuple[int, int]] = []
    experiment.think(2, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1]
    thinking = AnalysedGames(experiment.design, tmp_path / "out")
    before = {path: path.read_bytes() for path in thinking.path.iterdir()}
    assert len(before) == 2
    assert experiment.forecast() == 0
    measures = experiment.measures()
    experiment.think()
    assert {path: path.read_bytes() for path in thinking.path.iterdir()} == before
    assert experiment.measures().equals(measures)
    names = set(measures["measure"])
    assert {"lead_changes", "weight", "step.greedy", "step.search@2", "step.search@4", "depth"} <= names
    for path in before:
        frame = pl.read_parquet(path)
        game = experiment.select(f"game = {frame['game'][0]}")
        assert frame.height == game["plies"][0] + 1
        assert frame["chance_1"][-1] == (game["return_1"][0] + 1) / 2

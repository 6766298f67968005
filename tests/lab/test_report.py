"""The report: its sentences, that it needs nothing from elsewhere, and that its games replay."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from bartizan.cli.main import main
from bartizan.lab.design import BadExperiment, Cell
from bartizan.lab.experiment import Experiment
from bartizan.lab.intervals import Interval
from bartizan.lab.measures import Figure
from bartizan.lab.report import page
from bartizan.lab.verdicts import THRESHOLDS, percent, verdicts
from bartizan.match.match import Match
from bartizan.match.record import GameRecord

CELL = Cell(0, {}, "", ("greedy", "greedy"), 10)
TABLES = {
    "game": "castle-danger",
    "players": ["greedy", "random"],
    "games": 30,
    "measures": ["fairness", "length", "choice", "clauses", "pieces"],
    "vary": {"friendly_fire": ["none", "all"]},
    "confirm": {"players": ["random"], "games": 10},
}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    experiment = Experiment.begin(TABLES, tmp_path_factory.mktemp("report") / "out")
    experiment.run()
    assert main(["lab", "report", str(experiment.folder.path)]) == 0
    return (experiment.folder.path / "report.html").read_text(encoding="utf-8")


def figure(measure: str, at: float, low: float, high: float) -> Figure:
    return Figure("fairness", measure, "level", CELL, Interval(at, low, high, "test"), 100, 100, "")


def test_it_needs_nothing_from_elsewhere(text: str) -> None:
    assert not re.search(r"(src|href)=|@import|url\(|<script", text)
    assert len(text) < 3_000_000


def test_it_has_a_section_for_each_group_and_says_how_to_run_it_again(text: str) -> None:
    for group in ("Fairness", "Length", "Choice", "Clauses", "Pieces", "Games", "Run it again"):
        assert f"<h2>{group}</h2>" in text
    assert text.count("<svg") >= 4
    assert "players: random" in text
    assert "Threshold" in text
    settings = html.unescape(re.findall(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)[-1])
    assert 'friendly_fire = ["none", "all"]' in settings


def test_its_games_replay(text: str) -> None:
    records = [html.unescape(each) for each in re.findall(r"<pre[^>]*>(.*?)</pre>", text, re.DOTALL)[:-1]]
    assert len(records) == 2
    for record in records:
        assert Match.of(GameRecord.parse(record)).is_over


def test_without_games_there_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(BadExperiment, match="no finished games"):
        page(Experiment.begin(TABLES, tmp_path / "empty"))


def test_a_sentence_claims_only_what_the_whole_interval_bears() -> None:
    said = {
        side: verdicts([figure("dead_turns", at, low, high)])[0]
        for side, (at, low, high) in {
            "good": (0.1, 0.05, 0.15),
            "bad": (0.3, 0.25, 0.35),
            "open": (0.2, 0.15, 0.25),
        }.items()
    }
    assert {side: verdict.tone for side, verdict in said.items()} == {side: side for side in said}
    assert said["good"].sentence == "10 % ± 5 of the turns offer no choice."


def test_of_several_seats_the_one_farthest_ahead_is_told() -> None:
    figures = [figure("advantage.seat_1", -0.1, -0.12, -0.08), figure("advantage.seat_2", 0.1, 0.08, 0.12)]
    (verdict,) = verdicts(figures)
    assert (verdict.tone, verdict.figure.measure) == ("bad", "advantage.seat_2")
    assert "Seat 2 has an advantage" in verdict.sentence.replace("seat 2", "Seat 2")


def test_each_threshold_says_why() -> None:
    assert all(len(threshold.reason.split()) > 8 for threshold in THRESHOLDS)
    assert percent(0.54, 0.52, 0.56) == "54 % ± 2"
    assert percent(0.0, 0.0, 0.05) == "0 % (0 to 5)"
    assert verdicts([figure("drawn", float("nan"), float("nan"), float("nan"))]) == []

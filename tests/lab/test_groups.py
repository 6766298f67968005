"""Groups of measures: all are documented, and a new one needs its class and its place in the list."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import pytest

from bartizan.lab import groups
from bartizan.lab.describe import main
from bartizan.lab.design import Design
from bartizan.lab.experiment import Experiment
from bartizan.lab.group import MeasureGroup, Plan
from bartizan.lab.groups import GROUPS
from bartizan.lab.measures import Measure, number
from bartizan.lab.reading import design_of
from bartizan.lab.report.gather import gather
from bartizan.lab.report.page import render
from bartizan.lab.tables import lines

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"


class Hurry(MeasureGroup):
    """How many games are quick."""

    name = "hurry"
    meaning = "how many games are quick"
    heading = "In a hurry"
    plans = (Plan(("quick",), "Games that are quick", "share of games"),)

    def missing(self, design: Design) -> str:
        """Return why a game for one has none."""
        return "Nobody waits." if design.seats == 1 else ""

    def ratios(self, design: Design) -> Iterable[Measure]:
        """Return its one measure."""
        yield Measure(self.name, "quick", "games of 20 decisions at most", number("plies") <= 20)


def test_every_group_is_listed() -> None:
    for module in pkgutil.iter_modules(groups.__path__, f"{groups.__name__}."):
        for name, found in inspect.getmembers(import_module(module.name), inspect.isclass):
            if issubclass(found, MeasureGroup) and found.__module__ == module.name:
                assert type(GROUPS.get(found.name)) is found, f"add {name} to lab/groups/__init__.py"


def test_every_measure_of_a_group_is_defined() -> None:
    tables = [{"game": "tower", "seats": 3, "games": 2}, {"game": "card-cassonne", "games": 2}]
    for table in tables:
        design = design_of({**table, "measures": [*GROUPS]})
        for group in GROUPS.values():
            names = ", ".join(group.definitions).split(", ")
            defined = "|".join(re.sub("[A-Z]$", ".+", re.escape(name)) for name in names)
            for measure in group.ratios(design):
                assert re.fullmatch(defined, measure.name), f"{group.name}: define {measure.name}"


def test_the_page_of_measures_is_fresh(tmp_path: Path) -> None:
    main([str(tmp_path / "page.md")])
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8"), (
        "run `make generated`"
    )


def test_a_new_group_is_played_shown_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GROUPS, "hurry", Hurry())
    experiment = Experiment.begin(
        {"game": "castle-danger", "games": 20, "measures": ["hurry"]}, tmp_path / "quick"
    )
    frame = experiment.run()
    games = experiment.games().collect()
    assert frame.rows_by_key("measure", named=True)["quick"][0]["estimate"] == (games["plies"] <= 20).mean()
    assert any("games of 20 decisions at most" in line for line in lines(experiment.design, frame))
    page = render(gather(experiment))
    assert "In a hurry" in page
    assert "Games that are quick" in page


def test_a_group_says_why_it_does_not_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GROUPS, "hurry", Hurry())
    tables = {"game": "alcazar", "games": 2, "measures": ["hurry", "what-if", "pieces"]}
    missing = Experiment.begin(tables, tmp_path / "alone").missing()
    assert missing["hurry"] == "Nobody waits."
    assert missing["what-if"].startswith("Nothing is varied")
    assert all(sentence.endswith(".") for sentence in missing.values())

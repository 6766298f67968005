"""Games of other players confirm the first cell, with its options; in folders of before with the defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.options import flat
from bartizan.lab import store
from bartizan.lab.experiment import Experiment
from bartizan.lab.reading import design_of
from bartizan.lab.report.answer import Answers
from bartizan.lab.report.findings import CellInfo
from bartizan.lab.report.gather import answers_of
from bartizan.lab.report.verdict import confirmed
from tests.lab.reporting import findings

NOT_THE_DEFAULT: dict[str, Any] = {
    "game": "castle-danger",
    "players": ["random"],
    "games": 8,
    "measures": ["fairness", "choice"],
    "vary": {"friendly_fire": ["none", "all"]},
    "confirm": {"players": ["greedy"], "games": 8},
}
APART = "The games of greedy aren't compared"


def answered(experiment: Experiment) -> Answers:
    return answers_of(experiment, experiment.measures())


@pytest.mark.parametrize(
    "more", [{}, {"options": {"turn_limit": 9}}, {"vary": {}, "each": {"friendly_fire": ["none"]}}]
)
def test_the_confirmation_plays_with_the_options_of_the_first_cell(more: dict[str, Any]) -> None:
    first, *_, last = design_of({**NOT_THE_DEFAULT, **more}).cells
    assert last.confirms
    assert last.options == first.options


def test_what_stronger_players_avoid_is_told_if_the_first_cell_has_no_default_options(tmp_path: Path) -> None:
    experiment = Experiment.begin(NOT_THE_DEFAULT, tmp_path / "one")
    figures = experiment.run()["measure"].to_list()
    assert "avoided.fire" in figures
    said = answered(experiment)
    assert "isn't measured" not in said.answers[-1].sentence
    assert "8 games of greedy" in said.note
    assert APART not in said.note


def of_before(path: Path) -> None:
    """Make a folder one of the version that confirmed with the default options."""
    settled = path / store.SETTLED
    lines = settled.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(store.CONFIRMS_FIRST)]
    assert len(kept) < len(lines)
    settled.write_text("".join(kept))


def test_a_confirmation_with_other_options_is_gone_on_with_and_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "old"
    design = design_of(NOT_THE_DEFAULT)
    Experiment.begin(design, path)
    of_before(path)
    experiment = Experiment.begin(design, path)
    figures = experiment.run()["measure"].to_list()
    assert not any(name.startswith("avoided.") for name in figures)
    *_, last = experiment.design.cells
    assert flat(last.options)["friendly_fire"] == "all"
    assert last.label == "players: greedy, friendly_fire = all"
    said = answered(experiment)
    assert APART in said.note
    assert "judged by" not in said.note
    more = Experiment.begin(replace(design, confirm_games=12), path)
    more.run()
    opened = Experiment.open(path)
    assert opened.faults == []
    assert opened.design.cells[-1].options == last.options
    assert opened.games().collect().height == 2 * 8 + 12


def test_a_report_does_not_repeat_its_verdict_with_other_options() -> None:
    cells = (*findings().main, CellInfo(2, "players: top, fast = false", ("top",), True, other_rules=True))
    assert confirmed(findings(cells=cells)) == []


def test_a_folder_of_before_is_compared_if_its_options_are_the_same(tmp_path: Path) -> None:
    tables = {**NOT_THE_DEFAULT, "vary": {"friendly_fire": ["all", "none"]}}
    Experiment.begin(tables, tmp_path / "same").run()
    of_before(tmp_path / "same")
    experiment = Experiment.open(tmp_path / "same")
    assert experiment.design.cells[-1].label == "players: greedy"
    assert "avoided.fire" in experiment.measures()["measure"].to_list()
    assert APART not in answered(experiment).note

"""The cards of games that only declare a deck and hands are measured; what a game says itself goes first."""

from __future__ import annotations

import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars.selectors as cs
import pytest

from bartizan.engine.defaults import make_playtest
from bartizan.lab.design import BadExperiment
from bartizan.lab.experiment import Experiment
from bartizan.lab.groups import GROUPS
from bartizan.lab.intervals import NOT_MEASURED
from bartizan.lab.reading import design_of
from bartizan.match import Match
from tests.lab import planted
from tests.lab.test_planted import TABLES, played

OWN = ("PIECES", "PIECE", "mark_held", "pieces_played")


def derived(**more: object) -> Any:
    """Return what is derived for the planted game if it says nothing about its pieces but `more`."""
    home = types.ModuleType(planted.__name__)
    vars(home).update({name: value for name, value in vars(planted).items() if name not in OWN})
    vars(home).update(more)
    assert planted.game.short is not None
    return make_playtest(replace(planted.game.short, home=home))


def plain(rule: Any) -> Any:
    return getattr(rule, "py_func", rule)


def test_cards_held_and_played_are_those_that_a_game_would_tell() -> None:
    found = derived()
    assert (found.PIECES, found.PIECE) == (planted.PIECES, "card")
    match = Match(planted.game.plain, {}, 2, "5")
    held = 0
    while not match.is_over:
        for seat in (1, 2):
            marks = [[0] * len(planted.PIECES) for _ in range(2)]
            for side, module in enumerate((planted, found)):
                plain(module.mark_held)(match.view(), seat, marks[side])
            assert marks[0] == marks[1]
            held += sum(marks[0])
        for action in range(planted.ACTIONS.size):
            own, other = (plain(each.pieces_played)(match.view(), action) for each in (planted, found))
            assert own == other
        match.play(match.legal()[match.ply % 2])
    assert held > 4


def test_what_is_no_list_of_names_is_not_taken_for_one() -> None:
    """The template of a game with a board has a number under this name."""
    assert derived(PIECES=4).PIECES == planted.PIECES
    assert derived(PIECES=("joker",)).PIECES == ("joker",)
    assert not hasattr(derived(PIECES=("joker",)), "DERIVED")


def test_an_experiment_measures_derived_cards(tmp_path: Path) -> None:
    found = played({**TABLES, "games": 40}, tmp_path, *OWN)
    names = {name for name, *_ in found["measures"]}
    assert {"held.Ax", "played.Ax", "worth_opened.Ax"} <= names


def test_a_folder_from_before_cards_were_derived_is_read_and_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = {"game": "castle-danger", "players": ["random"], "games": 2, "measures": ["fairness", "pieces"]}
    tables["confirm"] = {"players": ["greedy"], "games": 2}
    design = design_of(tables)
    monkeypatch.setattr(design.game.playtest, "DERIVED", True, raising=False)
    Experiment.begin(design, tmp_path / "new").run()
    Experiment.begin(design, tmp_path / "new")
    monkeypatch.delattr(design.game.playtest, "DERIVED")
    experiment = Experiment.begin(design, tmp_path / "old")
    experiment.run()
    frame = next(experiment.folder.frames()).drop(cs.matches(r"^(held|played|opened)_"))
    for collector in GROUPS["pieces"].collectors(design):
        collector.add(frame)
        assert {each.interval.method for each in collector.figures()} <= {NOT_MEASURED}
    monkeypatch.setattr(design.game.playtest, "DERIVED", True, raising=False)
    Experiment.open(tmp_path / "old")
    with pytest.raises(BadExperiment, match=r"did not record which cards.*another folder"):
        Experiment.begin(design, tmp_path / "old")

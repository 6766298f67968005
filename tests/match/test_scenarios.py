"""Every scenario of the collection holds, and names only clauses that exist."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bartizan.engine import registry
from bartizan.match import scenario

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
FILES = sorted(SCENARIOS.rglob("*.toml"))


def test_there_are_scenarios() -> None:
    assert len(FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SCENARIOS).as_posix())
def test_a_scenario_holds(path: Path) -> None:
    assert scenario.run_file(path).failures == []
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    assert table["title"].strip()
    book = registry.get(table["game"]).clauses
    known = {each.id for each in book} | {question for each in book for question in each.questions}
    assert set(table.get("clauses", [])) <= known

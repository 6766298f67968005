"""A game in two files with heaps and teams: what is drawn, touched, said and won."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine.errors import UnfinishedGame
from bartizan.engine.game import Game
from bartizan.match import Match
from tests.examples.installing import install, run
from tests.server.serving import ROOT

EXAMPLE = ROOT / "examples" / "sowing"


@pytest.fixture
def sowing(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from sowing import game  # type: ignore[import-not-found]

    return game  # type: ignore[no-any-return]


def test_it_passes_its_check(tmp_path: Path) -> None:
    said = run(install(EXAMPLE, tmp_path), "-m", "bartizan", "check", str(EXAMPLE / "sowing"))
    assert "1 scenario, 0 faults" in said


def zones(match: Match, seat: int) -> dict[str, Any]:
    return {zone["id"]: zone for zone in msgspec.to_builtins(match.views.scene(seat))["zones"]}


def test_each_seat_has_a_row_of_heaps(sowing: Game) -> None:
    match = Match(sowing, {}, 4, "1")
    rows = zones(match, 1)
    assert [rows[f"pits:{seat}"]["label"] for seat in (1, 2)] == ["Your pit", "East's pit"]
    assert len(rows["pits:1"]["items"]) == 12  # three seeds in each of four pits
    match.play(match.legal()[0])
    held = [item["at"] for item in zones(match, 2)["pits:1"]["items"]]
    assert [held.count(f"pits:1:{place}") for place in (1, 2, 3, 4)] == [0, 4, 4, 4]


def test_a_large_heap_is_told_as_a_number(sowing: Game) -> None:
    position = {"pits": [30, 18] + [0] * 14, "caught": [0] * 4, "to_move": "north"}
    match = Match(sowing, {}, 4, "1", position)
    items = zones(match, 1)["pits:1"]["items"]
    assert [item.get("badge", "") for item in items if item["at"] == "pits:1:1"] == ["30"]
    assert sum(item["at"] == "pits:1:2" for item in items) == 18


def test_a_heap_is_touched_for_a_move(sowing: Game) -> None:
    match = Match(sowing, {}, 4, "1")
    choices = match.views.scene(1).choices
    assert [choice.items for choice in choices] == [(f"pits:1:{place}",) for place in (1, 2, 3, 4)]
    assert choices[2].label == "Sow pit 3"


def test_a_team_wins_together(sowing: Game) -> None:
    match, dice = Match(sowing, {}, 4, "4"), random.Random(1)
    while not match.is_over:
        match.play(dice.choice(match.legal()))
    assert match.outcome is not None
    assert match.outcome.winners in ((1, 3), (2, 4))
    assert sorted(match.outcome.returns) == [-1.0, -1.0, 1.0, 1.0]
    result = match.views.scene(0).result
    assert result is not None
    assert result.headline in ("North and South win.", "East and West win.")


@pytest.mark.parametrize(
    ("teams", "told"),
    [
        (((1, 3), (3, 4)), "TEAMS can name each seat, 1 to 4, only once"),
        (((1, 5),), "TEAMS can name each seat, 1 to 4, only once"),
        ((1, 3), r"TEAMS lists teams of seats, such as \(\(1, 3\), \(2, 4\)\)"),
        (((),), "TEAMS lists teams of seats"),
        (7, "TEAMS lists teams of seats"),
    ],
)
def test_a_mistake_in_teams_is_told(
    sowing: Game, monkeypatch: pytest.MonkeyPatch, teams: object, told: str
) -> None:
    short = sowing.short
    assert short is not None
    monkeypatch.setattr(short.home, "TEAMS", teams)
    with pytest.raises(UnfinishedGame, match=told):
        _ = type(short)(short.name, short.home, 4, short.seat_names, short.book).teams

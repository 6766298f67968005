"""Who stands at a real table may take back what was told wrongly, whoever told it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bartizan.match import Match
from bartizan.tables.provider import PERSON, GameProvider
from bartizan.tables.state import TableState
from bartizan.tables.store import Entry, TableRow


def state(companion: str, players: tuple[str, ...] = (PERSON, PERSON)) -> TableState:
    """Return a duel of Card Barrage with its first walls laid, after a report that hits a wall."""
    options: dict[str, Any] = {"companion": companion}
    game = SimpleNamespace(rules_version=1)
    games = SimpleNamespace(game=lambda name: game, match=Match)
    row = TableRow("t", "card-barrage", 1, options, 2, players, "1", (b"", b"", b""))
    table = TableState.begin(cast("GameProvider", games), row, [])
    while table.match.seat_to_move and not any(move.text.startswith("report") for move in table.line):
        texts = cast("Match", table.match).legal_texts()
        report = next((text for text in texts if " hit " in text and "castle" not in text), texts[0])
        table.apply(Entry("move", table.match.seat_to_move, report))
    return table


@pytest.mark.parametrize("companion", ["on_screen", "on_table"])
def test_any_person_takes_back_any_move_beside_a_real_table(companion: str) -> None:
    table = state(companion)
    at = table.match.ply
    assert table.can_undo(1)
    assert table.can_undo(2)
    assert not table.can_undo(0)
    table.apply(Entry("undo", 2))
    assert table.match.ply == at - 1
    assert table.can_redo(1)
    assert table.can_redo(2)


def test_a_program_takes_nothing_back() -> None:
    assert not state("on_table", (PERSON, "greedy")).can_undo(2)


def test_elsewhere_a_move_is_taken_back_in_its_own_turn_only() -> None:
    table = state("off")
    mover = table.line[-1].seat
    assert table.match.seat_to_move == 3 - mover
    assert not table.can_undo(1)
    assert not table.can_undo(2)

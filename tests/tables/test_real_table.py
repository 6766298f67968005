"""Who stands at a real table may take back what was told wrongly, whoever told it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bartizan.match import Match
from bartizan.tables.entries import replay, take_in
from bartizan.tables.entries.base import check_request
from bartizan.tables.errors import NotAllowed
from bartizan.tables.provider import PERSON, GameProvider
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow, TableRow
from tests.tables.sessions import allows, request


def begun(companion: str, players: tuple[str, ...]) -> TableState:
    """Return a table of Card Barrage before its first move."""
    options: dict[str, Any] = {"companion": companion}
    game = SimpleNamespace(rules_version=1)
    games = SimpleNamespace(game=lambda name: game, match=Match)
    tokens = (b"",) * (len(players) + 1)
    row = TableRow("t", "card-barrage", 1, options, len(players), players, "1", tokens)
    return replay(cast("GameProvider", games), row, [])


def state(companion: str, players: tuple[str, ...] = (PERSON, PERSON)) -> TableState:
    """Return a duel of Card Barrage with its first walls laid, after a report that hits a wall."""
    table = begun(companion, players)
    while table.match.seat_to_move and not any(move.text.startswith("report") for move in table.line):
        texts = table.match.legal_texts()
        report = next((text for text in texts if " hit " in text and "castle" not in text), texts[0])
        take_in(table, EntryRow("move", table.match.seat_to_move, report))
    return table


@pytest.mark.parametrize("companion", ["on_screen", "on_table"])
def test_any_person_takes_back_any_move_beside_a_real_table(companion: str) -> None:
    table = state(companion)
    at = table.match.ply
    assert allows(table, 1, "undo")
    assert allows(table, 2, "undo")
    assert not allows(table, 0, "undo")
    take_in(table, EntryRow("undo", 2))
    assert table.match.ply == at - 1
    assert allows(table, 1, "redo")
    assert allows(table, 2, "redo")


def test_a_program_takes_nothing_back() -> None:
    assert not allows(state("on_table", (PERSON, "greedy")), 2, "undo")


def test_elsewhere_a_move_is_taken_back_in_its_own_turn_only() -> None:
    table = state("off")
    mover = table.line[-1].seat
    assert table.match.seat_to_move == 3 - mover
    assert not allows(table, 1, "undo")
    assert not allows(table, 2, "undo")


def test_no_program_takes_over_a_seat_at_a_real_table() -> None:
    """Of four people none can leave the seat to a program, which sees no walls; of two one resigns."""
    four = begun("on_table", (PERSON,) * 4)
    assert not allows(four, 1, "resign")
    with pytest.raises(NotAllowed, match=r"couldn't play on without you\. A program can't play with"):
        check_request(request("resign", "", 0), four, 1)
    assert allows(begun("on_table", (PERSON,) * 2), 1, "resign")
    on_screen = begun("on_screen", (PERSON,) * 4)
    assert allows(on_screen, 1, "resign")
    check_request(request("resign", "", 0), on_screen, 1)

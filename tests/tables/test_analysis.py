"""Look back on a finished game: at its end and not before, bit by bit, and with the table's own plies."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import BartizanError
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Analysis
from bartizan.match import Match
from bartizan.match.analysis import conclude, verdicts
from bartizan.tables import analysis
from bartizan.tables.entries import replay
from bartizan.tables.errors import NotAllowed
from bartizan.tables.messages import Analysed, NewTable
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow, TableRow
from tests.tables.duel import DuelMatch, DuelProvider
from tests.tables.sessions import change, opened

pytestmark = pytest.mark.anyio


def row(seats: int = 2) -> TableRow:
    return TableRow("t", "duel", 1, {}, seats, ("person",) * seats, "1", (b"",) * (seats + 1))


def state_after(*entries: tuple[str, int, str]) -> TableState:
    return replay(DuelProvider(), row(), [EntryRow(kind, seat, text) for kind, seat, text in entries])


def card(seat: int, at: int = 0) -> int:
    return DuelMatch({}, 2, "1").state.hands[seat - 1][at]


def test_each_position_of_the_line_is_found_where_the_table_last_stood_at_it() -> None:
    assert state_after().versions_of_line() == (0,)
    first, second = f"play {card(1)}", f"play {card(1, 1)}"
    assert state_after(("move", 1, first), ("move", 1, "end")).versions_of_line() == (0, 1, 2)
    # A hint is an entry of its own; the position is the same before and after it.
    assert state_after(("hint", 1, ""), ("move", 1, first)).versions_of_line() == (1, 2)
    # What was taken back is no part of the line, even where it was of the same length.
    another = [("move", 1, first), ("undo", 1, ""), ("move", 1, second), ("move", 1, "end")]
    assert state_after(*another).versions_of_line() == (2, 3, 4)
    again = [("move", 1, first), ("undo", 1, ""), ("redo", 1, ""), ("move", 1, "end")]
    assert state_after(*again).versions_of_line() == (2, 3, 4)
    assert state_after(*again, ("resign", 2, "")).versions_of_line() == (2, 3, 5)


def test_what_players_agree_upon_ends_the_game() -> None:
    assert state_after().outcome is None
    assert state_after(("resign", 1, "")).outcome == Outcome(winners=(2,), returns=(-1.0, 1.0))
    assert state_after(("resign", 2, "")).outcome == Outcome(winners=(1,), returns=(1.0, -1.0))
    drawn = state_after(("offer", 1, ""), ("agree", 2, ""))
    assert drawn.outcome == Outcome(winners=(), returns=(0.0, 0.0))


async def report(table: TableSession) -> Analysed:
    """Ask until all is found."""
    while (told := await table.questions.analysis()).analysis is None:
        assert told.done <= told.total
    return told


async def play(table: TableSession, kind: Any, seat: int, version: int, move: str = "") -> None:
    await change(table, seat, kind, f"{kind}{version}", version, move)


async def test_nothing_is_told_before_the_end_and_all_of_it_after(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", seed="1"))
        table, _ = await tables.open(links.table, links.seats[0])
        with pytest.raises(NotAllowed, match="when it's over"):
            await table.questions.analysis()
        await play(table, "move", 1, 0, f"play {card(1)}")
        await play(table, "move", 1, 1, "end")
        with pytest.raises(NotAllowed):
            await table.questions.analysis()
        await play(table, "resign", 2, 2)
        told = await report(table)
        assert (told.done, told.total, told.versions) == (2, 2, (0, 1, 3))
        assert told.analysis is not None
        assert told.analysis.end == (1.0, 0.0)
        assert [verdict.move for verdict in told.analysis.verdicts] == [f"play {card(1)}", "end"]
        assert await table.questions.analysis() == told


async def test_an_end_that_was_taken_back_is_looked_back_on_anew(tmp_path: Path) -> None:
    """A player alone may take the last move back and finish in another way."""
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(
            NewTable(here="everyone", game="duel", seed="1", players=["person", "person"])
        )
        table, _ = await tables.open(links.table, links.seats[0])
        await play(table, "resign", 1, 0)
        before = await report(table)
        assert before.total == 0
        job = table.questions._analysis
        assert await report(table) == before
        assert table.questions._analysis is job  # worked out once
        table._table.forget()  # as after a long rest: read from the log again
        assert table._table.state is None
        assert await report(table) == before
        assert table.questions._analysis is job


class Slow(DuelProvider):
    """Judges when it is told to."""

    def __init__(self) -> None:
        self.judged = 0
        self.fault: BartizanError | None = None

    def verdicts(self, match: Any) -> Any:
        for verdict in super().verdicts(match):
            if self.fault is not None:
                raise self.fault
            self.judged += 1
            yield verdict


async def ended(tables: TableRegistry, moves: int = 3) -> TableSession:
    links = await tables.create(NewTable(here="everyone", game="duel", seed="1"))
    table, _ = await tables.open(links.table, links.seats[0])
    for version, move in enumerate([f"play {card(1)}", f"play {card(1, 1)}", "end"][:moves]):
        await play(table, "move", 1, version, move)
    await play(table, "resign", 1, moves)
    return table


async def test_it_rests_while_nobody_wants_it_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "WANTED_FOR", 0.0)
    monkeypatch.setattr(analysis, "ANSWER_AFTER", 0.01)
    games = Slow()
    async with opened(tmp_path, games) as tables:
        table = await ended(tables)
        assert (await table.questions.analysis()).done == 0  # who asked has gone at once
        assert games.judged == 0
        monkeypatch.setattr(analysis, "WANTED_FOR", 20.0)
        told = await report(table)
        assert (told.done, games.judged) == (3, 3)


async def test_a_fault_is_told_and_the_table_goes_on(tmp_path: Path) -> None:
    games = Slow()
    games.fault = BartizanError("Something unheard of.")
    async with opened(tmp_path, games) as tables:
        table = await ended(tables)
        with pytest.raises(BartizanError, match="unheard"):
            await report(table)
        games.fault = None
        assert (await report(table)).done == 3  # tried anew, from the first decision on
        assert len((await table.questions.view(1, 2)).log) == 2


async def test_others_have_their_turn_in_the_pool_meanwhile(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        one, two = await ended(tables), await ended(tables)
        first, second = await asyncio.gather(report(one), report(two))
        assert first.analysis == second.analysis


async def test_a_real_game_is_judged_as_the_command_judges_it(tmp_path: Path) -> None:
    from bartizan.tables.installed import Installed

    async with opened(tmp_path, Installed()) as tables:
        links = await tables.create(NewTable(game="castle-danger", seed="1"))
        table, _ = await tables.open(links.table, links.seats[0])
        for version, move in enumerate(("add cannon", "d1-d2", "end")):
            await play(table, "move", 1, version, move)
        await play(table, "resign", 2, 3)
        told = await report(table)
        match = Match("castle-danger", seed="1")
        for move in ("add cannon", "d1-d2", "end"):
            match.play(move)
        expected: Analysis = conclude(match, list(verdicts(match)), scores=(1.0, -1.0))
        assert told.analysis == expected

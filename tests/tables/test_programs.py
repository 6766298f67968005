"""Programs think beside everything else, remember what they thought, and nobody waits in silence."""

from __future__ import annotations

import asyncio
import random
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bartizan.engine.errors import UnknownPlayer
from bartizan.match import CheckedMove, Match
from bartizan.tables.installed import Installed
from bartizan.tables.messages import NewTable, Preparation, TableLinks
from bartizan.tables.provider import Program
from bartizan.tables.registry import TableRegistry
from bartizan.tables.replay import ReplayedMatch
from bartizan.tables.session import TableSession
from bartizan.tables.store import TableRow
from tests import trees
from tests.tables.duel import DuelProvider
from tests.tables.sessions import Ear, change, opened
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from bartizan.compile.targets import Target

pytestmark = pytest.mark.anyio


class OpenEar(Ear):
    """A socket that waits for what it hears, and puts nothing aside."""

    ASIDE = ()

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == kind]

    async def until(self, kind: str, count: int = 1) -> dict[str, Any]:
        await until(lambda: len(self.told(kind)) >= count)
        return self.told(kind)[count - 1]


class Pondering(DuelProvider):
    """Its programs think until they may move; how often they began is counted."""

    def __init__(self) -> None:
        self.may_move = threading.Event()
        self.began = 0

    def player(self, game: str, name: str) -> Program:
        games = self

        class Ponderer:
            def choose(self, match: Match) -> CheckedMove:
                games.began += 1
                assert games.may_move.wait(2 * PATIENCE)
                return match.check(match.legal()[-1])

        return Ponderer()


class Unready(DuelProvider):
    """Its games, or only its programs, are not ready until they are said to be."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.ready = asyncio.Event()
        self.progress: Preparation | None = None

    async def prepare(self, name: str, target: Target) -> None:
        if target == self.target:
            await self.ready.wait()

    def preparation(self, name: str, target: Target) -> Preparation | None:
        return self.progress

    def target_for(self, game: str, player: str) -> Target:
        return "search"


async def sit(tables: TableRegistry, links: TableLinks, seat: int = 1) -> tuple[TableSession, OpenEar]:
    table, _ = await tables.open(links.table, links.seats[seat - 1])
    ear = OpenEar(seat)
    table.subscribe(ear)
    return table, ear


AGAINST = NewTable(here="everyone", game="duel", players=["person", "greedy"])


async def let_the_program_move(table: TableSession, ear: OpenEar) -> None:
    """Play seat 1's turn."""
    sync = (await ear.until("sync"))["scene"]["choices"]
    await change(table, 1, "move", "a", 0, sync[0]["action"])
    await change(table, 1, "move", "b", 1, "end")


async def test_a_program_that_thinks_delays_nothing_else(tmp_path: Path) -> None:
    games = Pondering()
    async with opened(tmp_path, games, thinking_after=0.05) as tables:
        slow, ear = await sit(tables, await tables.create(AGAINST))
        await slow.greet(ear)
        await let_the_program_move(slow, ear)
        assert await ear.until("thinking") == {"type": "thinking", "seat": 2}
        # Another table is made, loaded, played and looked back at, and so is this one.
        async with asyncio.timeout(PATIENCE):
            other, own = await sit(tables, await tables.create(NewTable(here="everyone", game="duel")))
            await other.greet(own)
            await let_the_program_move(other, own)
            assert (await other.questions.view(1, 0)).status.ply == 0
            assert (await slow.questions.view(1, 1)).status.ply == 1
        late = OpenEar(1)
        slow.subscribe(late)
        await slow.greet(late)
        assert late.told("thinking") == ear.told("thinking")  # who comes later is told too
        assert games.began == 1
        games.may_move.set()
        assert (await ear.until("thinking", 2))["seat"] == 0
        slow.leave(ear)
        slow.leave(late)


async def test_a_quick_program_is_not_said_to_think(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        table, ear = await sit(tables, await tables.create(AGAINST))
        await table.greet(ear)
        await let_the_program_move(table, ear)
        await ear.until("sync", 4)
        assert ear.told("thinking") == []
        table.leave(ear)


async def test_a_program_does_not_think_for_an_empty_table(tmp_path: Path) -> None:
    games = Pondering()
    async with opened(tmp_path, games, thinking_threads=1) as tables:
        first, ear = await sit(tables, await tables.create(AGAINST))
        second, other = await sit(tables, await tables.create(AGAINST))
        for table, listener in ((first, ear), (second, other)):
            await table.greet(listener)
            await let_the_program_move(table, listener)
        await until(lambda: games.began)
        second.leave(other)  # before its turn to think comes
        first.leave(ear)
        games.may_move.set()
        await until(lambda: not first.is_busy and not second.is_busy)
        assert games.began == 1
        assert len(await tables._log.read(first.row.table)) == 3  # what was begun may end
        assert len(await tables._log.read(second.row.table)) == 2
        second.subscribe(other)
        await second.greet(other)
        await other.until("sync", 5)
        second.leave(other)


async def test_who_opens_a_table_too_early_sees_how_far_it_is(tmp_path: Path) -> None:
    games = Unready("table")
    async with opened(tmp_path, games, preparing_after=0.02) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel"))  # a table can be had at once
        table, ear = await sit(tables, links)
        greeting = asyncio.ensure_future(table.greet(ear))
        first = await ear.until("preparing")
        assert first == {"type": "preparing", "what": "game", "preparation": {}}
        games.progress = Preparation(done=3, total=12, seconds=9)
        told = ear.told("preparing")
        await ear.until("preparing", len(told) + 2)
        assert ear.heard[-1]["preparation"] == {"done": 3, "total": 12, "seconds": 9}
        assert not greeting.done()
        games.ready.set()
        await greeting
        kinds = [heard["type"] for heard in ear.heard if heard["type"] != "present"]
        assert set(kinds[:-2]) == {"preparing"}
        assert kinds[-2:] == ["opened", "sync"]
        assert "preparation" not in ear.told("preparing")[-1]
        again = OpenEar(1)
        await table.greet(again)
        assert again.told("preparing") == []


async def test_a_player_that_is_not_ready_says_so(tmp_path: Path) -> None:
    games = Unready("search")
    async with opened(tmp_path, games, preparing_after=0.02) as tables:
        table, ear = await sit(tables, await tables.create(AGAINST))
        await table.greet(ear)
        await let_the_program_move(table, ear)
        assert (await ear.until("preparing"))["what"] == "player"
        assert len(await tables._log.read(table.row.table)) == 2
        games.ready.set()
        await ear.until("sync", 4)
        assert "preparation" not in ear.told("preparing")[-1]
        table.leave(ear)


async def test_what_could_not_be_made_ready_is_tried_again(tmp_path: Path) -> None:
    class Failing(DuelProvider):
        faults = [UnknownPlayer("The compiler broke.")]

        async def prepare(self, name: str, target: Target) -> None:
            if self.faults:
                raise self.faults.pop()

    async with opened(tmp_path, Failing()) as tables:
        table, ear = await sit(tables, await tables.create(NewTable(here="everyone", game="duel")))
        with pytest.raises(UnknownPlayer, match="broke"):
            await table.greet(ear)
        await table.greet(ear)
        assert ear.told("sync")


async def test_only_so_many_tables_remember_what_they_thought(tmp_path: Path) -> None:
    made: list[str] = []

    class Counting(DuelProvider):
        def player(self, game: str, name: str) -> Program:
            made.append(name)
            return super().player(game, name)

    async def turn(table: TableSession, ear: OpenEar) -> None:
        """Play seat 1's turn, and wait for seat 2's."""
        sync = ear.told("sync")[-1]
        version = sync["version"]
        await change(table, 1, "move", f"{version}", version, sync["scene"]["choices"][0]["action"])
        await change(table, 1, "move", f"{version + 1}", version + 1, "end")
        await until(lambda: ear.told("sync")[-1]["scene"].get("choices"))

    async with opened(tmp_path, Counting(), thinking_tables=1) as tables:
        sitting = [await sit(tables, await tables.create(AGAINST)) for _ in range(2)]
        for table, ear in sitting:
            await table.greet(ear)
        await turn(*sitting[0])
        assert len(made) == 1  # it is the same for the three moves of its turn
        await turn(*sitting[1])
        await turn(*sitting[0])
        assert len(made) == 3
        for table, ear in sitting:
            table.leave(ear)


def test_a_player_keeps_its_tree_where_the_game_went_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins anew after moves were taken back and others played, and never counts what was elsewhere."""
    known = trees.watch(monkeypatch)
    row = TableRow("t", "castle-danger", 1, {}, 2, ("person", "knight"), "5", (b"", b"", b""))
    replayed, match = ReplayedMatch(Installed(), row, "5"), Match("castle-danger", seats=2, seed="5")

    line: list[CheckedMove] = []

    def play(move: CheckedMove) -> None:
        match.push(move)
        line.append(move)

    def move() -> int:
        """Let the knight move for whoever's turn it is; return what it knew of the position before."""
        before = len(known)
        play(replayed.choose(line, "knight"))
        return known[-1] if len(known) > before else -1

    first = [move() for _ in range(12)]
    assert first[0] == 0
    assert max(first) > 10  # what it expected came, so its tree was of use
    match.go_to(4)
    del line[4:]
    chance = random.Random(1)
    while match.ply < 16:  # another line, on which it has decided nothing
        play(match.check(chance.choice(match.legal())))
    here = match.seat_to_move
    assert move() == 0
    while match.seat_to_move == here:
        play(match.check(chance.choice(match.legal())))
    assert move() == 0  # nor has the other seat's
    assert replayed.at(line).moves == match.moves

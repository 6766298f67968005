"""Two processes at one table: whoever is connected where, it is one table; on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
import pytest

from bartizan.cli.main import main
from bartizan.match import CheckedMove
from bartizan.tables import flags, peers
from bartizan.tables.agreement import ClockRule
from bartizan.tables.bus import Alive, Bus, BusMessage, Here, Leaving, Shut, Thinks, decoded
from bartizan.tables.errors import NotAllowed, StaleVersion, UnknownTable
from bartizan.tables.limits import Limits
from bartizan.tables.messages import NewTable, TableLinks
from bartizan.tables.provider import Program
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from bartizan.tables.storage import sqlite
from bartizan.tables.storage.sqlite import SqliteLog
from tests.tables.conftest import Open
from tests.tables.duel import DuelProvider
from tests.tables.sessions import Ear, change, connected, opened
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from bartizan.match import Match

pytestmark = pytest.mark.anyio

Fits = Callable[[dict[str, Any]], bool]


class Person(Ear):
    """Somebody at a table, through one of several processes."""

    ASIDE = ()

    def __init__(self, table: TableSession, seat: int) -> None:
        super().__init__(seat)
        self.table = table

    @classmethod
    async def come(cls, tables: TableRegistry, links: TableLinks, seat: int) -> Person:
        token = links.seats[seat - 1] if seat else links.spectator
        person = cls(*await tables.open(links.table, token))
        person.table.subscribe(person)
        await person.table.greet(person)
        return person

    @property
    def sync(self) -> dict[str, Any]:
        return next(each for each in reversed(self.heard) if each["type"] == "sync")

    @property
    def version(self) -> int:
        told = (each["version"] for each in reversed(self.heard) if each["type"] in ("sync", "tick"))
        return int(next(told))

    async def until(
        self, kind: str, fits: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any]:
        """Return the newest message of a kind that fits, now or as soon as it comes."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in reversed(self.heard):
                    if message["type"] == kind and fits(message):
                        return dict(message)
                await asyncio.sleep(0.005)

    async def reach(self, version: int) -> None:
        await until(lambda: self.version >= version)

    async def do(self, kind: Any, move: str | int = "") -> int:
        return await change(self.table, self.seat, kind, str(uuid4()), self.version, move)


@asynccontextmanager
async def several(another: Open, games: DuelProvider, count: int = 2) -> AsyncIterator[list[TableRegistry]]:
    """Open the tables of one store in as many registries as there would be processes."""
    limits = Limits(table_burst=10_000, program_pause=0)
    logs = [another() for _ in range(count)]
    tables = [TableRegistry(log, games, limits) for log in logs]
    await connected(*logs)
    try:
        yield tables
    finally:
        for each, log in zip(tables, logs, strict=True):
            each.close()
            await log.stop()


async def test_each_version_is_won_once_and_everybody_hears_of_it(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        other_device = await Person.come(two, links, 1)  # the same seat, from another device
        first, second = (choice["action"] for choice in ada.sync["scene"]["choices"][:2])
        results = await asyncio.gather(
            ada.do("move", first), other_device.do("move", second), return_exceptions=True
        )
        assert [type(result) for result in results].count(StaleVersion) == 1
        assert results.count(1) == 1
        for version, mover in ((2, ada), (3, bo), (4, bo)):
            choices = [choice["action"] for choice in mover.sync["scene"]["choices"]]
            assert await mover.do("move", choices[0]) == version  # 0 ends the turn where it may end
            for person in (ada, bo, other_device):
                await person.reach(version)
        assert ada.sync["scene"] == other_device.sync["scene"]
        assert await one._log.read(links.table) == await two._log.read(links.table)


async def test_who_is_here_is_known_in_every_process(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada = await Person.come(one, links, 1)
        bo = await Person.come(two, links, 2)
        for person in (ada, bo):
            await person.until("present", lambda told: told.get("seats") == [1, 2])
        bo.table.leave(bo)
        await ada.until("present", lambda told: told.get("seats") == [1])
        ada.heard.clear()
        bo = await Person.come(two, links, 2)
        await ada.until("present", lambda told: told.get("seats") == [1, 2])
        await bo.table.introduce(2, "Bo", "")
        await ada.until(
            "present", lambda told: any(each.get("name") == "Bo" for each in told.get("persons", []))
        )
        # A process that died says nothing; whoever takes its place does.
        Bus(two._log).publish(Leaving(process=two._log.process))
        await ada.until("present", lambda told: told.get("seats") == [1])


async def test_a_process_that_is_silent_is_taken_for_dead(
    another: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "ALIVE_SECONDS", 0.05)
    monkeypatch.setattr(peers, "DEAD_SECONDS", 0.3)
    async with several(another, DuelProvider(), count=1) as (tables,):
        links = await tables.create(NewTable(here="everyone", game="duel"))
        ada = await Person.come(tables, links, 1)
        ghost = another()
        try:
            ghost.listen(Deaf())
            await connected(ghost)
            Bus(ghost).publish(Here(table=links.table, seats=(2,)))
            await ada.until("present", lambda told: told.get("seats") == [1, 2])
            await ada.until("present", lambda told: told.get("seats") == [1])
        finally:
            await ghost.stop()


class Deaf:
    """Who publishes and hears nothing."""

    def on_written(self) -> None:
        pass

    def on_message(self, sender: str, text: str) -> None:
        pass

    def on_reached(self, *, reached: bool) -> None:
        pass


async def test_what_is_said_is_heard_in_every_process_once_and_in_order(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        said = [(ada, "one"), (bo, "two"), (ada, "three")]
        await asyncio.gather(
            *(person.table.people.say(person.seat, text, text, None) for person, text in said)
        )
        for person in (ada, bo):

            def lines(person: Person = person) -> list[dict[str, Any]]:
                return [line for each in person.heard if each["type"] == "chat" for line in each["lines"]]

            await until(lambda: len(lines()) >= 3)
            assert sorted(line["text"] for line in lines()) == ["one", "three", "two"]
            assert sorted(line["number"] for line in lines()) == [1, 2, 3]


class Counting(DuelProvider):
    """Its programs count how often they thought."""

    def __init__(self) -> None:
        self.thought = 0

    def player(self, game: str, name: str) -> Program:
        games, known = self, super().player(game, name)

        class Counted:
            def choose(self, match: Match) -> CheckedMove:
                games.thought += 1
                return known.choose(match)

        return Counted()


async def test_a_program_moves_once_and_goes_on_where_its_process_is_gone(another: Open) -> None:
    games = Counting()
    async with several(another, games) as (one, two):
        wanted = NewTable(here="everyone", game="duel", seats=3, players=["person", "person", "greedy"])
        links = await one.create(wanted)
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        for person in (ada, bo):
            await person.until("present", lambda told: told.get("seats") == [1, 2])
        for person in (ada, bo):
            await person.reach(2 * (person.seat - 1))
            await person.do("move", person.sync["scene"]["choices"][0]["action"])
            await person.do("move", "end")
        for person in (ada, bo):  # the program plays its cards and ends its turn
            await person.until(
                "sync", lambda told: told["version"] > 4 and told["scene"]["status"].get("seat") == 1
            )
        log = await one._log.read(links.table)
        moves = sum(entry.seat == 3 for entry in log)
        assert games.thought == moves >= 2
        # Whichever let it move leaves; the other does from now on.
        leader, other = sorted((ada, bo), key=lambda each: each.table._log.process)
        leader.table.leave(leader)
        await other.until("present", lambda told: told.get("seats") == [other.seat])
        for person in (ada, bo):
            await change(
                person.table, person.seat, "move", f"x{person.seat}", other.version, "play " + _card(person)
            )
            await other.reach(len(log) + 2 * person.seat - 1)
            await change(person.table, person.seat, "move", f"y{person.seat}", other.version, "end")
            await other.reach(len(log) + 2 * person.seat)
        await other.until("sync", lambda told: told["version"] > len(log) + 5)
        assert games.thought > moves


def _card(person: Person) -> str:
    zones = {zone["id"]: zone for zone in person.sync["scene"]["zones"]}
    return str(zones[f"hand{person.seat}"]["items"][0]["face"])


async def test_a_rematch_is_one_though_both_ask_at_once(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        await ada.do("resign")
        await bo.reach(1)
        # In one process both wishes are taken, one after the other; in two it is no different.
        assert sorted(await asyncio.gather(ada.do("rematch"), bo.do("rematch"))) == [2, 3]
        names = set()
        for person in (ada, bo):
            await person.reach(3)
            names.add((await person.until("sync", lambda told: told["version"] == 3))["rematch"]["table"])
        assert len(names) == 1
        following = names.pop()
        for tables in (one, two):
            _, seat = await tables.open(following, links.seats[0])
            assert seat == 2


async def test_a_flag_falls_once_though_two_watch_it(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        clock = ClockRule(kind="move", seconds=5)
        links = await one.create(NewTable(here="everyone", game="duel", clock=clock))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        for person in (ada, bo):
            await person.reach(2 * person.seat - 2)
            await person.do("move", person.sync["scene"]["choices"][0]["action"])
            await person.do("move", "end")
        for person in (ada, bo):
            await person.reach(4)
            person.table._table._deadline -= 5000  # time passes in both
            await person.until("clock", lambda told: told.get("running") == 1)
        outcomes = await asyncio.gather(
            *(person.table.let_flag_fall() for person in (ada, bo)), return_exceptions=True
        )
        assert all(outcome is None or isinstance(outcome, StaleVersion) for outcome in outcomes)
        for person in (ada, bo):
            await person.reach(5)
        assert [entry.kind for entry in await one._log.read(links.table)][4:] == ["flag"]


async def test_a_table_that_the_host_closes_is_closed_everywhere(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada = await Person.come(one, links, 1)
        await two._log.set_closed(links.table, closed=True)
        Bus(two._log).publish(Shut(table=links.table))
        told = await ada.until("error")
        assert told["sentence"] == "The host has closed this table."
        assert ada.dismissed
        for tables in (one, two):
            with pytest.raises(NotAllowed, match="closed"):
                await tables.open(links.table, links.seats[0])
        with pytest.raises(NotAllowed, match="closed"):
            await ada.do("move", ada.sync["scene"]["choices"][0]["action"])


async def test_a_table_that_expires_is_closed_everywhere(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        two._housekeeping._limits = msgspec.structs.replace(two.limits, keep_unplayed_days=-1)
        assert await two._housekeeping.expire() == 1
        for person in (ada, bo):
            await person.until("error")
            assert person.dismissed
        for tables in (one, two):
            with pytest.raises(UnknownTable):
                await tables.open(links.table, links.seats[0])


async def test_pages_close_when_the_host_deletes_unplayed_tables(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        ada = await Person.come(tables, await tables.create(NewTable(here="everyone", game="duel")), 1)
        words = ["tables", "delete", "--unplayed", "0", "--data", str(tmp_path)]
        assert await asyncio.to_thread(main, words) == 0
        await ada.until("error")
        assert ada.dismissed


async def test_idle_tables_cost_no_query_when_others_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each write of another process had every table in memory read anew."""
    for module, period in ((sqlite, "POLL_SECONDS"), (flags, "PERIOD")):
        monkeypatch.setattr(module, period, 10 * PATIENCE)  # it is heard of, not found by looking
    async with opened(tmp_path, DuelProvider()) as one, opened(tmp_path, DuelProvider()) as two:
        idle = [await one.create(NewTable(here="everyone", game="duel")) for _ in range(20)]
        for links in idle:
            await Person.come(one, links, 1)
        busy = await two.create(NewTable(here="everyone", game="duel"))
        ada, watcher = await Person.come(two, busy, 1), await Person.come(one, busy, 0)
        await asyncio.sleep(0.05)
        asked: list[str] = []
        ask = SqliteLog._ask

        async def counted(self: SqliteLog, query: str, *values: object) -> Any:
            if self is one._log:
                asked.append(query)
            return await ask(self, query, *values)

        monkeypatch.setattr(SqliteLog, "_ask", counted)
        await ada.do("move", ada.sync["scene"]["choices"][0]["action"])
        await watcher.reach(1)
        assert len([query for query in asked if "FROM log" in query]) <= 4


async def test_news_that_makes_no_sense_harms_nobody(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada = await Person.come(one, links, 1)
        for text in (
            "{",
            '{"t":"unheard of"}',
            '{"t":"here","table":5}',
            "[]",
            '{"t":"talk","table":"none"}',
        ):
            two._log.publish(text)
        bo = await Person.come(two, links, 2)
        await ada.until("present", lambda told: told.get("seats") == [1, 2])
        assert bo.version == 0


@pytest.mark.parametrize("message", [Here(table="t", seats=(0, 1)), Leaving(), Shut(table="t")])
def test_every_message_is_read_back(message: BusMessage) -> None:
    assert decoded(msgspec.json.encode(message).decode()) == message


def test_a_message_without_its_table_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        decoded('{"t":"here"}')


class Listener(Deaf):
    """Notes what other processes publish."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def on_message(self, sender: str, text: str) -> None:
        self.texts.append(text)


async def test_repeated_messages_all_arrive_in_order(another: Open) -> None:
    """PostgreSQL drops a notification that repeats an earlier one of the same transaction.

    And Linux queues ten datagrams, so most of a burst between two processes on SQLite was lost.
    """
    speaker, hearer = another(), another()
    listener = Listener()
    try:
        speaker.listen(Deaf())
        hearer.listen(listener)
        await connected(speaker, hearer)
        sent = ["here", "gone", "here", *map(str, range(500))]
        for text in sent:
            speaker.publish(text)
        await until(lambda: len(listener.texts) >= len(sent))
        assert listener.texts == sent
    finally:
        await speaker.stop()
        await hearer.stop()


async def test_a_process_that_was_silent_for_long_is_asked_who_is_there(
    another: Open,
) -> None:
    """A process that stalled and came back had its people shown as absent for good."""
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada, bo = await Person.come(one, links, 1), await Person.come(two, links, 2)
        for person in (ada, bo):
            await person.until("present", lambda told: told.get("seats") == [1, 2])
        one._processes._take_in(one._processes._peers.forget(two._log.process))
        await ada.until("present", lambda told: told.get("seats") == [1])
        ada.heard.clear()
        Bus(two._log).publish(Alive())
        await ada.until("present", lambda told: told.get("seats") == [1, 2])
        assert bo.table is not None


async def test_a_program_that_thinks_in_a_process_that_died_thinks_no_longer(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada = await Person.come(one, links, 1)
        bus = Bus(two._log)
        bus.publish(Here(table=links.table, seats=(2,)))
        bus.publish(Thinks(table=links.table, seat=2))
        await ada.until("thinking", lambda told: told.get("seat") == 2)
        ada.heard.clear()
        bus.publish(Leaving())
        await ada.until("thinking", lambda told: not told.get("seat"))

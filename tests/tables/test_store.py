"""What every store of tables does, whatever keeps them: the same tests for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from bartizan.tables.agreement import Agreement, ClockRule
from bartizan.tables.errors import BadRequest, Conflict, NotAllowed, UnknownTable
from bartizan.tables.store import CHAT_LINES, ChatRow, EntryRow, MoveLog, PersonRow, StoredEntry, StoredTable
from tests.tables.conftest import Open
from tests.tables.sessions import connected
from tests.tables.stores import move, row
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def using(another: Open, *tables: str) -> AsyncIterator[MoveLog]:
    log = another()
    try:
        for name in tables:
            await log.create(row(name))
        yield log
    finally:
        await log.stop()


class Listener:
    """Hear what other processes do."""

    def __init__(self) -> None:
        self.written = asyncio.Event()
        self.messages: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    def on_written(self) -> None:
        self.written.set()

    def on_message(self, sender: str, text: str) -> None:
        self.messages.put_nowait((sender, text))

    def on_reached(self, *, reached: bool) -> None:
        pass


async def test_what_was_appended_is_read_in_order_from_any_version(another: Open) -> None:
    async with using(another, "t", "other") as log:
        for number in range(1, 6):
            await log.append("t", number, move(number))
        await log.append("other", 1, move(9))
    async with using(another) as log:
        assert await log.read("t") == [move(number) for number in range(1, 6)]
        assert await log.read("t", 3) == [move(4), move(5)]
        assert await log.read("t", 5) == await log.read("none") == []


async def test_a_version_is_given_once_and_leaves_no_gap(another: Open) -> None:
    async with using(another, "t") as log, using(another) as other:
        await log.append("t", 1, move(1))
        for version in (0, 1, 3, -1):
            with pytest.raises(Conflict):
                await log.append("t", version, move(2))
        # Of many who want the same version at once, in two processes, exactly one gets it.
        work = [each.append("t", 2, move(n)) for n in range(25) for each in (log, other)]
        results = await asyncio.gather(*work, return_exceptions=True)
        assert [type(result) for result in results].count(Conflict) == 49
        assert results.count(None) == 1
        assert len(await log.read("t")) == 2


async def test_many_append_at_once(another: Open) -> None:
    names = [f"t{n}" for n in range(40)]
    async with using(another, *names) as log:

        async def play(name: str) -> None:
            for version in range(1, 6):
                await log.append(name, version, EntryRow("move", 1, name, str(version), b"\0\xff", version))

        await asyncio.gather(*map(play, names))
        for name in names:
            entries = await log.read(name)
            assert [entry.id for entry in entries] == ["1", "2", "3", "4", "5"]
            assert entries[4] == EntryRow("move", 1, name, "5", b"\0\xff", 5)


async def test_tables_and_tokens_come_back(another: Open) -> None:
    async with using(another) as log:
        agreed = Agreement(clock=ClockRule(kind="fischer", seconds=60, increment=2), chat="emotes")
        await log.create(msgspec.structs.replace(row("t"), agreement=agreed))
        with pytest.raises(Conflict):
            await log.create(row("t", b"7", b"8", b"9"))
        assert await log.find(b"7") is None
        found = await log.table("t")
        assert found is not None
        assert found.created > 0
        assert found == msgspec.structs.replace(row("t"), created=found.created, agreement=agreed)
        assert await log.find(b"2") == ("t", 1)
        later = msgspec.structs.replace(row("u", b"1", b"", b"2"), created=found.created + 1)
        await log.create(later)  # a rematch: the same keys, other seats
        assert await log.find(b"2") == ("u", 2)
        assert await log.table("t") == found
        assert await log.table("t\0") is None
        await log.append("t", 1, EntryRow("claim", 0, "key 2"), (b"new", 2))
        assert await log.find(b"new") == ("t", 2)
        with pytest.raises(Conflict):
            await log.append("t", 1, EntryRow("claim", 0, "key 2"), (b"lost", 2))
        assert await log.find(b"lost") is None


async def test_people_chat_and_clocks_come_back(another: Open) -> None:
    async with using(another, "t") as log:
        await log.introduce("t", PersonRow(1, "Ada", "tower"))
        await log.introduce("t", PersonRow(1, "Ada L", "tower", deaf=True))
        await log.introduce("t", PersonRow(2, "Bo", ""))
        said = [ChatRow(number, 1, f"line {number}", "", number) for number in range(1, CHAT_LINES + 4)]
        await asyncio.gather(*(log.say("t", line) for line in said))
        with pytest.raises(Conflict):
            await log.say("t", ChatRow(CHAT_LINES + 3, 2, "me too", "", 9))
        await log.set_clock("t", 3, 5000, 1000)
        await log.set_clock("t", 4, 6000, 1000)
    async with using(another) as log:
        assert await log.persons("t") == [PersonRow(1, "Ada L", "tower", deaf=True), PersonRow(2, "Bo", "")]
        lines = await log.chat("t")
        assert [line.number for line in lines] == list(range(4, CHAT_LINES + 4))
        assert await log.clock("t") == (6000, 4)
        assert await log.due(6001) == [("t", 6000)]
        await log.set_clock("t", 5, 0, 1000)
        assert await log.clock("t") == (0, 0)


async def test_clocks_are_put_off_once_by_the_time_without_a_server(another: Open) -> None:
    async with using(another, "t") as log:
        await log.set_clock("t", 1, 50_000, 10_000)
    async with using(another) as log, using(another) as other:
        await asyncio.gather(log.revive_clocks(40_000, 15_000), other.revive_clocks(40_000, 15_000))
        assert await log.clock("t") == (80_000, 1)
        await log.beat(41_000)


async def test_others_hear_what_was_written_and_told(another: Open) -> None:
    async with using(another, "t", "u") as ours, using(another) as theirs:
        ear = Listener()
        ours.listen(ear)
        theirs.listen(Listener())
        await connected(ours, theirs)
        await ours.append("t", 1, move(1))
        await asyncio.sleep(0.05)
        assert not ear.written.is_set()  # our own are no news
        assert ("t", 1) not in await ours.news()
        await theirs.append("t", 2, move(2))
        await theirs.append("u", 1, move(2))
        async with asyncio.timeout(PATIENCE):
            await ear.written.wait()
        assert dict(await ours.news()) == {"t": 2, "u": 1}
        assert await ours.news() == []
        await ours.append("t", 3, move(3))
        await theirs.append("t", 4, move(4))
        assert dict(await ours.news()) == {"t": 4}
        theirs.publish("hello ☃")
        async with asyncio.timeout(PATIENCE):
            assert await ear.messages.get() == (theirs.process, "hello ☃")


async def test_a_table_is_closed_and_opened_and_deleted(another: Open) -> None:
    async with using(another, "t", "u") as log:
        await log.append("t", 1, move(1))
        await log.set_closed("t", closed=True)
        with pytest.raises(NotAllowed, match="closed"):
            await log.append("t", 2, move(2))
        await log.set_closed("t", closed=False)
        await log.append("t", 2, move(2))
        assert [(each.table, each.entries, each.moves) for each in await log.summaries()] == [
            ("t", 2, 2),
            ("u", 0, 0),
        ]
        await log.introduce("t", PersonRow(1, "Ada", ""))
        await log.delete("t")
        assert await log.table("t") is None
        assert await log.read("t") == []
        assert await log.persons("t") == []
        with pytest.raises(UnknownTable):
            await log.append("t", 3, move(3))
        for work in (log.delete("t"), log.set_closed("t", closed=True)):
            with pytest.raises(UnknownTable):
                await work
        assert await log.count() == 1


async def test_tables_never_played_expire(another: Open) -> None:
    async with using(another) as log:
        for name, created in (("old", 10), ("played", 10), ("hinted", 10), ("new", 99)):
            await log.create(msgspec.structs.replace(row(name), created=created))
        await log.append("played", 1, move(1))
        await log.append("hinted", 1, EntryRow("hint", 1))
        assert {name async for name in log.expire(50)} == {"old", "hinted"}
        assert [each.table for each in await log.summaries()] == ["played", "new"]


async def test_what_is_dumped_is_restored(another: Open) -> None:
    kept = StoredTable(
        row=msgspec.structs.replace(row("t"), created=7, closed=True, more_keys=((b"9", 1),)),
        entries=(StoredEntry(1, move(1), 8), StoredEntry(2, EntryRow("undo", 1, "", "x", b"", 3), 9)),
        persons=(PersonRow(1, "Ada", "tower", deaf=True),),
        chat=(ChatRow(4, 1, "hm", "", 10), ChatRow(5, 1, "", "oops", 11)),
        clock=(12_000, 2),
    )
    other = StoredTable(row=msgspec.structs.replace(row("u"), created=8))
    async with using(another) as log:
        assert await log.restore([kept, other]) == 2
        assert [table async for table in log.dump()] == [kept, other]
        third = StoredTable(row=msgspec.structs.replace(row("v"), created=9))
        with pytest.raises(Conflict, match="table u already"):
            await log.restore([third, other])
        assert await log.count() == 2  # all or none


@pytest.mark.parametrize("bad", [{"id": "a\0b"}, {"text": "\0"}])
async def test_a_text_that_cannot_be_kept_harms_nobody_else(another: Open, bad: dict[str, Any]) -> None:
    async with using(another, "t", "u") as log:
        results = await asyncio.gather(
            log.append("t", 1, msgspec.structs.replace(move(1), **bad)),
            log.append("u", 1, move(1)),
            return_exceptions=True,
        )
        assert isinstance(results[0], BadRequest)
        assert results[1] is None

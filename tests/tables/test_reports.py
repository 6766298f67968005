"""What people report to the host, and keys that the host blocks; on SQLite and on PostgreSQL."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.tables.bus import Bus, Keys
from bartizan.tables.errors import BadRequest, Blocked, NotAllowed, TooMany, UnknownTable
from bartizan.tables.messages import NewTable, ReportPerson
from bartizan.tables.requests import decoder
from bartizan.tables.storage.archive import fault_of, read_archive, write_archive
from bartizan.tables.storage.salvage import salvage
from bartizan.tables.storage.sqlite import FILE_NAME, SqliteLog
from bartizan.tables.store import SEAT_REPORTS, ReportRow, StoredTable
from tests.tables.conftest import Open
from tests.tables.duel import DuelProvider
from tests.tables.sessions import opened
from tests.tables.stores import row
from tests.tables.test_people import Guest, gather
from tests.tables.test_processes import Person, several

pytestmark = pytest.mark.anyio


async def report(
    guest: Guest, about: int, reason: str = "rude", id_: str = "r", line: int | None = None
) -> None:
    await guest.table.people.report(guest.seat, ReportPerson(id=id_, seat=about, reason=reason, line=line))


# Reports --------------------------------------------------------------------------------------------------


async def test_a_report_holds_who_and_what_was_said_and_is_for_the_host_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (_, one, two), _ = await gather(tables)
        await one.table.introduce(1, "Ada", "")
        await two.say("you \u202elose")
        await two.say(emote="wow")
        heard = len(two.ear.heard), len(two.ear.aside)
        with caplog.at_level(logging.WARNING, "bartizan.server"):
            await report(one, 2, "  insults\n me ", "r1", line=1)
        await report(one, 2, "insults me", "r1", line=1)  # sent again
        await report(two, 1, "\x00late\u200b", "r1")
        await report(one, 2, "again", "\0\ud800", line=2)
        assert (len(two.ear.heard), len(two.ear.aside)) == heard
        name = one.table.row.table
        assert name in caplog.text
        assert "insults" not in caplog.text
        stored = await tables._log.reports()
        assert [table for table, _ in stored] == [name] * 3
        told = {
            (each.seat, each.name, each.about, each.about_name, each.reason, each.line) for _, each in stored
        }
        assert told == {
            (1, "Ada", 2, "", "insults me", "you lose"),
            (2, "", 1, "Ada", "late", ""),
            (1, "Ada", 2, "", "again", "wow"),
        }
        assert await tables._log.read(name) == []  # none of it is in the log


async def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        (watcher, one, two, *_), _ = await gather(tables, seats=3, players=["person", "person", "random"])
        await one.say("hm")
        with pytest.raises(NotAllowed, match="Spectators"):
            await report(watcher, 2)
        for about in (1, 3, 4, 100):
            with pytest.raises(NotAllowed, match="isn't another person's seat"):
                await report(one, about)
        for reason in ("", " \n\u200b", "x" * 301):
            with pytest.raises(BadRequest):
                await report(one, 2, reason)
        for line in (1, 2, 2**31 - 1):  # one's own line, and none
            with pytest.raises(BadRequest, match="isn't stored"):
                await report(one, 2, line=line)
        assert await tables._log.reports() == []
        await report(two, 1, "x" * 300, line=1)


@pytest.mark.parametrize(
    "odd",
    [
        {"seat": 0},
        {"seat": 101},
        {"seat": "2"},
        {"reason": "x" * 2001},
        {"reason": None},
        {"id": "x" * 65},
        {"id": ""},
        {"line": 0},
        {"line": 2**31},
    ],
)
def test_a_report_is_bounded_before_it_is_read(odd: dict[str, Any]) -> None:
    whole = {"type": "report", "id": "r", "seat": 2, "reason": "rude"}
    assert isinstance(decoder.decode(msgspec.json.encode(whole)), ReportPerson)
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(msgspec.json.encode(whole | odd))


async def test_a_seat_can_report_a_few_times_and_the_others_still_can(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), reports_per_second=0.0) as tables:
        (_, one, two), _ = await gather(tables)
        for number in range(3):
            await report(one, 2, id_=f"r{number}")
        with pytest.raises(TooMany):
            await report(one, 2, id_="r3")
        await report(one, 2, id_="r2")  # that one is stored
        await report(two, 1)
    async with opened(tmp_path, DuelProvider(), report_burst=1000.0) as tables:
        (_, one, two), _ = await gather(tables)
        for number in range(SEAT_REPORTS):
            await report(one, 2, id_=f"r{number}")
        with pytest.raises(TooMany):
            await report(one, 2, id_="more")
        await report(two, 1)


def reported(seat: int, id_: str, at: int) -> ReportRow:
    return ReportRow(seat, id_, "Ada", 2, "Bo", "rude", "hm", at)


async def test_reports_and_blocked_keys_are_stored_dumped_and_deleted(another: Open) -> None:
    log = another()
    try:
        kept = StoredTable(
            row=msgspec.structs.replace(row("t"), created=7, blocked=(b"2",)),
            reports=(reported(1, "a", 8), reported(2, "a", 9)),
        )
        other = StoredTable(row=msgspec.structs.replace(row("u", b"3", b"2", b""), created=8))
        assert await log.restore([kept, other]) == 2
        blocked = msgspec.structs.replace(other, row=msgspec.structs.replace(other.row, blocked=(b"2",)))
        assert [table async for table in log.dump()] == [kept, blocked]  # the same key: blocked there too
        assert await log.report("u", reported(1, "b", 10))
        assert not await log.report("u", reported(1, "b", 11))
        with pytest.raises(UnknownTable):
            await log.report("none", reported(1, "b", 10))
        assert await log.reports() == [
            ("t", reported(1, "a", 8)),
            ("t", reported(2, "a", 9)),
            ("u", reported(1, "b", 10)),
        ]
        assert await log.reports("u") == [("u", reported(1, "b", 10))]
        assert await log.is_blocked(b"2")
        assert await log.set_blocked("t", [1], blocked=False) == ["t", "u"]
        assert not await log.is_blocked(b"2")
        assert await log.set_blocked("u", [0, 1], blocked=True) == ["t", "u"]
        found = await log.table("u")
        assert found is not None
        assert found.blocked_seats == (0, 1)
        later = msgspec.structs.replace(row("v", b"5", b"", b"2"), created=9)
        await log.create(later)  # a rematch
        found = await log.table("v")
        assert found is not None
        assert found.blocked_seats == (2,)
        await log.delete("t")
        assert await log.reports("t") == []
    finally:
        await log.stop()


async def test_reports_and_blocked_keys_are_exported_and_salvaged(tmp_path: Path) -> None:
    keys = [bytes([number]) * 32 for number in range(2)]
    kept = StoredTable(
        row=msgspec.structs.replace(row("t", *keys, b""), created=7, blocked=(keys[1],)),
        reports=(reported(1, "a", 8),),
    )
    log = SqliteLog.open(tmp_path)
    await log.restore([kept])
    file = tmp_path / "all.gz"
    assert await write_archive(log, file) == 1
    await log.stop()
    assert list(read_archive(file)) == [kept]
    assert salvage(tmp_path / FILE_NAME, DuelProvider()).tables == (kept,)
    at = msgspec.structs.replace
    assert fault_of(kept) == ""
    assert "blocked keys" in fault_of(at(kept, row=at(kept.row, blocked=(b"x" * 32,))))
    assert "no seat 3" in fault_of(at(kept, reports=(at(reported(1, "a", 8), about=3),)))
    assert "listed twice" in fault_of(at(kept, reports=kept.reports * 2))


def test_whoever_plays_several_seats_is_blocked_at_all_of_them() -> None:
    keys = (b"0", b"1", b"2", b"3")
    at = msgspec.structs.replace
    table = at(row("t", *keys), seats=3)
    table = at(table, agreement=at(table.agreement, here=(1, 3)))
    assert [table.seats_held_with(seat) for seat in range(4)] == [(0,), (1, 3), (2,), (1, 3)]
    given = at(table, more_keys=((b"4", 3),))  # to someone else
    assert [given.seats_held_with(seat) for seat in (1, 3)] == [(1,), (3,)]
    assert at(given, blocked=(b"3",)).blocked_seats == ()
    assert at(given, blocked=(b"3", b"4", b"1")).blocked_seats == (1, 3)


# Blocked keys ---------------------------------------------------------------------------------------------


async def test_a_blocked_key_is_shut_out_in_every_process(another: Open) -> None:
    async with several(another, DuelProvider(), count=3) as (one, two, third):
        links = await one.create(NewTable(game="duel", players=["person", "person"], here=[1]))
        _, _, key = await two.enter(links.table, links.seats[1])
        ada = await Person.come(one, links, 1)
        bo = Person(*await two.open(links.table, key))
        bo.table.subscribe(bo)
        await bo.table.greet(bo)
        watcher = await Person.come(two, links, 0)
        await ada.until("present", lambda told: told["seats"] == [1, 2])
        for table in await third._log.set_blocked(links.table, [2], blocked=True):
            Bus(third._log).publish(Keys(table=table))
        told = await bo.until("error")
        assert (told["code"], told["sentence"]) == (
            "blocked",
            "The host has blocked your link to this table.",
        )
        assert bo.dismissed
        bo.table.leave(bo)  # as its socket does
        assert not ada.dismissed
        assert not watcher.dismissed
        for tables in (one, two, third):
            with pytest.raises(Blocked):
                await tables.enter(links.table, key, links.seats[1])
        with pytest.raises(Blocked):
            await one.create(NewTable(game="duel", deal="same", same_as=key))
        # The others go on at once, whichever process they came through.
        for person in (ada, watcher):
            told = await person.until("present", lambda told: bool(told.get("blocked")))
            assert (told["blocked"], told["left"], told["seats"]) == ([2], [2], [1])
        with pytest.raises(NotAllowed, match="blocked this seat"):
            await Guest(watcher.table, 0, watcher).claim(2, "key")
        # Unblocked, they are back.
        for table in await third._log.set_blocked(links.table, [2], blocked=False):
            Bus(third._log).publish(Keys(table=table))
        await ada.until("present", lambda told: "blocked" not in told and told["seats"] == [1])
        back = Person(*await two.open(links.table, key))
        back.table.subscribe(back)
        await back.table.greet(back)
        await ada.until("present", lambda told: told["seats"] == [1, 2])


async def test_a_key_is_shut_out_though_no_message_arrives(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(here="everyone", game="duel"))
        ada, bo = await Person.come(one, links, 1), await Person.come(one, links, 2)
        await two._log.set_blocked(links.table, [2], blocked=True)
        with pytest.raises(Blocked):
            await one.open(links.table, links.seats[1])
        assert (ada.dismissed, bo.dismissed) == (False, True)  # it is noticed then
        await two._log.set_blocked(links.table, [2], blocked=False)
        await one.open(links.table, links.seats[1])


async def test_the_seat_of_a_blocked_person_is_played_by_a_program(another: Open) -> None:
    async with several(another, DuelProvider()) as (one, two):
        links = await one.create(NewTable(game="duel", players=["person", "person"], here=[1]))
        _, _, key = await one.enter(links.table, links.seats[1])
        ada = await Person.come(one, links, 1)
        with pytest.raises(NotAllowed, match="hasn't been empty"):
            await Guest(ada.table, 1, ada).claim(2, "program")
        await two._log.set_blocked(links.table, [2], blocked=True)
        Bus(two._log).publish(Keys(table=links.table))
        await ada.until("present", lambda told: told.get("blocked") == [2])
        with pytest.raises(NotAllowed, match=r"play against\. The computer can take the seat instead\."):
            await Guest(ada.table, 1, ada).claim(2, "key")  # spectators can't
        await Guest(ada.table, 1, ada).claim(2, "program")
        assert ada.sync["players"][1] != "person"
        with pytest.raises(Blocked):
            await two.open(links.table, key)

"""Seats that are opened by invitation: one browser has the key, and nobody else ever sees it."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import msgspec
import pytest

from bartizan.engine.errors import BartizanError
from bartizan.tables.entries.invitations import Revoke, draw_code, is_code
from bartizan.tables.errors import BadRequest, BadToken, NotAllowed
from bartizan.tables.limits import Limits
from bartizan.tables.messages import NewTable, TableLinks
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from bartizan.tables.store import MoveLog
from tests.tables.conftest import Open
from tests.tables.duel import DuelProvider
from tests.tables.gathering import Person
from tests.tables.sessions import Ear, allows, change, present
from tests.waiting import until

pytestmark = pytest.mark.anyio


def serve(log: MoveLog) -> TableRegistry:
    return TableRegistry(log, DuelProvider(), Limits(table_burst=1000, program_pause=0))


async def stop(*tables: TableRegistry) -> None:
    for each in tables:
        each.close()
        await each._log.stop()
        each._log.close()


def drawn() -> str:
    return secrets.token_urlsafe(24)


def told(person: Person, field: str) -> Any:
    """Return what a person was told last of something; defaults aren't sent."""
    return (person.sync or {}).get(field, [])


async def sit(tables: TableRegistry, links: TableLinks, seat: int) -> tuple[Person, str]:
    """Come to a seat as its browser does, with a key of its own if invited; return the key too."""
    given = links.seats[seat - 1]
    key = drawn() if is_code(given) else given
    table, opened, _ = await tables.enter(links.table, key, given if is_code(given) else "")
    assert opened == seat
    return await Person(table, seat).come(), key


async def test_whoever_creates_a_table_gets_the_key_of_their_own_seat_only(another: Open) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel"))
    assert [is_code(each) for each in links.seats] == [False, True]
    creator, _ = await sit(tables, links, 1)
    guest, key = await sit(tables, links, 2)
    await creator.do("move", told(creator, "scene")["choices"][0]["action"])
    await guest.do("offer")
    heard = msgspec.json.encode([creator.ear.heard, creator.ear.aside, msgspec.to_builtins(links)]).decode()
    assert key not in heard
    with pytest.raises(BadToken, match="invitation"):
        await tables.open(links.table, links.seats[1])
    await stop(tables)


async def test_a_used_invitation_opens_nothing(another: Open) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel"))
    _, key = await sit(tables, links, 2)
    with pytest.raises(BadToken, match="already been used"):
        await tables.enter(links.table, drawn(), links.seats[1])
    with pytest.raises(BadToken, match="already been used"):
        await tables.enter(links.table, links.seats[1])
    assert (await tables.enter(links.table, key, links.seats[1]))[1:] == (2, "")  # asked again by its browser
    with pytest.raises(BadToken, match="isn't valid"):
        await tables.enter(links.table, drawn(), draw_code())
    with pytest.raises(BadToken, match="32"):
        await tables.enter(links.table, "easy", draw_code())
    with pytest.raises(BadToken):
        await tables.create(NewTable(game="duel", deal="same", same_as=links.seats[1]))
    await stop(tables)


async def test_a_client_that_draws_no_key_is_given_one(another: Open) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel"))
    _, seat, key = await tables.enter(links.table, links.seats[1])
    assert seat == 2
    assert (await tables.open(links.table, key))[1] == 2
    await stop(tables)


async def test_of_two_browsers_at_two_processes_exactly_one_wins(another: Open) -> None:
    here, there = serve(another()), serve(another())
    for _ in range(10):
        links = await here.create(NewTable(game="duel"))
        for each in (here, there):  # both have the table in memory
            await present((await each.get(links.table)), 0)
        keys = [drawn(), drawn()]
        tried = await asyncio.gather(
            *(
                each.enter(links.table, key, links.seats[1])
                for each, key in zip((here, there), keys, strict=True)
            ),
            return_exceptions=True,
        )
        lost = [each for each in tried if isinstance(each, BaseException)]
        assert [type(each) for each in lost] == [BadToken], tried
        assert "already been used" in str(lost[0])
        winner = keys[[isinstance(each, tuple) for each in tried].index(True)]
        for each in (here, there):
            assert (await each.open(links.table, winner))[1] == 2
            with pytest.raises(BadToken):
                await each.open(links.table, next(key for key in keys if key != winner))
    await stop(here, there)


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_browser_that_asks_again_before_it_is_answered_comes_in(
    another: Open, processes: int
) -> None:
    """A browser whose connection is lost while the rules are compiled asks again with the same key."""
    served = [serve(another()) for _ in range(processes)]
    for _ in range(10):
        links = await served[0].create(NewTable(game="duel"))
        for each in served:
            await present((await each.get(links.table)), 0)
        key = drawn()
        asked = [each.enter(links.table, key, links.seats[1]) for each in (served[0], served[-1])]
        assert [came[1] for came in await asyncio.gather(*asked)] == [2, 2]
    await stop(*served)


async def test_it_is_the_same_after_a_restart_and_in_a_copy(another: Open) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel", seats=3))
    _, key = await sit(tables, links, 2)
    stored = await tables._log.stored(links.table)
    assert stored is not None
    for code in links.seats[1:]:
        assert code.encode() not in msgspec.json.encode(stored)
    await stop(tables)
    again = serve(another())
    assert (await again.open(links.table, key))[1] == 2
    with pytest.raises(BadToken, match="already been used"):
        await again.enter(links.table, drawn(), links.seats[1])
    assert (await again.enter(links.table, drawn(), links.seats[2]))[1] == 3
    await stop(again)


def revoke(code: str, version: int, instead: str | None = None) -> Revoke:
    return Revoke(id=secrets.token_hex(4), version=version, code=code, instead=instead)


async def test_an_unused_invitation_can_be_replaced_and_a_used_one_cannot(another: Open) -> None:
    here, there = serve(another()), serve(another())
    links = await here.create(NewTable(game="duel"))
    creator, _ = await sit(here, links, 1)
    await present(await there.get(links.table), 0)
    assert told(creator, "invited") == [2]
    instead = draw_code()
    await creator.table.change(1, revoke(links.seats[1], 0, instead))
    assert told(creator, "invited") == [2]
    with pytest.raises(BadToken, match="withdrawn"):
        await there.enter(links.table, drawn(), links.seats[1])
    assert (await there.enter(links.table, drawn(), instead))[1] == 2
    with pytest.raises(BadToken, match="already been used"):
        await creator.table.change(1, revoke(instead, creator.version, draw_code()))
    assert told(creator, "invited") == []
    await stop(here, there)


async def test_an_invitation_can_be_withdrawn_without_another(another: Open) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel", seats=3, here=[]))
    watcher, _ = await tables.open(links.table, links.spectator)
    ear = Ear(0)
    watcher.subscribe(ear)
    await watcher.greet(ear)
    with pytest.raises(NotAllowed, match="new one"):
        await watcher.change(0, revoke(links.seats[1], 0, links.seats[2]))
    await watcher.change(0, revoke(links.seats[1], 0))
    assert ear.heard[-1]["invited"] == [1, 3]
    with pytest.raises(BadToken, match="withdrawn"):
        await tables.enter(links.table, drawn(), links.seats[1])
    await stop(tables)


async def test_each_keeps_a_key_of_their_own_in_a_rematch(another: Open) -> None:
    here, there = serve(another()), serve(another())
    links = await here.create(NewTable(game="duel"))
    creator, own = await sit(here, links, 1)
    _, key = await sit(there, links, 2)  # which the first process has not heard of
    table = creator.table
    for seat, kind in ((1, "resign"), (1, "rematch"), (2, "rematch")):
        version = (await present(table, seat))["version"]
        await change(table, seat, kind, f"{kind}{seat}", version)
    following = (await present(table, 1))["rematch"]["table"]
    for process in (here, there):
        assert (await process.open(following, own))[1] == 2
        assert (await process.open(following, key))[1] == 1
    assert (await here.get(following)).row.agreement.here == (2,)
    await stop(here, there)


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({"here": "everyone", "seats": 3}, [1, 2, 3]),
        ({"here": [1, 3], "seats": 3}, [1, 3]),
        ({"here": [], "seats": 2}, []),
        ({"players": ["person", "random"]}, [1]),
        ({"players": ["random", "person"]}, [2]),
        ({"players": ["random", "person", "person"], "seats": 3}, [2]),
    ],
)
async def test_seats_at_one_screen_have_keys(another: Open, wanted: Any, keys: list[int]) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel", **wanted))
    assert [seat for seat, each in enumerate(links.seats, 1) if each and not is_code(each)] == keys
    await stop(tables)


async def test_only_seats_of_persons_can_be_played_here(another: Open) -> None:
    tables = serve(another())
    for here in ([2], [3]):
        with pytest.raises(BadRequest, match=f"Seat {here[0]}"):
            await tables.create(NewTable(game="duel", players=["person", "random"], here=here))
    await stop(tables)


async def come(table: TableSession, seat: int, browser: str) -> Ear:
    ear = Ear(seat)
    ear.browser = browser
    table.subscribe(ear)
    await table.greet(ear)
    return ear


def elsewhere(ear: Ear) -> int:
    return int(next(each.get("elsewhere", 0) for each in reversed(ear.heard) if each["type"] == "sync"))


async def test_a_player_is_told_that_their_seat_is_opened_elsewhere(another: Open) -> None:
    here, there = serve(another()), serve(another())
    links = await here.create(NewTable(game="duel"))
    creator, _ = await sit(here, links, 1)
    _, key = await sit(here, links, 2)
    table, _ = await here.open(links.table, key)
    mine = await come(table, 2, "phone")
    await come(table, 2, "phone")
    assert elsewhere(mine) == 0
    table.leave(mine)
    await come((await there.open(links.table, key))[0], 2, "thief")
    back = await come(table, 2, "phone")
    await until(lambda: elsewhere(back))
    assert elsewhere(back) == 1
    assert told(creator, "elsewhere") == []  # only the seat's player is told
    for number in range(40):
        table.leave(await come(table, 2, f"another {number}"))
    assert elsewhere(back) < 40  # it is counted only so far
    await stop(here, there)


# Hints ----------------------------------------------------------------------------------------------------


async def test_hints_against_people_are_off_until_everyone_agrees_and_everyone_sees_them(
    another: Open,
) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel", seats=3))
    people = [(await sit(tables, links, seat))[0] for seat in (1, 2, 3)]
    table = people[0].table
    with pytest.raises(NotAllowed, match="off against people"):
        await table.hint(1, "one")
    await people[0].do("ask", "hints")
    await people[1].do("grant")
    with pytest.raises(NotAllowed, match="off against people"):
        await table.hint(1, "two")
    await people[2].do("grant")
    assert await table.hint(1, "three")
    for person in people:
        assert told(person, "hints") == [1, 0, 0]
    await stop(tables)


async def test_one_refusal_keeps_hints_off(another: Open) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel"))
    people = [(await sit(tables, links, seat))[0] for seat in (1, 2)]
    await people[0].do("ask", "hints")
    await people[1].do("refuse")
    with pytest.raises(NotAllowed, match="off against people"):
        await people[0].table.hint(1, "one")
    with pytest.raises(BartizanError, match="declined"):
        await people[0].do("ask", "hints")
    await stop(tables)


@pytest.mark.parametrize("wanted", [{"players": ["person", "random"]}, {"here": "everyone"}])
async def test_hints_alone_or_at_one_screen_need_no_one(another: Open, wanted: Any) -> None:
    tables = serve(another())
    links = await tables.create(NewTable(game="duel", **wanted))
    person, _ = await sit(tables, links, 1)
    assert await person.table.hint(1, "one")
    async with person.table._table.open() as state:
        assert not allows(state, 1, "ask hints")
        assert state.hints[1] == 1
    await stop(tables)

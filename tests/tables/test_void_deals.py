"""A deal of which a share is missing is void: whoever shows theirs last chooses nothing by it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine.fairness import MOST_VOID, VoidRound, commit_secret, commit_share, deal_seed
from bartizan.tables.entries import replay
from bartizan.tables.entries.deal import VoidDeal
from bartizan.tables.errors import BadRequest, NotAllowed, StaleVersion, StorageError
from bartizan.tables.exchange import Exchange
from bartizan.tables.limits import Limits
from bartizan.tables.messages import NewTable
from bartizan.tables.registry import TableRegistry
from bartizan.tables.store import EntryRow, MoveLog, TableRow
from tests.tables.conftest import Open
from tests.tables.gathering import Dealt, Person, gather
from tests.tables.sessions import connected, opened

pytestmark = pytest.mark.anyio

SHORT = 0.1  # seconds in which a share has to be shown, where nobody shows one
SECRETS = ["ab" * 32, "cd" * 32, "ef" * 32]
SHARES = {seat: f"{seat:02}" * 16 for seat in range(1, 5)}


async def kinds(log: MoveLog, table: str) -> list[str]:
    return [entry.kind for entry in await log.read(table)]


# Void rounds ----------------------------------------------------------------------------------------------


async def test_a_deal_with_a_missing_share_is_void_and_everyone_is_told_whose(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (watching, one, two), links = await gather(tables)
        await one.commit()
        await two.commit()
        await one.show()
        one.run_out()
        await watching.until_round(1)
        assert not one.sync
        for person in (watching, one, two):
            assert person.fair["void"] == [{"commitment": links.seed_hash, "withheld": [2]}]
            assert "commitments" not in person.fair
            assert "shares" not in person.fair
            assert person.fair["commitment"] != links.seed_hash
        with pytest.raises(BadRequest, match="used in an earlier round"):
            await one.commit()  # whoever saw the share could choose theirs by it
        for person in (one, two):
            person.draw()
            await person.commit()
        for person in (two, one):
            await person.show()
        assert one.sync
        assert "left_out" not in one.fair
        secret = (await tables._log.read(links.table))[3].text.split(" ")[1]
        async with one.table._table.open() as state:
            assert state.match.seed == seed_of(
                one.table.row, secret, {1: one.share, 2: two.share}, state.exchange.void
            )
            told = state.exchange.record(over=True)
        assert told is not None
        assert told.void == (VoidRound(commitment=links.seed_hash, withheld=(2,)),)
        assert told.commitment == commit_secret(links.table, secret, "", told.void)
        assert told.secret == secret


def seed_of(row: TableRow, secret: str, shares: dict[int, str], void: tuple[VoidRound, ...] = ()) -> str:
    return deal_seed(
        table=row.table,
        game=row.game,
        rules=row.rules,
        options=row.options,
        seats=row.seats,
        secret=secret,
        shares=shares,
        void=void,
    )


@pytest.mark.parametrize(
    "friends", [each for n in (1, 2, 3) for each in itertools.combinations((2, 3, 4), n)]
)
async def test_a_host_with_three_friends_does_not_choose_among_eight_deals(
    tmp_path: Path, friends: tuple[int, ...]
) -> None:
    """The host knows the secret and the friends' shares, and sees the other's before they show theirs."""
    async with opened(tmp_path, Dealt()) as tables:
        (_, honest, *others), _ = await gather(tables, seats=4)
        everybody = (honest, *others)
        for person in everybody:
            await person.commit()
        known = {person.seat: person.share for person in everybody if person.seat not in friends}
        for seat in known:
            await everybody[seat - 1].show()
        row = honest.table.row
        chosen = seed_of(row, row.seed.removeprefix("/"), known)  # what was dealt once
        honest.run_out()
        await honest.until_round(1)
        assert not honest.sync
        assert honest.fair["void"][0]["withheld"] == list(friends)
        with pytest.raises(NotAllowed, match="before all commitments"):
            await others[friends[0] - 2].show()  # too late to have it after all
        for person in everybody:
            person.draw()
            await person.commit()
        for person in everybody:
            assert not person.sync
            await person.show()
        async with honest.table._table.open() as state:
            assert state.match.seed != chosen
            assert state.exchange.shares == {person.seat: person.share for person in everybody}


@pytest.mark.parametrize("withheld", ["05" * 16, "06" * 16])
def test_the_next_deal_does_not_depend_on_what_was_withheld(withheld: str) -> None:
    row = table_row(2)
    rows = [
        commit(1, SHARES[1]),
        commit(2, withheld),
        EntryRow("share", 1, f"1 {SHARES[1]}"),
        EntryRow("void", 0, f"1 {SECRETS[1]}"),
        *(commit(seat, SHARES[seat + 2]) for seat in (1, 2)),
        *(EntryRow("share", seat, f"1 {SHARES[seat + 2]}") for seat in (1, 2)),
        EntryRow("deal", 0, "1 all"),
    ]
    seed = replay(Dealt(), row, rows).exchange.seed
    void = (VoidRound(commitment=commit_secret("t", SECRETS[0]), withheld=(2,)),)
    assert seed == seed_of(row, SECRETS[1], {1: SHARES[3], 2: SHARES[4]}, void)


async def test_a_table_whose_deal_is_always_void_comes_to_an_end(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two), _ = await gather(tables)
        for _ in range(MOST_VOID):
            for person in (one, two):
                person.draw()
                await person.commit()
            async with one.table._table.open() as state:
                await one.table._table.append(state, 0, VoidDeal(secret=SECRETS[1]))
        one.draw()
        with pytest.raises(NotAllowed, match="failed too often"):
            await one.commit()


async def test_nothing_of_a_secret_is_told_after_a_void_round(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        people, links = await gather(tables)
        _, one, two = people
        await one.commit()
        await two.commit()
        await one.show()
        one.run_out()
        await one.until_round(1)
        late, _ = await tables.open(links.table, links.seats[0])
        people.append(await Person(late, 1).come())
        texts = [entry.text for entry in await tables._log.read(links.table) if entry.kind == "void"]
        told = "".join(repr(person.ear.heard) + repr(person.ear.aside) for person in people)
        for secret in (one.table.row.seed.removeprefix("/"), texts[0].split(" ")[1]):
            assert secret[:12] not in told


# Seats that are given up ----------------------------------------------------------------------------------


async def test_a_seat_is_given_up_when_all_who_are_here_want_it(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", seats=3))
        one = await Person(*await tables.open(links.table, links.seats[0])).come()
        await one.commit()
        two = await Person(*await tables.open(links.table, links.seats[1])).come()
        with pytest.raises(NotAllowed, match="Give seat 2 a moment"):
            await one.do("give_up", 2)
        await two.commit()
        with pytest.raises(NotAllowed, match="Seat 2 is here and ready"):
            await one.do("give_up", 2)
        await one.do("give_up", 3)
        assert two.fair["agreed"] == {"3": [1]}
        assert two.fair["asked"] == [1, 2, 3]
        await two.do("give_up", 3)
        assert one.fair["asked"] == [1, 2]
        assert one.fair["void"] == [{"commitment": links.seed_hash, "given_up": [3]}]
        for person in (one, two):
            person.draw()
            await person.commit()
        for person in (one, two):
            await person.show()
        assert one.sync
        late = await Person(*await tables.open(links.table, links.seats[2])).come()
        assert late.sync
        assert late.fair["void"][0]["given_up"] == [3]


async def test_nobody_is_given_up_before_they_could_commit_in_a_new_round(tmp_path: Path) -> None:
    """Two who are quick would otherwise shut the third out as soon as a round is void."""
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two, three), _ = await gather(tables, seats=3)
        one.table._around._came.clear()  # all have been here for long
        for person in (one, two, three):
            await person.commit()
        async with one.table._table.open() as state:
            await one.table._table.append(state, 0, VoidDeal(secret=SECRETS[1]))
        for person in (one, two):
            person.draw()
            await person.commit()
            with pytest.raises(NotAllowed, match="Give seat 3 a moment"):
                await person.do("give_up", 3)


async def test_giving_up_chooses_nothing_after_a_share_was_shown(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two, three), _ = await gather(tables, seats=3)
        for person in (one, two, three):
            await person.commit()
        await one.show()
        with pytest.raises(NotAllowed, match="has shown its share"):
            await two.do("give_up", 1)
        three.table.leave(three.ear)
        for person in (one, two):
            with pytest.raises(NotAllowed, match="anyone else"):
                await person.do("give_up", person.seat)
        await one.do("give_up", 3)
        await two.do("give_up", 3)
        assert "void" not in one.fair
        assert not one.sync
        await two.show()
        one.run_out()
        await one.until_round(1)
        assert one.fair["void"][0]["withheld"] == [3]
        assert one.fair["void"][0]["given_up"] == [3]
        assert one.fair["asked"] == [1, 2]
        await three.come()
        with pytest.raises(NotAllowed, match="Only people at the table"):
            await three.commit()


def test_no_log_gives_a_seat_up_after_a_share_was_shown() -> None:
    begun = [commit(1, SHARES[1]), commit(2, SHARES[2]), EntryRow("share", 1, f"1 {SHARES[1]}")]
    for wrong in (
        EntryRow("give_up", 1, f"1 2 {SECRETS[1]}"),
        EntryRow("void", 0, f"1 {SECRETS[1]} 1"),
        EntryRow("deal", 0, "1 all"),
    ):
        with pytest.raises(StorageError):
            replay(Dealt(), table_row(2), [*begun, wrong])
    shown = [*begun, EntryRow("share", 2, f"1 {SHARES[2]}")]
    with pytest.raises(StorageError, match="No share is missing"):
        replay(Dealt(), table_row(2), [*shown, EntryRow("void", 0, f"1 {SECRETS[1]}")])


# Restarts and several processes ---------------------------------------------------------------------------


@asynccontextmanager
async def process(another: Open, seconds: float = 60) -> AsyncIterator[TableRegistry]:
    log = another()
    tables = TableRegistry(log, Dealt(), Limits(table_burst=10_000, program_pause=0, share_seconds=seconds))
    try:
        yield tables
    finally:
        tables.close()
        await log.stop()


async def test_a_restart_between_a_void_round_and_the_next_loses_nothing(another: Open) -> None:
    async with process(another) as tables:
        (_, one, two), links = await gather(tables)
        await one.commit()
        await two.commit()
        await one.show()
        one.run_out()
        await one.until_round(1)
        before = one.fair
        version = one.version
    async with process(another) as tables:
        people = [await Person(*await tables.open(links.table, key)).come() for key in links.seats]
        assert people[0].fair == before
        with pytest.raises(StaleVersion):  # what was on its way then
            await two.table.change(2, _share(two, version - 1))
        for person in people:
            await person.commit()
        await people[0].show()
    async with process(another) as tables:
        again = [await Person(*await tables.open(links.table, key)).come() for key in links.seats]
        again[1].share = people[1].share
        await again[1].show()
        assert again[0].sync
        entries = await kinds(tables._log, links.table)
        assert entries.count("void") == 1
        assert entries.count("deal") == 1


def _share(person: Person, version: int) -> Any:
    from bartizan.tables.entries.deal import ShowShare

    return ShowShare(id="late", version=version, share=person.share)


async def test_several_processes_end_a_round_once_and_agree_on_it(another: Open) -> None:
    async with process(another, SHORT) as here, process(another, SHORT) as there:
        await connected(here._log, there._log)
        links = await here.create(NewTable(here="everyone", game="duel"))
        one = await Person(*await here.open(links.table, links.seats[0])).come()
        two = await Person(*await there.open(links.table, links.seats[1])).come()
        for number in range(3):
            for person in (one, two):
                person.draw()
                await person.until_round(number)
                await person.commit()
            for person in (one, two):
                await person.until_round(number + 1)
        assert one.fair["void"] == two.fair["void"]
        assert one.fair["commitment"] == two.fair["commitment"]
        assert (await kinds(here._log, links.table)).count("void") == 3


async def test_another_process_ends_the_round_when_the_leader_is_gone(another: Open) -> None:
    async with process(another, 3 * SHORT) as here, process(another, 3 * SHORT) as there:
        await connected(here._log, there._log)
        links = await here.create(NewTable(here="everyone", game="duel"))
        one = await Person(*await here.open(links.table, links.seats[0])).come()
        two = await Person(*await there.open(links.table, links.seats[1])).come()
        await one.commit()
        await two.commit()
        leader, other = sorted((one, two), key=lambda each: each.table._log.process)
        leader.table.leave(leader.ear)
        await other.until_round(1)


# Logs of before -------------------------------------------------------------------------------------------


def table_row(seats: int) -> TableRow:
    from bartizan.tables.agreement import Agreement

    row = TableRow("t", "duel", 1, {}, seats, ("person",) * seats, f"/{SECRETS[0]}", (b"",) * (seats + 1))
    return msgspec.structs.replace(row, agreement=Agreement(dealing="shares"))


def commit(seat: int, share: str) -> EntryRow:
    return EntryRow("commit", seat, f"1 {commit_share('t', seat, share)}")


def test_logs_whose_deals_left_shares_out_are_played_as_they_were() -> None:
    row = table_row(3)
    rows = [
        commit(1, SHARES[1]),
        commit(2, SHARES[2]),
        EntryRow("close", 1, "1 "),
        EntryRow("share", 1, f"1 {SHARES[1]}"),
        EntryRow("deal", 0, "1 "),
    ]
    state = replay(Dealt(), row, rows)
    assert state.exchange.left_out == (2, 3)
    assert state.match.seed == seed_of(row, SECRETS[0], {1: SHARES[1]})
    told = state.exchange.record(over=True)
    assert told is not None
    assert (told.persons, told.left_out, told.void) == ((1, 2, 3), (2, 3), ())
    assert told.commitment == commit_secret("t", SECRETS[0])


async def test_a_deal_that_was_closed_before_goes_on_by_todays_rules(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two, three), links = await gather(tables, seats=3)
        await one.commit()
        await two.commit()
        await tables._log.append(links.table, 3, EntryRow("close", 1, "1 "))
        await one.table.catch_up(3)
        await one.show()
        await two.show()
        one.run_out()
        await one.until_round(1)
        assert not one.sync
        assert three.fair["asked"] == [1, 2, 3]


def test_an_exchange_of_before_publishes_what_it_published() -> None:
    assert Exchange(table_row(2)).commitment == commit_secret("t", SECRETS[0])

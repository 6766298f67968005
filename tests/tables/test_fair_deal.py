"""Nobody chooses a deal at which others sit, and what is known of it is told to all or to nobody."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import NothingToUndo
from bartizan.engine.fairness import Fairness, commit_secret, deal_seed, draw_secret
from bartizan.match import Match
from bartizan.match.progress import hash_of_seed
from bartizan.tables.entries import replay
from bartizan.tables.entries.deal import VERSION
from bartizan.tables.entries.undo import undo_ply
from bartizan.tables.errors import BadRequest, NotAllowed, NotDealt, StorageError
from bartizan.tables.exchange import kept_seed
from bartizan.tables.messages import NewTable
from bartizan.tables.session import TableSession
from bartizan.tables.showing import sync
from bartizan.tables.state import TableState
from bartizan.tables.store import EntryRow
from tests.tables.duel import DuelMatch
from tests.tables.gathering import Dealt, Person, gather
from tests.tables.sessions import allows, change, opened, request

pytestmark = pytest.mark.anyio


# Seeds that are chosen ------------------------------------------------------------------------------------


async def test_who_makes_a_table_for_others_does_not_choose_its_seed_unless_all_are_told(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        with pytest.raises(NotAllowed, match="knows every hand"):
            await tables.create(NewTable(here="everyone", game="duel", seed="5"))
        people, _ = await gather(tables, seed="5", open_seed=True)
        for person in people:
            assert person.fair["manner"] == "open"
            assert person.fair["seed"] == "5"
            assert person.sync
        alone = await tables.create(
            NewTable(here="everyone", game="duel", seed="5", players=["person", "random"])
        )
        table = await tables.get(alone.table)
        assert table.row.agreement.dealing == "secret"


async def test_the_deal_of_another_table_is_dealt_to_several_only_when_all_are_told(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        first = await tables.create(
            NewTable(here="everyone", game="duel", seed="5", players=["person", "random"])
        )
        table, seat = await tables.open(first.table, first.seats[0])
        async with table._table.open() as state:
            await table._table.append(state, seat, request("resign", "", state.version))
        same = NewTable(here="everyone", game="duel", deal="same", same_as=first.seats[0], seats=2)
        with pytest.raises(NotAllowed, match="knows every hand"):
            await tables.create(same)
        same = NewTable(
            here="everyone", game="duel", deal="same", same_as=first.seats[0], seats=2, open_seed=True
        )
        assert (await tables.get((await tables.create(same)).table)).row.seed == "5"


async def test_a_short_seed_is_not_found_by_trying_all_hashes(tmp_path: Path) -> None:
    """The hash of a seed that is published before the end is of a secret as well."""
    async with opened(tmp_path, Dealt()) as tables:
        wanted = NewTable(here="everyone", game="duel", seed="5", players=["person", "random"])
        one, other = await tables.create(wanted), await tables.create(wanted)
        assert one.seed_hash != other.seed_hash
        tried = [hash_of_seed(f"{seed:x}") for seed in range(256)]
        tried += [DuelMatch({}, 2, f"{seed:x}").seed_hash for seed in range(256)]
        assert one.seed_hash not in tried
        row = (await tables.get(one.table)).row
        seed, secret = row.seed.split("/")
        assert len(secret) == 64  # 256 bits from the system
        assert one.seed_hash == commit_secret(one.table, secret, seed)


def test_a_running_record_has_no_hash_of_its_seed_alone() -> None:
    match = Match("alcazar", seed="5")
    told = Fairness(protocol=1, table="t", commitment=commit_secret("t", draw_secret(), "5"), chosen=True)
    assert hash_of_seed("5") not in match.record(fairness=told).text()
    assert hash_of_seed("5") in match.record().text()


# Commitments, shares and the deal -------------------------------------------------------------------------


async def test_nobody_sees_a_card_before_all_shares_are_there_and_the_seed_is_of_all_of_them(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (watching, one, two), links = await gather(tables)
        everybody = (watching, one, two)
        assert not any(person.sync for person in everybody)
        assert all(person.fair["asked"] == [1, 2] and "dealt" not in person.fair for person in everybody)
        assert {person.fair["commitment"] for person in everybody} == {links.seed_hash}
        with pytest.raises(NotDealt, match="seats 1, 2"):
            await one.do("move", "end")
        await one.commit()
        with pytest.raises(NotAllowed, match="Don't reveal your share"):
            await one.show()
        with pytest.raises(NotAllowed, match=r"too late|already"):
            await one.commit()
        await two.commit()
        assert watching.fair["closed"]
        await two.show()
        with pytest.raises(BadRequest, match="doesn't match its commitment"):
            await one.do("share", secrets.token_hex(16))
        with pytest.raises(BadRequest, match="doesn't match its commitment"):
            await one.do("share", two.share)
        assert not any(person.sync for person in everybody)
        await one.show()
        assert all(person.sync for person in everybody)
        assert watching.fair["shares"] == {"1": one.share, "2": two.share}
        assert watching.fair["dealt"]
        row = one.table.row
        seed = deal_seed(
            table=row.table,
            game="duel",
            rules=1,
            options=row.options,
            seats=2,
            secret=row.seed.removeprefix("/"),
            shares={1: one.share, 2: two.share},
        )
        async with one.table._table.open() as state:
            assert state.match.seed == seed
        assert links.seed_hash == commit_secret(row.table, row.seed.removeprefix("/"))
        entries = await tables._log.read(row.table)
        assert [entry.kind for entry in entries] == ["commit", "commit", "share", "share", "deal"]
        assert all(entry.text.startswith(VERSION) for entry in entries)
        fresh = replay(Dealt(), row, entries)
        assert sync(fresh, 1) == sync(state, 1)


async def test_another_process_goes_on_with_an_exchange_that_one_has_begun(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two), links = await gather(tables)
        await one.commit()
        await two.commit()
        await one.show()
        share = two.share
    async with opened(tmp_path, Dealt()) as tables:
        two = await Person(*await tables.open(links.table, links.seats[1])).come()
        two.share = share
        await two.show()
        assert two.sync


@pytest.mark.parametrize("kind", ["commit", "share", "give_up"])
async def test_only_who_is_asked_adds_to_a_deal(tmp_path: Path, kind: str) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        people, _ = await gather(tables, players=["person", "random", "person"], seats=3)
        assert people[1].fair["asked"] == [1, 3]
        with pytest.raises(NotAllowed):
            await people[0].do(kind, "0" * 64)
        (_, alone), _ = await gather(tables, players=["person", "random"])
        with pytest.raises(NotAllowed, match="doesn't use shares"):
            await alone.do(kind, "0" * 64)


@pytest.mark.parametrize("text", ["", "x", "0" * 63, "0" * 65, "G" * 64, "٣" * 64, "0" * 63 + "\n"])
async def test_what_is_no_commitment_or_share_is_refused(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two), _ = await gather(tables)
        with pytest.raises(BadRequest):
            await one.do("commit", text)
        await one.commit()
        await two.commit()
        with pytest.raises(BadRequest):
            await two.do("share", text)


async def test_a_log_of_another_protocol_or_with_a_false_share_is_refused(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two), _ = await gather(tables)
        await one.commit()
        await two.commit()
        await one.show()
        row = one.table.row
        entries = await tables._log.read(row.table)
        for wrong in (
            EntryRow("share", 2, f"{VERSION}{secrets.token_hex(16)}"),
            EntryRow("share", 2, two.share),
            EntryRow("share", 2, f"2 {two.share}"),
            EntryRow("commit", 2, f"{VERSION}{'0' * 64}"),
        ):
            with pytest.raises(StorageError):
                replay(Dealt(), row, [*entries, wrong])
        with pytest.raises(StorageError, match="have already been dealt"):
            replay(Dealt(), row, [EntryRow("deal", 0, VERSION)])


async def test_a_rematch_makes_a_deal_anew(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two), links = await gather(tables)
        for person in (one, two):
            await person.commit()
        for person in (one, two):
            await person.show()
        await one.do("resign")
        await one.do("rematch")
        await two.do("rematch")
        assert one.sync
        name = one.sync["rematch"]["table"]
        again = await Person(*await tables.open(name, links.seats[0])).come()
        assert again.seat == 2
        assert not again.sync
        assert again.fair["commitment"] != links.seed_hash
        assert "commitments" not in again.fair


async def test_no_clock_runs_before_the_deal_nor_by_it(tmp_path: Path) -> None:
    from bartizan.tables.agreement import ClockRule

    async with opened(tmp_path, Dealt()) as tables:
        (_, one, two), _ = await gather(tables, clock=ClockRule(kind="fischer", seconds=60))
        for person in (one, two):
            await person.commit()
        for person in (one, two):
            await person.show()
        assert one.ear.aside[-1]["type"] == "clock"
        assert one.ear.aside[-1].get("running", 0) == 0


async def test_nothing_that_is_told_before_the_end_holds_the_secret_or_the_seed(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        people, _ = await gather(tables)
        _, one, two = people
        for person in (one, two):
            await person.commit()
        for person in (one, two):
            await person.show()
        async with one.table._table.open() as state:
            seed = state.exchange.seed
        secret = one.table.row.seed.removeprefix("/")
        assert one.sync
        await one.do("move", one.sync["scene"]["choices"][0]["action"])
        told = "".join(repr(person.ear.heard) + repr(person.ear.aside) for person in people)
        assert seed not in told
        assert secret not in told
        assert seed[:12] not in told
        assert secret[:12] not in told


# Nothing is undone after the seed is out ------------------------------------------------------------------


async def test_at_a_real_table_nothing_is_undone_once_the_seed_was_told(tmp_path: Path) -> None:
    """What was told wrongly is mended until somebody has the record with the seed."""
    from bartizan.tables.installed import Installed

    options: dict[str, Any] = {"companion": "on_table"}
    async with opened(tmp_path, Installed()) as tables:
        wanted = NewTable(game="card-barrage", seats=2, options=options, seed="5", open_seed=True)
        links = await tables.create(wanted)
        table, _ = await tables.open(links.table, links.seats[0])
        async with table._table.open() as state:
            await play_to_the_end(table, state)
            assert state.is_over
            assert allows(state, 1, "undo")
        assert re.search(r'^seed = "', await table.questions.record(2), re.M)
        async with table._table.open() as state:
            for seat in (1, 2):
                with pytest.raises(NothingToUndo, match="seed is public"):
                    undo_ply(state, seat)
            version = state.version
            entries = await tables._log.read(links.table)
            assert not allows(replay(Installed(), table.row, entries), 1, "undo")
        await table.questions.record(1)  # told once is told for good
        async with table._table.open() as state:
            assert state.version == version
        with pytest.raises(NothingToUndo):
            await change(table, 2, "undo", "u", version)


async def play_to_the_end(table: TableSession, state: TableState) -> None:
    """Play the first move that there is of each kind, the castle hit where that can be."""
    from bartizan.tables.entries.moves import Played

    while not state.is_over:
        texts: list[str] = state.match.legal_texts()
        text = next((each for each in texts if "castle" in each), texts[0])
        checked = state.match.check(text)
        await table._table.append(state, checked.seat, Played.of(checked))


def test_secrets_come_from_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def token(size: int) -> str:
        drawn.append(size)
        return "ab" * size

    monkeypatch.setattr(secrets, "token_hex", token)
    assert len(draw_secret()) == 64
    assert drawn == [32]
    assert kept_seed("5", "x") == "5/x"

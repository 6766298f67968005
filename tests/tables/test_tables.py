from __future__ import annotations

import asyncio
import gc
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine.errors import UnknownOption
from bartizan.tables import showing
from bartizan.tables.entries import replay
from bartizan.tables.errors import BadToken, StorageError, TooMany, UnknownTable
from bartizan.tables.installed import Installed
from bartizan.tables.messages import NewTable, encoder
from bartizan.tables.provider import GameProvider
from bartizan.tables.showing import sync
from bartizan.tables.store import EntryRow, TableRow
from tests.tables.duel import DuelProvider
from tests.tables.sessions import Ear, change, opened, present
from tests.waiting import until

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("game", ["duel", "alcazar"])
async def test_the_table_in_memory_is_what_its_log_says_after_every_change(tmp_path: Path, game: str) -> None:
    """Random games with undo, redo and hints: what sockets were told equals a table fetched anew."""
    games: GameProvider = DuelProvider() if game == "duel" else Installed()
    chance = random.Random(11)
    seats, count, turns = (3, 6, 40) if game == "duel" else (1, 3, 25)
    async with opened(tmp_path, games) as tables:
        await games.prepare(game, "search")  # or the first to come may be told that it is on its way
        for number in range(count):
            links = await tables.create(
                NewTable(here="everyone", game=game, seats=seats, seed=f"{number + 1}")
            )
            table, _ = await tables.open(links.table, links.seats[0])
            ears = [Ear(seat) for seat in range(seats + 1)]
            for ear in ears:
                table.subscribe(ear)
                await table.greet(ear)
            assert [ear.heard[0]["type"] for ear in ears] == ["sync"] * (seats + 1)
            latest = [ear.heard[0] for ear in ears]
            for turn in range(turns):
                asked = latest[0]["scene"]["status"]["seat"] or chance.randint(1, seats)
                told = latest[asked]
                kinds: list[Any] = []
                may = told.get("allowed", {})
                if choices := told["scene"].get("choices"):
                    kinds += ["move"] * 6 + ["hint"]
                kinds += ["undo"] * (may.get("undo") == "") + ["redo"] * 2 * (may.get("redo") == "")
                if not kinds:
                    break
                kind = chance.choice(kinds)
                if kind == "hint":
                    await table.hint(asked, f"h{turn}")
                else:
                    move = chance.choice(choices)["action"] if kind == "move" else ""
                    await change(table, asked, kind, f"{kind}{turn}", told["version"], move)
                entries = await tables._log.read(links.table)
                fresh = replay(games, table.row, entries)
                for seat, ear in enumerate(ears):
                    news = ear.heard[-1]
                    if news["type"] == "sync":
                        latest[seat] = news
                    else:
                        assert news["type"] == "tick"
                        latest[seat] = latest[seat] | {"version": news["version"]}
                    assert ear.aside[0] == msgspec.json.decode(encoder.encode(showing.opened(fresh)))
                    assert latest[seat] == msgspec.json.decode(encoder.encode(sync(fresh, seat)))
                    # Nobody hears of a version twice or misses one.
                    assert [told["version"] for told in ear.heard] == list(range(len(entries) + 1))
                    then = await table.questions.view(seat, chance.randint(0, len(entries)))
                    assert then.choices == ()
            # Looking back from the end shows each seat what it was shown then.
            entries = await tables._log.read(links.table)
            for version in range(0, len(entries) + 1, 1 if game == "duel" else 4):
                old = replay(games, table.row, entries[:version])
                for seat in range(seats + 1):
                    expected = msgspec.structs.replace(old.scene(seat), choices=())
                    assert encoder.encode(await table.questions.view(seat, version)) == encoder.encode(
                        expected
                    )


async def test_a_bounded_number_of_tables_is_in_memory_and_all_go_on(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider(), tables_in_memory=4) as tables:
        made = [
            await tables.create(NewTable(here="everyone", game="duel", seed=f"{n + 1}")) for n in range(30)
        ]
        versions = [0] * len(made)
        watched, _ = await tables.open(made[0].table, made[0].spectator)
        ear = Ear(0)
        watched.subscribe(ear)
        await watched.greet(ear)
        for _ in range(3):
            for at, links in enumerate(made):
                table, seat = await tables.open(links.table, links.seats[0])
                sync = await present(table, seat)
                assert sync["version"] == versions[at]
                choices = sync["scene"].get("choices")
                if choices:
                    versions[at] = await change(
                        table, 1, "move", f"m{sync['version']}", sync["version"], choices[0]["action"]
                    )
                assert len(tables._sessions) <= 5  # the watched one is kept besides
        assert ear.heard[-1]["version"] == versions[0]  # its listener missed nothing


async def test_the_rules_may_not_change_under_a_table(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        row = TableRow("old", "duel", 0, {}, 2, ("person", "person"), "1", (b"a", b"b", b"c"))
        await tables._log.create(row)
        with pytest.raises(StorageError, match="version 0"):
            await present(await tables.get("old"), 1)
        broken = msgspec.structs.replace(row, table="broken", rules=1, tokens=(b"d", b"e", b"f"))
        await tables._log.create(broken)
        await tables._log.append("broken", 1, EntryRow("move", 1, "play 99"))
        with pytest.raises(StorageError, match="breaks at entry 1"):
            await present(await tables.get("broken"), 1)


async def test_keys_open_their_own_seat_and_are_kept_as_hashes_only(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel", seats=3))
        keys = [links.spectator, *links.seats]
        assert len({len(key) for key in keys}) == 1
        assert len(keys[0]) >= 32
        assert len(set(keys)) == 4
        for seat, key in enumerate(keys):
            assert (await tables.open(links.table, key))[1] == seat
            for wrong in (key[:-1], key + "A", key.swapcase(), ""):
                with pytest.raises(BadToken):
                    await tables.open(links.table, wrong)
        with pytest.raises(UnknownTable):
            await tables.open(links.table + "0", keys[0])
        row = (await tables.get(links.table)).row
        assert all(len(kept) == 32 for kept in row.tokens)


async def test_a_failed_append_is_an_error_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel"))
        table, _ = await tables.open(links.table, links.seats[0])
        ear = Ear(1)
        table.subscribe(ear)
        await table.greet(ear)
        action = ear.heard[0]["scene"]["choices"][0]["action"]

        async def fail(*_: object) -> None:
            raise StorageError("The move could not be kept (the disk is full), so it was not played.")

        with monkeypatch.context() as patch:
            patch.setattr(tables._log, "append", fail)
            with pytest.raises(StorageError):
                await change(table, 1, "move", "a", 0, action)
        assert len(ear.heard) == 1  # nobody was told of it
        assert await present(table, 1) == ear.heard[0]
        assert await change(table, 1, "move", "a", 0, action) == 1


async def test_a_move_that_the_log_kept_after_all_is_told_to_everyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database answers with an error, but has stored the move; then someone else arrives."""
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel"))
        table, _ = await tables.open(links.table, links.seats[0])
        early, late = Ear(1), Ear(1)
        table.subscribe(early)
        await table.greet(early)
        action = early.heard[0]["scene"]["choices"][0]["action"]
        append = tables._log.append

        async def store_and_fail(*about: Any) -> None:
            await append(*about)
            raise StorageError("The connection broke.")

        with monkeypatch.context() as patch:
            patch.setattr(tables._log, "append", store_and_fail)
            with pytest.raises(StorageError):
                await change(table, 1, "move", "a", 0, action)
        table.subscribe(late)
        await table.greet(late)
        assert early.heard[-1] == late.heard[-1]
        assert early.heard[-1]["version"] == 1


async def test_a_move_begun_is_finished_although_its_socket_is_gone(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(NewTable(here="everyone", game="duel"))
        table, _ = await tables.open(links.table, links.seats[0])
        action = (await present(table, 1))["scene"]["choices"][0]["action"]
        asking = asyncio.ensure_future(change(table, 1, "move", "a", 0, action))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        while table.is_busy:
            await asyncio.sleep(0.01)
        sync = await present(table, 1)
        entries = await tables._log.read(links.table)
        assert sync["version"] == len(entries) == 1
        assert await change(table, 1, "move", "a", 0, action) == 1  # the same message, acknowledged now


async def test_two_servers_on_one_folder_play_one_table(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as ours, opened(tmp_path, DuelProvider()) as theirs:
        links = await ours.create(NewTable(here="everyone", game="duel"))
        here, _ = await ours.open(links.table, links.seats[0])
        there, _ = await theirs.open(links.table, links.seats[0])
        ear = Ear(1)
        there.subscribe(ear)
        await there.greet(ear)
        first, second = (choice["action"] for choice in ear.heard[0]["scene"]["choices"][:2])
        results = await asyncio.gather(
            change(here, 1, "move", "a", 0, first),
            change(there, 1, "move", "b", 0, second),
            return_exceptions=True,
        )
        assert results.count(1) == 1  # the other was told that something else came first
        version = (await present(here, 1))["version"]
        await change(here, 1, "move", "c", version, "end")
        await until(lambda: ear.heard[-1]["version"] >= 2)
        assert ear.heard[-1] == await present(here, 1)


async def test_what_nobody_plays_expires_and_there_is_a_quota(tmp_path: Path) -> None:
    """Tables were never cleared away, and there was no end to their number."""
    async with opened(tmp_path, DuelProvider(), tables_kept=2, keep_unplayed_days=30) as tables:
        played, idle = [await tables.create(NewTable(here="everyone", game="duel")) for _ in range(2)]
        with pytest.raises(TooMany, match="reached its limit of tables"):
            await tables.create(NewTable(here="everyone", game="duel"))
        table, _ = await tables.open(played.table, played.seats[0])
        await change(table, 1, "move", "a", 0, (await present(table, 1))["scene"]["choices"][0]["action"])
        house = tables._housekeeping
        assert await house.expire() == 0  # they are new
        house._limits = msgspec.structs.replace(tables.limits, keep_unplayed_days=-1)
        assert await house.expire() == 1
        with pytest.raises(UnknownTable):
            await change((await tables.get(idle.table)), 1, "move", "a", 0, "end")
        house._counted_at = float("-inf")  # a minute later
        await tables.create(NewTable(here="everyone", game="duel"))
        assert (await tables.open(played.table, played.seats[0]))[1] == 1


async def test_no_program_is_seated_where_cards_are_real(tmp_path: Path) -> None:
    """It made walls and hits up for itself."""
    wanted = NewTable(game="card-barrage", seats=2, options={"companion": "on_table"})
    async with opened(tmp_path, Installed()) as tables:
        assert len((await tables.create(wanted)).seats) == 2
        with pytest.raises(UnknownOption, match="A program can't play with companion = on_table"):
            await tables.create(msgspec.structs.replace(wanted, players=["person", "greedy"]))


async def test_a_request_whose_socket_is_gone_fails_quietly(tmp_path: Path) -> None:
    """Its error was logged as a task exception that was never retrieved."""
    unhandled: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: unhandled.append(context))
    try:
        async with opened(tmp_path, DuelProvider()) as tables:
            links = await tables.create(NewTable(here="everyone", game="duel"))
            table, seat = await tables.open(links.table, links.seats[0])
            await present(table, seat)
            async with table._table.open():  # the request has to wait
                asking = asyncio.ensure_future(change(table, seat, "move", "a", 0, "no such move"))
                await asyncio.sleep(0.01)
                asking.cancel()  # the socket is gone
                await asyncio.sleep(0.01)
            while table._changes:
                await asyncio.sleep(0.01)
            del asking
            gc.collect()
            await asyncio.sleep(0.01)
    finally:
        loop.set_exception_handler(None)
    assert unhandled == []

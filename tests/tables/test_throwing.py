"""Throw cards at a table: once each, kept before anybody hears of it, and told to all."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import BartizanError, IllegalMove, NothingToUndo
from bartizan.tables.errors import StorageError, TooMany
from bartizan.tables.installed import Installed
from bartizan.tables.messages import NewTable, TableLinks
from bartizan.tables.registry import TableRegistry
from bartizan.tables.session import TableSession
from tests.tables.sessions import Ear, change, opened, present
from tests.waiting import until

pytestmark = pytest.mark.anyio

THROWN = NewTable(
    game="card-barrage", options={"throws": "thrown", "hand": "steady"}, seats=2, seed="5", open_seed=True
)
FIRST = "throw 9v lob at 2.3"
REFUSED = ("throw 9v lob speed 9", "throw 9v lob speed nan", "throw zz lob", "throw", "report 9v hit 2.1")


async def seated(tables: TableRegistry, links: TableLinks) -> TableSession:
    table, _ = await tables.open(links.table, links.seats[0] or links.spectator)
    return table


async def test_a_throw_is_told_to_all_and_read_again_from_the_log(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        links = await tables.create(THROWN)
        table = await seated(tables, links)
        assert await change(table, 1, "move", "a", 0, FIRST) == 1
        told = {seat: (await present(table, seat))["scene"] for seat in (0, 1, 2)}
        flown = told[1]["flown"]
        assert flown["verdict"] == "hit"
        assert flown["sentence"]
        assert all(scene["flown"] == flown for scene in told.values())
        assert told[1]["layout"]["pieces"] == told[2]["layout"]["pieces"]
        # Sent again, as by a client that heard no acknowledgement, it is not thrown again.
        assert await change(table, 1, "move", "a", 0, FIRST) == 1
    async with opened(tmp_path, Installed()) as tables:
        table = await seated(tables, links)
        again = (await present(table, 1))["scene"]
        assert again["flown"] == flown
        assert await change(table, 1, "move", "a", 0, FIRST) == 1


async def test_many_throws_at_once_are_one(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        table = await seated(tables, await tables.create(THROWN))
        done = await asyncio.gather(
            *(change(table, 1, "move", f"m{number}", 0, FIRST) for number in range(20)),
            return_exceptions=True,
        )
        assert done.count(1) == 1
        assert all(isinstance(each, BartizanError) for each in done if each != 1)
        assert (await present(table, 1))["version"] == 1


async def test_a_flood_of_throws_at_one_table_is_held_up_and_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed(), table_throws_per_second=0.0, table_throw_burst=2.0) as tables:
        links = await tables.create(NewTable(game="card-barrage", options=THROWN.options, seats=1, seed="5"))
        table = await seated(tables, links)
        choices = (await present(table, 1))["scene"]["choices"]
        move = next(choice["text"] for choice in choices if choice.get("throw")) + " lob speed 1.8"
        for version in (0, 2):
            await change(table, 1, "move", f"a{version}", version, move)
            await change(table, 1, "undo", f"b{version}", version + 1)
        with pytest.raises(TooMany, match="too fast at this table"):
            await change(table, 1, "move", "c", 4, move)
        assert (await present(table, 1))["version"] == 4
        assert await change(table, 1, "move", "a0", 0, move) == 1  # what was thrown is acknowledged again
        other = await seated(tables, await tables.create(THROWN))
        assert await change(other, 1, "move", "a", 0, FIRST) == 1


async def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        table = await seated(tables, await tables.create(THROWN))
        for text in REFUSED:
            with pytest.raises(BartizanError):
                await change(table, 1, "move", text, 0, text)
        with pytest.raises(BartizanError):
            await change(table, 2, "move", "other", 0, FIRST)
        scene = (await present(table, 1))["scene"]
        assert scene["status"]["ply"] == 0
        refusal = await table.questions.why(1, None, "throw 9v lob at 1.2")
        assert "own side" in refusal.sentence
        by_number = next(choice["action"] for choice in scene["choices"] if choice.get("throw"))
        with pytest.raises(IllegalMove, match="not reported"):
            await change(table, 1, "move", "by number", 0, by_number)


async def test_a_card_that_was_thrown_is_not_taken_back_where_others_play(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        table = await seated(tables, await tables.create(THROWN))
        await change(table, 1, "move", "a", 0, "throw 9v lob speed 1.8")
        assert (await present(table, 1))["allowed"]["undo"]
        with pytest.raises(NothingToUndo):
            await change(table, 1, "undo", "b", 1)
        solo = NewTable(game="card-barrage", options=THROWN.options, seats=1, seed="5")
        alone = await seated(tables, await tables.create(solo))
        choices = (await present(alone, 1))["scene"]["choices"]
        move = next(choice["text"] for choice in choices if choice.get("throw"))
        await change(alone, 1, "move", "a", 0, f"{move} lob speed 1.8")
        assert (await present(alone, 1))["allowed"]["undo"] == ""


async def test_programs_throw_and_their_throws_are_kept(tmp_path: Path) -> None:
    options: dict[str, Any] = {**THROWN.options, "target": 2}
    against = NewTable(game="card-barrage", options=options, seats=2, seed="5", players=["greedy", "greedy"])
    async with opened(tmp_path, Installed()) as tables:
        links = await tables.create(against)
        table = await seated(tables, links)
        ear = Ear(0)
        table.subscribe(ear)
        await table.greet(ear)
        await until(lambda: ear.heard and ear.heard[-1].get("scene", {}).get("result"))
        table.leave(ear)
        flights = [sync["scene"]["flown"] for sync in ear.heard if sync.get("scene", {}).get("flown")]
        assert flights
        last = ear.heard[-1]["scene"]
    async with opened(tmp_path, Installed()) as tables:
        table = await seated(tables, links)
        assert (await present(table, 0))["scene"]["layout"] == last["layout"]


async def test_a_log_with_a_throw_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        links = await tables.create(THROWN)
        table = await seated(tables, links)
        await change(table, 1, "move", "a", 0, FIRST)
    for spoilt in (b"{", b"{}", b'{"card": 1}'):
        with sqlite3.connect(tmp_path / "tables.sqlite") as db:
            db.execute("UPDATE log SET throw = ?, checksum = 0", (spoilt,))  # as before there were checksums
        async with opened(tmp_path, Installed()) as tables:
            table = await seated(tables, links)
            with pytest.raises(StorageError, match="throw"):
                await present(table, 1)

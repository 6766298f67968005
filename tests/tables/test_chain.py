"""The chain of hashes over a table's log: everyone is told the same heads, and the record leads to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.chain import CHECK_DIGITS, next_head
from bartizan.match import GameRecord
from bartizan.match.verify import verdict, verify
from bartizan.tables.installed import Installed
from bartizan.tables.messages import NewTable
from bartizan.tables.session import TableSession
from tests.tables.duel import DuelProvider
from tests.tables.gathering import Dealt
from tests.tables.sessions import Ear, change, opened

pytestmark = pytest.mark.anyio


def heads(ear: Ear) -> list[str]:
    """Return the check values that an ear was told, without repetitions."""
    told = [each.get("head", "") for each in ear.heard if each["type"] in ("sync", "tick")]
    return list(dict.fromkeys(told))


async def listen(table: TableSession, *seats: int) -> list[Ear]:
    ears = [Ear(seat) for seat in seats]
    for ear in ears:
        table.subscribe(ear)
        await table.greet(ear)
    return ears


async def head_of(table: TableSession) -> str:
    async with table._table.open() as state:
        assert state.chain is not None
        return state.chain.head


async def castle(tables: Any) -> TableSession:
    links = await tables.create(NewTable(game="castle-danger", seats=2, here="everyone"))
    return await tables.get(links.table)  # type: ignore[no-any-return]


async def move(table: TableSession, number: int = 0) -> None:
    async with table._table.open() as state:
        text, seat, version = state.match.legal_texts()[number], state.seat_to_move, state.version
    await change(table, seat, "move", f"m{version}", version, text)


@pytest.mark.parametrize("end", ["resign", "agree"])
async def test_everyone_is_told_the_same_heads_and_the_record_has_them(tmp_path: Path, end: str) -> None:
    async with opened(tmp_path, Installed()) as tables:
        table = await castle(tables)
        ears = await listen(table, 0, 1, 2)
        await move(table)
        await move(table)
        version = await change(table, 1, "ask", "a", 2, "takeback")
        version = await change(table, 2, "grant", "g", version)
        await move(table, 1)
        async with table._table.open() as state:
            version = state.version
        if end == "agree":
            version = await change(table, 1, "offer", "o", version)
            await change(table, 2, "agree", "e", version)
        else:
            await change(table, 2, "resign", "r", version)
        said = [heads(ear) for ear in ears]
        assert said[0] == said[1] == said[2]
        assert all(len(head) == CHECK_DIGITS for head in said[0])
        text = await table.questions.record(1)
        record = GameRecord.parse(text)
        assert record.text() == text
        assert record.log is not None
        assert len(said[0]) == len(record.log.entries) + 1
        assert record.log.head.startswith(said[0][-1])
        for head in said[0]:
            assert all(each.holds for each in verify(record, head=head)), head
        whole = await head_of(table)
    async with opened(tmp_path, Installed()) as tables:  # it is computed again from what is stored
        assert await head_of(await tables.get(record.log.table)) == whole


async def test_what_is_beside_the_game_leaves_the_head_as_it_is(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        table = await castle(tables)
        await change(table, 1, "resign", "r", 0)
        before = await head_of(table)
        await change(table, 2, "rematch", "a", 1)
        assert await head_of(table) == before
        assert (
            verdict(verify(GameRecord.parse(await table.questions.record(0)))) == "open"
        )  # nothing was dealt


async def test_a_running_game_gives_no_log(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        table = await castle(tables)
        await move(table)
        assert GameRecord.parse(await table.questions.record(1)).log is None


async def test_a_game_alone_that_was_undone_after_its_end_goes_on_in_the_log(tmp_path: Path) -> None:
    async with opened(tmp_path, Installed()) as tables:
        links = await tables.create(NewTable(game="alcazar", seed="7"))
        table = await tables.get(links.table)
        over, version = False, 0
        while not over:
            await move(table)
            async with table._table.open() as state:
                over, version = state.is_over, state.version
        await change(table, 1, "undo", "u", version)
        await change(table, 1, "redo", "r", version + 1)
        record = GameRecord.parse(await table.questions.record(1))
        assert record.log is not None
        assert all(each.holds for each in verify(record))
        assert record.log.entries[-2:] == (f"{len(record.moves) - 1} undo 1", f"{len(record.moves)} redo 1")


async def test_a_head_covers_the_servers_secret_so_no_one_can_try_hidden_moves(tmp_path: Path) -> None:
    async with opened(tmp_path, Dealt()) as tables:
        links = await tables.create(NewTable(game="duel", seats=2, players=["person", "random"]))
        table = await tables.get(links.table)
        before = await head_of(table)
        async with table._table.open() as state:
            card = state.match.states[0].hands[0][0]  # type: ignore[attr-defined]
            secret = state.exchange._secret
        await change(table, 1, "move", "b", 0, f"bury {card}")
        after = await head_of(table)
        assert after == next_head(before, secret, f"1 move 1 bury {card}")
        assert after not in {next_head(before, "", f"1 move 1 bury {each}") for each in range(1, 9)}


async def test_hidden_moves_without_a_secret_have_no_chain(tmp_path: Path) -> None:
    async with opened(tmp_path, DuelProvider()) as tables:
        links = await tables.create(NewTable(game="duel", seats=2, here="everyone"))
        table = await tables.get(links.table)
        (ear,) = await listen(table, 1)
        async with table._table.open() as state:
            assert state.chain is None
            assert state.log() is None
        assert heads(ear) == [""]

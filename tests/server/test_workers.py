"""Several worker processes are one server: whichever is killed, nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from bartizan.server.affinity import owner
from bartizan.server.workers import check_workers
from bartizan.tables.errors import StartError
from bartizan.tables.storage import open_log
from tests.corpus import sample
from tests.server.serving import ROOT, Client, Serving, refuse_to_start
from tests.waiting import PATIENCE

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="workers are found by what Linux tells of processes"),
]

LIMITS: dict[str, float] = {"program_pause": 0, "table_burst": 100_000, "tables_per_second": 1000}
TABLES = 6  # that are played at all the time


def workers_of(serving: Serving) -> list[int]:
    children = Path(f"/proc/{serving.process.pid}/task/{serving.process.pid}/children")
    return [int(pid) for pid in children.read_text().split()]


class Player:
    """Who plays one table after the other, comes back when thrown out, notes what was acknowledged."""

    def __init__(self, serving: Serving, chance: random.Random) -> None:
        self._serving = serving
        self._chance = chance
        self._last = time.monotonic()
        self.acknowledged: dict[tuple[str, int], str] = {}  # (table, version) -> the message that made it
        self.longest = 0.0  # seconds for which nothing could be played

    async def play(self, until: asyncio.Event) -> None:
        links: dict[str, Any] = {}
        while not until.is_set():
            try:
                links = links or await asyncio.to_thread(self._serving.table)
                table, keys = links["table"], links["seats"]
                async with self._serving.sit(table, keys[0]) as one, self._serving.sit(table, keys[1]) as two:
                    if await self._go_on(table, (one, two), until):
                        links = {}
            except (OSError, HTTPException, WebSocketException, AssertionError, TimeoutError):
                await asyncio.sleep(0.02)

    async def _go_on(self, table: str, seats: tuple[Client, Client], until: asyncio.Event) -> bool:
        """Play on; return whether the game is over."""
        syncs = [await seat.hello() for seat in seats]
        while not until.is_set():
            asked = syncs[0]["scene"]["status"].get("seat", 0)
            if not asked:
                return True
            mover = seats[asked - 1]
            id_, version = str(uuid4()), syncs[asked - 1]["version"]
            move = self._chance.choice(syncs[asked - 1]["scene"]["choices"])["action"]
            await mover.send("move", id=id_, version=version, move=move)
            while (answer := await mover.until("ack", "error", "sync"))["type"] == "sync":
                syncs[asked - 1] = answer
            if answer["type"] == "error":
                assert answer["code"] in ("stale_version", "storage")
                return False
            self.acknowledged[table, answer["version"]] = id_
            now = time.monotonic()
            self._last, self.longest = now, max(self.longest, now - self._last)
            for seat in (0, 1):
                while syncs[seat]["version"] < answer["version"]:
                    syncs[seat] = await seats[seat].until("sync")
        return False


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_nothing_acknowledged_is_lost_when_workers_are_killed(
    tmp_path: Path, store: str, request: pytest.FixtureRequest
) -> None:
    """Two workers under load, one of them killed again and again: all goes on, and everything is there."""
    database = request.getfixturevalue("postgres").database() if store == "postgres" else ""
    chance, kills = random.Random(3), sample(3, 100)
    with Serving("tests.server.duel", tmp_path / "data", LIMITS, more=("2", database)) as serving:
        players = [Player(serving, random.Random(number)) for number in range(TABLES)]
        done = asyncio.Event()
        playing = [asyncio.ensure_future(player.play(done)) for player in players]
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(0.2, 0.5))
            if found := workers_of(serving):
                os.kill(chance.choice(found), signal.SIGKILL)
        before = sum(len(player.acknowledged) for player in players)
        async with asyncio.timeout(PATIENCE):  # it is served
            while sum(len(player.acknowledged) for player in players) <= max(before + 10, 20):
                await asyncio.sleep(0.05)
        done.set()
        await asyncio.gather(*playing)
        assert len(workers_of(serving)) == 2
        assert serving.stop() == 0
    log = open_log(tmp_path / "data", database)
    try:
        logs: dict[str, list[Any]] = {}
        for player in players:
            for (table, version), id_ in player.acknowledged.items():
                if table not in logs:
                    logs[table] = await log.read(table)
                assert logs[table][version - 1].id == id_
        for entries in logs.values():
            ids = [entry.id for entry in entries]
            assert len(set(ids)) == len(ids)  # nothing was played twice
    finally:
        await log.stop()
    count, longest = sum(len(player.acknowledged) for player in players), max(p.longest for p in players)
    print(f"{store}: {kills} kills, {count} moves acknowledged, longest wait {longest:.2f} s")


async def test_a_table_is_one_though_its_people_come_to_different_servers(tmp_path: Path) -> None:
    """Two servers of one folder, as after a restart in which the old one lingers."""
    with (
        Serving("tests.server.duel", tmp_path / "data", LIMITS) as here,
        Serving("tests.server.duel", tmp_path / "data", LIMITS) as there,
    ):
        links = here.table()
        async with here.sit(links["table"], links["seats"][0]) as one:
            sync = await one.hello()
            async with there.sit(links["table"], links["seats"][1]) as two:
                await two.hello()
                await one.until("present", seats=[1, 2])
                move = sync["scene"]["choices"][0]["action"]
                assert (await one.ask("move", version=0, move=move))["type"] == "ack"
                assert (await two.until("sync", version=1))["scene"]["status"]["ply"] == 1
                await one.send("say", text="hello")
                assert (await two.until("chat"))["lines"][0]["text"] == "hello"
                here.kill()
            async with there.sit(links["table"], links["seats"][0]) as again:
                assert (await again.hello())["version"] == 1
        assert there.stop() == 0


def test_whoever_asks_for_a_table_is_handed_to_its_owner() -> None:
    lines = {
        b"GET /ws/abc?x HTTP/1.1": b"abc",
        b"GET /folder/ws/abc HTTP/1.1": b"abc",
        b"POST /api/tables/abc/record HTTP/1.1": b"abc",
    }
    owners = {owner(line, 7) for line in lines}
    assert len(owners) == 1
    assert owners.pop() in range(7)
    assert owner(b"GET /api/lab/runs HTTP/1.1", 7) == 0
    others = (b"GET / HTTP/1.1", b"POST /api/tables HTTP/1.1", b"", b"\x16\x03\x01", b"GET /?ws/abc HTTP/1.1")
    assert {owner(line, 7) for line in others} == {-1}
    assert len({owner(b"GET /ws/%d HTTP/1.1" % number, 4) for number in range(50)}) == 4


def test_a_number_of_workers_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    for count in (0, 65):
        with pytest.raises(StartError, match="1 to 64 workers"):
            check_workers(count)
    (tmp_path / "file").write_text("")
    assert "data folder" in refuse_to_start("0", str(tmp_path / "file"), "2")
    assert "cannot be used" in refuse_to_start("0", str(tmp_path), "2", "postgresql://127.0.0.1:1/none")


async def test_a_table_closed_by_command_is_left_by_who_sits_there(tmp_path: Path) -> None:
    with Serving("tests.server.duel", tmp_path / "data", LIMITS) as serving:
        links = serving.table()
        async with serving.sit(links["table"], links["seats"][0]) as one:
            await one.hello()
            command = [sys.executable, "-m", "bartizan", "tables", "close", links["table"]]
            await asyncio.to_thread(
                subprocess.run, [*command, "--data", str(tmp_path / "data")], check=True, cwd=ROOT
            )
            assert (await one.until("error"))["sentence"] == "The host has closed this table."
            with pytest.raises(ConnectionClosed) as ended:
                await one.until("sync")
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 4404
        async with serving.sit(links["table"], links["seats"][0]) as one:
            assert (await one.until("error"))["code"] == "not_allowed"
        assert serving.stop() == 0

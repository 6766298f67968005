"""A flag falls at a server that was killed and started again, though nobody comes to see it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from tests.server.serving import Client, Serving
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio


async def turn(client: Client) -> None:
    """Play a card and end the turn."""
    sync = await client.hello()
    card = next(each for each in sync["scene"]["choices"] if each["verb"] == "play")["action"]
    assert (await client.ask("move", version=sync["version"], move=card))["type"] == "ack"
    assert (await client.ask("move", version=sync["version"] + 1, move="end"))["type"] == "ack"


async def test_a_flag_falls_after_a_kill_with_nobody_there(tmp_path: Path) -> None:
    limits = {"table_says_per_second": 2.0}
    with Serving("tests.server.duel", tmp_path / "data", limits) as server:
        links = server.table(clock={"kind": "move", "seconds": 10})
        for key in links["seats"]:
            async with server.sit(links["table"], key) as client:
                await turn(client)
        begun = time.monotonic()
        async with server.sit(links["table"], links["spectator"]) as client:
            await client.hello()
            told = await client.until("clock")
            assert told["running"] == 1
            assert 0 < told["left"][0] <= 10_000
            assert client.opened["agreement"]["clock"] == {"kind": "move", "seconds": 10}
        killed = time.monotonic()
        server.kill()
    with Serving("tests.server.duel", tmp_path / "data", limits) as server:
        up = time.monotonic()
        last = ("move", 2, 0)
        while last[0] != "flag" and time.monotonic() < up + PATIENCE:  # nobody sits there meanwhile
            await asyncio.sleep(0.1)
            with sqlite3.connect(f"file:{tmp_path / 'data' / 'tables.sqlite'}?mode=ro", uri=True) as db:
                last = db.execute("SELECT kind, seat, spent FROM log ORDER BY ply DESC LIMIT 1").fetchone()
        assert last == ("flag", 1, 10_000)
        # To start again takes longer than what was left: that time was nobody's.
        assert time.monotonic() - up > 0.8 * (10 - (killed - begun))
        async with server.sit(links["table"], links["seats"][0]) as client:
            sync = await client.hello()
            assert sync["scene"]["result"]["headline"] == "Seat 1 is out of time."
            assert sync["version"] == 5


async def test_people_talk_over_sockets_within_limits(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["spectator"]) as watcher:
        await one.hello()
        await watcher.hello()
        assert (await one.ask("introduce", name="Ada", arms="lion or"))["type"] == "done"
        told = await watcher.until("present", persons=[{"seat": 1, "name": "Ada", "arms": "lion or"}])
        assert told["seats"] == [1]
        assert (await one.ask("say", text="hello"))["type"] == "done"
        assert (await watcher.until("chat"))["lines"][0]["text"] == "hello"
        assert (await watcher.ask("say", text="me too"))["code"] == "not_allowed"
        assert (await one.ask("say", text="x", emote="shout"))["code"] == "bad_request"
        assert (await one.ask("introduce", name="greedy"))["code"] == "bad_request"
        answers = [await one.ask("say", text="more") for _ in range(8)]
        assert answers[-1]["code"] == "too_many"
        assert (await one.ask("claim", version=0, seat=2, how="program"))["code"] == "not_allowed"
        assert (await one.ask("claim", version=0, seat=7, how="key"))["code"] == "not_allowed"
        assert (await one.ask("ask", version=0, what="money"))["code"] == "bad_request"
        assert (await one.ask("grant", version=0))["code"] == "not_allowed"

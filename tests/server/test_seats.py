"""Creators who peek, stolen invitations and unfair hints, as a hostile client tries them over sockets."""

from __future__ import annotations

import asyncio
import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from bartizan.tables.bus import Bus, Keys
from bartizan.tables.storage import open_log
from tests.server.serving import Client, Serving
from tests.server.test_socket import closed
from tests.waiting import PATIENCE

LIMITS: dict[str, float] = {"table_burst": 1000}

pytestmark = pytest.mark.anyio


async def enter(serving: Serving, table: str, **fields: str) -> list[dict[str, Any]]:
    """Come to a table and return the messages up to the first sync, or the error."""
    async with connect(f"ws://127.0.0.1:{serving.port}/ws/{table}", max_size=None) as socket:
        await socket.send(json.dumps({"type": "enter", **fields}))
        heard: list[dict[str, Any]] = []
        async with asyncio.timeout(PATIENCE):
            while not heard or heard[-1]["type"] not in ("sync", "error"):
                heard.append(json.loads(await socket.recv()))
        return heard


def create(serving: Serving, **wanted: Any) -> dict[str, Any]:
    status, links = serving.json(
        "POST", "/api/tables", {"game": "duel", "players": ["person", "person"], **wanted}
    )
    assert status == 201, links
    return dict(links)


async def test_a_creator_cannot_open_the_seat_of_someone_who_has_come(duel: Serving) -> None:
    links = create(duel)
    given = links["seats"][1]
    came = await enter(duel, links["table"], key=given)
    assert came[-1]["scene"]["seat"] == 2
    for fields in ({"key": given}, {"key": secrets.token_urlsafe(24), "invitation": given}):
        refused = (await enter(duel, links["table"], **fields))[-1]
        assert (refused["type"], refused["code"]) == ("error", "bad_token")
        assert "already been used" in refused["sentence"]
    for path in ("record", "analysis"):
        assert duel.json("GET", f"/api/tables/{links['table']}/{path}", key=given)[0] == 403


async def test_no_frame_to_the_others_holds_a_key_or_an_invitation(duel: Serving) -> None:
    links = create(duel)
    table, (own, code) = links["table"], links["seats"]
    key = secrets.token_urlsafe(24)
    heard: list[str] = []
    async with duel.sit(table, own) as creator, duel.sit(table, links["spectator"]) as watcher:
        await enter(duel, table, key=key, invitation=code, browser="guest")
        await enter(duel, table, key=key, invitation=code, browser="another")
        for client in (creator, watcher):
            heard.append(json.dumps(await client.until("sync")))
            await client.send("ping", id="end")
            while (message := await client.hear(aside=True))["type"] != "pong":
                heard.append(json.dumps(message))
    assert len(heard) > 2
    for secret in (key, code):
        assert not any(secret in each for each in heard)
    opened = next(
        each for each in await enter(duel, table, key=key, browser="guest") if each["type"] == "sync"
    )
    assert opened["elsewhere"] == 1


@pytest.mark.parametrize("frame", [{"key": ""}, {"key": "join-"}, {"invitation": "x" * 300, "key": "a"}])
async def test_nonsense_opens_nothing(duel: Serving, frame: dict[str, str]) -> None:
    links = create(duel)
    assert (await enter(duel, links["table"], **frame))[-1]["code"] == "bad_token"


async def test_the_server_refuses_hints_against_a_person_until_both_agree(duel: Serving) -> None:
    links = create(duel)
    key = secrets.token_urlsafe(24)
    await enter(duel, links["table"], key=key, invitation=links["seats"][1])
    async with duel.sit(links["table"], links["seats"][0]) as one, duel.sit(links["table"], key) as two:
        version = (await one.hello())["version"]
        await two.hello()
        refused = await one.ask("hint")
        assert (refused["type"], refused["code"]) == ("error", "not_allowed")
        assert "until everyone allows them" in refused["sentence"]
        assert (await one.ask("ask", version=version, what="hints"))["type"] == "ack"
        assert (await one.ask("grant", version=version))["type"] == "error"  # not by the same person
        assert (await one.ask("hint"))["type"] == "error"
        assert (await two.ask("grant", version=version))["type"] == "ack"
        assert (await one.ask("hint"))["type"] == "hint"
        assert await _hints(two) == [1, 0]


async def _hints(client: Client) -> list[int]:
    while "hints" not in (sync := await client.until("sync")) or not any(sync["hints"]):
        pass
    return list(sync["hints"])


async def test_of_two_browsers_at_two_servers_one_gets_the_seat(tmp_path: Path) -> None:
    with (
        Serving("tests.server.duel", tmp_path / "data", LIMITS) as here,
        Serving("tests.server.duel", tmp_path / "data", LIMITS) as there,
    ):
        for _ in range(8):
            links = create(here)
            table, code = links["table"], links["seats"][1]
            await asyncio.gather(*(enter(each, table, key=links["spectator"]) for each in (here, there)))
            keys = [secrets.token_urlsafe(24) for _ in range(2)]
            last = [
                heard[-1]
                for heard in await asyncio.gather(
                    *(
                        enter(each, table, key=key, invitation=code)
                        for each, key in zip((here, there), keys, strict=True)
                    )
                )
            ]
            assert sorted(each["type"] for each in last) == ["error", "sync"]
            lost = [each["type"] for each in last].index("error")
            assert "already been used" in last[lost]["sentence"]
            for each in (here, there):
                assert (await enter(each, table, key=keys[1 - lost]))[-1]["scene"]["seat"] == 2
                assert (await enter(each, table, key=keys[lost]))[-1]["code"] == "bad_token"


async def test_a_report_is_confirmed_and_a_blocked_seat_is_closed(duel: Serving) -> None:
    links = duel.table(players=["person", "person"])
    async with (
        duel.sit(links["table"], links["seats"][0]) as one,
        duel.sit(links["table"], links["seats"][1]) as two,
    ):
        await one.hello()
        await two.hello()
        report = {"type": "report", "id": "r", "seat": 2, "reason": "rude"}
        await one.socket.send(json.dumps(report))
        assert (await one.until("done"))["id"] == "r"
        await one.socket.send(json.dumps(report | {"id": "s", "reason": "x" * 301}))
        assert (await one.until("error"))["id"] == "s"
        log = open_log(duel.data)
        try:
            assert [each.reason for _, each in await log.reports()] == ["rude"]
            await log.set_blocked(links["table"], [2], blocked=True)
            Bus(log).publish(Keys(table=links["table"]))
        finally:
            await log.stop()
        assert (await two.until("error"))["code"] == "blocked"
        assert 4400 <= await closed(two) < 4500  # the client doesn't try again
    async with duel.sit(links["table"], links["seats"][1]) as two:
        assert (await two.hear())["code"] == "blocked"
        assert await closed(two) == 4403
    status, told = duel.json("GET", f"/api/tables/{links['table']}/record", key=links["seats"][1])
    assert (status, told["code"]) == (403, "blocked")

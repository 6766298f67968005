"""A server that is killed while a deal is made goes on where it was, and deals once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.fairness import commit_share
from bartizan.tables.storage import open_log
from tests.server.serving import Client, Serving

pytestmark = pytest.mark.anyio


def share(seat: int, number: int) -> str:
    return f"{seat:02x}{number:02x}" * 8


async def commit(client: Client, table: str, seat: int, fair: dict[str, Any]) -> None:
    commitment = commit_share(table, seat, share(seat, len(fair.get("void", []))))
    answer = await client.ask("commit", version=fair["version"], commitment=commitment)
    assert answer["type"] == "ack", answer


async def begun(client: Client) -> dict[str, Any]:
    """Return what is told of a round to which no one has committed."""
    while True:
        fair = await client.until("fair")
        if "commitments" not in fair:
            return fair


async def test_kills_around_void_rounds_lose_nothing_and_deal_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUEL_CHANCE", "1")
    told: list[str] = []  # the server's commitments, in their order
    links: dict[str, Any] = {}
    kills = 4
    for kill in range(kills + 1):
        patience = 0.2 if kill < kills else 60
        with Serving("tests.server.duel", tmp_path / "data", {"share_seconds": patience}) as server:
            links = links or server.table()
            table, keys = links["table"], links["seats"]
            async with server.sit(table, keys[0]) as one, server.sit(table, keys[1]) as two:
                fair = await begun(one)
                number = len(fair.get("void", []))
                before = [each["commitment"] for each in fair.get("void", [])]
                assert before[: len(told)] == told
                told = [*before, fair["commitment"]][: number + 1]
                for seat, client in ((1, one), (2, two)):
                    await commit(client, table, seat, fair)
                shown = await one.send("share", version=fair["version"], share=share(1, number))
                if kill == kills:
                    answer = await two.ask("share", version=fair["version"], share=share(2, number))
                    assert answer["type"] == "ack", answer
                    await one.until("sync")
                elif kill % 2:  # between a void round and the next
                    await begun(one)
                else:
                    await one.until("ack", "error", id=shown)  # an error where the round was void first
                server.kill()
    log = open_log(tmp_path / "data", "")
    try:
        kinds = [entry.kind for entry in await log.read(links["table"])]
    finally:
        await log.stop()
    assert kinds.count("void") == kills
    assert kinds.count("deal") == 1
    assert len(told) == kills + 1

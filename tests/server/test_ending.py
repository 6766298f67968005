"""Two people end a game between them, and play another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Client, Serving
from tests.server.test_socket import hand

pytestmark = pytest.mark.anyio


async def finish(one: Client, two: Client) -> None:
    """End the game: seat 2 resigns."""
    sync = await two.hello()
    assert (await two.ask("resign", version=sync["version"]))["type"] == "ack"
    await one.until("sync")


async def test_a_draw_is_offered_declined_and_agreed(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        first = await one.hello()
        cards = hand(first, 1)
        assert first["allowed"]["offer"] == ""
        await two.hello()
        assert (await one.ask("agree", version=0))["code"] == "not_allowed"
        assert (await one.ask("offer", version=0))["version"] == 1
        sync = await two.until("sync")
        assert sync["draw_offer"] == 1
        assert sync["allowed"]["offer"] != ""
        assert (await one.ask("agree", version=1))["code"] == "not_allowed"  # not one's own
        assert "already offered" in (await one.ask("offer", version=1))["sentence"]
        assert (await two.ask("decline", version=1))["version"] == 2
        assert "Make a move" in (await one.ask("offer", version=2))["sentence"]
        # What is said aside does not make a move stale.
        assert (await one.ask("move", version=0, move=f"play {cards[0]}"))["version"] == 3
        assert (await one.ask("offer", version=3))["version"] == 4
        assert (await two.ask("agree", version=4))["version"] == 5
        sync = await one.until("sync", version=5)
        assert sync["scene"]["result"]["outcome"] == {"winners": [], "returns": [0.0, 0.0]}
        assert (await two.ask("offer", version=5))["code"] == "game_over"
        assert (await one.ask("undo", version=5))["code"] == "nothing_to_undo"


async def test_an_offer_stands_until_the_other_moves(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        cards = hand(await one.hello(), 1)
        await two.hello()
        assert (await one.ask("offer", version=0))["type"] == "ack"
        assert (await one.ask("move", version=1, move=f"play {cards[0]}"))["type"] == "ack"
        assert (await one.ask("move", version=2, move="end"))["type"] == "ack"
        sync = await two.until("sync", version=3)
        assert sync["draw_offer"] == 1
        mine = hand(sync, 2)
        assert (await two.ask("move", version=3, move=f"play {mine[0]}"))["type"] == "ack"
        assert (await two.hello()).get("draw_offer", 0) == 0
        assert (await two.ask("agree", version=4))["code"] == "not_allowed"


@pytest.mark.parametrize("wanted", [{"seats": 3}, {"players": ["person", "random"]}])
async def test_draws_are_for_two_persons(duel: Serving, wanted: dict[str, Any]) -> None:
    links = duel.table(**wanted)
    async with duel.sit(links["table"], links["seats"][0]) as one:
        assert "offer" not in (await one.hello())["allowed"]
        answer = await one.ask("offer", version=0)
        assert answer["code"] == "not_allowed"
        assert "two people" in answer["sentence"]


async def test_a_rematch_begins_when_both_want_it_with_seats_changed(tmp_path: Path) -> None:
    with Serving("tests.server.duel", tmp_path) as server:
        links = server.table(options={"high": True})
        table = links["table"]
        async with server.sit(table, links["seats"][0]) as one, server.sit(table, links["seats"][1]) as two:
            await one.hello()
            before = one.opened["seed_hash"]
            assert (await one.ask("rematch", version=0))["code"] == "not_allowed"
            await finish(one, two)
            assert (await one.ask("rematch", version=1))["version"] == 2
            assert (await one.ask("rematch", version=2))["code"] == "not_allowed"
            end = (await one.ask("at", version=1))["scene"]  # looked back at, it is as it was
            assert end["result"]["headline"] == "Seat 2 resigns."
            assert end["result"]["reason"] == "resignation"
            sync = await two.until("sync", version=2)
            assert sync["rematch"] == {"asked": [1]}
            assert sync["allowed"]["rematch"] == ""
        server.kill()
    with Serving("tests.server.duel", tmp_path) as server:
        async with server.sit(table, links["seats"][0]) as one, server.sit(table, links["seats"][1]) as two:
            await one.hello()
            assert (await two.hello())["rematch"] == {"asked": [1]}
            assert (await two.ask("rematch", version=2))["version"] == 3
            sync = await one.until("sync", version=3)
            assert sync["rematch"]["seats"] == [2, 1]
            assert "allowed" not in sync  # nothing is left to ask for
            following = sync["rematch"]["table"]
        # The same keys open the next table, at the other seats; the first table stays open to them.
        for token, seat in ((links["seats"][0], 2), (links["seats"][1], 1), (links["spectator"], 0)):
            async with server.sit(following, token) as client:
                sync = await client.hello()
                assert sync["scene"]["seat"] == seat
                assert client.opened["seed_hash"] != before
                assert sync["players"] == ["person", "person"]
                if seat:
                    assert len(hand(sync, seat)) == 3
            async with server.sit(table, token) as client:
                assert "result" in (await client.hello())["scene"]
        again = server.table(deal="same", same_as=links["seats"][0], same_table=table)
        assert again["seed_hash"] == before


async def test_a_program_is_ready_for_a_rematch_at_once(duel: Serving) -> None:
    links = duel.table(players=["person", "random"])
    async with duel.sit(links["table"], links["seats"][0]) as one:
        sync = await one.hello()
        assert (await one.ask("resign", version=sync["version"]))["type"] == "ack"
        sync = await one.hello()
        assert sync["allowed"]["rematch"] == ""
        assert (await one.ask("rematch", version=sync["version"]))["type"] == "ack"
        following = (await one.hello())["rematch"]
        assert following["asked"] == [1]
    async with duel.sit(following["table"], links["seats"][0]) as one:
        sync = await one.hello()
        assert sync["scene"]["seat"] == 2
        assert sync["players"] == ["random", "person"]

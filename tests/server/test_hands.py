"""Over real sockets no frame names a card that lies in another's hand, from the first sync to the last."""

from __future__ import annotations

import json
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from bartizan.engine.cards import POKER
from tests.server.serving import Client, Serving

pytestmark = pytest.mark.anyio
SHORT = {"removed": 83}  # five cards for each of four seats


def faces(scene: dict[str, Any], zone: str) -> set[str]:
    """Return the faces that a scene shows in a zone."""
    (found,) = (each for each in scene["zones"] if each["id"] == zone)
    return {item["face"] for item in found.get("items", ()) if "face" in item} & CARDS


CARDS = {rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}


def named(told: dict[str, Any]) -> set[str]:
    """Return the cards that a message names anywhere, in notation or in words."""
    text = json.dumps(told)
    return {card for card in CARDS if f'"{card}"' in text or POKER.name(POKER.parse(card)) in text}


async def test_no_frame_names_what_another_holds(alcazar: Serving) -> None:
    links = alcazar.table("card-cassonne", seats=4, options=SHORT, seed="5ec", open_seed=True)
    keys = [links["spectator"], *links["seats"]]
    dice = random.Random(4)
    drawn = 0
    async with AsyncExitStack() as stack:

        async def join(key: str) -> Client:
            return await stack.enter_async_context(alcazar.sit(links["table"], key))

        clients = [await join(key) for key in keys]
        told = [await client.hello() for client in clients]
        while told[0]["scene"]["status"]["seat"]:
            hands = [faces(told[seat]["scene"], f"hand:{seat}") for seat in range(1, 5)]
            for seat, sync in enumerate(told):
                public = faces(sync["scene"], "layout")
                own = hands[seat - 1] if seat else set()
                hidden = set().union(*hands) - own - public
                assert not hidden & named(sync)
                drawn += len(hidden)
            seat = told[0]["scene"]["status"]["seat"]
            if dice.random() < 0.15:  # who comes in the middle is told no more than who was there
                late = dice.randrange(5)
                async with alcazar.sit(links["table"], keys[late]) as other:
                    first = await other.hello()
                assert first["scene"]["zones"] == told[late]["scene"]["zones"]
            choice = dice.choice(told[seat]["scene"]["choices"])
            version = told[seat]["version"]
            await clients[seat].send("move", version=version, move=choice["action"])
            told = [await client.until("sync", version=version + 1) for client in clients]
    assert drawn > 100
    assert named({"text": "You draw the seven of hearts."}) == {"7h"}

"""Clients that get patches end up with the same table as clients that get everything."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.tables.installed import Installed
from bartizan.tables.messages import NewTable, Sync
from tests.patched import patched
from tests.tables.sessions import Ear, change, opened

pytestmark = pytest.mark.anyio


class PatchedEar(Ear):
    """A client that gets patches and applies them."""

    patches = True

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.now: dict[str, Any] = {}
        self.sent = 0

    def send(self, data: bytes) -> None:
        self.sent += len(data)
        message = msgspec.json.decode(data)
        if message["type"] == "patch":
            self.now = patched(self.now, message)
        elif message["type"] == "sync":
            self.now = message
        elif message["type"] == "tick":
            self.now |= {"version": message["version"], "head": message.get("head", "")}

    @property
    def sync(self) -> Sync:
        return msgspec.convert(self.now, Sync)


class WholeEar(PatchedEar):
    """A client that gets the whole table each time."""

    patches = False


@pytest.mark.parametrize("name", registry.names())
async def test_patches_lead_to_the_same_table(name: str, tmp_path: Path) -> None:
    dice = random.Random(name)
    told: list[PatchedEar] = []
    async with opened(tmp_path, Installed()) as tables:
        links = await tables.create(NewTable(game=name, here="everyone", seed="5e", open_seed=True))
        table, _ = await tables.open(links.table, links.seats[0])
        for key in links.seats:
            _, seat = await tables.open(links.table, key)
            for ear in (PatchedEar(seat), WholeEar(seat)):
                table.subscribe(ear)
                await table.greet(ear)
                told.append(ear)
        undone = 0
        for number in range(40):
            one = next((each for each in told if each.sync.scene.choices), None)
            if one is None:
                break
            kind, value = "move", dice.choice(one.sync.scene.choices).text
            takes_back = next((each for each in told if each.sync.allowed.get("undo") == ""), None)
            if takes_back is not None and dice.random() < 0.3:
                one, kind, value, undone = takes_back, "undo", "", undone + 1
            await change(table, one.seat, kind, f"{number}", one.sync.version, value)
            for by_patch, whole in zip(told[::2], told[1::2], strict=True):
                lines = whole.sync.scene.log
                shown = by_patch.sync
                assert shown.scene.log[len(shown.scene.log) - len(lines) :] == lines
                replaced = msgspec.structs.replace(shown.scene, log=lines)
                assert msgspec.structs.replace(shown, scene=replaced) == whole.sync
    assert number > 5
    assert undone or name != "castle-danger"  # where nothing is hidden that a move could show
    assert sum(each.sent for each in told[::2]) < 0.8 * sum(each.sent for each in told[1::2])

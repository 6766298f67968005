"""What a seat cannot know changes no byte of what it is told."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import BartizanError
from bartizan.match import Match
from bartizan.server.host import Host, Installed, Playable
from bartizan.server.limits import Limits
from bartizan.server.movelog import MoveLog
from bartizan.server.schema import Error, Hints, NewTable, Refused, View, encoder
from bartizan.server.table import Refusing
from bartizan.server.tables import Tables
from tests.server.duel import DuelHost, DuelMatch

pytestmark = pytest.mark.anyio
TRIED = 60


class Placed(Installed):
    """Alcazar from one position, whatever the seed."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        self.position = position

    def match(
        self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None
    ) -> Playable:
        return Match(game, options, seats=seats, seed=seed, position=self.position)


class Ear:
    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.greeted = False
        self.heard: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.heard.append(data)


async def everything(
    folder: Path, host: Host, wanted: NewTable, seats: list[int], script: list[Any]
) -> list[bytes]:
    """Play a script; return all that these seats are told, asked for in every way there is."""
    log = MoveLog.open(folder)
    tables = Tables(log, host, Limits())
    try:
        links = await tables.create(wanted)
        table = await tables.get(links.table)
        ears = [Ear(seat) for seat in seats]
        for ear in ears:
            table.subscribe(ear)
            await table.greet(ear)
        told: list[bytes] = []

        async def ask(work: Any) -> None:
            try:
                told.append(encoder.encode(await work))
            except Refusing as refusing:
                told.append(encoder.encode(Refused(id="a", refusal=refusing.refusal)))
            except BartizanError as error:
                told.append(encoder.encode(Error(code=error.code, sentence=str(error))))

        async def questions(ply: int) -> None:
            for seat in seats:
                for move in script_of_wrong_moves:
                    await ask(table.why(seat, None, move))
                    if not isinstance(move, str):
                        continue
                    await ask(table.change(seat, "move", "wrong", ply + 5, move))  # stale, whatever it is
                for items in item_sets:
                    await ask(table.why(seat, items, None))
                for back in range(ply + 1):
                    told.append(encoder.encode(View(id="a", ply=back, scene=await table.view(seat, back))))
                await ask(table.record(seat))

        script_of_wrong_moves, item_sets, played = script
        await questions(0)
        ply = 0
        for seat, move in played:
            ply = await table.change(seat, "move", f"m{ply}", ply, move)
            await questions(ply)
        if 1 in seats:
            try:
                hints = await table.hint(1, "h")
                told.append(encoder.encode(Hints(id="h", hints=tuple(hints))))
            except BartizanError as error:
                told.append(str(error).encode())
        heard = [data for ear in ears for data in ear.heard]
        return [data.replace(links.table.encode(), b"TABLE") for data in (*heard, *told)]
    finally:
        tables.close()
        log.close()


def placed(seed: str) -> dict[str, Any]:
    """Return a fresh Alcazar position."""
    return Match("alcazar", seed=seed).position()


def bare(card: str) -> str:
    return card.removeprefix("~")


def rearranged(position: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return the position with all that lies face down shuffled: deck, tower, rear ranks."""
    other = copy.deepcopy(position)
    places: list[tuple[str, int]] = [("deck", at) for at in range(len(other["deck"]))]
    places += [
        (zone, at)
        for zone in ("tower", "right", "left", "top")
        for at, card in enumerate(other[zone])
        if card.startswith("~")
    ]
    cards = [bare(other[zone][at]) for zone, at in places]
    chance.shuffle(cards)
    for (zone, at), card in zip(places, cards, strict=True):
        other[zone][at] = card if zone == "deck" else "~" + card
    return other


@pytest.mark.parametrize("seed", ["1", "2", "3"])
async def test_alcazar_tells_nothing_of_what_lies_face_down(tmp_path: Path, seed: str) -> None:
    chance = random.Random(seed)
    position = placed(seed)
    other = rearranged(position, chance)
    assert other != position
    scene = Match("alcazar", seed="9", position=position).scene(1)
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    wrong: list[Any] = ["end", "nonsense", "draw", "", 0, 99_999]
    for card in chance.sample(cards, 12):
        wrong += [
            f"defend {side}.{rank} with {card}"
            for side in ("left", "right", "top")
            for rank in ("front", "rear")
        ]
        wrong += [
            f"repair with {card}",
            f"discard {card}",
            f"advantage {card} paying 2c",
            f"missile {card} at left.rear paying 2c",
        ]
    wrong += [chance.randrange(6000) for _ in range(TRIED)]
    ids = [item.id for zone in scene.zones for item in zone.items] + [
        slot.id for zone in scene.zones for slot in zone.slots
    ]
    items = [chance.sample(ids, chance.randint(1, 3)) for _ in range(TRIED)]
    script = [wrong, items, []]
    wanted = NewTable(game="alcazar", seed="9")
    told = [
        await everything(tmp_path / name, Placed(start), wanted, [0, 1], script)
        for name, start in (("a", position), ("b", other))
    ]
    assert len(told[0]) > 100
    assert told[0] == told[1]


async def test_a_game_of_several_tells_no_seat_the_others_hands(tmp_path: Path) -> None:
    def hand(seed: str, seat: int) -> list[int]:
        return DuelMatch({}, 2, seed).states[0].hands[seat - 1]

    one = "1a2b3c4d5e6f7a8b"
    mine = hand(one, 1)
    seeds = (f"{number:016x}" for number in range(2, 100_000))
    other = next(seed for seed in seeds if hand(seed, 1) == mine and hand(seed, 2) != hand(one, 2))
    script = [
        ["end", "play 1", "bury 2", "nonsense", *range(0, 220, 3)],
        [["hand2:0"], ["c1", "hand2:1"], ["c5"]],
        [(1, f"bury {mine[0]}"), (1, f"play {mine[1]}"), (1, "end")],
    ]
    told = []
    for name, seed in (("a", one), ("b", other)):
        said = await everything(
            tmp_path / name, DuelHost(), NewTable(game="duel", seed=seed, seats=2), [1], script
        )
        hashed = DuelMatch({}, 2, seed).seed_hash.encode()  # the one thing that may and must differ
        assert any(hashed in data for data in said)
        told.append([data.replace(hashed, b"HASH") for data in said])
        assert not any(seed.encode() in data for data in said)
    assert told[0] == told[1]


async def test_what_one_buries_only_that_one_knows(tmp_path: Path) -> None:
    mine = DuelMatch({}, 2, "1").states[0].hands[0]
    told = []
    for name, card in (("a", mine[0]), ("b", mine[1])):
        script = [["end"], [["hand1:0"]], [(1, f"bury {card}"), (1, "end")]]
        told.append(
            await everything(
                tmp_path / name, DuelHost(), NewTable(game="duel", seed="1", seats=2), [0, 2], script
            )
        )
    assert told[0] == told[1]
    assert any(b"bury a card" in data for data in told[0])
    assert any(b"once it is over" in data for data in told[0])  # its record would tell

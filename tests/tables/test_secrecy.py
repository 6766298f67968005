"""What a seat cannot know changes no byte of what it is told."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError, IllegalMove
from bartizan.engine.game import GameState
from bartizan.match import Match
from bartizan.match.close_look import hidden, ids_in, standing_on
from bartizan.tables.installed import Installed
from bartizan.tables.limits import Limits
from bartizan.tables.messages import Error, Hints, NewTable, Refused, View, encoder
from bartizan.tables.provider import GameProvider
from bartizan.tables.registry import TableRegistry
from bartizan.tables.storage.sqlite import SqliteLog
from bartizan.tables.turns import refusal_of
from tests.games.tables import GAMES, positions, some_ids
from tests.tables.duel import DuelMatch, DuelProvider
from tests.tables.sessions import change

pytestmark = pytest.mark.anyio
TRIED = 60
TABLE, SECRET = "5eed5eed5eed", "ab" * 32


class Placed(Installed):
    """Alcazar from one position, whatever the seed."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        super().__init__()
        self.position = position

    def match(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Match:
        return Match(game, options, seats=seats, seed=seed, position=self.position)


class Standing(Installed):
    """A game that goes on from one state, whatever the seed."""

    def __init__(self, match: Match, game_state: GameState) -> None:
        super().__init__()
        self.standing = match, game_state

    def match(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Match:
        return standing_on(*self.standing)


class Ear:
    address = ""
    browser = ""
    patches = False

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.heard: list[bytes] = []

    def dismiss(self) -> None:
        pass

    def send(self, data: bytes) -> None:
        self.heard.append(data)


async def everything(
    folder: Path, games: GameProvider, wanted: NewTable, seats: list[int], script: list[Any]
) -> list[bytes]:
    """Play a script; return all that these seats are told, asked for in every way there is."""
    log = SqliteLog.open(folder)
    tables = TableRegistry(log, games, Limits())
    try:
        await games.prepare(wanted.game, "search")  # or they may be told that it is on its way
        # The check value is a hash over the table's name, the server's secret, the commitment and the moves.
        # With the same name and secret it must be the same, so it depends on nothing else that is hidden.
        with (
            mock.patch("secrets.token_hex", return_value=TABLE),
            mock.patch("bartizan.tables.registry.draw_secret", return_value=SECRET),
        ):
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
            except IllegalMove as error:
                told.append(encoder.encode(Refused(id="a", refusal=refusal_of(error))))
            except BartizanError as error:
                told.append(encoder.encode(Error(code=error.code, sentence=str(error))))

        async def questions(version: int) -> None:
            for seat in seats:
                for move in script_of_wrong_moves:
                    await ask(table.questions.why(seat, None, move))
                    if not isinstance(move, str):
                        continue
                    await ask(
                        change(table, seat, "move", "wrong", version + 5, move)
                    )  # stale, whatever it is
                for items in item_sets:
                    await ask(table.questions.why(seat, items, None))
                for back in range(version + 1):
                    told.append(
                        encoder.encode(
                            View(id="a", version=back, scene=await table.questions.view(seat, back))
                        )
                    )
                await ask(table.questions.record(seat))

        script_of_wrong_moves, item_sets, played = script
        await questions(0)
        version = 0
        for seat, move in played:
            version = await change(table, seat, "move", f"m{version}", version, move)
            await questions(version)
        for seat in filter(None, seats):
            try:
                hints = await table.hint(seat, "h")
                told.append(encoder.encode(Hints(id="h", hints=tuple(hints))))
            except BartizanError as error:
                told.append(str(error).encode())
        heard = [data for ear in ears for data in ear.heard]
        salted = links.seed_hash.encode()  # at a table of its own each time
        return [
            data.replace(links.table.encode(), b"TABLE").replace(salted, b"COMMITMENT")
            for data in (*heard, *told)
        ]
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
    scene = Match("alcazar", seed="9", position=position).views.scene(1)
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


def quiet_moves(match: Match) -> list[tuple[int, str]]:
    """Return a move, if there is one, that shows its seat nothing new and lets it go on."""
    seat = match.seat_to_move
    for text in match.legal_texts()[:20]:
        match.play(text)
        quiet = match.seat_to_move == seat and not match.views.revealed_information()
        match.undo()
        if quiet:
            return [(seat, text)]
    return []


@pytest.mark.parametrize("name", GAMES)
async def test_no_game_tells_a_seat_or_a_spectator_what_they_cannot_know(tmp_path: Path, name: str) -> None:
    """Tables that differ in what a seat cannot know are told alike, to it and to who watches."""
    different = moved = 0
    for number, (match, dice) in enumerate(positions(name, 12, 0.05, first=3_000, most=12)):
        seat = dice.randint(1, match.seats)
        here, other = match.game_state(), hidden(match, seat, number)
        match = standing_on(match, here)
        different += other.to_bytes() != here.to_bytes()
        script = quiet_moves(match) if match.seat_to_move == seat else []
        moved += len(script)
        actions = [*some_ids(match.game, dice, 8), "nonsense", ""]
        wrong = [move for move in actions if match.seat_to_move == seat or not isinstance(move, int)]
        ids = ids_in(match.views.scene(seat))
        items = [dice.sample(ids, min(len(ids), dice.randint(1, 3))) for _ in range(8)]
        told = []
        for world, game_state in (("a", here), ("b", other)):
            folder = tmp_path / f"{number}{world}"
            wanted = NewTable(game=name, seed=match.seed, seats=match.seats, open_seed=match.seats > 1)
            games = Standing(match, game_state)
            told.append(await everything(folder, games, wanted, [seat, 0], [wrong, items, script]))
            if match.is_over:  # its record tells everything
                told[-1] = [data for data in told[-1] if not data.startswith(b'"game = ')]
        assert told[0] == told[1]
        assert any(b'"type":"sync"' in data for data in told[0])
        has_head = any(b'"head":"' in data for data in told[0])
        assert has_head == (match.game.perfect_information or match.seats == 1)
    perfect = not registry.get(name).chance
    assert different > 5 or perfect
    # Nearly every throw is followed by a draw, so that hardly a move there is quiet; and where nothing is
    # hidden, turns may be single moves.
    assert moved or perfect or registry.get(name).max_seats == 1 or registry.get(name).throws


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
            tmp_path / name,
            DuelProvider(),
            NewTable(here="everyone", game="duel", seed=seed, seats=2),
            [1],
            script,
        )
        assert any(b"COMMITMENT" in data for data in said)  # the one thing that may and must differ
        told.append(said)
        assert not any(seed.encode() in data for data in said)
    assert told[0] == told[1]


async def test_what_one_buries_only_that_one_knows(tmp_path: Path) -> None:
    mine = DuelMatch({}, 2, "1").states[0].hands[0]
    told = []
    for name, card in (("a", mine[0]), ("b", mine[1])):
        script = [["end"], [["hand1:0"]], [(1, f"bury {card}"), (1, "end")]]
        told.append(
            await everything(
                tmp_path / name,
                DuelProvider(),
                NewTable(here="everyone", game="duel", seed="1", seats=2),
                [0, 2],
                script,
            )
        )
    assert told[0] == told[1]
    assert any(b"bury a card" in data for data in told[0])
    assert any(b"when the game is over" in data for data in told[0])  # its record would tell

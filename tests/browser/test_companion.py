"""Play Card Barrage beside a real table: one phone for all, which is told what the cards did."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from bartizan.engine.scene import Choice
from bartizan.match import Match
from tests.browser.house import House
from tests.browser.house import Table as Links
from tests.browser.looks import VIOLATIONS, faults_of
from tests.browser.room import Room, Rooms, Scheme

GAME = "card-barrage"
SEED = "ca4d"
FINGER = 48  # pixels that whatever is touched in passing has, at least
NAMES = {1: "Red", 2: "Blue"}
WALLS = [
    *("build 3t at 1", "build 6k at 2", "build 9s at 3", "build 1s at 4", "build 12v at 5"),
    *("build 7t at 1", "build 4v at 2", "build 11k at 3", "build 6s at 4", "build 10t at 5"),
]


class Table:
    """A table beside which a game of the same seed is played, to know what may be touched."""

    def __init__(self, rooms: Rooms, house: House, *, seats: int = 2, **kept: Any) -> None:
        options = {"companion": "on_table", **kept.pop("options", {})}
        wanted = {"game": GAME, "seats": seats, "options": options, "seed": SEED, "open_seed": True}
        told = house.ask("/api/tables", wanted)
        self.match = Match(GAME, options, seats, SEED)
        self.house, self.name, self.seats = house, told["table"], told["seats"]
        self.room: Room = rooms.open(**kept)
        self.room.goto(f"/t/{self.name}#{'.'.join(self.seats)}")
        self.room.laid()

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.match.views.scene(self.match.seat_to_move).choices

    def choice(self, text: str) -> Choice:
        return next(each for each in self.choices if each.text == text)

    def moves(self) -> list[str]:
        """Return the moves that the server has."""
        record = self.house.ask(f"/api/tables/{self.name}/record", key=self.seats[0])
        lines = str(record).splitlines()
        return [line.split(". ", 1)[1] for line in lines if line.split(".")[0].isdigit()]

    def touch(self, id_: str) -> None:
        """Touch a thing, in the pile that lies open if it is there, and see that it is large enough."""
        page = self.room.page
        inside = page.locator(f'[data-spread] [data-item="{id_}"]')
        scene = self.match.views.scene(self.match.seat_to_move)
        zone = next(
            each
            for each in scene.zones
            if id_ in {*(item.id for item in each.items), *(slot.id for slot in each.slots)}
        )
        if zone.kind == "pile" and not inside.count():
            pile = page.locator(f'[data-pile="{zone.id}"] .thing').first
            large_enough(pile)
            self.room.press(pile)
        thing = inside if zone.kind == "pile" else self.room.thing(id_).first
        large_enough(thing)
        self.room.press(thing)

    def play(self, text: str) -> None:
        """Make a move by touching what it takes, on the page and in the game beside it."""
        choice = self.choice(text)
        fitting = [each for each in self.choices if set(choice.items) <= set(each.items)]
        for id_ in choice.items:
            self.touch(id_)
        if len(fitting) > 1 or not choice.items:
            button = self.room.ready(choice)
            large_enough(button)
            self.room.press(button)
        self.match.play(text)
        self.wait()

    def wait(self) -> None:
        """Wait until the page shows the position that the game has come to."""
        scene = self.match.views.scene(1)
        expect(self.room.page.locator(".prompt")).to_contain_text(
            scene.result.headline
            if scene.result
            else self.match.views.scene(self.match.seat_to_move).status.prompt
        )
        for fact in scene.status.facts:
            expect(self.room.page.locator(".facts")).to_contain_text(f"{fact.label} {fact.value}")
        self.room.laid(self.match.ply)


def large_enough(what: Locator) -> None:
    """See that a finger hits it in passing."""
    box = what.bounding_box()
    assert box is not None
    assert box["width"] >= FINGER - 0.5, box
    assert box["height"] >= FINGER - 0.5, box


def next_move(table: Table, dice: random.Random) -> str:
    """Choose a move of some kind, every kind as often."""
    texts = table.match.legal_texts()
    kinds = sorted({text.split()[0] for text in texts} - ({"end"} if len(texts) > 1 else set()))
    kind = dice.choice(kinds)
    return dice.choice([text for text in texts if text.split()[0] == kind])


def test_a_whole_game_on_a_small_phone(rooms: Rooms, house: House) -> None:
    table = Table(rooms, house, options={"target": 3}, phone=True, width=360, height=740)
    for text in WALLS:
        table.play(text)

    # Wrong reports are taken back, though it is the other's move already; the right one moves a wall besides.
    first = table.match.seat_to_move
    foe = 3 - first
    for wrong in ("report ? miss", f"report ? hit {foe}.1"):
        table.play(wrong)
        table.room.press(table.room.button("Undo"))
        table.match.undo()
        table.wait()
    page = table.room.page
    table.room.press(table.room.button("Anything else?"))
    moved = table.room.dialog("Anything else?").get_by_role(
        "button", name=f"{NAMES[foe]}'s wall 5", exact=True
    )
    large_enough(moved.last)
    table.room.press(moved.last)
    table.room.press(table.room.dialog("Anything else?").get_by_role("button", name="Done"))
    table.touch(table.choice(f"report ? hit {foe}.2").items[0])
    table.room.press(table.room.ready(table.choice(f"report ? hit {foe}.2")))
    table.match.play(f"report ? hit {foe}.2 moved {foe}.5")
    table.wait()
    expect(page.locator(".is-moved")).to_have_count(1)

    dice = random.Random(3)
    while not table.match.is_over:
        table.play(next_move(table, dice))
    expect(table.room.dialog("The end")).to_contain_text(str(table.match.views.scene(1).result.headline))  # type: ignore[union-attr]
    assert table.moves() == table.match.moves
    assert {"build", "report", "replace", "end"} <= {text.split()[0] for text in table.match.moves}


def test_a_throw_is_told_by_keyboard_and_ear(rooms: Rooms, house: House) -> None:
    table = Table(rooms, house)
    room, page = table.room, table.room.page
    for text in WALLS:
        table.play(text)
    foe = 3 - table.match.seat_to_move
    assert "report what the card did" in room.spoken
    page.locator(f'[data-zone="fort:{foe}"] [data-stop]').first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    card = table.match.views.scene(1).zones[foe - 1].items[1].label
    room.until(lambda: f"Selected: {card}, {NAMES[foe]} wall 2" in room.spoken)
    page.keyboard.press("1")
    table.match.play(f"report ? hit {foe}.2")
    table.wait()
    assert "scored" in room.spoken
    assert f"{NAMES[foe]}: Replace wall 2" in room.spoken
    page.keyboard.press("u")  # though it is the other's move
    table.match.undo()
    table.wait()
    assert "Taken back." in room.spoken


@pytest.mark.parametrize(("phone", "scheme", "people"), [(True, "light", (1, 6)), (False, "dark", (2, 4))])
def test_nothing_is_out_of_reach_for_anybody(
    rooms: Rooms, house: House, phone: bool, scheme: Scheme, people: tuple[int, ...]
) -> None:
    """Axe finds no fault, and nothing runs out of its box, whatever is asked of however many people."""
    faults: list[str] = []
    for seats in people:
        size = {"width": 360} if phone else {}
        table = Table(rooms, house, seats=seats, phone=phone, scheme=scheme, **size)
        asked: set[str] = set()
        dice = random.Random(seats)
        while len(asked) < 4 and table.match.ply < 60:
            phase = str(table.match.position()["phase"])
            if phase not in asked:
                asked.add(phase)
                table.wait()
                for fault in faults_of(table.room.page, phase, schemes={scheme: VIOLATIONS}):
                    faults.append(f"{seats} people, {fault}")
            say(table, next_move(table, dice))
        assert len(asked) >= 3
    assert "\n".join(faults) == ""


def say(table: Table, text: str) -> None:
    """Make a move without touching the page or waiting for it."""
    seat = table.match.seat_to_move
    table.house.play(Links(table.name, table.seats[seat - 1], ""), [text])
    table.match.play(text)

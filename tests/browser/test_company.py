"""Finish a game of four with two browsers: two people at one screen, one by link, and a program."""

from __future__ import annotations

from typing import Any

import msgspec
from playwright.sync_api import Locator, expect

from bartizan.engine.scene import Choice
from tests.browser.house import House
from tests.browser.room import Room, Rooms

GAME = "card-cassonne"
NAMES = ("Blue", "Orange", "Purple", "Teal")
SHORT = "83"  # so many cards are set aside, five a head are left


def cover(room: Room) -> Locator:
    return room.page.locator(".cover")


def wanted(scene: dict[str, Any]) -> Choice:
    """Choose among what is offered: score, then a token, then the card that joins most."""
    order = {"Score": 2, "Place a token": 1}
    choices = msgspec.convert(scene["choices"], list[Choice])
    return max(choices, key=lambda one: (order.get(one.verb, 0), one.verb == "Play", len(one.marks)))


def take_over(room: Room, seat: int) -> None:
    """Take the screen, from which nothing could be seen until now."""
    expect(cover(room)).to_contain_text(f"Pass the device to {NAMES[seat - 1]}")
    expect(room.page.locator("[data-item], .log, .plate")).to_have_count(0)
    room.press(room.button(f"I am {NAMES[seat - 1]}: show the table"))
    expect(room.page.locator(f'[data-zone="hand:{seat}"] [data-item]').first).to_be_visible()


def hands_shown(room: Room) -> list[str]:
    """Return whose hands lie open on the page."""
    shown: list[str] = room.page.locator('[data-zone^="hand:"]:has([data-item])').evaluate_all(
        "(all) => all.map((one) => one.dataset.zone)"
    )
    return shown


def test_four_seats_two_browsers_two_at_one_screen_and_a_program(rooms: Rooms) -> None:
    here, there = rooms.open(), rooms.open(phone=True, width=360, scheme="dark")
    here.context.grant_permissions(["clipboard-read", "clipboard-write"])
    here.goto("/")
    game = here.sheet("Card-cassonne")
    game.get_by_label("Seats", exact=True).select_option("4")
    for number, who in enumerate(("me", "here", "link", "greedy")):
        game.get_by_role("combobox").nth(number + 1).select_option(who)
    game.get_by_text("More options").click()
    game.get_by_label("Removed").fill(SHORT)
    here.press(
        game.get_by_role(
            "button",
            name="Play against someone on this device and a friend by link and the computer (greedy)",
        )
    )
    here.press(here.page.get_by_role("button", name="Copy the link: Purple", exact=True).first)
    there.sit(here.page.evaluate("navigator.clipboard.readText()"))  # then all shares are there
    take_over(here, 1)
    assert hands_shown(there) == ["hand:3"]

    holder = 1  # of the screen that two share
    moved = dict.fromkeys((1, 2, 3), 0)
    while there.scene["status"]["seat"]:
        seat, ply = there.scene["status"]["seat"], there.ply
        if seat == 4:
            there.until(lambda ply=ply: there.ply > ply)  # type: ignore[misc]
            continue
        room = there if seat == 3 else here
        room.until(lambda room=room, seat=seat, ply=ply: sees(room, seat, ply))  # type: ignore[misc]
        if room is here and holder != seat:
            take_over(here, seat)
            holder = seat
        assert hands_shown(room) in ([f"hand:{seat}"], [])
        play(room, seat)
        there.until(lambda ply=ply: there.ply > ply)  # type: ignore[misc]
        moved[seat] += 1
    assert min(moved.values()) >= 5
    for room in (here, there):
        sheet = room.dialog("The end")
        result = there.scene["result"]
        alone = room is there and result["outcome"]["winners"] == [3]  # the only seat of that page
        expect(sheet).to_contain_text("You win." if alone else result["headline"])
        points = [str(points) for points in there.scene["result"]["outcome"]["points"]]
        expect(sheet.locator("tfoot td")).to_have_text(points)


def sees(room: Room, seat: int, ply: int) -> bool:
    """Say whether a page has been told what its seat sees at a ply."""
    return bool(room.sights.get(seat, {"status": {"ply": -1}})["status"]["ply"] == ply)


def play(room: Room, seat: int) -> None:
    """Make a move of a seat's; a finger looks at the ghost first."""
    scene = room.sights[seat]
    choice = wanted(scene)
    ply = scene["status"]["ply"]
    if not choice.items:
        room.press(room.ready(choice))
    for id_ in choice.items:
        room.touch(id_)
    if room.phone and choice.items:
        expect(room.page.locator(".messages .box")).to_contain_text("Tap again to play")
        room.touch(choice.target)
    room.until(lambda: room.ply > ply)


def test_a_spectator_is_shown_no_hand(rooms: Rooms, house: House) -> None:
    wanted = {"game": GAME, "seats": 4, "players": ["person"] * 3 + ["greedy"], "shares": False}
    links = house.ask("/api/tables", wanted)
    watcher = rooms.open()
    watcher.sit(f"{house.address}/t/{links['table']}#{links['spectator']}")
    assert hands_shown(watcher) == []
    expect(watcher.page.locator(".plate")).to_have_count(4)
    expect(watcher.page.locator(".plate .backs").first.locator("svg")).to_have_count(3)
    expect(watcher.page.locator(".land button.vacant").first).to_be_visible()
    assert watcher.scene.get("choices", []) == []

"""Hand out links: one to play, one to watch, and some that open nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Plan, Table
from tests.browser.room import Room, Rooms


def copied(room: Room, name: str) -> str:
    room.press(room.button("Menu"))
    room.press(room.button(f"Copy the link: {name}"))
    expect(room.button(f"Copy the link: {name}")).to_have_text("Copied")
    link: str = room.page.evaluate("navigator.clipboard.readText()")
    room.page.keyboard.press("Escape")
    return link


def test_links_to_play_and_to_watch(rooms: Rooms, plan: Plan) -> None:
    host = rooms.open()
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.fix_deal(plan.seed)
    host.goto("/")
    host.press(host.offer("Play"))
    host.laid(0)
    seat, watch = copied(host, "This table"), copied(host, "Spectators")
    assert seat == host.page.url
    assert watch.split("#")[0] == seat.split("#")[0]
    assert watch != seat

    # Someone with the seat's link plays, and all see it.
    guest, watcher = rooms.open(phone=True), rooms.open()
    guest.sit(seat)
    watcher.sit(watch)
    assert not watcher.scene.get("choices")
    guest.play(plan.choices[0])
    for room in (host, guest, watcher):
        room.laid(1)
        expect(room.page.locator(".prompt")).to_have_text(prompt(room))
    expect(watcher.page.get_by_role("listitem").filter(has_text=plan.choices[0].text).last).to_be_visible()

    # Who watches is offered nothing, by mouse or by key.
    expect(watcher.page.get_by_text("watching", exact=True)).to_be_visible()
    expect(watcher.page.get_by_role("list", name="Available moves")).to_have_count(0)
    expect(watcher.page.get_by_text("Type a move")).to_have_count(0)
    for name in ("Undo", "Redo", "Hint", "Why not?"):
        expect(watcher.button(name)).to_be_disabled()
    card = watcher.page.locator('[data-zone="hand"] [data-item]').first
    card.click()
    expect(watcher.page.locator(".touched, .involved, .live")).to_have_count(0)
    for key in ("1", "2", "u", "h", "w"):
        watcher.page.keyboard.press(key)
    assert "Keys:" not in watcher.spoken
    assert "Moves:" not in watcher.spoken
    host.press(host.button("Undo"))
    for room in (host, guest, watcher):
        room.laid(0)


def prompt(room: Room) -> str:
    asked = str(room.scene["status"]["prompt"])
    return f"{asked} watching" if room.scene.get("seat", 0) == 0 else asked


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_link_as_a_picture_for_a_camera(rooms: Rooms, plan: Plan, phone: bool) -> None:
    room = rooms.open(phone=phone)
    room.fix_deal(plan.seed)
    room.goto("/")
    room.press(room.offer("Play"))
    room.laid(0)
    room.press(room.button("Menu"))
    button = room.button("QR code of the link: This table")
    picture = room.page.get_by_role("img", name="QR code of the link: This table")
    expect(picture).to_have_count(0)
    room.press(button)
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box is not None
    assert abs(box["width"] - box["height"]) < 1
    assert box["width"] >= 200
    room.press(button)
    expect(picture).to_have_count(0)


@pytest.mark.parametrize("damage", ["token", "table"])
def test_a_wrong_link_opens_nothing(rooms: Rooms, house: House, damage: str) -> None:
    table = house.deal()
    room = rooms.open()
    wrong = Table(
        table.table if damage == "token" else "0123456789ab", table.seat[:-4] + "AAAA", table.spectator
    )
    room.goto(house.link(wrong))
    expect(room.page.get_by_role("link", name="All games", exact=True)).to_be_visible()
    expect(room.page.locator("[data-item]")).to_have_count(0)
    notice = room.page.locator(".notice")
    expect(notice).to_contain_text("link" if damage == "token" else "table")
    room.press(room.page.get_by_role("link", name="All games", exact=True))
    expect(room.offer("Play")).to_be_visible()
    # A table that opened nothing is not kept among one's tables.
    expect(room.page.get_by_role("region", name="Continue")).to_have_count(0)

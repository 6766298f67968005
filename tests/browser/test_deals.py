"""Deal in every way there is, and with options."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.room import Room, Rooms


def hash_of_deal(room: Room) -> str:
    """Read the published hash of the deal's seed in the menu."""
    room.press(room.button("Menu"))
    menu = room.dialog("Alcazar")
    shown = menu.locator("code").filter(has_text=re.compile(r"^\w{64}$")).inner_text()
    room.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    return shown


def cards(room: Room) -> list[str]:
    """Return what lies on the table, as the page speaks of it."""
    return room.spoken_names("[data-item]")


def deal(room: Room, button: str) -> None:
    """Deal from the table's menu."""
    before = room.page.url
    room.press(room.button("Menu"))
    room.scene = {}
    room.press(room.dialog("Alcazar").get_by_role("button", name=button, exact=True))
    room.page.wait_for_url(lambda url: url != before)
    room.laid(0)


def test_the_deal_of_the_day_is_everybodys(rooms: Rooms) -> None:
    one, other = rooms.open(), rooms.open(scheme="dark")
    for room in (one, other):
        room.goto("/")
        today = room.page.get_by_role("region", name="Deals of the day")
        room.press(today.get_by_role("button", name="Alcazar not played yet"))
        room.laid(0)
    assert one.page.url != other.page.url
    assert hash_of_deal(one) != hash_of_deal(other)  # salted at each table
    assert cards(one) == cards(other)

    laid = cards(one)
    room = one
    deal(room, "Same deal again")
    assert cards(room) == laid
    deal(room, "New deal")
    dealt = cards(room)
    assert dealt != laid
    deal(room, "Same deal again")
    assert cards(room) == dealt
    deal(room, "Deal of the day")
    assert cards(room) == laid

    # All of them are kept in the lobby, and lead back to the table.
    link = room.page.url
    room.press(room.page.get_by_role("link", name="Bartizan, all games"))
    tables = room.page.get_by_role("listitem").filter(has=room.page.get_by_role("link"))
    expect(tables).to_have_count(3)
    room.press(room.page.get_by_text("2 more in progress"))
    expect(tables).to_have_count(5)
    expect(tables.first).to_contain_text("deal of 20")
    room.scene = {}
    room.press(tables.first.get_by_role("link"))
    room.laid(0)
    assert room.page.url == link


def test_options_count_from_the_deal_on(rooms: Rooms) -> None:
    room = rooms.open()
    page = room.page
    room.goto("/")
    expect(page.get_by_text("Options", exact=True)).to_have_count(5)  # what is proposed is no change
    sheet = room.sheet()
    havoc = page.get_by_role("checkbox", name="Havoc")
    expect(havoc).not_to_be_checked()
    havoc.check()
    sheet.get_by_text("More options").click()
    sheet.get_by_label("Actions per turn").select_option("3")
    expect(sheet.get_by_text("Options · 2 changed")).to_be_visible()
    room.press(sheet.get_by_role("button", name="Play", exact=True))
    room.laid(0)
    record = download(room)
    assert "havoc = true" in record
    assert "actions_per_turn = 3" in record
    assert "\nseed = " not in record  # a secret while the game goes on
    assert "seed_hash = " not in record  # what is published is salted
    assert "commitment = " in record
    assert "secret = " not in record

    # The same deal again keeps them, and so does the lobby, until they are reset.
    deal(room, "Same deal again")
    assert "havoc = true" in download(room)
    room.goto("/")
    expect(room.game().get_by_text("Options · 2")).to_be_visible()
    sheet = room.sheet()
    expect(havoc).to_be_checked()
    room.press(sheet.get_by_role("button", name="Reset to the standard rules"))
    expect(havoc).not_to_be_checked()
    room.scene = {}
    room.press(sheet.get_by_role("button", name="Play", exact=True))
    room.laid(0)
    assert "havoc = false" in download(room)


def download(room: Room) -> str:
    """Download the table's record through its menu."""
    room.press(room.button("Menu"))
    with room.page.expect_download() as coming:
        room.press(room.button("Download record"))
    assert coming.value.suggested_filename.startswith("alcazar-")
    text = Path(coming.value.path()).read_text(encoding="utf-8")
    room.page.keyboard.press("Escape")
    expect(room.dialog("Alcazar")).to_be_hidden()
    return text

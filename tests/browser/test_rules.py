"""Read the rulebook in the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.room import Rooms


def test_names_of_options_are_set_as_code(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/rules/alcazar")
    clause = room.page.locator('[data-clause="ALC-11"]')
    expect(clause.locator("code")).to_have_text("first_round_movement")
    expect(clause).to_contain_text("first_round_movement = skip lets set-up count")
    assert "`" not in room.page.locator(".rules").inner_text()
    # One finds a ruling by its words as they are read.
    room.page.get_by_label("Search the rules").fill("first_round_movement = skip")
    expect(room.page.locator("[data-clause]")).to_have_count(1)
    expect(clause).to_be_visible()

"""Read the rulebook in the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.room import Rooms


def test_names_of_options_are_set_as_code(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/rules/alcazar")
    clause = room.page.locator('[data-clause="ALC-11"]')
    expect(clause.locator("code")).to_have_text("first round movement")
    expect(clause).to_contain_text("With first round movement = skip, set-up counts")
    assert "`" not in room.page.locator(".rules").inner_text()
    # One finds a ruling by its words as they are read.
    room.page.get_by_label("Search the rules").fill("first_round_movement = skip")
    expect(room.page.locator("[data-clause]")).to_have_count(1)
    expect(clause).to_be_visible()


def test_the_rules_have_contents_and_lessons_to_try_them_in(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/rules/castle-danger")
    contents = room.page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link").last.click()
    last = room.page.locator("article.wanted")
    expect(last).to_be_in_viewport()
    clause = room.page.locator('[data-clause="CD-30"]')
    clause.get_by_role("link", name="Try it: Walls").click()
    expect(room.page.locator(".coach h2")).to_have_text("Walls")


def test_a_word_of_the_game_is_explained_where_it_stands(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/learn/castle-danger#portal")
    say = room.page.locator(".coach .say")
    before = say.inner_text()
    say.get_by_role("button", name="Portal").click()
    box = room.page.get_by_role("dialog", name="Portal")
    expect(box).to_contain_text("where your new pieces appear")
    expect(box.get_by_role("link", name="CD-7")).to_be_visible()
    room.page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    assert say.inner_text() == before

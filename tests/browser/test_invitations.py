"""Invite links in browsers: they work once, can be replaced, and leave the menu once they were used."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.room import Room, Rooms
from tests.browser.test_seats import TITLE, copied, in_menu, key, spoken


def invited(rooms: Rooms) -> Room:
    """Open a table for a friend."""
    host = rooms.open()
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.goto("/")
    host.press(host.sheet(TITLE).get_by_role("button", name="Invite a friend"))
    host.laid(0)
    return host


def test_a_link_works_once_and_leaves_the_menu(rooms: Rooms) -> None:
    host, guest, thief = invited(rooms), rooms.open(), rooms.open()
    link = copied(host, "Red")
    guest.sit(link)
    spoken(guest, "^You play Red")
    assert not key(guest).startswith("join-")
    own = guest.page.url
    thief.goto(link)
    expect(thief.page.locator(".notice")).to_contain_text("already been used")
    thief.page.reload()
    expect(thief.page.locator(".notice")).to_contain_text("already been used")
    expect(thief.page.locator(".notice")).to_contain_text("has a link for other devices")
    guest.press(guest.button("Menu"))
    other = guest.dialog(TITLE).get_by_role("textbox", name="Your own seat")
    expect(other).to_have_value(own)  # it has
    guest.page.keyboard.press("Escape")
    host.press(host.button("Menu"))
    expect(host.dialog(TITLE).get_by_role("textbox", name="Spectators")).to_be_visible()
    expect(host.dialog(TITLE).get_by_role("textbox", name="Red")).to_have_count(0)
    assert key(guest) not in host.page.content()
    host.page.keyboard.press("Escape")
    guest.goto(link)  # its own browser may follow it again
    expect(guest.page).to_have_url(own)
    guest.page.reload()
    spoken(guest, "^You play Red")

    # Whoever has the guest's own link is noticed.
    thief.sit(own)
    expect(guest.page.get_by_text("Your seat was opened in another browser").first).to_be_visible()
    expect(host.page.get_by_text("Your seat was opened")).to_have_count(0)


def test_while_friends_are_waited_for_the_menu_has_only_links_that_still_work(rooms: Rooms) -> None:
    host, guest = rooms.open(), rooms.open()
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.goto("/")
    sheet = host.sheet("Tower")
    sheet.get_by_label("Seats", exact=True).select_option("3")
    host.press(sheet.get_by_role("button", name="Invite friends"))
    guest.goto(copied(host, "Red"))
    waiting = host.page.get_by_role("list", name="Shares in the deal")
    expect(waiting.get_by_text("not here yet")).to_have_count(1)
    host.press(host.button("Menu"))
    menu = host.dialog("Tower")
    expect(menu.get_by_role("textbox", name="Green")).to_be_visible()
    expect(menu.get_by_role("textbox", name="Red")).to_have_count(0)
    expect(menu.get_by_role("textbox", name="Seat")).to_have_count(0)
    expect(menu.get_by_role("button", name="Review")).to_have_count(0)  # there is nothing yet


def test_a_link_can_be_replaced(rooms: Rooms) -> None:
    host, guest = invited(rooms), rooms.open()
    old = copied(host, "Red")
    in_menu(host, "Replace the link of Red; the old one stops working")
    spoken(host, "The old one no longer works")
    host.page.keyboard.press("Escape")
    new = copied(host, "Red")
    assert new != old
    guest.goto(old)
    expect(guest.page.locator(".notice")).to_contain_text("withdrawn")
    guest.sit(new)
    spoken(guest, "^You play Red")


def test_hints_wait_for_the_other_and_are_seen(rooms: Rooms) -> None:
    host, guest = invited(rooms), rooms.open()
    guest.sit(copied(host, "Red"))
    spoken(guest, "^You play Red")
    host.press(host.button("Hint"))
    expect(guest.page.get_by_text("Blue asked to allow hints for everyone.").first).to_be_visible()
    guest.press(guest.button("Allow"))
    spoken(host, "Hints are allowed now")
    host.press(host.button("Hint"))
    spoken(guest, "Blue took a hint")
    expect(guest.page.get_by_role("list", name="Players")).to_contain_text("1 hint")

"""The first page: its pictures, how much of it travels, and that it opens without the server."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Route, expect

from tests.browser.room import Rooms

FIRST_PAGE = 60_000  # bytes of everything that is fetched, packed


# What has been fetched until the last picture was there; a table's page is sent for after it.
FETCHED = """() => {
    const all = performance.getEntries().filter((one) => "encodedBodySize" in one);
    const pictures = all.filter((one) => one.name.includes("picture.svg"));
    const last = Math.max(...pictures.map((one) => one.responseEnd));
    return all.filter((one) => one.startTime <= last).reduce((sum, one) => sum + one.encodedBodySize, 0);
}"""
SHIFTS = """
    window.moved = 0;
    const add = (list) => { for (const one of list.getEntries()) moved += one.value; };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
"""


def test_the_first_page_is_light_and_stands_still(rooms: Rooms) -> None:
    room = rooms.open(phone=True)
    room.page.add_init_script(SHIFTS)

    def late(route: Route) -> None:  # so that the page is drawn without the games first
        time.sleep(0.5)
        route.continue_()

    room.page.route("**/api/games", late)
    room.goto("/")
    expect(room.game("Tower")).to_be_visible()
    picture = room.game("Tower").locator("img")
    room.until(lambda: picture.evaluate("(one) => one.naturalWidth") > 0)
    assert 20_000 < room.page.evaluate(FETCHED) < FIRST_PAGE
    assert room.page.evaluate("moved") < 0.02


def test_it_opens_without_the_server_and_says_what_needs_it(rooms: Rooms) -> None:
    room = rooms.open(kept=True)
    room.goto("/")
    room.until(lambda: room.page.evaluate("!!navigator.serviceWorker.controller"))
    room.goto("/rules/alcazar")
    expect(room.page.get_by_role("heading", name="Alcazar").first).to_be_visible()
    room.goto("/")
    expect(room.game()).to_be_visible()

    room.excused += ["net::ERR", "Failed to load resource"]
    room.context.set_offline(True)
    room.page.reload()
    expect(room.game()).to_be_visible()
    expect(room.page.get_by_role("alert").first).to_contain_text("You can read the rules, but not play")
    room.press(room.offer("Play"))
    expect(room.game().get_by_role("alert")).to_contain_text("The server isn’t responding")
    room.goto("/rules/alcazar")
    expect(room.page.get_by_role("heading", name="Alcazar").first).to_be_visible()
    room.context.set_offline(False)
    room.goto("/")
    expect(room.page.get_by_text("You can read the rules, but not play")).to_have_count(0)


def test_a_game_for_one_to_six_is_played_alone(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/")
    sheet = room.sheet("Card Barrage")
    sheet.get_by_label("Seats", exact=True).select_option("1")
    room.press(sheet.get_by_role("button", name="Play alone"))
    room.laid(0)


def test_a_bare_tile_is_no_taller_and_a_broken_game_is_named(rooms: Rooms) -> None:
    room = rooms.open(phone=True)
    sentence = "The game 'siege' cannot be loaded: siege/rules.py:3: invalid syntax."
    bare = {"picture": "", "line": "", "summary": "Two castles and a river between them. " * 6}

    def changed(route: Route) -> None:
        answer = route.fetch()
        listed = answer.json()
        for game in listed["games"]:
            game.pop("preparation", None)
            if game["name"] == "tower":
                game |= bare
        route.fulfill(response=answer, json=listed | {"broken": [{"name": "siege", "sentence": sentence}]})

    room.page.route(re.compile(r"/api/games$"), changed)
    room.goto("/")
    expect(room.page.get_by_text(sentence)).to_be_visible()
    heights = [room.game(title).evaluate("(one) => one.offsetHeight") for title in ("Tower", "Castle Danger")]
    assert heights[0] <= heights[1], heights

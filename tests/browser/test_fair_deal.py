"""Two people make a deal together, and see afterwards that it was nobody's choice."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from bartizan.engine.fairness import commit_share
from tests.browser.house import House
from tests.browser.room import Rooms

CHECK_VALUE = re.compile(r"^([0-9a-f]{4} ){4}[0-9a-f]{4}$")


def test_two_browsers_make_the_deal_and_check_it_afterwards(browser: Browser, house: House) -> None:
    rooms = Rooms(browser, house)
    wanted = {"game": "tower", "seats": 2, "players": ["person", "person"]}
    links: dict[str, Any] = house.ask("/api/tables", wanted)
    one, two = rooms.open(), rooms.open()
    elsewhere = "localStorage['bartizan.deals'] ||= JSON.stringify({elsewhere: {at: Date.now(), others: 0}})"
    one.page.add_init_script(elsewhere)
    one.goto(f"/t/{links['table']}#{links['seats'][0]}")
    expect(one.page.get_by_role("heading", name="Tower: waiting for everyone")).to_be_visible()
    expect(one.page).to_have_title("Tower · Bartizan")
    expect(one.page.get_by_text("gave its share to 1 deal at other tables")).to_be_visible()
    expect(one.page.get_by_role("list", name="Shares in the deal").get_by_text("not here yet")).to_have_count(
        1
    )
    expect(one.page.get_by_role("listitem").filter(has_text="(you)")).to_contain_text("Blue")
    expect(one.page.locator("code").filter(has_text=links["seed_hash"])).to_be_visible()
    one.page.reload()  # its share is kept
    two.sit(f"{house.address}/t/{links['table']}#{links['seats'][1]}")
    one.laid()
    one.page.get_by_role("button", name="Menu").first.click()
    expect(one.page.get_by_text("Check value:")).to_be_visible()
    begun = one.page.locator("code").filter(has_text=CHECK_VALUE).inner_text()
    one.page.keyboard.press("Escape")
    one.page.get_by_role("button", name="Resign").first.click()
    one.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(two.page.get_by_role("dialog")).to_be_visible()  # the result
    record = str(house.ask(f"/api/tables/{links['table']}/record", key=links["seats"][0]))
    one.goto("/verify")
    one.page.get_by_label("Paste the record").fill(record)
    one.page.get_by_label("check value you noted").fill(begun)
    one.page.get_by_role("button", name="Check hashes").click()
    expect(one.page.get_by_text("Fair: no one could have chosen this deal.")).to_be_visible()
    expect(one.page.get_by_text("This browser drew it.")).to_have_count(1)
    expect(one.page.get_by_text("gave its share to 1 deal at other tables")).to_be_visible()
    expect(one.page.get_by_text("check value this browser saw last: It’s the last one")).to_be_visible()
    expect(one.page.get_by_text("check value you noted: It’s from after entry 0 of 1")).to_be_visible()
    one.page.get_by_role("button", name="Replay it on the server").click()
    expect(one.page.get_by_text("The server dealt the cards from the seed")).to_be_visible()
    one.page.get_by_label("Paste the record").fill(record.replace('secret = "', 'secret = "00')[:-1])
    one.page.get_by_role("button", name="Check hashes").click()
    expect(one.page.get_by_text("This record failed a check.")).to_be_visible()
    one.page.get_by_label("Paste the record").fill(record.replace('"0 resign 1"', '"0 resign 2"'))
    one.page.get_by_role("button", name="Check hashes").click()
    expect(one.page.get_by_text("don’t lead to the log’s check value")).to_be_visible()


@pytest.mark.parametrize("honest", [True, False])
def test_a_browser_checks_the_record_when_the_game_ends(
    browser: Browser, house: House, *, honest: bool
) -> None:
    rooms = Rooms(browser, house)
    wanted = {"game": "castle-danger", "seats": 2, "here": "everyone"}
    links: dict[str, Any] = house.ask("/api/tables", wanted)
    room = rooms.open()

    def forge(route: Route) -> None:
        text = route.fetch().text()
        assert '"0 resign 1"' in text
        text = text if honest else text.replace("loser = 1", "loser = 2")
        route.fulfill(body=text, content_type="text/plain")

    room.page.route("**/record", forge)
    room.goto(f"/t/{links['table']}#{links['seats'][0]}")
    room.laid()
    room.page.get_by_role("button", name="Resign").first.click()
    with room.page.expect_response("**/record"):
        room.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(room.page.locator("dialog .result")).to_be_visible()
    room.page.keyboard.press("Escape")
    expect(room.page.locator("dialog[open]")).to_have_count(0)
    room.page.get_by_role("button", name="Menu").first.click()
    expect(room.page.get_by_text("Check value:")).to_be_visible()
    warned = room.page.locator("dialog .fault", has_text="doesn’t match what your browser saw")
    expect(warned).to_have_count(0 if honest else 1)


def test_several_at_one_screen_make_their_deal_at_once(browser: Browser, house: House) -> None:
    rooms = Rooms(browser, house)
    links: dict[str, Any] = house.ask("/api/tables", {"game": "card-cassonne", "seats": 2})
    room = rooms.open()
    room.goto(f"/t/{links['table']}#{'.'.join(links['seats'])}")
    room.page.get_by_role("button", name="show the table").click()
    room.laid()


def test_who_does_not_come_is_given_up_when_nobody_waits_any_longer(browser: Browser, house: House) -> None:
    rooms = Rooms(browser, house)
    links: dict[str, Any] = house.ask("/api/tables", {"game": "tower", "seats": 2})
    room = rooms.open()
    room.goto(f"/t/{links['table']}#{links['seats'][0]}")
    room.page.get_by_role("button", name="Go on without").click()
    room.laid()
    room.page.get_by_role("button", name="Menu").first.click()
    expect(room.page.get_by_text("part of this deal: the others went on")).to_be_visible()


def test_who_keeps_a_share_back_chooses_nothing_and_is_named(browser: Browser, house: House) -> None:
    rooms = Rooms(browser, house)
    links: dict[str, Any] = house.ask("/api/tables", {"game": "tower", "seats": 2})
    room = rooms.open()
    room.goto(f"/t/{links['table']}#{links['seats'][0]}")
    expect(room.page.get_by_text("not here yet").first).to_be_visible()
    with house.wire(links["table"], links["seats"][1]) as wire:
        version = 0
        while version == 0:  # until the other has committed
            version = int(json.loads(wire.recv(timeout=30)).get("version", 0))
        commitment = commit_share(links["table"], 2, "05" * 16)
        wire.send(json.dumps({"type": "commit", "id": "c", "version": version, "commitment": commitment}))
        expect(room.page.get_by_text("1 deal was void")).to_be_visible()  # once 15 seconds are over
        expect(room.page.get_by_text("show their share")).to_be_visible()
        expect(room.page.get_by_text("not here yet").first).to_be_visible()
    room.page.get_by_role("button", name="Go on without").click()
    room.laid()
    room.page.get_by_role("button", name="Menu").first.click()
    expect(room.page.get_by_text("1 deal was void")).to_be_visible()

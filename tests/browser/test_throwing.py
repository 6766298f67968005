"""Throw cards in the browser: with the mouse, a finger, the keyboard, and where nothing is drawn in space."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.house import House
from tests.browser.looks import VIOLATIONS, faults_of
from tests.browser.room import Room, Rooms, Scheme

CARD = "9v"  # in the hand that this seed deals
SEED = "5"


def sit(rooms: Rooms, house: House, *, seats: int = 2, **kept: Any) -> Room:
    """Open a table at which all seats are at this screen, and the hands that throw do not tremble."""
    options = {"throws": "thrown", "hand": "steady", **kept.pop("options", {})}
    told = house.ask(
        "/api/tables", {"game": "card-barrage", "seats": seats, "options": options, "seed": SEED}
    )
    room = rooms.open(**kept)
    room.goto(f"/t/{told['table']}#{told['seats'][0]}")
    room.laid(0)
    return room


def take(room: Room) -> Locator:
    """Take the card into the throwing hand, and return the controls."""
    room.touch(CARD)
    room.press(room.page.get_by_role("list", name="Moves ready to play").get_by_role("button").first)
    controls = room.page.get_by_role("region", name="Throw")
    expect(controls.get_by_text(re.compile("comes down on wall 3"))).to_be_visible()
    return controls


def thrown(room: Room) -> dict[str, Any]:
    """Wait for the throw, and return what was seen of it."""
    room.laid(1)
    flown: dict[str, Any] = room.scene["flown"]
    expect(room.page.get_by_role("button", name="Again")).to_be_visible()
    return flown


@pytest.mark.parametrize(("phone", "scheme"), [(False, "light"), (True, "dark")])
def test_a_card_is_thrown_by_its_button_and_seen_again(
    rooms: Rooms, house: House, phone: bool, scheme: Scheme
) -> None:
    room = sit(rooms, house, phone=phone, scheme=scheme)
    expect(room.page.locator("canvas")).to_be_visible()
    assert faults_of(room.page, "table", schemes={scheme: VIOLATIONS}) == []
    controls = take(room)
    assert faults_of(room.page, "aim", schemes={scheme: VIOLATIONS}) == []
    room.press(controls.get_by_role("button", name="Throw", exact=True))
    flown = thrown(room)
    assert flown["verdict"] == "hit"
    assert [landing["target"] for landing in flown["landings"]] == ["2.wall3"]
    expect(room.page.get_by_text("Hit", exact=True)).to_be_visible()
    assert faults_of(room.page, "thrown", schemes={scheme: VIOLATIONS}) == []
    room.press(room.page.get_by_role("button", name="Slow"))
    expect(room.page.get_by_role("button", name="Again")).to_be_visible()


def test_a_card_is_thrown_by_pulling_it_back(rooms: Rooms, house: House) -> None:
    """Further back is harder; to the side aims to the other side."""
    room = sit(rooms, house)
    take(room)
    canvas = room.page.locator("canvas").bounding_box()
    assert canvas is not None
    x, y = canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2
    room.page.mouse.move(x, y)
    room.page.mouse.down()
    room.page.mouse.move(x - 40, y + 90, steps=6)
    expect(room.page.get_by_text(re.compile(r"Aimed \d+° right"))).to_be_visible()
    room.page.mouse.up()
    assert thrown(room)["release"]["azimuth"] > 5


def test_the_keyboard_alone_throws(rooms: Rooms, house: House) -> None:
    room = sit(rooms, house)
    keys = room.page.keyboard
    room.thing(CARD).first.focus()
    keys.press("Enter")
    room.page.get_by_role("list", name="Moves ready to play").get_by_role("button").first.focus()
    keys.press("Enter")
    expect(room.page.locator("[aria-live]").last).to_contain_text("comes down on wall 3")
    for _ in range(4):
        keys.press("ArrowRight")
    expect(room.page.locator("[aria-live]").last).to_contain_text("right")
    keys.press("Escape")  # puts it back
    expect(room.page.get_by_role("region", name="Throw")).to_have_count(0)
    room.page.get_by_role("list", name="Moves ready to play").get_by_role("button").first.focus()
    keys.press("Enter")
    expect(room.page.locator("[aria-live]").last).to_contain_text("comes down on wall 3")
    keys.press("Enter")
    flown = thrown(room)
    expect(room.page.locator("[aria-live]").last).to_contain_text("It landed on wall 3 of seat 2")
    assert flown["release"]["azimuth"] == 0


def test_a_typed_throw_is_one_and_a_wrong_one_says_what_is_wrong(rooms: Rooms, house: House) -> None:
    room = sit(rooms, house)
    line = room.page.get_by_label("Type a move")
    line.fill(f"throw {CARD} lob speed 9")
    line.press("Enter")
    expect(
        room.page.get_by_text("The speed of a lob is 9.0; it must be 1.8 to 3.2 m/s.").first
    ).to_be_visible()
    line.fill(f"throw {CARD} lob at 2.2")
    line.press("Enter")
    assert thrown(room)["landings"][0]["target"] == "2.wall2"


def test_without_webgl_the_table_is_flat(rooms: Rooms, house: House) -> None:
    room = rooms.open()
    room.page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };"
    )
    room.excused += ["WebGL", "webgl"]
    told = house.ask(
        "/api/tables",
        {"game": "card-barrage", "seats": 2, "options": {"throws": "thrown", "hand": "steady"}, "seed": SEED},
    )
    room.goto(f"/t/{told['table']}#{told['seats'][0]}")
    room.laid(0)
    controls = take(room)
    expect(room.page.locator("canvas")).to_have_count(0)
    room.press(controls.get_by_role("button", name="Throw", exact=True))
    assert thrown(room)["landings"][0]["target"] == "2.wall3"


def test_the_range_counts_what_was_thrown(rooms: Rooms) -> None:
    room = rooms.open(phone=False)
    room.goto("/range")
    throw = room.page.get_by_role("region", name="Throw").get_by_role("button", name="Throw", exact=True)
    for number in range(1, 4):
        with room.page.expect_response("**/api/throws") as answer:
            room.press(throw)
        assert answer.value.ok
        expect(room.page.get_by_role("button", name="Again")).to_be_visible()
        expect(
            room.page.get_by_label("Figures").get_by_text(re.compile(rf"\b{number}\b")).first
        ).to_be_visible()
    assert faults_of(room.page, "range", schemes={"light": VIOLATIONS}) == []

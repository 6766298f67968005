"""Throw cards at Card Barrage's table and at the range: by keyboard, mouse and thumb, in space and flat."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.house import House, Table
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import Room, Rooms

GAME, SEED = "card-barrage", "7a0b"
STEADY: dict[str, Any] = {"throws": "thrown", "hand": "steady"}
# Where Chromium draws without a graphics card it says how slow it is to read its pictures back.
SLOW = "GPU stall due to ReadPixels"


def sit(rooms: Rooms, house: House, options: Mapping[str, Any] = STEADY, **kept: Any) -> tuple[Room, Table]:
    """Open a game for one at which cards are thrown, with a steady hand unless `options` say another.

    The window is small unless `kept` says otherwise: without a graphics card, space takes long to draw.
    """
    table = house.deal(game=GAME, seats=1, options={**STEADY, **options}, seed=SEED)
    small = {} if kept.get("phone") else {"width": 900, "height": 560}
    room = rooms.open(**{**small, **kept})
    room.excused.append(SLOW)
    room.sit(house.link(table))
    expect(room.page.get_by_role("group", name="View")).to_be_visible()
    # The forts can be touched only once space is drawn, which takes long without a graphics card.
    expect(room.page.locator(".view [data-zone='fort:2'] [data-item]").first).to_be_visible()
    return room, table


def throws_of(room: Room) -> list[dict[str, Any]]:
    return [choice for choice in room.scene["choices"] if choice.get("throw")]


def take(room: Room, says: str = "comes down") -> dict[str, Any]:
    """Take the first card that can be thrown into the hand, and wait until it can be."""
    choice = throws_of(room)[0]
    room.press(room.page.locator(f'.felt [data-item="{choice["items"][0]}"]'))
    room.press(room.page.get_by_role("button", name=re.compile(f"^{re.escape(choice['label'])}")).first)
    ready(room, says)
    return choice


def ready(room: Room, says: str = "comes down") -> None:
    expect(room.page.locator(".controls .words")).to_contain_text(says)


def thrown(room: Room) -> dict[str, Any]:
    """Wait until a throw has come down; return what the server says of it."""
    room.until(lambda: bool(room.scene.get("flown")))
    flown: dict[str, Any] = room.scene["flown"]
    expect(room.page.locator(".controls")).to_have_count(0)
    expect(room.page.get_by_role("button", name="Again")).to_be_visible()
    return flown


def test_a_card_is_thrown_by_keyboard_alone(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house)
    page, choice = room.page, throws_of(room)[0]
    card = page.locator(f'.felt [data-item="{choice["items"][0]}"]')
    card.focus()
    page.keyboard.press("Enter")
    offered = page.get_by_role("button", name=re.compile(f"^{re.escape(choice['label'])}")).first
    offered.focus()
    page.keyboard.press("Enter")
    ready(room)
    lob = next(each for each in house.ask("/api/throws")["methods"] if each["name"] == "lob")
    usual = {field["name"]: field["default"] for field in lob["fields"]}
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "PageUp", "]", "+"):
        page.keyboard.press(key)
    speed = round(usual["speed"] - 0.25, 3)
    said = page.locator(".controls .words").inner_text
    room.until(lambda: room.spoken.startswith(f"aimed 2° right, {speed:g} m/s: comes down"))
    room.until(lambda: room.spoken.lower() == said().lower())  # what is said is what is shown

    page.keyboard.press("Escape")
    expect(page.locator(".controls")).to_have_count(0)
    expect(card).to_be_focused()  # the keyboard is where it was

    page.keyboard.press("Enter")
    offered.focus()
    page.keyboard.press("Enter")
    ready(room)
    page.keyboard.press("Enter")
    room.until(lambda: bool(room.scene.get("flown")) and room.scene["flown"]["sentence"] in room.spoken)
    flown = thrown(room)
    turned = {name: usual[name] + 1 for name in ("spin", "nose", "elevation")}
    meant = usual | turned | {"azimuth": 2, "speed": speed}
    assert flown["release"] == meant
    room.laid(2)  # nothing was left but to end the turn, which ended by itself


def test_a_card_is_pulled_back_and_let_go(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house)
    take(room)
    box = room.page.locator(".space").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
    mouse = room.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 5, y + 80, steps=5)
    mouse.move(x, y + 2, steps=5)  # taken back: nothing is thrown
    mouse.up()
    expect(room.page.locator(".controls")).to_be_visible()
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 60, y + 90, steps=9)
    mouse.up()
    flown = thrown(room)
    assert flown["release"]["azimuth"] == pytest.approx(16.8, abs=0.6)  # half of the pull's angle
    assert flown["release"]["speed"] > 2.1


def test_an_honest_pull_counts_as_it_was_and_is_made_blindly(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house, {"hand": "honest", "path": "hidden"})
    take(room, "Aimed straight ahead")
    expect(room.button("Show the path")).to_have_count(0)
    expect(room.page.locator(".controls .words")).not_to_contain_text("comes down")
    room.button("Advanced").click()
    box = room.page.locator(".space").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
    before = room.page.locator(".figure output").all_inner_texts()
    room.page.mouse.move(x, y)
    room.page.mouse.down()
    room.page.mouse.move(x - 60, y + 90, steps=9)
    expect(room.page.locator(".sling")).to_be_visible()
    expect(room.page.locator(".controls .words")).to_have_text(re.compile("let go to throw"))
    assert room.page.locator(".figure output").all_inner_texts() == before
    expect(room.page.locator(".view .figures")).to_have_count(0)
    room.page.mouse.up()
    release = thrown(room)["release"]
    assert release["azimuth"] == round(release["azimuth"], 1)  # as the pull was read: no dice
    assert release["azimuth"] == pytest.approx(16.8, abs=0.6)
    assert release["elevation"] == 70


# Keeps all that the page says: a busy machine looks at it only after the flight.
SAYINGS = """() => {
    window.said = "";
    const options = { childList: true, subtree: true, characterData: true };
    new MutationObserver(() => { said += document.body.innerText; }).observe(document.body, options);
}"""


def test_a_card_is_thrown_with_one_thumb_and_seen_to_fly(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house, phone=True, calm=False)
    take(room)
    box = room.page.locator(".space").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
    wire = room.context.new_cdp_session(room.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        wire.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]}
        )

    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x, y + 9 * step))
    expect(room.page.locator(".sling")).to_be_visible()
    room.page.evaluate(SAYINGS)
    touch("touchEnd")
    flown = thrown(room)
    room.until(lambda: "In flight" in room.page.evaluate("said"))
    assert flown["release"]["azimuth"] == 0
    room.press(room.page.get_by_role("button", name="Slow"))
    expect(room.page.locator(".bar .verdict")).to_contain_text("Slow motion")
    room.press(room.page.get_by_role("button", name="Continue"))


def test_the_flat_table_is_todays_felt_until_a_card_is_thrown(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house)
    room.button("3D view").click()
    expect(room.page.locator(".felt [data-zone='fort:1'] .thing").first).to_be_visible()
    take(room)
    expect(room.page.get_by_role("img", name="The table from above")).to_be_visible()
    room.page.locator(".throw").click()
    thrown(room)
    room.page.reload()
    room.laid()
    expect(room.button("3D view")).to_have_attribute("aria-pressed", "false")  # it is kept


def test_pieces_in_space_are_touched_and_spoken_of_as_ever(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house)
    exchange = next(choice for choice in room.scene["choices"] if choice["text"].startswith("upgrade 2"))
    hand, wall = exchange["items"]
    names = room.spoken_names("[data-zone='fort:2'] button")
    assert len(names) == 6
    assert all(names)
    room.page.locator(f'.felt [data-item="{hand}"]').click()
    room.page.locator(f'.view [data-item="{wall}"]').click()
    room.laid(1)


def test_the_range_counts_what_comes_down(rooms: Rooms) -> None:
    room = rooms.open()
    room.excused.append(SLOW)
    room.goto("/range")
    ready(room)
    room.button("Natural hand").click()
    room.page.locator(".throw").click()
    expect(room.page.get_by_role("row", name=re.compile(r"^Lob \d of 1"))).to_be_visible()
    room.page.keyboard.press("ArrowRight")
    room.page.locator(".throw").click()
    expect(room.page.get_by_role("row", name=re.compile(r"^Lob \d of 2"))).to_be_visible()
    room.page.reload()
    expect(room.page.get_by_role("row", name=re.compile(r"^Lob \d of 2"))).to_be_visible()


@pytest.mark.parametrize("phone", [False, True])
def test_nothing_is_wrong_with_how_it_looks(rooms: Rooms, house: House, phone: bool) -> None:
    room, _ = sit(rooms, house, phone=phone)
    faults = faults_of(room.page, "table", schemes=schemes_of(phone=phone))
    take(room)
    faults += faults_of(room.page, "aim", schemes=schemes_of(phone=phone))
    room.goto("/range")
    ready(room)
    faults += faults_of(room.page, "range", schemes=schemes_of(phone=phone))
    assert "\n".join(faults) == ""


def test_a_typed_throw_is_one_and_a_wrong_one_says_what_is_wrong(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house, width=1280, height=860)
    move = throws_of(room)[0]["text"]
    line = room.command_line()
    line.fill(f"{move} lob speed 9")
    line.press("Enter")
    expect(
        room.page.get_by_text("The speed of a lob is 9.0; it must be 1.8 to 3.2 m/s.").first
    ).to_be_visible()
    line.fill(f"{move} lob at 2.2")
    line.press("Enter")
    assert thrown(room)["landings"][0]["target"] == "2.wall2"


def test_without_webgl_the_table_is_flat(rooms: Rooms, house: House) -> None:
    room = rooms.open()
    room.excused.append("WebGL")
    room.page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        " return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };"
    )
    room.sit(house.link(house.deal(game=GAME, seats=1, options=STEADY, seed=SEED)))
    take(room)
    expect(room.page.locator("canvas")).to_have_count(0)
    room.press(room.page.get_by_role("button", name="Throw", exact=True))
    assert thrown(room)["verdict"] in ("hit", "perfect", "double")


def test_the_sliders_are_under_advanced_and_stay_open(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house)
    take(room)
    speed = room.page.get_by_role("slider", name="Speed")
    expect(speed).to_have_count(0)
    advanced = room.button("Advanced")
    advanced.focus()
    room.page.keyboard.press("Enter")
    expect(advanced).to_have_attribute("aria-expanded", "true")
    speed.focus()
    room.page.keyboard.press("ArrowRight")
    ready(room)
    room.page.reload()
    room.laid()
    take(room)
    expect(room.page.get_by_role("slider")).to_have_count(9)  # it is kept


@pytest.mark.parametrize(("width", "height"), [(844, 390), (390, 844)])
def test_all_that_a_throw_needs_is_in_sight_on_a_phone(
    rooms: Rooms, house: House, width: int, height: int
) -> None:
    room, _ = sit(rooms, house, phone=True, width=width, height=height)
    take(room)
    for part in (".space", ".controls .methods", ".controls .words", ".controls .throw", ".controls .more"):
        box = room.page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width, part
        assert box["y"] + box["height"] <= height, part
        least = {".space": 120, ".controls .words": 12}.get(part, 44)
        assert box["height"] >= least, (part, box)
        assert box["width"] >= 60, (part, box)
    room.press(room.page.locator(".throw"))
    thrown(room)
    expect(room.page.locator(".bar .verdict b")).to_be_visible()  # it still says what the throw did


def drag_from_hand(room: Room, ends: tuple[float, float], steps: int, rest: bool) -> None:
    """Drag the first card of the hand to a point of the table, as shares of its size, and let it go."""
    choice = throws_of(room)[0]
    card = room.page.locator(f'.felt [data-item="{choice["items"][0]}"]')
    card.click(trial=True)
    box, view = card.bounding_box(), room.page.locator(".space").bounding_box()
    assert box is not None
    assert view is not None
    here = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    there = view["x"] + view["width"] * ends[0], view["y"] + view["height"] * ends[1]
    devtools, at = room.context.new_cdp_session(room.page), time.time()

    def mouse(kind: str, share: float, after: float, **more: Any) -> None:
        """Say that the mouse did something at a share of the way, so many seconds after the last event.

        How fast a card is flung follows from the events' times, not from how busy this machine is.
        """
        nonlocal at
        at += after
        x, y = (near + share * (far - near) for near, far in zip(here, there, strict=True))
        event = {"type": kind, "x": x, "y": y, "button": "left", "timestamp": at, **more}
        devtools.send("Input.dispatchMouseEvent", event)

    mouse("mouseMoved", 0, 0, button="none")
    mouse("mousePressed", 0, 0.01, clickCount=1)
    for step in range(1, steps + 1):
        mouse("mouseMoved", step / steps, 0.02, buttons=1)
    mouse("mouseReleased", 1, 0.4 if rest else 0.01, clickCount=1)
    devtools.detach()


def test_a_card_is_flung_from_the_hand(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house, width=1280, height=860)
    drag_from_hand(room, (0.7, 0.3), steps=4, rest=False)
    flown = thrown(room)
    assert flown["release"]["azimuth"] > 3  # to the right, as it went


def test_a_card_put_down_on_their_wall_is_aimed(rooms: Rooms, house: House) -> None:
    room, _ = sit(rooms, house)
    wall = room.page.locator(".view [data-zone='fort:2'] [data-item]").first.bounding_box()
    view = room.page.locator(".space").bounding_box()
    assert wall is not None
    assert view is not None
    at = (
        (wall["x"] + wall["width"] / 2 - view["x"]) / view["width"],
        (wall["y"] + wall["height"] / 2 - view["y"]) / view["height"],
    )
    drag_from_hand(room, at, steps=4, rest=True)
    ready(room)
    assert room.ply == 0


def test_hints_of_the_same_card_are_told_apart_and_aim_it(rooms: Rooms, house: House) -> None:
    """Two hints with one choice left the panel empty, and the card was aimed at something else."""
    table = house.deal(game=GAME, seats=1, options=STEADY, seed="1")
    house.play(table, ["upgrade 2 with 2k"])
    room = rooms.open(width=1280, height=720)
    room.excused.append(SLOW)
    room.sit(house.link(table))
    room.press(room.button("Hint"))
    hints = room.page.get_by_role("list", name="Hints, best first").get_by_role("button")
    expect(hints).to_have_count(3)
    names = [each.split(",")[0] for each in hints.evaluate_all("(all) => all.map((one) => one.title)")]
    assert len({*names}) == 3
    assert names[0].rpartition(" at ")[0] == names[2].rpartition(" at ")[0]
    room.press(hints.nth(2))
    room.press(room.button("Take aim"))
    ready(room, f"comes down on {names[2].rpartition(' at ')[2]}".replace("'", "’"))
    expect(room.button("Take aim")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (844, 390), (390, 844)])
def test_a_large_hand_stays_in_sight(rooms: Rooms, house: House, width: int, height: int) -> None:
    def grown(wire: WebSocketRoute) -> None:
        """Pass everything on, with 17 cards more in every hand that is held."""
        server = wire.connect_to_server()

        def show(text: str | bytes) -> None:
            message = json.loads(text)
            for zone in message["scene"]["zones"] if message["type"] == "sync" else ():
                if zone["kind"] == "fan":
                    zone["items"] += [{**zone["items"][0], "id": f"more{n}"} for n in range(17)]
                    zone["count"] = len(zone["items"])
            wire.send(json.dumps(message))

        server.on_message(show)
        wire.on_message(server.send)

    room = rooms.open(phone=width < 900, width=width, height=height)
    room.excused.append(SLOW)
    room.page.route_web_socket("**/ws/**", grown)
    table = house.deal(game=GAME, seats=1, options=STEADY, seed=SEED)
    room.page.goto(house.link(table))
    expect(room.page.get_by_role("group", name="View")).to_be_visible()
    cards = room.page.locator(".felt .kind-fan [data-item]")
    expect(cards.nth(20)).to_be_visible()
    felt = room.page.locator(".felt").bounding_box()
    assert felt is not None
    room.page.wait_for_timeout(500)
    for card in cards.all():
        box = card.bounding_box()
        assert box is not None
        assert felt["y"] <= box["y"]
        assert box["y"] + box["height"] <= felt["y"] + felt["height"]
        assert box["width"] >= 32

"""Look closely at the tables of all games: buttons in reach, and no name cut short or broken."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from bartizan.engine import registry
from bartizan.match.lessons import read_lessons
from tests.browser.house import House
from tests.browser.room import Rooms
from tests.browser.test_felt import DESK, PHONE, SIDE, midway, seated

# Buttons that are too small for a finger, cards and other things on the felt by what WCAG 2.2 asks for; terms
# inside a sentence, names with a margin that can be touched, and things in a picture of space are excused.
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, summary")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  const excused = one.matches(".term, .label, .space *") || getComputedStyle(one).clipPath !== "none";
  const seen = one.checkVisibility({ visibilityProperty: true }) && width > 0;
  return seen && !excused && Math.min(width, height) < (one.closest(".felt") ? 24 : 31.5);
}).map((one) => one.getAttribute("aria-label") ?? one.textContent.trim())"""
# Buttons of what is done now that are too low for a thumb.
LOW = """() => [...document.querySelectorAll(".btn.main, main .actions .btn")].filter((one) =>
  one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => one.textContent.trim())"""
# Things of a zone that the hand lies over, or the felt's edge cuts off.
HIDDEN = """(zones) => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const under = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, bottom - 4);
    return top < felt.top || bottom > felt.bottom + 1 || !!at?.closest(".kind-fan");
  };
  return zones.flatMap((zone) => [...document.querySelectorAll(zone)]).filter(under).length;
}"""
# Notes whether anything moved on the table from now on.
WATCH_MOVES = """() => new MutationObserver(() => (window.moved ||= !!document.querySelector(".stage")))
  .observe(document.body, { subtree: true, childList: true })"""
# Words that end in dots, or break in the middle of a word.
SHORTENED = """() => [...document.querySelectorAll(".felt *, .seats *")].filter((one) => {
  const style = getComputedStyle(one);
  if (!one.checkVisibility()) return false;
  if (style.textOverflow === "ellipsis") return one.scrollWidth > one.clientWidth + 1;
  if (one.children.length) return false;
  if (one.textContent.length < 5 || !/anywhere|break-word/.test(style.overflowWrap)) return false;
  const range = document.createRange();
  const words = [...one.textContent.matchAll(/\\S+/g)];
  return words.some((word) => {
    range.setStart(one.firstChild, word.index);
    range.setEnd(one.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  });
}).map((one) => one.textContent)"""


def test_five_columns_stay_in_their_box(rooms: Rooms, house: House) -> None:
    room = rooms.open(width=390, height=844, phone=True)

    def spread(text: str | bytes) -> str:
        message = json.loads(text)
        if message["type"] == "sync":
            message["scene"]["areas"] = {"narrow": ["deck top tower left right", "hand hand hand hand hand"]}
        return json.dumps(message)

    def pass_on(wire: WebSocketRoute) -> None:
        server = wire.connect_to_server()
        server.on_message(lambda text: wire.send(spread(text)))

    room.page.route_web_socket(re.compile("/ws/"), pass_on)
    room.page.goto(house.link(house.deal(seed="9")))
    room.page.locator(".felt .laid").wait_for()
    room.page.wait_for_timeout(200)
    assert room.page.evaluate("document.documentElement.scrollWidth") == 390
    felt = room.page.locator(".felt").bounding_box()
    assert felt is not None
    assert felt["x"] + felt["width"] <= 390
    seen = "(one) => [one.scrollWidth - one.clientWidth, one.dataset.tight]"
    assert room.page.locator(".felt").evaluate(seen) == [0, ""]


def test_buttons_of_the_lobby_are_large_enough_for_a_thumb(rooms: Rooms) -> None:
    room = rooms.open(width=390, height=844, phone=True)
    room.goto("/")
    room.sheet()
    assert [room.page.evaluate(one) for one in (SMALL, LOW)] == [[], []]


def test_buttons_of_a_tables_dialogs_are_large_enough_for_a_thumb(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway("tower", 2, 24), PHONE)
    for name in ("Rules", "Log", "Which suit beats which", "Chat", "Menu"):
        room.press(room.button(name))
        expect(room.page.locator("dialog[open] .body > *").first).to_be_visible()
        room.page.wait_for_timeout(150)
        assert (name, [room.page.evaluate(one) for one in (SMALL, LOW)]) == (name, [[], []])
        room.press(room.page.locator("dialog[open]").get_by_role("button", name="Close"))
    room.press(room.button("Menu"))
    room.press(room.page.locator("dialog[open]").get_by_role("button", name="Resign"))
    room.press(room.dialog("Resign?").get_by_role("button", name="Resign"))
    expect(room.dialog("The end")).to_be_visible()
    assert [room.page.evaluate(one) for one in (SMALL, LOW)] == [[], []]


def test_a_jump_in_a_review_is_no_move(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway("alcazar", 1, 7), DESK, calm=False)
    room.page.wait_for_timeout(400)  # what shows events is sent for once the table is laid
    room.press(room.button("Menu"))
    room.press(room.page.locator("dialog[open]").get_by_role("button", name="Review"))
    slider = room.page.get_by_role("slider")
    expect(slider).to_be_visible()
    room.page.wait_for_timeout(300)
    expect(room.page.locator(".felt > .stage")).to_have_count(0)
    room.page.evaluate(WATCH_MOVES)
    for ply in ("2", "6"):
        slider.fill(ply)
        expect(room.page.locator("[aria-live]")).to_contain_text(f"Move {ply} of")
        room.page.wait_for_timeout(300)
        assert not room.page.evaluate("window.moved")
    room.press(room.button("Previous"))
    room.until(lambda: bool(room.page.evaluate("window.moved")))


def test_another_lesson_is_no_move(rooms: Rooms) -> None:
    room = rooms.open(calm=False)
    lessons = read_lessons(registry.get("alcazar")).lesson
    done = next(n for n, one in enumerate(lessons) if not one.task[0].is_look)
    room.goto(f"/learn/alcazar#{lessons[done].id}")
    room.page.locator(".felt .laid").wait_for()
    room.page.wait_for_timeout(400)  # what shows events is sent for once the table is laid
    room.press(room.button("Show me"))
    room.press(room.button("Play it"))
    expect(room.page.locator(".felt > .stage")).to_be_visible()
    expect(room.page.locator(".felt > .stage")).to_have_count(0)
    room.page.evaluate(WATCH_MOVES)
    room.goto(f"/learn/alcazar#{lessons[done + 1].id}")
    room.page.wait_for_timeout(600)
    assert not room.page.evaluate("window.moved")


@pytest.mark.parametrize("game", ["alcazar", "tower", "card-cassonne"])
def test_a_lesson_shows_all_that_it_speaks_of(rooms: Rooms, game: str) -> None:
    lesson = read_lessons(registry.get(game)).lesson[1].id
    for width, height, phone in (PHONE, SIDE):
        room = rooms.open(width=width, height=height, phone=phone)
        room.goto(f"/learn/{game}#{lesson}")
        room.page.locator(".felt .laid").wait_for()
        room.page.wait_for_timeout(300)
        dots = room.page.locator(".dots").bounding_box()
        assert dots is not None
        assert dots["height"] >= 32
        # On its side the hand lies over nothing, and all that is said is in sight.
        tall = "(one) => one.scrollHeight - one.clientHeight"
        assert width > height or room.page.evaluate(HIDDEN, [".contest", ".levels .thing"]) == 0
        assert height > width or room.page.locator(".coach").evaluate(tall) <= 1
        assert height > width or game == "tower" or room.page.locator(".felt").evaluate(tall) <= 1
        rooms.leave(room)

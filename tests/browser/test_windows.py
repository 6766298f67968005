"""Look closely at the tables of all games in four windows: what is needed can be seen, read and touched.

A page is resized rather than opened again, as when a phone is turned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.room import OVERFLOW, Room, Rooms
from tests.browser.test_close_look import HIDDEN, LOW, SHORTENED, SMALL
from tests.browser.test_felt import DESK, IN_SIGHT, LAPTOP, PHONE, SIDE, hand_of, midway, seated
from tests.browser.test_throwing import sit

Window = tuple[int, int, bool]
WINDOWS: dict[bool, tuple[Window, Window]] = {False: (DESK, LAPTOP), True: (PHONE, SIDE)}
# Game, seats and plies.
TABLES = [
    ("alcazar", 1, 7),
    ("tower", 2, 2),
    ("tower", 2, 24),
    ("tower", 3, 24),
    ("tower", 4, 30),
    ("castle-danger", 2, 14),
    ("card-cassonne", 2, 8),
    ("card-barrage", 2, 9),
    ("card-barrage", 4, 9),
]
# Game, seats, plies, and how wide cards and squares are at least in a tablet's windows, in pixels.
TABLETS = [
    ("alcazar", 1, 7, {(820, 1180): 90, (1180, 820): 76}),
    ("castle-danger", 2, 14, {(820, 1180): 94, (1180, 820): 80}),
    ("card-barrage", 4, 9, {(1024, 768): 50, (820, 1180): 66}),
]
on_desk_and_phone = pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])

# The share of the window that one of these has: a map, a table at which cards are thrown, or else the felt.
SHARE = """() => {
  const areas = (all) => [...all].reduce((sum, one) => {
    const box = one.getBoundingClientRect();
    return sum + box.width * box.height;
  }, 0);
  const map = document.querySelectorAll(".felt [data-pan]");
  const board = map.length ? map : document.querySelectorAll(".felt, main .view:has(.space)");
  return areas(board) / (innerWidth * innerHeight);
}"""
# How wide the towers are, by zone.
WIDTHS = """() => Object.fromEntries([...document.querySelectorAll(".kind-levels")].map((one) =>
  [one.dataset.zone, one.querySelector(".levels").getBoundingClientRect().width]))"""
# Whether the whole board is in the felt.
WHOLE = """() => {
  const [felt, grid] = [".felt", ".grid"].map((one) => document.querySelector(one).getBoundingClientRect());
  return grid.top >= felt.top && grid.bottom <= felt.bottom;
}"""
# How wide the cards of a row or the squares of a board are.
LARGEST = """() => {
  const all = document.querySelectorAll(".felt :is(.kind-slots .thing, .kind-slots .empty, .square)");
  return Math.max(...[...all].map((one) => one.getBoundingClientRect().width));
}"""
# Things that the hand still lies over once they are brought into sight.
UNDER = """() => {
  const felt = document.querySelector(".felt");
  const all = [...felt.querySelectorAll(".area:not(:has(> .kind-fan)) :is(.thing, .empty, .label)")];
  return all.filter((one) => one.checkVisibility() && one.offsetWidth > 8).filter((one) => {
    one.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, bottom - 2);
    return !felt.contains(at) || !!at.closest(".kind-fan") || top < felt.getBoundingClientRect().top - 1;
  }).map((one) => one.getAttribute("aria-label") ?? one.textContent.trim());
}"""
# Moves that are ready but not wholly in the window.
AWAY = """() => [...document.querySelectorAll("main .actions .choices button")].slice(0, 2).filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  const x = one.getBoundingClientRect().left + 8;
  const inside = (y) => one.contains(document.elementFromPoint(x, y));
  return !inside(top + 6) || !inside(bottom - 6) || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent.trim())"""
# Names in a drawing that are too small to read.
TINY = """() => [...document.querySelectorAll(".aid text")].filter((one) =>
  one.checkVisibility() && Number.parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a < 9)
  .map((one) => one.textContent)"""
# Names beside each other that do not keep apart.
CROWDED = """() => {
  const names = [...document.querySelectorAll(".felt .piles .label, .felt .lane :is(.end, .rider)")];
  const boxes = names.map((one) => one.getBoundingClientRect());
  const lap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return names.filter((_, at) => boxes.some((box, other) => at !== other && lap(box, boxes[at])))
    .map((one) => one.textContent);
}"""


def share(room: Room) -> float:
    return float(room.page.evaluate(SHARE))


def choose(room: Room) -> None:
    """Touch the first thing of the move that has most things, so that it is half made."""
    choice = max(room.scene.get("choices") or [{}], key=lambda one: len(one.get("items", ())))
    for id_ in choice.get("items", ())[:1]:
        room.touch(id_)
        room.page.wait_for_timeout(150)


def wrong_with(room: Room, game: str, seats: int, window: Window) -> Iterator[tuple[str, object]]:
    """Find what is wrong with a table at which nothing is chosen yet; yield it with a name."""
    evaluate = room.page.evaluate
    width, height, phone = window
    own = room.scene["seat"]
    if seats <= 2 and (game != "tower" or room.ply > 2):
        yield "share of the window", max(0, 0.6 - share(room))
    if game == "tower":
        widths = evaluate(WIDTHS)
        assert len(widths) == seats
        yield "towers wider than yours", [one for one, w in widths.items() if w > widths[f"tower:{own}"] + 1]
    if game == "castle-danger":
        yield "a board cut off", window == SIDE and not evaluate(WHOLE)
    elif window == SIDE and seats <= 2 and room.ply > 2:
        yield "a hand cut off", [share for share in evaluate(IN_SIGHT, hand_of(room)) if share <= 0.9]
    if phone and seats == 4:
        zones = [zone for zone in room.scene["zones"] if zone["kind"] in ("levels", "slots")]
        things = [f'[data-zone="{zone["id"]}"] .thing' for zone in zones if zone.get("owner") == own]
        assert things
        yield "your own things under your hand", evaluate(HIDDEN, things)
        tall = "(one) => one.scrollHeight - one.clientHeight"
        yield "a felt to be scrolled", width > height and room.page.locator(".felt").evaluate(tall) >= 1
        yield "things that stay under the hand", evaluate(UNDER)
        room.page.locator(".felt").evaluate("(one) => one.scrollTo(0, 0)")


def wrong_with_choice(room: Room, game: str, window: Window) -> Iterator[tuple[str, object]]:
    """Find what is wrong with a table at which a move is half made."""
    evaluate = room.page.evaluate
    looks = {"overflow": OVERFLOW, "words cut short": SHORTENED}
    if window[2]:
        looks |= {"small": SMALL, "low": LOW, "moves out of sight": AWAY, "names on names": CROWDED}
    for name, look in looks.items():
        yield name, evaluate(look)
    if game == "tower" and not window[2]:
        shown = (".aid svg", ".aid figcaption", ".under .over")
        wheel, caption, over = (room.page.locator(one).bounding_box() for one in shown)
        assert wheel is not None and caption is not None and over is not None  # noqa: PT018 - for the types
        yield "a wheel covered", over["y"] < max(one["y"] + one["height"] for one in (wheel, caption))
        yield "names too small", evaluate(TINY)


@on_desk_and_phone
@pytest.mark.parametrize(("game", "seats", "plies"), TABLES)
def test_a_table_fits_its_windows(
    rooms: Rooms, house: House, game: str, seats: int, plies: int, phone: bool
) -> None:
    first, second = WINDOWS[phone]
    room = seated(rooms, house, midway(game, seats, plies), first)
    faults = []
    for window in (first, second):
        room.resize(*window[:2])
        faults += [(window, *fault) for fault in wrong_with(room, game, seats, window) if fault[1]]
        choose(room)
        faults += [(window, *fault) for fault in wrong_with_choice(room, game, window) if fault[1]]
        room.page.keyboard.press("Escape")
    assert faults == []


@pytest.mark.parametrize(("game", "seats", "plies", "least"), TABLETS)
def test_a_table_fills_a_tablet(
    rooms: Rooms, house: House, game: str, seats: int, plies: int, least: dict[tuple[int, int], int]
) -> None:
    """Held upright it has rows below one another, on its side beside one another: as large as they fit."""
    room = seated(rooms, house, midway(game, seats, plies), (*next(iter(least)), True))
    for size, width in least.items():
        room.resize(*size)
        assert room.page.evaluate(LARGEST) >= width
        felt = room.page.locator(".felt")
        assert felt.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 1
        assert room.page.evaluate(OVERFLOW) == []


@on_desk_and_phone
def test_a_table_for_throwing_fits_its_windows(rooms: Rooms, house: House, phone: bool) -> None:
    (width, height, _), second = WINDOWS[phone]
    room, _ = sit(rooms, house, width=width, height=height, phone=phone)
    for size in ((width, height), second[:2]):
        room.resize(*size)
        assert share(room) >= 0.6
        looks = (OVERFLOW, SHORTENED, SMALL) if phone else (OVERFLOW, SHORTENED)
        assert [room.page.evaluate(one) for one in looks] == [[]] * len(looks)


@pytest.mark.parametrize("game", ["castle-danger", "alcazar"])
def test_hints_leave_the_button_in_the_window(rooms: Rooms, house: House, game: str) -> None:
    room = seated(rooms, house, midway(game, 1 if game == "alcazar" else 2, 3), LAPTOP)
    room.press(room.button("Hint"))
    button = room.button("Play it")
    expect(button).to_be_in_viewport(ratio=1)
    shares = room.page.locator(".hints .share")
    assert all(re.search(r"% to win$", text) for text in shares.all_inner_texts())
    names = room.page.locator(".hints .name")
    assert names.evaluate_all("(all) => all.every((one) => one.scrollHeight <= one.clientHeight + 1)")

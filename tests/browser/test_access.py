"""Let axe look at every page and dialog, in light and dark, on a desk and on a narrow phone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import OVERFLOW, Room, Rooms

PHONE_WIDTH = 360  # pixels: the narrowest that is promised

# Names that several controls have on the page or in one article of it; things and moves may be alike.
NAMESAKES = """() => {
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const names = [...(open ?? document).querySelectorAll("button, a, input[type=submit]")]
    .filter((one) => one.checkVisibility() && !one.closest(".felt, li"))
    .map((one) => {
      const name = one.getAttribute("aria-label") ?? one.textContent.trim();
      const part = one.closest("article")?.querySelector("h2, .id")?.textContent ?? "";
      return `${part} ${name}`.trim();
    });
  return names.filter((name, n) => names.indexOf(name) !== n);
}"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_axe_finds_nothing_and_nothing_overflows(rooms: Rooms, house: House, plan: Plan, phone: bool) -> None:
    room = rooms.open(phone=phone, width=PHONE_WIDTH if phone else 0)
    faults = []
    for place in tour(room, house, plan):
        faults += faults_of(room.page, place, schemes=schemes_of(phone=phone))
        faults += [f"{place}: several controls are named {name}" for name in room.page.evaluate(NAMESAKES)]
    assert faults == []


def tour(room: Room, house: House, plan: Plan) -> Iterator[str]:
    """Go through all pages and dialogs; yield the name of each."""
    page = room.page
    table = house.deal(seed=plan.seed)
    texts = [choice.text for choice in plan.choices]
    house.play(table, texts[:2])

    room.sit(house.link(table))
    yield "table"
    choice = plan.choices[2]
    room.touch(choice.items[0])
    room.touch(choice.items[-1])
    yield "things touched"
    page.keyboard.press("Escape")
    hand = next(zone["items"] for zone in room.scene["zones"] if zone["id"] == "hand")
    room.press(page.get_by_title("Why not? (w)"))
    room.touch(hand[0]["id"])
    room.touch(hand[-1]["id"])
    expect(page.locator(".alarm")).to_be_visible()
    yield "a refusal"
    room.press(page.locator(".alarm").get_by_role("button", name="Close"))
    page.keyboard.press("Escape")
    room.press(room.button("Hint"))
    expect(room.button("Play it")).to_be_visible()
    yield "a hint"
    room.press(page.locator(".advice").get_by_role("button", name="Close"))
    for key, name in (("n", "Alcazar"), ("?", "Keys"), ("l", "Rules")):
        page.keyboard.press(key)
        expect(room.dialog(name)).to_be_visible()
        if name == "Rules":
            expect(room.dialog(name).locator("article").first).to_be_visible()
        yield f"dialog {name}"
        page.keyboard.press("Escape")
        expect(room.dialog(name)).to_be_hidden()
    if room.phone:
        room.press(room.button("Log"))
        yield "dialog Log"
        room.press(room.dialog("Log").get_by_role("button", name="Close"))
        expect(room.dialog("Log")).to_be_hidden()
    room.press(room.page.locator('[data-pile="discard"]'))
    expect(page.locator("[data-spread]")).to_be_visible()
    yield "an opened pile"
    page.keyboard.press("Escape")
    room.press(room.button("Menu"))
    room.press(room.button("Review"))
    expect(page.get_by_role("group", name="Replay")).to_be_visible()
    yield "looking back"

    ending = house.deal(seed=plan.seed)
    house.play(ending, texts)
    room.sit(house.link(ending))
    room.press(room.button("Result"))
    expect(room.dialog("The end")).to_be_visible()
    yield "result"
    room.sit(house.watch(table))
    yield "watching"

    room.goto("/")
    yield "lobby"
    room.sheet().get_by_text("More options").click()
    page.get_by_role("checkbox", name="Havoc").check()
    yield "options"
    room.goto("/rules/alcazar#ALC-20")
    expect(page.locator('[data-clause="ALC-20"]')).to_be_in_viewport()
    yield "rules"
    room.goto("/replay")
    yield "replay"
    page.get_by_label("Record").fill(plan.record)
    room.press(room.button("Show game"))
    expect(page.get_by_role("group", name="Replay")).to_be_visible()
    yield "a replay"


def test_a_page_that_is_not_there(rooms: Rooms) -> None:
    room = rooms.open(phone=True, width=PHONE_WIDTH)
    room.excused += ["the server responded with a status of 404"]  # the browser's own words
    room.goto("/nowhere")
    expect(room.page.get_by_role("heading", name="Page not found")).to_be_visible()
    assert room.page.evaluate(OVERFLOW) == []
    room.page.get_by_role("link", name="All games").tap()
    expect(room.offer("Play")).to_be_visible()
    room.goto("/rules/nowhere")
    room.page.get_by_role("link", name="All games", exact=True).tap()
    expect(room.offer("Play")).to_be_visible()


def test_the_bar_keeps_its_parts_apart_on_the_narrowest_phones(
    rooms: Rooms, house: House, plan: Plan
) -> None:
    """Narrower than promised: the sign of the connection lay on the way home, and Undo under both."""
    room = rooms.at(house.deal(seed=plan.seed), phone=True, width=320)
    parts = room.page.locator("header.bar :is(.home, .link, .btn)")
    boxes = sorted((box["x"], box["x"] + box["width"]) for one in parts.all() if (box := one.bounding_box()))
    assert len(boxes) == 9
    assert boxes[0][0] >= 0
    assert boxes[-1][1] <= 320
    assert all(left[1] <= right[0] for left, right in pairwise(boxes))


def test_the_lobby_shows_a_picture_of_each_game(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/")
    for title in ("Alcazar", "Castle Danger"):
        picture = room.game(title).locator("img")
        expect(picture).to_be_visible()
        room.until(lambda picture=picture: picture.evaluate("(one) => one.naturalWidth") > 0)  # type: ignore[misc]


def test_cards_fill_a_calm_desk(rooms: Rooms, house: House, plan: Plan) -> None:
    """With reduced motion the table takes the room there is, and takes it at once."""
    sizes = []
    for calm in (True, False):
        room = rooms.at(house.deal(seed=plan.seed), calm=calm)
        box = room.thing(room.scene["zones"][-1]["items"][0]["id"]).bounding_box()
        assert box is not None
        sizes.append(box["width"])
    assert sizes[0] == pytest.approx(sizes[1], rel=0.05)
    assert sizes[0] > 60

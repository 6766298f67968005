"""Play on a phone with a finger."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.room import Room, Rooms


def swipe(room: Room, source: str, target: str) -> None:
    """Drag one thing onto another with a finger."""
    (x, y), (to_x, to_y) = room.middle(source), room.middle(target)
    wire = room.context.new_cdp_session(room.page)
    wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        point = {"x": x + (to_x - x) * step / 8, "y": y + (to_y - y) * step / 8}
        wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    expect(room.page.locator(".thing.over, .square.over")).to_be_visible()
    for _ in range(4):  # the finger comes to rest, or the browser takes the next tap for the end of a fling
        room.page.wait_for_timeout(30)
        wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": to_x, "y": to_y}]})
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wire.detach()


def test_taps_and_swipes(rooms: Rooms, house: House, plan: Plan) -> None:
    table = house.deal(seed=plan.seed)
    room = rooms.at(table, phone=True, calm=False)
    for choice in plan.choices[:4]:
        room.play(choice)
    swiped = 0
    for choice in plan.choices[4:8]:
        others = [id_ for id_ in choice.items if id_ != choice.target]
        if choice.target and len(others) == 1:
            ply = room.ply
            swipe(room, others[0], choice.target)
            room.confirm(choice, choice.items)
            room.laid(ply + 1)
            swiped += 1
        else:
            room.play(choice)
    assert swiped
    played = [choice.text for choice in plan.choices[:8]]
    assert house.moves(table) == played

    room.button("Undo").tap()
    room.laid(7)
    room.button("Log").tap()
    expect(room.dialog("Log").get_by_role("listitem").last).to_contain_text(played[6].split()[0].capitalize())
    room.dialog("Log").get_by_role("button", name="Close").tap()
    room.button("Hint").tap()
    room.button("Play it").tap()
    room.laid(8)
    assert house.moves(table) == played


def test_fingers_find_what_they_touch(rooms: Rooms, house: House, plan: Plan) -> None:
    """Cards and buttons are large enough for a finger, and touching wrongly says why."""
    room = rooms.at(house.deal(seed=plan.seed), phone=True, width=360)
    room.play(plan.choices[0])
    sizes = room.page.evaluate(
        """[...document.querySelectorAll("[data-item], .choices button, .bar button")].map((one) => {
             const box = one.getBoundingClientRect();
             return [one.getAttribute("aria-label"), box.width, box.height];
           })"""
    )
    hand = [item["id"] for zone in room.scene["zones"] if zone["id"] == "hand" for item in zone["items"]]
    assert len(sizes) > len(hand)
    # WCAG 2.2 asks for 24 pixels; we want 36 at least, and 44 for what is played with.
    assert [one for one in sizes if min(one[1:]) < 36] == []
    for id_ in hand:
        box = room.thing(id_).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44

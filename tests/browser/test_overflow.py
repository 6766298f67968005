"""Damage pages on purpose: the check for overflow finds each kind of damage, and nothing on a sound page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.room import OVERFLOW, Room, Rooms

# What is done to a page, and what is said about it.
DAMAGES = {
    "a page that is too wide": (
        "/",
        'document.body.insertAdjacentHTML("beforeend", "<div style=\'width: 500px; height: 9px\'></div>")',
        "the page is 500 wide",
    ),
    "a control past the edge": (
        "",
        'document.querySelector(".actions").style.translate = "-40px"',
        "End your turn.* is cut off",
    ),
    "a control below the edge": (
        "",
        'document.querySelector(".felt").style.minHeight = "700px"',
        "End your turn.* is cut off",
    ),
    "a control cut off by its box": (
        "",
        'document.querySelector(".choices").parentElement.style.cssText = "width: 50px; overflow: hidden";'
        'document.querySelector(".choices").style.overflow = "visible"',
        "End your turn.* is cut off",
    ),
    "a control under something": (
        "",
        'document.querySelector(".felt").insertAdjacentHTML("beforeend", '
        "\"<p class='lid' style='position: fixed; inset: auto 0 0; height: 70px'></p>\")",
        "End your turn.* is covered by P lid",
    ),
    "a table under something": (
        "",
        'document.querySelector(".actions").insertAdjacentHTML("beforeend", '
        "\"<p class='lid' style='position: fixed; inset: 30% 0; z-index: 99'></p>\")",
        "is covered by P lid",
    ),
    "words that run out of their box": (
        "",
        'document.querySelector(".prompt").textContent = "Donaudampfschifffahrtsgesellschaft".repeat(2);'
        'document.querySelector(".prompt").style.cssText = "width: 200px; overflow-wrap: normal"',
        "runs out of its box",
    ),
    "a felt that is too wide": (
        "",
        'document.querySelector(".zones").style.width = "400px"',
        "the felt is",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(rooms: Rooms, house: House, plan: Plan, damage: str) -> None:
    path, doing, words = DAMAGES[damage]
    room = rooms.open(phone=True, width=360)
    if path:
        room.goto(path)
        expect(room.game()).to_be_visible()
    else:
        at_table(room, house, plan)
    assert room.page.evaluate(OVERFLOW) == []
    room.page.evaluate(doing)
    found = room.page.evaluate(OVERFLOW)
    assert any(re.search(words, one) for one in found), found


def test_what_can_be_scrolled_to_is_no_damage(rooms: Rooms, house: House, plan: Plan) -> None:
    room = rooms.open(phone=True, width=360)
    at_table(room, house, plan)
    choices = room.scene["choices"]
    enemies = [
        item["id"] for zone in room.scene["zones"] if zone["kind"] == "slots" for item in zone["items"]
    ]
    # With so many moves the row of buttons is longer than the window, or breaks into two.
    room.touch(
        next(one for one in enemies if 3 <= sum(one in move.get("items", ()) for move in choices) <= 9)
    )
    buttons = room.page.get_by_role("list", name="Available moves")
    expect(buttons.get_by_role("button")).not_to_have_count(1)
    assert buttons.evaluate("(list) => list.scrollWidth > list.clientWidth || list.clientHeight > 70")
    assert room.page.evaluate(OVERFLOW) == []


def at_table(room: Room, house: House, plan: Plan) -> None:
    table = house.deal(seed=plan.seed)
    house.play(table, [choice.text for choice in plan.choices[:2]])
    room.sit(house.link(table))
    expect(room.page.get_by_role("list", name="Available moves").get_by_role("button")).to_be_visible()

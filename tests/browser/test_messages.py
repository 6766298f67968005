"""Read refusals and hints without losing sight of what they speak of."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from bartizan.match import Match
from tests.browser.house import House, Plan
from tests.browser.room import OVERFLOW, Room, Rooms
from tests.browser.test_mouse import blocked

SETTLED = 3.0  # seconds
TALL = 600  # pixels; in a lower window hand and enemies cannot be seen at once
TALL_FOR_ADVICE = 700  # nor beside three hints with a long sentence
# All that is marked: its id, what lies over it, and whether its middle is in sight.
MARKS = """() => {
  const kinds = [".thing:is(.hinted, .blocker, .touched)", ".place:is(.hinted, .blocker)",
    ".pile:is(.hinted, .blocked)"];
  const felt = document.querySelector(".felt");
  const edge = felt.getBoundingClientRect();
  return kinds.flatMap((kind) => [...felt.querySelectorAll(kind)]).map((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const seen = document.elementFromPoint(x, y);
    const covered = [...document.querySelectorAll(".box, .spread")].filter((other) => {
      const over = other.getBoundingClientRect();
      return !other.contains(one) && over.left < box.right && over.right > box.left
        && over.top < Math.min(box.bottom, edge.bottom) && over.bottom > Math.max(box.top, edge.top);
    });
    return {
      id: one.dataset.touch ?? one.dataset.pile,
      under: covered.map((other) => other.textContent.trim()).join(),
      seen: felt.contains(seen),
    };
  });
}"""


@pytest.mark.parametrize(
    ("width", "height"),
    [(390, 844), (360, 640), (740, 360), (768, 1024), (1280, 860)],
    ids=["phone", "small-phone", "phone-on-its-side", "tablet", "desk"],
)
def test_a_message_covers_nothing_that_it_marks(
    rooms: Rooms, house: House, plan: Plan, width: int, height: int
) -> None:
    in_sight = [
        n for n, choice in enumerate(plan.choices) if "taking" not in choice.text
    ]  # not in a closed pile
    longest = max(in_sight, key=lambda n: len(plan.choices[n].label))
    for ply in (beating_the_top(plan), longest):
        table = house.deal(seed=plan.seed)
        house.play(table, [choice.text for choice in plan.choices[:ply]])
        room = rooms.at(table, phone=width < 1000, width=width, height=height)
        card, enemy, refusal = blocked(plan, ply, {"top"})
        room.touch(card)
        room.touch(enemy)
        expect(room.page.locator(".alarm")).to_contain_text(refusal.sentence)
        expect(room.thing(refusal.blockers[0])).to_contain_class("blocker")
        # The card stays touched, or the enemy is where other cards could beat it.
        touched = room.page.locator(".thing.touched").evaluate_all(
            "(all) => all.map((one) => one.dataset.touch)"
        )
        assert touched in ([card], [enemy])
        marks_are_seen(room, refusal.blockers if height < TALL else [*touched, *refusal.blockers])

        room.press(room.page.locator(".alarm").get_by_role("button", name="Close"))
        choice = plan.choices[ply]
        room.press(room.button("Hint"))
        expect(room.page.locator(".advice")).to_contain_text(choice.label)
        marks_are_seen(room, [choice.target] if height < TALL_FOR_ADVICE else choice.items)


def test_an_opened_pile_makes_way_for_marks(rooms: Rooms, house: House, plan: Plan) -> None:
    ply = beating_the_top(plan)
    table = house.deal(seed=plan.seed)
    house.play(table, [choice.text for choice in plan.choices[:ply]])
    room = rooms.at(table, phone=True)
    room.press(room.page.locator('[data-pile="discard"]'))
    expect(room.page.locator("[data-spread]")).to_be_visible()
    room.press(room.button("Hint"))
    expect(room.page.locator(".advice")).to_be_visible()
    expect(room.page.locator("[data-spread]")).to_be_hidden()
    marks_are_seen(room, plan.choices[ply].items)


def beating_the_top(plan: Plan) -> int:
    """Find a ply at which the hint is to beat an enemy of the army that lies at the top of the table."""
    match = Match("alcazar", seed=plan.seed)
    for ply, choice in enumerate(plan.choices):
        top = next(zone for zone in match.views.scene(1).zones if zone.id == "top")
        if choice.target in [item.id for item in top.items]:
            return ply
        match.play(choice.action)
    raise AssertionError("The army at the top is never beaten.")


def marks_are_seen(room: Room, ids: Sequence[str]) -> None:
    """Check that nothing lies over any mark, some are in sight, and all fits, once the table is at rest."""
    end = time.monotonic() + SETTLED
    while True:
        marks = room.page.evaluate(MARKS)
        hidden = [mark for mark in marks if mark["under"] or (mark["id"] in ids and not mark["seen"])]
        if (not hidden and {mark["id"] for mark in marks} >= set(ids)) or time.monotonic() > end:
            break
        room.page.wait_for_timeout(20)
    assert hidden == []
    assert {mark["id"] for mark in marks} >= set(ids)
    assert room.page.evaluate(OVERFLOW) == []

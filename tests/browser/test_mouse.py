"""Play a whole game with the mouse, from the lobby to the result."""

from __future__ import annotations

from collections.abc import Collection

from playwright.sync_api import expect

from bartizan.engine.scene import Refusal
from bartizan.match import Match
from tests.browser.house import Plan
from tests.browser.room import Room, Rooms


def blocked(
    plan: Plan, plies: int, armies: Collection[str] = ("left", "right", "top")
) -> tuple[str, str, Refusal]:
    """Find a card of the hand that cannot be used against an enemy, where something stands in the way."""
    match = Match("alcazar", seed=plan.seed)
    for choice in plan.choices[:plies]:
        match.play(choice.action)
    scene = match.views.scene(1)
    hand = next(zone for zone in scene.zones if zone.id == "hand")
    enemies = [item for zone in scene.zones if zone.id in armies for item in zone.items]
    for card in hand.items:
        for enemy in enemies:
            if any({card.id, enemy.id} <= set(choice.items) for choice in scene.choices):
                continue
            refusal = match.views.why_not_items([card.id, enemy.id])
            if refusal.blockers and any(card.id in choice.items for choice in scene.choices):
                return card.id, enemy.id, refusal
    raise AssertionError("Every card can be used against every enemy.")


def test_a_whole_game_by_mouse(rooms: Rooms, plan: Plan) -> None:
    room = rooms.open()
    page = room.page
    room.fix_deal(plan.seed)
    room.goto("/")
    room.press(room.offer("Play"))
    room.laid(0)

    moves = page.get_by_role("list", name="Game log").get_by_role("listitem")
    ways = {"button": 0, "click": 0, "drag": 0}
    tried = undone = hinted = False
    for ply, choice in enumerate(plan.choices):
        if ply >= 2 and not tried and choice.items:
            attempt(room, *blocked(plan, ply))
            tried = True
        if ply >= 4 and not hinted and choice.items:
            room.press(room.button("Hint"))
            advice = page.locator(".advice")
            expect(advice).to_contain_text(choice.label)
            expect(page.locator(".hinted")).not_to_have_count(0)
            room.press(room.button("Play it"))
            room.laid(ply + 1)
            hinted = True
        elif not choice.items:
            room.play(choice)
            ways["button"] += 1
        elif choice.target and ways["drag"] <= ways["click"]:
            room.drag(choice)
            ways["drag"] += 1
        else:
            room.play(choice)
            ways["click"] += 1
        if ply + 1 < len(plan.choices):
            expect(moves).to_have_count(ply + 1)
        expect(moves.last).to_contain_text(choice.text.split()[0].capitalize())
        if ply >= 5 and not undone:
            room.press(room.button("Undo"))
            room.laid(ply)
            expect(moves).to_have_count(ply)
            expect(room.button("Redo")).to_be_enabled()
            room.press(room.button("Redo"))
            room.laid(ply + 1)
            expect(moves.last).to_contain_text(choice.text.split()[0].capitalize())
            expect(room.button("Redo")).to_be_disabled()
            undone = True
    assert tried
    assert undone
    assert hinted
    assert min(ways.values()) > 0, ways

    end = room.dialog("The end")
    expect(end).to_contain_text("The tower stands.")
    expect(end).to_contain_text("Won 1 of 1 under these rules · 1 win in a row")
    figures = end.locator("dl :is(dt, dd)").all_inner_texts()
    assert dict(zip(figures[::2], figures[1::2], strict=True)) == {
        "Rounds": str(room.scene["status"]["round"]),
        "Decisions": str(len(plan.choices)),
        "Hints": "1",
        "Undos": "1",
    }
    room.press(end.get_by_role("button", name="See the rule"))
    expect(
        room.dialog("Rules").locator(f'[data-clause="{room.scene["result"]["outcome"]["clause"]}"]')
    ).to_be_visible()
    page.keyboard.press("Escape")
    room.press(end.get_by_role("link", name="All games"))
    for _ in range(2):  # the second time on a page loaded anew
        expect(room.sheet().get_by_text("won 1 of 1, streak 1, best 1")).to_be_visible()
        page.keyboard.press("Escape")
        room.press(page.get_by_text("1 finished"))
        expect(page.get_by_role("listitem").filter(has_text="The tower stands.")).to_have_count(1)
        page.reload()


def attempt(room: Room, card: str, enemy: str, refusal: Refusal) -> None:
    """Try what is not possible: the page says why, marks what is in the way, and opens the rule."""
    room.touch(card)
    room.touch(enemy)
    alarm = room.page.locator(".alarm")
    expect(alarm).to_contain_text(refusal.sentence)
    for blocker in refusal.blockers:
        expect(room.page.locator(f'.blocker[data-touch="{blocker}"]').first).to_be_visible()
    assert refusal.clause in room.spoken
    room.press(alarm.get_by_role("button", name=refusal.clause))
    rule = room.dialog("Rules").locator(f'[data-clause="{refusal.clause}"]')
    expect(rule).to_be_in_viewport()
    expect(rule).to_be_focused()
    room.press(room.dialog("Rules").get_by_role("button", name="Close"))
    expect(room.dialog("Rules")).to_be_hidden()
    room.press(alarm.get_by_role("button", name="Close"))
    expect(room.page.locator(".blocker")).to_have_count(0)
    if room.button("Cancel").is_visible():
        room.press(room.button("Cancel"))
    expect(room.page.locator(".touched")).to_have_count(0)

"""Look at games again: the running one, and a record that somebody sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from bartizan.engine.settlement import Settlement
from bartizan.match import Match
from tests.browser.house import House, Plan
from tests.browser.room import Rooms


def first_hand(plan: Plan) -> list[str]:
    """Return the ids of the cards that are dealt to the hand."""
    zones = Match("alcazar", seed=plan.seed).views.scene(1).zones
    return [item.id for zone in zones for item in zone.items if zone.id == "hand"]


def slide(slider: Locator, ply: int) -> None:
    slider.fill(str(ply))


def test_looking_back_at_a_running_table(rooms: Rooms, house: House, plan: Plan) -> None:
    table = house.deal(seed=plan.seed)
    room = rooms.at(table)
    for choice in plan.choices[:3]:
        room.play(choice)
    now = room.page.locator("[data-zone] [data-item]").count()
    room.press(room.button("Menu"))
    room.press(room.button("Review"))
    scrubber = room.page.get_by_role("group", name="Replay")
    slider = scrubber.get_by_role("slider", name="Move")
    expect(scrubber).to_contain_text("2 / 3")
    expect(room.page.locator(".prompt")).to_contain_text("Reviewing")
    log = room.page.get_by_role("list", name="Game log")
    expect(log.get_by_role("listitem")).to_have_count(3)
    expect(log.locator("[aria-current=step]")).to_have_count(1)  # the move that is looked at
    assert room.spoken.startswith("Move 2 of 3.")

    # Nothing can be played in the past, neither by button nor by key.
    expect(room.page.get_by_role("list", name="Available moves")).to_have_count(0)
    for key in ("1", "u"):
        room.page.keyboard.press(key)
    room.press(room.button("Previous"))
    expect(scrubber).to_contain_text("1 / 3")
    slide(slider, 0)
    expect(scrubber).to_contain_text("0 / 3")
    expect(log.locator("[aria-current=step]")).to_have_count(0)
    expect(room.button("Previous")).to_be_disabled()
    for item in first_hand(plan):
        expect(room.thing(item)).to_be_visible()
    room.press(room.button("Next"))
    expect(scrubber).to_contain_text("1 / 3")

    # Let run, it arrives at the table and is over.
    room.press(scrubber.get_by_role("button", name="Play"))
    expect(scrubber).to_be_hidden()
    expect(room.page.locator("[data-zone] [data-item]")).to_have_count(now)
    room.play(plan.choices[3])
    assert len(house.moves(table)) == 4

    # The table's log counts what was taken back; what is said of it does not.
    room.press(room.button("Undo"))
    expect(room.button("Redo")).to_be_enabled()
    room.press(room.button("Menu"))
    room.press(room.button("Review"))
    expect(scrubber).to_contain_text("4 / 3")
    assert room.spoken.startswith("Move 4, since taken back.")
    room.press(room.button("Previous"))
    expect(scrubber).to_contain_text("3 / 3")
    assert room.spoken.startswith("Move 3 of 3.")


def test_replaying_a_pasted_record(rooms: Rooms, plan: Plan, tmp_path: Path) -> None:
    room = rooms.open()
    page = room.page
    last = len(plan.choices)
    room.goto("/")
    room.press(page.get_by_role("link", name="Replay a record"))
    expect(room.button("Show game")).to_be_disabled()
    page.get_by_label("Record").fill(plan.record)
    room.press(room.button("Show game"))
    scrubber = page.get_by_role("group", name="Replay")
    slider = scrubber.get_by_role("slider", name="Move")
    expect(scrubber).to_contain_text(f"0 / {last}")
    for item in first_hand(plan):
        expect(room.thing(item)).to_be_visible()
    for ply in (1, 2):
        room.press(room.button("Next"))
        expect(scrubber).to_contain_text(f"{ply} / {last}")
        expect(page.get_by_role("list", name="Game log").get_by_role("listitem").last).to_contain_text(
            plan.choices[ply - 1].text.split(" ")[0].capitalize()
        )
    # The arrow keys stop at both ends.
    for key, ply in (("ArrowLeft", 0), ("ArrowRight", last)):
        for _ in range(last + 1):
            page.keyboard.press(key)
        expect(scrubber).to_contain_text(f"{ply} / {last}")
    # Whoever looks on is told what is to be decided and by whom.
    for ply, words in ((1, "The player"), (last - 1, "end the turn")):
        slide(slider, ply)
        expect(page.locator(".prompt")).to_contain_text(words)
        expect(page.locator(".prompt")).not_to_contain_text("thinking")
    slide(slider, last)
    expect(page.locator(".prompt")).to_have_text("The tower stands.")
    assert "The tower stands." in room.spoken
    expect(page.get_by_role("list", name="Game log").get_by_role("listitem")).to_have_count(last)
    expect(room.button("Next")).to_be_disabled()
    page.locator("h1").click()  # away from the slider, which has arrow keys of its own
    page.keyboard.press("ArrowLeft")
    expect(scrubber).to_contain_text(f"{last - 1} / {last}")
    room.press(room.button("Play"))
    expect(scrubber).to_contain_text(f"{last} / {last}")
    expect(room.button("Play")).to_be_visible()

    # The same from a file.
    room.press(room.button("Another record"))
    file = tmp_path / "game.txt"
    file.write_text(plan.record, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(scrubber).to_contain_text(f"0 / {last}")


def test_the_hands_of_a_finished_game_can_be_seen(rooms: Rooms) -> None:
    match = Match("tower", seats=2, seed="5e77")
    resigned = Settlement(reason="resignation", loser=1)
    room = rooms.open(phone=True)
    room.goto("/replay")
    room.page.get_by_label("Record").fill(match.record(secret_seed=True, settlement=resigned).text())
    room.press(room.button("Show game"))
    hand = [item.id for zone in match.views.scene(2).zones for item in zone.items if zone.id == "hand:2"]
    assert len(hand) == 5
    expect(room.thing(hand[0])).to_have_count(0)
    room.page.get_by_label("Whose hand to show").select_option("As Red saw it")
    for item in hand:
        expect(room.thing(item)).to_be_visible()


@pytest.mark.parametrize("damage", ["a move", "a line", "nonsense"])
def test_a_corrupt_record_gets_a_sentence(rooms: Rooms, plan: Plan, damage: str) -> None:
    lines = plan.record.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("1. "))
    if damage == "a move":
        lines[first + 2] = "3. repair with Zz"
    elif damage == "a line":
        del lines[first + 1]
    else:
        lines = ["once upon a time"]
    room = rooms.open()
    room.excused += ["the server responded with a status of 400"]  # the browser tells of it as well
    room.goto("/replay")
    room.page.get_by_label("Record").fill("\n".join(lines))
    room.press(room.button("Show game"))
    fault = room.page.locator(".fault")
    named = {"a move": "Zz", "a line": f"Line {first + 2}", "nonsense": "is not the record of a game"}[damage]
    expect(fault).to_contain_text(named)
    assert room.spoken == fault.inner_text()
    # What was typed is still there to be mended.
    room.page.get_by_label("Record").fill(plan.record)
    room.press(room.button("Show game"))
    expect(room.page.get_by_role("group", name="Replay")).to_be_visible()

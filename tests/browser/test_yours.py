"""What a browser keeps of its games: counted, replayed, carried along, and passed on."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import Rooms


def test_a_game_is_kept_replayed_and_passed_on(
    rooms: Rooms, house: House, plan: Plan, tmp_path: Path
) -> None:
    """A finished game is counted, with its record; somebody else opens its deal, or takes all of it along."""
    room = rooms.open()
    page = room.page
    room.context.grant_permissions(["clipboard-read", "clipboard-write"])
    room.goto("/you")
    expect(page.get_by_text("You haven’t finished a game yet.")).to_be_visible()

    table = house.deal(seed=plan.seed)
    house.play(table, [choice.text for choice in plan.choices[:-1]])
    room.sit(house.link(table))
    room.laid()
    room.play(plan.choices[-1])
    end = room.dialog("The end")
    with page.expect_download() as saved:
        room.press(end.get_by_role("button", name="Save picture"))
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    expect(end.get_by_text("Picture saved.")).to_be_visible()
    room.press(end.get_by_role("button", name="Share result"))
    expect(end.get_by_text("Copied to the clipboard.")).to_be_visible()
    title, headline, facts, link = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert (title, headline) == ("Bartizan · Alcazar", "The tower stands.")
    assert f"{len(plan.choices)} decisions · no hints" in facts
    assert link.startswith(f"{house.address}/play/alcazar#seed={plan.seed}")

    room.goto("/you")
    section = page.get_by_role("region", name="Alcazar")
    expect(section.locator("dl > div").filter(has_text="Played")).to_contain_text("1")
    expect(section.get_by_role("listitem")).to_have_text("won")
    assert faults_of(page, "one game", schemes=schemes_of(phone=False)) == []
    with page.expect_download() as exported:
        room.press(page.get_by_role("button", name="Export all"))
    file = tmp_path / "games.json"
    file.write_bytes(Path(exported.value.path()).read_bytes())
    room.press(page.get_by_role("button", name="Replay Alcazar, The tower stands."))
    expect(page.get_by_role("slider", name="Move")).to_be_visible()

    other = rooms.open(phone=True, width=360)
    other.goto(link.removeprefix(house.address))
    expect(other.page.get_by_text("A friend sent you this deal")).to_be_visible()
    assert faults_of(other.page, "a deal", schemes=schemes_of(phone=True)) == []
    other.press(other.page.get_by_role("button", name="Play this deal"))
    other.laid()
    assert sorted(item["id"] for zone in other.scene["zones"] for item in zone.get("items", ())) == sorted(
        item["id"] for zone in room_scene(house, plan)["zones"] for item in zone.get("items", ())
    )

    other.goto("/you")
    box = other.page.locator('input[type="file"]')
    box.set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b'{"bartizan": 9}'})
    expect(other.page.get_by_text("This file was written by another version of Bartizan.")).to_be_visible()
    for said in ("1 new game.", "Everything in it is already here."):
        box.set_input_files(str(file))
        expect(other.page.get_by_text(said)).to_be_visible()
    expect(other.page.get_by_role("region", name="Alcazar").get_by_role("listitem")).to_have_text("won")
    assert json.loads(file.read_text())["records"][0]["text"].startswith('game = "alcazar"')
    assert faults_of(other.page, "taken along", schemes=schemes_of(phone=True)) == []


def room_scene(house: House, plan: Plan) -> dict[str, list[dict[str, list[dict[str, str]]]]]:
    """Return what a table of the plan's deal shows at first."""
    table = house.deal(seed=plan.seed)
    with house.wire(table.table, table.seat) as wire:
        while (message := json.loads(wire.recv(timeout=20)))["type"] != "sync":
            pass
    scene: dict[str, list[dict[str, list[dict[str, str]]]]] = message["scene"]
    return scene

"""Hints to choose from, and the look back on a finished game: by finger, by keyboard and by ear."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from bartizan.match import Match
from tests.browser.house import House, Plan, Table
from tests.browser.looks import faults_of
from tests.browser.room import Room, Rooms

NARROW = 360  # pixels: the narrowest that is promised


def hint_buttons(room: Room) -> Locator:
    return room.page.get_by_role("list", name="Hints, best first").get_by_role("button")


def marked(room: Room) -> set[str]:
    ids: list[str] = room.page.locator(".felt .hinted").evaluate_all(
        "(all) => all.map((one) => one.dataset.touch ?? one.dataset.pile)"
    )
    return set(ids)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_three_hints_are_compared_and_one_is_played(
    rooms: Rooms, house: House, plan: Plan, phone: bool
) -> None:
    match = Match("alcazar", seed=plan.seed)
    ply = next(n for n, choice in enumerate(plan.choices) if len(choice.items) > 1)
    table = house.deal(seed=plan.seed)
    for choice in plan.choices[:ply]:
        match.play(choice.action)
    house.play(table, match.moves)
    hints = match.views.hints()
    choices = {choice.action: choice for choice in match.views.scene(1).choices}
    room = rooms.at(table, phone=phone, width=NARROW if phone else 0)

    room.press(room.button("Hint"))
    expect(hint_buttons(room)).to_have_count(3)
    for number, hint in enumerate(hints):
        button = hint_buttons(room).nth(number)
        assert hint.chance is not None
        chance = f"{round(100 * hint.chance)}% to win, from {hint.visits} simulated games"
        name = f"{choices[hint.action].label}, {chance}"
        expect(button).to_have_attribute("aria-label", name)
        expect(button).to_have_attribute("aria-pressed", "true" if number == 0 else "false")
    expect(room.page.locator(".advice")).to_contain_text(hints[0].reason)
    room.until(lambda: set(choices[hints[0].action].items) == marked(room))
    assert faults_of(room.page, "three hints") == []

    room.press(hint_buttons(room).nth(1))
    expect(hint_buttons(room).nth(1)).to_have_attribute("aria-pressed", "true")
    expect(room.page.locator(".advice")).to_contain_text(hints[1].reason)
    room.until(lambda: set(choices[hints[1].action].items) == marked(room))
    assert room.spoken.startswith(f"Hint: {hints[1].text}.")
    room.press(room.button("Play it"))
    room.laid(ply + 1)
    assert house.moves(table)[-1] == hints[1].text
    expect(room.page.locator(".advice")).to_have_count(0)


def test_hints_at_one_ply_are_counted_once(rooms: Rooms, house: House, plan: Plan) -> None:
    room = rooms.at(house.deal(seed=plan.seed))
    first, *_ = plan.choices
    said = []
    for _ in range(4):  # the key goes from hint to hint, and round again
        before = room.spoken
        room.page.keyboard.press("h")
        room.until(lambda before=before: room.spoken not in ("", before))  # type: ignore[misc]
        said.append(room.spoken.replace("\u00a0", ""))
        if len(Match("alcazar", seed=plan.seed).legal()) == 2:
            break
    assert len(set(said)) == len(said) - (len(said) == 4)
    used = room.page.locator(".advice .used")
    expect(used).to_have_text("1 hint so far")
    room.press(room.page.locator(".advice").get_by_role("button", name="Close"))
    room.press(room.button("Hint"))
    expect(used).to_have_text("1 hint so far")
    room.play(first)
    room.press(room.button("Hint"))
    expect(used).to_have_text("2 hints so far")


def analysed(house: House, table: Table) -> dict[str, Any]:
    """Return what the server has found of a finished game."""
    while True:
        told: dict[str, Any] = house.ask(f"/api/tables/{table.table}/analysis", key=table.seat)
        if "analysis" in told:
            return dict(told["analysis"])


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_finished_game_is_looked_back_on(rooms: Rooms, house: House, plan: Plan, phone: bool) -> None:
    table = house.deal(seed=plan.seed)
    house.play(table, [choice.text for choice in plan.choices])
    room = rooms.at(table, phone=phone, width=NARROW if phone else 0)
    page = room.page
    room.press(room.button("Result"))
    room.press(room.button("Analysis"))
    panel = page.get_by_role("region", name="Analysis")
    expect(panel).to_be_visible()
    found = analysed(house, table)
    slider = panel.get_by_role("slider", name="Chance to win, with mistakes marked")
    last = len(plan.choices)
    expect(slider).to_have_attribute("max", str(last))
    expect(slider).to_have_attribute("aria-valuetext", "At the end: 100%.")
    expect(panel).to_contain_text(found.get("sentence", "No single move decided the game."))
    assert faults_of(room.page, "the whole curve") == []
    expect(panel.get_by_text("Chance to win, with mistakes marked")).to_be_visible()
    wide = "(one) => one.clientWidth"
    assert panel.locator(".words").evaluate(wide) > panel.evaluate(wide) / 3

    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".prompt")).to_contain_text("Reviewing")
    expect(slider).to_have_value("0")
    expect(room.button("Previous")).to_be_disabled()
    for number in (1, 2):
        verdict = found["verdicts"][number - 1]
        chance = round(100 * verdict["chances"][0])
        begins = re.compile(rf"^{number}\. {re.escape(verdict['label'])}\. .*\b{chance}%")
        expect(slider).to_have_attribute("aria-valuetext", begins)
        expect(panel.locator(".words")).to_have_text(begins)
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("2")
    assert faults_of(room.page, "two moves looked at") == []
    room.press(room.button("Next"))  # on a desk this is the scrubber's, and the curve follows the table
    expect(slider).to_have_value("3")

    if found.get("turning"):
        room.press(room.button("Turning point"))
        expect(slider).to_have_value(str(found["turning"] - 1))
        expect(room.button("Turning point")).to_be_disabled()
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator(".prompt")).not_to_contain_text("Reviewing")
    expect(slider).to_have_value(str(last))
    room.press(room.button("Close the analysis"))
    expect(panel).to_be_hidden()


def test_two_sides_share_the_curve(rooms: Rooms, house: House) -> None:
    """The curve of a game that someone resigned ends with how the game stood."""
    links = house.ask(
        "/api/tables", {"game": "castle-danger", "seed": "1", "players": ["person", "person"], "seats": 2}
    )
    table = Table(links["table"], links["seats"][0], links["spectator"])
    moves = ["add cannon", "d1-d2", "end"]
    house.play(table, moves)
    room = rooms.at(table, phone=True, width=NARROW)
    room.press(room.button("Menu"))
    room.press(room.button("Resign"))
    room.press(room.dialog("Resign?").get_by_role("button", name="Resign"))
    expect(room.dialog("The end")).to_be_visible()
    room.press(room.button("Analysis"))
    panel = room.page.get_by_role("region", name="Analysis")
    slider = panel.get_by_role("slider")
    expect(slider).to_have_attribute(
        "aria-valuetext", re.compile(r"^At the end: Blue [1-9]\d?%, Red \d+%\.$")
    )
    expect(panel.locator(".area")).to_have_count(2)
    expect(panel.locator("[data-colour=blue]")).to_have_count(1)
    slider.focus()
    room.page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^1\\. Blue: Add a Cannon on d1\\."))
    assert faults_of(room.page, "two sides") == []


def test_nothing_is_judged_before_the_end(rooms: Rooms, house: House, plan: Plan) -> None:
    room = rooms.at(house.deal(seed=plan.seed))
    room.play(plan.choices[0])
    room.press(room.button("Menu"))
    expect(room.button("Review")).to_be_visible()
    expect(room.button("Analysis")).to_have_count(0)

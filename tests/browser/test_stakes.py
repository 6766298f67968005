"""What is at stake is drawn on the board: a contest moves with what is touched, a race with the points."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect

from bartizan.match import Match
from tests.browser.house import House
from tests.browser.looks import faults_of
from tests.browser.room import Room, Rooms
from tests.browser.test_board import BLUE, RED, unit
from tests.browser.test_felt import DESK, LAPTOP, PHONE, midway, seated

READABLE = 18  # pixels: the least size of a number that decides the game


def values_of(scene: dict[str, Any]) -> list[int]:
    """Return both values of the one contest of a table."""
    [contest] = scene["contests"]
    return [side["value"] for side in contest["sides"]]


def helpful(room: Room) -> dict[str, Any] | None:
    """Return a defence that weakens the attack and is not the only one on its target, if there is one."""
    attack, _ = values_of(room.scene)
    for choice in room.scene["choices"]:
        if choice["verb"] == "Defend" and sum(choice["contests"]["attack"][0]) < attack:
            return dict(choice)
    return None


def filled(contest: Locator) -> float:
    """Return the share of the bar that the attack fills."""
    share: float = contest.evaluate(
        """(contest) => {
          const widths = [...contest.querySelectorAll(".bar:first-child > i:not(.lost)")].map(
            (one) => one.getBoundingClientRect().width,
          );
          return widths.reduce((sum, width) => sum + width, 0) / contest.getBoundingClientRect().width;
        }"""
    )
    return share


def test_touching_a_defence_shrinks_the_attack_before_it_is_played(rooms: Rooms, house: House) -> None:
    room = rooms.at(house.deal(seed="ba57104"))
    while not (choice := helpful(room)):
        ply = room.ply
        room.press(room.button("End turn"))
        room.laid(ply + 1)
    attack, tower = values_of(room.scene)
    after = sum(choice["contests"]["attack"][0])
    contest = room.page.locator("[data-contest=attack]")
    says = rf"^Attack {attack} against tower {tower}: the top {'falls' if attack >= tower else 'holds'}$"
    expect(contest).to_have_attribute("aria-label", re.compile(says))
    before, ply = filled(contest), room.ply

    room.touch(choice["target"])
    told = f"Attack {after} against tower {tower}: the top {'falls' if after >= tower else 'holds'}"
    expect(contest).to_have_attribute("aria-label", told)
    expect(contest.locator("s")).to_have_text(str(attack))
    room.until(lambda: filled(contest) < before - 0.02)
    assert room.ply == ply
    assert faults_of(room.page, "stakes", ".left") == []

    room.page.keyboard.press("Escape")
    expect(contest.locator("s")).to_have_count(0)
    expect(contest).to_have_attribute("aria-label", re.compile(says))

    for number in contest.locator("b").all():
        assert number.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= READABLE
    assert contest.locator(".bars").bounding_box()["height"] >= 20  # type: ignore[index]
    expect(room.page.locator(".facts")).not_to_contain_text("against")


def test_the_race_runs_along_the_table(rooms: Rooms, house: House) -> None:
    table = house.deal(game="card-barrage", seats=1, seed="7a0b")
    for room in (rooms.at(table), rooms.at(table, phone=True)):
        [race] = room.scene["races"]
        label = room.page.locator("[data-race=points]").get_attribute("aria-label")
        runners = ", ".join(f"{racer['label']} {racer['value']}" for racer in race["racers"])
        assert label == f"Points to {race['goal']}: {runners}"
        expect(room.page.locator("[data-race=points] b")).to_have_count(len(race["racers"]))
        expect(room.page.locator(".facts")).not_to_contain_text(f"of {race['goal']}")
        assert faults_of(room.page, "stakes", ".left") == []


def test_ending_the_turn_with_a_half_chosen_defence_asks_first(rooms: Rooms, house: House) -> None:
    room = rooms.at(house.deal(seed="ba57104"))
    choice = helpful(room)
    assert choice
    end = room.page.get_by_role("button", name=re.compile("^End your turn"))
    asking = room.page.get_by_role("button", name="The move you chose isn’t played yet. Press again")
    room.touch(choice["target"])
    ply = room.ply
    room.press(end)
    expect(asking).to_be_visible()
    assert room.ply == ply
    room.page.keyboard.press("Escape")
    expect(asking).to_have_count(0)
    room.press(end)
    room.laid(ply + 1)


def test_a_cannon_shows_its_line_of_fire(rooms: Rooms, house: House) -> None:
    """Touched or pointed at, the enemy's too; the line takes no click."""
    match = Match("castle-danger", seed="1")
    for move in BLUE[0] + RED[0]:
        match.play(move)
    match.play("e4-f4")
    scene = match.views.scene(1)
    [line] = scene.lines
    for window in (DESK, PHONE):
        room = seated(rooms, house, match, window)
        drawn = room.page.locator(f'[data-line="{line.item}"]')
        expect(drawn).to_have_count(0)
        room.touch(unit(room, "f4"))
        expect(drawn).to_be_visible()
        expect(drawn.locator("text")).to_have_text([*line.hits.values()])
        described = room.page.locator('.square[data-touch="f4"]').get_attribute("title")
        assert described
        assert line.label in described
        assert faults_of(room.page, "line of fire", ".left") == []
        ply = room.ply
        room.touch("f8")
        room.laid(ply + 1)
        assert room.scene["log"][-1]["move"] == "fire f4 f8"


def test_a_level_shows_what_could_hit_it(rooms: Rooms, house: House) -> None:
    match = midway("tower", 2, 24)
    while not threatened(match):
        match.play(match.views.hints(match.seat_to_move, player="greedy")[0].action)
    room = seated(rooms, house, match, LAPTOP)
    (level, mark), *_ = threatened(match).items()
    thing = room.page.locator(f'.levels [data-item="{level}"]')
    expect(thing.locator(".threat").first).to_be_visible()
    expect(thing).to_have_attribute("aria-label", re.compile(f"could be {mark} by (Blue|Red), "))
    assert faults_of(room.page, "threats", ".left") == []


def threatened(match: Match) -> dict[str, str]:
    """Return what things in flight could do to the levels of towers."""
    items = [item for zone in match.views.scene(0).zones for item in zone.items]
    return {level: mark for item in items if item.course for level, mark in item.course.marks.items()}

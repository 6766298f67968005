"""People at one table: who they are, what they say and ask for, and what becomes of a seat that is left."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.house import House
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import Room, Rooms


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server at which a seat counts as left after a second."""
    house = House(tmp_path_factory.mktemp("hasty") / "data", "tests.browser.hasty")
    yield house
    house.stop(warning="has a new report")


class Evening:
    """A table of two people and somebody who watches."""

    def __init__(self, browser: Browser, house: House, **wanted: object) -> None:
        self.house, self.rooms = house, Rooms(browser, house)
        wished = {"game": "castle-danger", "players": ["person", "person"], "seed": "5", **wanted}
        self.links: dict[str, Any] = house.ask("/api/tables", wished)

    def come(self, seat: int, *, phone: bool = False) -> Room:
        key = self.links["seats"][seat - 1] if seat else self.links["spectator"]
        room = self.rooms.open(phone=phone)
        room.sit(f"{self.house.address}/t/{self.links['table']}#{key}")
        return room

    def play_turn(self, seat: int) -> None:
        """Play a whole turn without a browser."""
        token = self.links["seats"][seat - 1]
        with self.house.wire(self.links["table"], token) as wire:
            wire.send('{"type": "hello"}')
            while True:
                message = json.loads(wire.recv(timeout=30))
                if message["type"] != "sync":
                    continue
                choices, version = message["scene"].get("choices"), message["version"]
                if not choices:
                    return
                move = {"type": "move", "id": f"m{version}", "version": version, "move": choices[0]["action"]}
                wire.send(json.dumps(move))


def chat_button(room: Room) -> Locator:
    return room.page.get_by_role("button", name=re.compile("^Chat"))


def icon(room: Room) -> str:
    return str(room.page.locator('link[rel="icon"]').get_attribute("href"))


def tables(house: House, *words: str) -> str:
    """Return what a command of the host's prints."""
    command = [sys.executable, "-m", "bartizan", "tables", *words, "--data", str(house.data)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_names_talk_and_clocks_are_seen_by_the_others(browser: Browser, hasty: House) -> None:
    clock = {"kind": "fischer", "seconds": 300, "increment": 3}
    evening = Evening(browser, hasty, clock=clock, here=[1])
    blue, red = evening.come(1), evening.come(2, phone=True)
    blue.press(blue.button("Menu"))
    name = blue.page.get_by_label("Name", exact=True)
    name.fill("greedy")
    blue.press(blue.button("Save"))
    expect(blue.page.get_by_role("alert")).to_contain_text("greedy")  # nobody plays the program
    name.fill("Ada \u202e<i>L.</i>")
    blue.press(blue.button("lion"))
    blue.press(blue.button("Save"))
    seats = red.page.get_by_role("list", name="Players")
    expect(seats).to_contain_text("Ada <i>L.</i>")
    expect(seats.get_by_role("img", name="lion on red")).to_be_visible()
    blue.press(blue.page.get_by_role("dialog").get_by_role("button", name="Close"))
    expect(seats.get_by_role("timer")).to_have_text(["5:00", "5:00"])
    # What is said is read by the other, as text.
    blue.press(chat_button(blue))
    said = blue.page.get_by_label("Write a message")
    said.fill("Good luck, <b>friend</b>")
    said.press("Enter")
    expect(red.button("Chat: 1 new")).to_be_visible()
    red.press(chat_button(red))
    lines = red.dialog("Chat").get_by_role("list", name="Chat messages")
    expect(lines).to_contain_text("Good luck, <b>friend</b>")
    faults = faults_of(red.page, "chat on a phone", schemes=schemes_of(phone=True))
    faults += faults_of(blue.page, "chat beside the table", schemes=schemes_of(phone=False))
    # The chat stays open on a tablet that is turned.
    red.resize(1180, 820)
    expect(red.page.get_by_role("region", name="Chat").get_by_role("list")).to_contain_text("friend")
    red.resize(390, 760)
    expect(lines).to_contain_text("Good luck, <b>friend</b>")
    blue.page.set_viewport_size(
        {"width": 1366, "height": 768}
    )  # where one writes is in sight, as are the words
    expect(said).to_be_in_viewport(ratio=0.9)
    expect(blue.page.get_by_text("Good luck, <b>friend</b>")).to_be_in_viewport(ratio=0.9)
    # One who is muted is not shown, here and after the page is loaded anew.
    red.press(red.page.get_by_text("Chat settings"))
    red.press(red.page.get_by_label("Mute"))
    expect(lines).to_have_text("No messages yet.")
    red.page.reload()
    red.press(chat_button(red))
    expect(lines).to_have_text("No messages yet.")
    # A line is reported to the host, by keyboard.
    red.press(red.page.get_by_text("Chat settings"))
    red.button("Report a player").press("Enter")
    report = red.dialog("Report a player")
    report.get_by_label("Message").select_option(label="Good luck, <b>friend</b>")
    report.get_by_label("What happened?").fill("spam")
    faults += faults_of(red.page, "report on a phone", schemes=schemes_of(phone=True))
    report.get_by_label("What happened?").press("Enter")
    expect(report.get_by_text("Reported. The host will see it.").first).to_be_visible()
    red.press(report.get_by_role("button", name="Close"))
    red.press(red.button("Close"))
    red.press(red.button("Menu"))
    expect(red.page.get_by_label("Name", exact=True)).to_be_visible()
    faults += faults_of(red.page, "menu on a phone", schemes=schemes_of(phone=True))
    assert faults == []
    red.press(red.page.get_by_role("dialog").get_by_role("button", name="Close"))
    # Offers have the names too, read and heard.
    blue.press(blue.button("Offer a draw"))
    expect(red.page.locator(".messages")).to_contain_text("Ada <i>L.</i> offers a draw.")
    red.until(lambda: "Ada <i>L.</i> offered a draw." in red.spoken)
    red.press(red.button("Decline"))
    # The host reads it and blocks the seat: its player is told, and the other goes on.
    told = tables(hasty, "reports")
    assert "seat 2 reported seat 1 (Ada <i>L.</i>): spam  about the chat line: Good luck" in told
    tables(hasty, "block", evening.links["table"], "1")
    expect(blue.page.locator(".notice")).to_contain_text("The host has blocked your link to this table.")
    expect(red.page.locator(".messages")).to_contain_text("The host has blocked Ada <i>L.</i>.")
    expect(red.button("Let the computer play")).to_be_visible()
    evening.rooms.close()


def test_it_is_seen_that_it_is_ones_turn_and_a_takeback_can_be_asked_for(
    browser: Browser, hasty: House
) -> None:
    evening = Evening(browser, hasty)
    blue, red = evening.come(1), evening.come(2)
    watcher = evening.rooms.open()
    watcher.sit(f"{hasty.address}/t/{evening.links['table']}#{evening.links['spectator']}")
    plain = icon(red)
    expect(blue.page).to_have_title(re.compile("^● Your turn"))
    expect(red.page).not_to_have_title(re.compile("Your turn"))
    evening.play_turn(1)
    expect(red.page).to_have_title(re.compile("^● Your turn"))
    assert icon(red) != plain
    expect(blue.page).not_to_have_title(re.compile("Your turn"))
    blue.laid(red.ply)
    ply = blue.ply
    # Undo is grey, but says why, and what helps.
    undo = blue.button("Undo")
    expect(undo).to_be_disabled()
    undo.click(force=True)
    expect(blue.page.locator(".messages")).to_contain_text("without consent")
    blue.press(blue.button("Ask for a takeback"))
    red.press(red.button("Decline"))
    for room, whose in ((blue, "your"), (watcher, "Blue’s")):
        told = f"Red declined {whose} request for a takeback."
        expect(room.page.locator(".messages")).to_contain_text(told)
    undo.click(force=True)
    expect(blue.page.locator(".messages")).to_contain_text("declined. Make a move before you ask again")
    expect(blue.button("Ask for a takeback")).to_have_count(0)
    # A declined draw is read by all, not heard alone.
    blue.press(blue.button("Offer a draw"))
    red.press(red.button("Decline"))
    for room, told in ((blue, "Red declined your draw offer"), (watcher, "Red declined Blue’s draw offer")):
        expect(room.page.locator(".messages")).to_contain_text(told)
    evening.play_turn(2)
    blue.until(lambda: blue.ply > ply)
    blue.page.evaluate("document.querySelector('[aria-label=Menu]').click()")
    blue.press(blue.button("Ask for a takeback"))
    red.press(red.button("Allow"))
    blue.until(lambda: blue.ply == ply - 1)
    evening.rooms.close()


def test_of_three_the_one_who_has_agreed_reads_that_another_is_waited_for(
    browser: Browser, hasty: House
) -> None:
    evening = Evening(
        browser, hasty, game="card-cassonne", seats=3, players=["person"] * 3, open_seed=True, here=[1]
    )
    blue, orange, purple, watcher = (evening.come(seat) for seat in (1, 2, 3, 0))
    blue.press(blue.button("Menu"))
    blue.page.get_by_label("Name", exact=True).fill("Ada")
    blue.press(blue.button("Save"))
    blue.press(blue.button("Ask to adjourn"))
    orange.press(orange.button("Allow"))
    expect(orange.page.locator(".messages")).to_contain_text("Ada asked to adjourn the game. You agreed.")
    expect(watcher.page.locator(".messages")).to_contain_text("Ada asked to adjourn the game.")
    expect(watcher.page.locator(".messages")).not_to_contain_text("You agreed")
    purple.press(purple.button("Allow"))
    expect(orange.page.locator(".messages")).to_contain_text("Resume it whenever you like")
    expect(watcher.page.locator(".messages")).to_contain_text("The game is adjourned.")
    expect(watcher.page.locator(".messages")).not_to_contain_text("Resume")
    evening.rooms.close()


def test_a_seat_that_was_left_is_played_by_a_program_until_its_person_is_back(
    browser: Browser, hasty: House
) -> None:
    evening = Evening(browser, hasty)
    blue, red = evening.come(1, phone=True), evening.come(2)
    evening.rooms.leave(red)
    expect(blue.button("Adjourn")).to_be_visible()
    assert faults_of(blue.page, "somebody has left", schemes=schemes_of(phone=True)) == []
    blue.press(blue.button("Adjourn"))
    expect(blue.page.locator(".messages")).to_contain_text("The game is adjourned")
    blue.press(blue.button("Resume"))
    blue.press(blue.button("Let the computer play"))
    expect(blue.page.get_by_role("list", name="Players")).to_contain_text("Greedy")
    red = evening.come(2)
    red.press(red.button("Take my seat back"))
    expect(blue.page.get_by_role("list", name="Players")).not_to_contain_text("greedy")
    evening.rooms.close()


def test_who_holds_cards_is_not_offered_the_seat_of_another(browser: Browser, hasty: House) -> None:
    evening = Evening(browser, hasty, game="tower", open_seed=True)
    blue, watching = evening.come(1), evening.come(0)
    expect(watching.button("Take the seat")).to_be_visible()
    expect(blue.button("Let the computer play")).to_be_visible()
    expect(blue.button("Take the seat")).to_have_count(0)
    evening.rooms.close()


def test_a_long_name_gives_way_to_whose_turn_it_is(browser: Browser, hasty: House) -> None:
    evening = Evening(browser, hasty)
    for phone in (True, False):
        blue = evening.come(1, phone=phone)
        if phone:
            blue.press(blue.button("Menu"))
            blue.page.get_by_label("Name", exact=True).fill("W" * 24)
            blue.press(blue.button("Save"))
            blue.press(blue.page.get_by_role("dialog").get_by_role("button", name="Close"))
        turn = blue.page.locator(".seats > .turn")
        expect(turn).to_contain_text("WWWWW")
        state, chip, row = turn.evaluate(
            "(chip) => [chip.querySelector('.state'), chip, chip.parentElement]"
            ".map((part) => part.getBoundingClientRect().right)"
        )
        assert state < chip < row
    evening.rooms.close()


def test_whose_time_is_short_is_told(browser: Browser, hasty: House) -> None:
    evening = Evening(browser, hasty, clock={"kind": "move", "seconds": 120})
    evening.play_turn(1)
    evening.play_turn(2)
    rooms = [evening.rooms.open(), evening.rooms.open()]
    for room, key in zip(rooms, evening.links["seats"], strict=True):
        room.page.clock.install()
        room.sit(f"{hasty.address}/t/{evening.links['table']}#{key}")
        timer = room.page.get_by_role("timer").first
        expect(timer).to_have_text(re.compile(r"^\d:\d\d"))
        minutes, seconds = map(int, timer.inner_text().split(":"))
        room.page.clock.fast_forward(1000 * (60 * minutes + seconds - 19))
        expect(room.page.locator(".clock.low")).to_have_count(1)
    rooms[0].until(lambda: "20 seconds left." in rooms[0].spoken)
    assert "20 seconds left." not in rooms[1].spoken
    evening.rooms.close()


@pytest.mark.parametrize(("seats", "timed"), [(2, False), (2, True), (3, False), (3, True)])
def test_names_and_clocks_are_read_in_full(
    browser: Browser, hasty: House, *, seats: int, timed: bool
) -> None:
    clock = {"kind": "fischer", "seconds": 1800, "increment": 20} if timed else None
    wanted = {"game": "card-cassonne", "seats": seats, "players": ["person"] * seats, "clock": clock}
    evening = Evening(browser, hasty, open_seed=True, best_of=3 if timed else 1, **wanted)
    blue, red = evening.come(1), evening.come(2)
    players = blue.page.get_by_role("list", name="Players")
    expect(players.get_by_role("timer")).to_have_text(["30:00"] * (seats if clock else 0))
    expect(players.locator("li").nth(1)).to_have_attribute("title", re.compile("at the table"))
    cut = "(all) => all.filter((one) => one.scrollWidth > one.offsetWidth + 1).map((one) => one.innerText)"
    windows = ((844, 390), (1180, 820), (1366, 768), (390, 844))
    for window in windows:
        blue.resize(*window)
        for parts in ("li", ".words", "b", ".clock", ".score"):
            assert players.locator(parts).evaluate_all(cut) == [], (window, parts)
    for seat in range(1, seats):
        evening.play_turn(seat)
    blue.until(lambda: blue.scene["status"]["seat"] == seats)
    expect(players.locator("[aria-current=true]")).to_be_in_viewport(ratio=0.9)
    evening.rooms.leave(red)
    for window in windows:
        blue.resize(*window)
        expect(players.get_by_text("away")).to_be_visible(visible=window != windows[0])
    evening.rooms.close()


def test_clock_talk_and_series_are_chosen_in_the_lobby(browser: Browser, hasty: House) -> None:
    rooms = Rooms(browser, hasty)
    room = rooms.open(phone=True)
    room.goto("/")
    sheet = room.sheet("Castle Danger")
    sheet.get_by_text("Clock, chat and series").click()
    sheet.get_by_label("Clock").select_option("own")
    sheet.get_by_label("Minutes").fill("2")
    sheet.get_by_label("Series").select_option("3")
    assert faults_of(room.page, "clock and series", schemes=schemes_of(phone=True)) == []
    room.press(sheet.get_by_role("button", name="Invite a friend"))
    room.laid(0)
    expect(room.page.get_by_role("list", name="Players").get_by_role("timer")).to_have_text(["2:00", "2:00"])
    rooms.close()

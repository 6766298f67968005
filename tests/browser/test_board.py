"""Play a game on a board of squares: by mouse, by keyboard and ear, with a finger."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from bartizan.engine.scene import Choice
from bartizan.match import Match
from tests.browser.house import House, Table
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import Room, Rooms
from tests.browser.test_access import PHONE_WIDTH
from tests.browser.test_keyboard import Player
from tests.browser.test_touch import swipe

# Blue brings a Cannon to f4, breaks the wall on f8, and hits the King on f9 behind it.
BLUE = [
    ["add cannon", "d1-d2", "d2-d3", "d3-d4", "d4-e4"],
    ["e4-f4", "fire f4 f8", "end"],
    ["fire f4 f9"],
]
RED = [["add wizard", "d9-d8", "end"], ["end"]]
GAME = BLUE[0] + RED[0] + BLUE[1] + RED[1] + BLUE[2]


def seats(house: House, **more: object) -> tuple[Table, Table]:
    """Deal a board for two persons; return the keys of both seats."""
    links = house.ask("/api/tables", {"game": "castle-danger", "seats": 2, "seed": "1", **more})
    blue, red = (Table(links["table"], seat, links["spectator"]) for seat in links["seats"])
    return blue, red


def choice_of(room: Room, move: str) -> Choice:
    """Return the choice of a move at a room's table, as its own rules see it."""
    match = Match("castle-danger", seed="1")
    for line in GAME[: room.ply]:
        match.play(line)
    return next(one for one in match.views.scene(match.seat_to_move).choices if one.text == move)


def unit(room: Room, square: str) -> str:
    """Return the id of what stands on a square."""
    board = next(zone for zone in room.scene["zones"] if zone["kind"] == "grid")
    return str(next(item["id"] for item in board["items"] if item["at"] == square))


def square(room: Room, name: str) -> str:
    """Return what a square's button says."""
    label = room.page.locator(f'.square[data-touch="{name}"]').get_attribute("aria-label")
    assert label is not None
    return label


def end_turn(room: Room) -> None:
    """End the turn, and once more when asked."""
    ply = room.ply
    button = room.page.get_by_role("list", name="Available moves").get_by_role("button", name="End the turn")
    room.press(button)
    asked = room.page.get_by_role("button", name="Press again")
    expect(asked).to_contain_text("left. End turn?")
    assert room.ply == ply
    room.press_again(asked)
    room.laid(ply + 1)


def test_a_game_by_mouse(rooms: Rooms, house: House) -> None:
    blue_table, red_table = seats(house)
    blue, red = rooms.at(blue_table), rooms.at(red_table)
    page = blue.page

    # Each sits at the near side of the board.
    assert blue.page.locator(".square").first.get_attribute("data-touch") == "a9"
    assert red.page.locator(".square").first.get_attribute("data-touch") == "g1"
    expect(page.get_by_label("Moves left, 6 of 6").locator("i.full")).to_have_count(6)

    blue.play(choice_of(blue, "add cannon"))
    cannon = unit(blue, "d1")

    # One gesture, three steps; what is in reach is shown before.
    blue.touch(cannon)
    assert page.locator("[data-ahead=go]").evaluate_all("(all) => all.map((one) => one.dataset.touch)") == [
        "d2",
        "c1",
        "e1",
    ]
    assert "3 moves away" in square(blue, "d4")
    blue.touch("d4")
    blue.laid(4)
    assert "Blue's Cannon" in square(blue, "d4")
    expect(page.locator(".square.last")).to_have_count(2)
    blue.drag(choice_of(blue, "d4-e4"))
    expect(page.locator(".prompt")).to_contain_text("Red is playing")

    # Red taken by surprise does all that can be done before a turn ends.
    red.laid(5)
    red.play(choice_of(red, "add wizard"))
    red.play(choice_of(red, "d9-d8"))
    end_turn(red)

    # Blue sees Red's turn again, move by move, and is back at the table.
    blue.laid(8)
    blue.press(page.get_by_role("button", name="Replay last turn"))
    expect(page.locator(".prompt")).to_contain_text("Reviewing")
    expect(page.get_by_role("group", name="Replay")).to_contain_text("5 / 8")
    expect(page.locator('.square[data-touch="d9"]')).to_have_attribute("aria-label", "d9, portal, empty")
    expect(page.locator('.square[data-touch="d8"]')).to_have_class(re.compile(r"\blast\b"))
    expect(page.get_by_role("group", name="Replay")).to_be_hidden()
    expect(page.locator(".square.recent")).to_have_count(2)

    blue.play(choice_of(blue, "e4-f4"))
    blue.touch(cannon)
    expect(page.locator('.square[data-touch="f8"]')).to_have_attribute("data-ahead", "destroyed")
    assert "would be: destroyed" in square(blue, "f8")
    page.locator('.square[data-touch="f8"]').hover()
    expect(page.locator(".say")).to_contain_text(
        "destroys the wall and leaves Fire on f8; 4 moves, 1 move left"
    )
    blue.touch("#f8")
    blue.laid(10)
    assert "Blue's Fire" in square(blue, "f8")
    assert "fired" in square(blue, "f4")

    # The moves of a turn are taken back one after the other, and played again.
    for ply in (9, 8):
        blue.press(blue.button("Undo"))
        blue.laid(ply)
    assert "a wall" in square(blue, "f8").lower()
    for ply in (9, 10):
        blue.press(blue.button("Redo"))
        blue.laid(ply)
    end_turn(blue)
    red.laid(11)
    end_turn(red)
    blue.laid(12)
    blue.touch(cannon)
    blue.touch(unit(blue, "f9"))
    blue.laid(13)
    expect(blue.dialog("The end")).to_contain_text("You win.")
    assert house.moves(blue_table) == GAME


def test_a_game_by_keyboard_and_ear(rooms: Rooms, house: House) -> None:
    """Both sides play without looking: what they do follows from what the live region says."""
    blue_table, red_table = seats(house)
    blue, red = rooms.at(blue_table), rooms.at(red_table)
    players = {"Blue": Player(blue), "Red": Player(red)}
    for player in players.values():
        assert "with 6 moves left" in player.told.text

    def type_move(who: str, move: str, heard: str) -> None:
        player = players[who]
        player.type(move)
        assert heard in player.told.text, player.told.text

    def end(who: str) -> None:
        player = players[who]
        number = next(n for n, label in player.told.keys.items() if label.startswith("End the turn"))
        asked = player.press(str(number))
        assert re.match(r"\d moves? (is|are) left\. Press again", asked.text)
        player.press(str(number), until=lambda text: f"{who}: End the turn" in text)

    # The first piece goes over the board with arrows: Home is the far corner, End the near one.
    player = players["Blue"]
    blue.page.locator(".square").first.focus()
    blue.page.keyboard.press("End")
    for _ in range(3):
        blue.page.keyboard.press("ArrowLeft")
    told = player.press("Enter")
    assert told.text.startswith("Selected: d1.")
    number = next(n for n, label in told.keys.items() if label == "Add a Cannon on d1")
    told = player.press(str(number), until=lambda text: "Blue: Add a Cannon" in text)
    told = player.press("Space", until=lambda text: text.startswith("Selected"))
    assert "Selected: Blue's Cannon, d1." in told.text
    assert re.search(r"Farther: in 2 moves [^;]*\bd3\b.*; in 3 moves [^;]*\bd4\b", told.text)
    player.press("Escape", until=lambda text: text.startswith("Nothing selected"))
    player.press("Space", until=lambda text: text.startswith("Selected"))
    for _ in range(3):
        blue.page.keyboard.press("ArrowUp")
    told = player.press("Enter", until=lambda text: not text.startswith("Selected"))
    for step in ("d1 to d2", "d2 to d3", "d3 to d4"):
        assert f"Blue: Cannon from {step}." in told.text
    type_move("Blue", "d4-e4", "Blue: Cannon from d4 to e4. Red's turn 1: 6 moves.")

    players["Red"].listen(lambda text: "Red's turn 1" in text)
    end("Red")
    player.listen(lambda text: "Red: End the turn" in text)
    type_move("Blue", "e4-f4", "Blue: Cannon from e4 to f4.")
    type_move("Blue", "fire f4 f8", "A wall on f8 is destroyed.")
    end("Blue")
    players["Red"].listen(lambda text: "Blue: End the turn" in text)
    end("Red")
    player.listen(lambda text: "Red: End the turn" in text)

    # The Cannon is found again by ear, and its button says what it would hit.
    assert blue.page.evaluate("document.activeElement.closest('.square')") is None
    blue.page.locator('.square[tabindex="0"]').focus()
    for key in ("End", "ArrowLeft", *["ArrowUp"] * 3):
        blue.page.keyboard.press(key)
    told = player.press("Enter", until=lambda text: text.startswith("Selected: Blue's Cannon, f4"))
    number = next(n for n, label in told.keys.items() if label.endswith("Red's King"))
    told = player.press(str(number), until=lambda text: "wins" in text)
    assert "Blue wins." in told.text
    # Only now is the page looked at.
    expect(blue.dialog("The end")).to_be_visible()
    assert house.moves(blue_table)[-1] == "fire f4 f9"


def test_a_finger_drags_and_goes_far(rooms: Rooms, house: House) -> None:
    blue_table, _ = seats(house)
    room = rooms.at(blue_table, phone=True, width=PHONE_WIDTH, calm=False)
    sizes = room.page.evaluate("[...document.querySelectorAll('.square')].map((one) => one.offsetWidth)")
    assert len(sizes) == 63
    assert min(sizes) >= 44
    king = unit(room, "b1")
    swipe(room, king, "a1")
    room.laid(1)
    # Farther than one step: the drop plays the whole way, a tap as well.
    swipe(room, king, "a3")
    room.laid(3)
    room.touch(king)
    room.touch("b3")
    room.laid(4)
    assert house.moves(blue_table) == ["b1-a1", "a1-a2", "a2-a3", "a3-b3"]


def test_why_not_on_the_board(rooms: Rooms, house: House) -> None:
    blue_table, red_table = seats(house)
    room = rooms.at(blue_table)
    alarm = room.page.locator(".alarm")
    room.touch(unit(room, "b1"))
    room.touch("#b2")
    expect(alarm).to_contain_text("A wall is in the way on b2.")
    expect(room.page.locator('.square.blocker[data-touch="b2"]')).to_be_visible()
    expect(alarm.get_by_role("button", name="CD-26")).to_be_visible()
    assert "In the way: A wall, b2." in room.spoken

    # Another piece of one's own is a change of mind, no question.
    room.touch(unit(room, "f1"))
    expect(alarm).to_be_hidden()
    expect(room.page.locator(".square.touched")).to_have_attribute("data-touch", "f1")
    room.page.keyboard.press("Escape")
    expect(room.page.locator(".square.touched")).to_have_count(0)
    assert house.moves(blue_table) == []

    waiting = rooms.at(red_table)
    waiting.touch(unit(waiting, "f9"))
    waiting.until(lambda: waiting.spoken.startswith("Blue’s turn."))


def test_a_gesture_ends_where_a_move_is_refused(rooms: Rooms, house: House) -> None:
    """What the page believes of the way may be out of date: it stops there, and says why."""
    blue_table, _ = seats(house)
    room = rooms.open()
    scene = Match("castle-danger", seed="1").views.scene(1)
    step = {choice.text: choice.action for choice in scene.choices}
    king = next(item.id for zone in scene.zones for item in zone.items if item.at == "b1")

    def mislead(wire: WebSocketRoute) -> None:
        server = wire.connect_to_server()

        def show(message: str | bytes) -> None:
            shown = json.loads(message)
            if shown["type"] == "sync" and shown["version"] <= 1:  # 1: the seat is open here
                shown["scene"]["paths"][king] = {"c4": [step["b1-c1"], step["f1-g1"], step["b1-a1"], 0]}
            wire.send(json.dumps(shown))

        server.on_message(show)

    room.page.route_web_socket(re.compile("/ws/"), mislead)
    room.sit(house.link(blue_table))
    room.touch(unit(room, "b1"))
    room.touch("c4")
    expect(room.page.locator(".alarm")).to_contain_text("nothing on b1")
    room.laid(2)
    assert room.spoken.startswith("Stopped after 2 of 4 moves.")
    assert house.moves(blue_table) == ["b1-c1", "f1-g1"]


def test_harm_to_oneself_needs_its_button(rooms: Rooms, house: House) -> None:
    blue_table, _ = seats(house)
    house.play(blue_table, ["add cannon", "f1-g1", "d1-e1", "e1-f1"])
    room = rooms.at(blue_table)
    cannon = unit(room, "f1")
    room.touch(cannon)
    room.touch("#f2")
    fire = room.page.get_by_role("button", name=re.compile("Fire the Cannon on f1 at f2, a wall"))
    expect(fire).to_be_visible()
    expect(room.page.locator('.square[data-touch="f2"] .mark')).to_have_text("destroyed")
    room.page.locator(f'[data-touch="{cannon}"]').locator("xpath=ancestor::button").focus()
    room.page.keyboard.press("Enter")  # lets go, and does not fire
    expect(room.page.locator(".square.touched")).to_have_count(1)
    assert room.ply == 4
    room.touch(cannon)
    room.press(fire)
    room.laid(5)
    assert house.moves(blue_table)[-1] == "fire f1 f2"


def test_the_question_can_be_switched_off(rooms: Rooms, house: House) -> None:
    blue_table, red_table = seats(house)
    room = rooms.at(blue_table)
    ready = room.page.get_by_role("list", name="Available moves")
    ready.get_by_role("button", name="End the turn").dblclick()  # the second click answers nothing
    expect(ready).to_contain_text("6 moves are left. End turn?")
    assert room.spoken.startswith("6 moves are left. Press again: End the turn")
    room.touch(unit(room, "b1"))  # a change of mind
    expect(ready).not_to_contain_text("End turn?")
    room.page.keyboard.press("Escape")
    room.press(room.button("Menu"))
    room.press(room.button("Ask before ending a turn early: on"))
    expect(room.button("Ask before ending a turn early: off")).to_be_visible()
    room.press(room.dialog("Castle Danger").get_by_role("button", name="Close"))
    room.press(ready.get_by_role("button", name="End the turn"))
    room.laid(1)
    assert house.moves(red_table) == ["end"]


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_axe_finds_nothing_on_a_board(rooms: Rooms, house: House, phone: bool) -> None:
    blue_table, red_table = seats(house, options={"piece_limits": "tabletop"})
    house.play(blue_table, BLUE[0])
    house.play(red_table, RED[0])
    house.play(blue_table, BLUE[1][:2])
    room = rooms.at(blue_table, phone=phone, width=PHONE_WIDTH)
    faults = []
    for place in ("table", "piece touched", "refusal", "confirmation", "looking back"):
        if place == "piece touched":
            room.touch(unit(room, "f4"))
        elif place == "refusal":
            room.touch("f5")
            expect(room.page.locator(".square.blocker")).to_be_visible()
        elif place == "confirmation":
            room.page.keyboard.press("Escape")
            room.page.keyboard.press("Escape")
            room.press(room.page.get_by_role("button", name="End the turn"))
        elif place == "looking back":
            room.press(room.button("Menu"))
            room.press(room.button("Review"))
            expect(room.page.get_by_role("group", name="Replay")).to_be_visible()
        faults += faults_of(room.page, place, schemes=schemes_of(phone=phone))
    assert faults == []

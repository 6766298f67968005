"""Play at tables of several seats: by link in two browsers, at one screen, with draws and rematches."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from bartizan.engine.scene import Choice
from tests.browser.house import House
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import Room, Rooms

GAME = "castle-danger"
TITLE = "Castle Danger"
SOCKET_LOST = (
    "WebSocket connection to .* failed: Error in connection establishment"  # the browser's own words
)
FILE_LOST = r"^error: Failed to load resource: net::ERR_CONNECTION_(RESET|REFUSED)$"


def links(house: House, **wanted: object) -> tuple[str, list[str], str]:
    """Make a table; return where it is, the keys of its seats, and the spectators'."""
    told = house.ask("/api/tables", {"game": GAME, **wanted})
    return f"{house.address}/t/{told['table']}", told["seats"], told["spectator"]


def card(room: Room, title: str = TITLE) -> Locator:
    return room.page.get_by_role("article").filter(has=room.page.get_by_role("heading", name=title))


def strip(room: Room) -> Locator:
    return room.page.get_by_role("list", name="Players")


def seats(room: Room, *said: str) -> None:
    """Wait until the strip says this of the seats; in a rematch the points of the series stand behind it."""
    words = [re.compile(rf"^\s*{re.escape(one)}(\s+[\d½]+)?\s*$") for one in said]
    expect(strip(room).get_by_role("listitem")).to_have_text(words)


def move(room: Room, text: str) -> None:
    """Play a move of the seat that this page looks from, by touching what it takes."""
    offered = next(one for one in room.scene["choices"] if one["text"] == text)
    room.play(msgspec.convert(offered, Choice))


def key(room: Room) -> str:
    return str(room.page.url.split("#")[1])


def in_menu(room: Room, name: str) -> None:
    room.press(room.button("Menu"))
    menu = room.dialog(TITLE)
    room.press(menu.get_by_role("button", name=name, exact=True))


def copied(room: Room, name: str) -> str:
    room.press(room.page.get_by_role("button", name=f"Copy the link: {name}", exact=True).first)
    link: str = room.page.evaluate("navigator.clipboard.readText()")
    return link


def spoken(room: Room, pattern: str) -> None:
    room.until(lambda: re.search(pattern, room.spoken) is not None)


def test_two_browsers_play_draw_and_play_again(rooms: Rooms) -> None:
    host, guest, watcher = rooms.open(), rooms.open(phone=True, width=360, scheme="dark"), rooms.open()
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.goto("/")
    host.press(host.sheet(TITLE).get_by_role("button", name="Invite a friend"))
    host.laid(0)
    seats(host, "Blue you to move", "Red not here yet")
    expect(host.page.get_by_text("Red hasn’t joined yet.")).to_be_visible()
    link = copied(host, "Red")
    assert "#" not in link.split("/t/")[0]
    assert key(host) not in link
    host.press(host.button("Menu"))
    watch = copied(host, "Spectators")
    host.page.keyboard.press("Escape")

    # Both ways, and everybody is told who is here and whose turn it is.
    guest.sit(link)
    seats(guest, "Blue thinking", "Red you")
    spoken(guest, "^You play Red. Blue is playing")
    seats(host, "Blue you to move", "Red at the table")
    expect(host.page.get_by_text("Red hasn’t joined yet.")).to_be_hidden()
    watcher.sit(watch)
    seats(watcher, "Blue thinking", "Red at the table")
    move(host, "b1-a1")
    guest.laid(1)
    spoken(guest, "King from b1 to a1")
    expect(host.page.get_by_title("Undo: King from b1 to a1 (u)")).to_be_enabled()
    expect(guest.button("Undo")).to_be_disabled()
    host.press(host.button("Undo"))
    host.laid(0)
    guest.laid(0)
    move(host, "b1-a1")
    move(host, "end")
    guest.laid(2)
    seats(guest, "Blue at the table", "Red you to move")
    spoken(guest, "You are Red")
    expect(host.button("Undo")).to_be_disabled()
    move(guest, "end")
    host.laid(3)

    # A draw is offered and declined, then offered again and accepted.
    in_menu(guest, "Offer a draw")
    spoken(guest, "You offered a draw")
    spoken(host, "Red offered a draw")
    spoken(watcher, "Red offered a draw")
    expect(watcher.button("Accept")).to_have_count(0)
    host.press(host.button("Decline"))
    spoken(guest, "declined")
    move(host, "end")
    guest.laid(4)
    host.press(host.button("Offer a draw"))
    guest.press(guest.button("Accept"))
    for room in (host, guest):
        expect(room.dialog("The end")).to_contain_text("A draw.")
        spoken(room, "A draw. Both players agreed to it.")
    expect(host.dialog("The end")).to_contain_text("You ½ : ½ Red")

    # When both want another game, both pages go there by themselves, with the keys they have.
    first, keys = host.page.url, (key(host), key(guest))
    host.press(host.button("Rematch"))
    spoken(guest, "Blue asked for another game")
    host.press(host.dialog("The end").get_by_role("button", name="Never mind"))
    host.press(host.button("Rematch"))
    guest.press(guest.dialog("The end").get_by_role("button", name="Decline"))
    expect(host.dialog("The end")).to_contain_text("Red declined another game.")
    host.press(host.button("Rematch"))
    expect(host.dialog("The end")).to_contain_text("It starts when everyone agrees")
    host.page.keyboard.press("Escape")
    expect(host.page.locator(".messages").get_by_text("another game")).to_have_count(0)
    guest.press(guest.button("Rematch"))
    seats(host, "Blue thinking", "Red you")
    seats(guest, "Blue you to move", "Red at the table")
    assert host.page.url != first
    assert (key(host), key(guest)) == keys
    spoken(host, "You play Red")

    # Who watches is not led away, but offered the way.
    watcher.press(watcher.page.get_by_role("link", name="Watch the rematch"))
    seats(watcher, "Blue thinking", "Red at the table")

    # Resigning is asked again; the series goes on.
    in_menu(guest, "Resign")
    expect(guest.dialog("Resign?")).to_contain_text("Blue resigns and Red wins.")
    guest.press(guest.dialog("Resign?").get_by_role("button", name="Play on"))
    expect(guest.dialog("Resign?")).to_be_hidden()
    in_menu(guest, "Resign")
    guest.press(guest.dialog("Resign?").get_by_role("button", name="Resign", exact=True))
    spoken(host, "^Blue resigns. Red wins.")
    expect(host.dialog("The end")).to_contain_text("You win. Blue resigns.")
    expect(host.dialog("The end")).to_contain_text("You 1½ : ½ Blue")
    expect(guest.dialog("The end")).to_contain_text("You ½ : 1½ Red")
    expect(host.dialog("The end").get_by_text("in a row")).to_have_count(0)

    # Who comes back to a table that has a rematch is shown the way, not led there; and who leaves is away.
    rooms.leave(guest)
    host.goto(first)
    host.laid()
    host.press(host.button("Result"))
    host.press(host.page.get_by_role("link", name="Go to the rematch"))
    seats(host, "Blue away", "Red you")
    spoken(host, "Blue resigns")


def test_the_winner_of_a_series_is_named_to_everyone(rooms: Rooms, house: House) -> None:
    table, tokens, spectator = links(house, players=["person", "person"], best_of=3)
    blue, red = rooms.open(), rooms.open(phone=True)
    for room, token in zip((blue, red), tokens, strict=True):
        room.sit(f"{table}#{token}")
    watcher = rooms.open()
    watcher.sit(f"{table}#{spectator}")

    def resign(room: Room) -> None:
        in_menu(room, "Resign")
        room.press(room.dialog("Resign?").get_by_role("button", name="Resign", exact=True))

    resign(blue)
    for room, score in ((blue, "You 0 : 1 Red"), (red, "You 1 : 0 Blue"), (watcher, "Blue 0 : 1 Red")):
        expect(room.dialog("The end")).to_contain_text(f"Game 1, best of 3 {score}")
        expect(room.dialog("The end")).not_to_contain_text("the series")
    blue.press(blue.button("Next game"))
    expect(blue.dialog("The end")).to_contain_text("You want another game.")
    red.press(red.button("Next game"))
    seats(blue, "Blue thinking", "Red you")
    watcher.press(watcher.page.get_by_role("link", name="Watch the rematch"))
    seats(watcher, "Blue thinking", "Red at the table")
    resign(blue)  # who has changed seats
    for room, winner, score in (
        (blue, "Blue wins", "You 0 : 2 Blue"),
        (red, "You win", "You 2 : 0 Red"),
        (watcher, "Blue wins", "Blue 2 : 0 Red"),
    ):
        expect(room.dialog("The end")).to_contain_text(f"{winner} the series.")
        expect(room.dialog("The end")).to_contain_text(f"Best of 3 {score}")


def test_a_game_ends_by_its_rules_for_both(rooms: Rooms, house: House) -> None:
    table, tokens, _ = links(house, options={"turn_limit": 1})
    blue, red = rooms.open(phone=True), rooms.open()
    blue.sit(f"{table}#{tokens[0]}")
    red.sit(f"{table}#{tokens[1]}")
    move(blue, "end")
    red.laid(1)
    move(red, "end")
    for room in (blue, red):
        expect(room.dialog("The end")).to_contain_text("Draw.")
        spoken(room, "Draw.")
    # A rematch that only one has asked for is still there after a reload.
    red.press(red.button("Rematch"))
    blue.page.reload()
    expect(blue.page.locator(".messages").get_by_text("Red wants another game.")).to_be_visible()
    blue.press(blue.button("See"))
    blue.press(blue.button("Rematch"))
    seats(blue, "Blue thinking", "Red you")
    seats(red, "Blue you to move", "Red at the table")


def test_two_at_one_screen(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto("/")
    room.press(room.sheet(TITLE).get_by_role("button", name="Both on this device"))
    room.laid(0)
    seats(room, "Blue here to move", "Red here")
    assert key(room).count(".") == 1  # two keys
    corners = corner(room)
    assert corners[0] == "a9"
    for ply, (text, asked, now) in enumerate(
        [("b1-a1", "Blue", "Red"), ("end", "Red", "Blue"), ("end", "Blue", "Red"), ("end", "Red", "Blue")],
        start=1,
    ):
        type_move(room, text)
        spoken(room, f"You are {asked}")
        expect(strip(room).locator("[aria-current]")).to_contain_text(asked)
        expect(strip(room).locator("[aria-current]")).not_to_contain_text(now)
        expect(room.page.locator(".cover")).to_have_count(0)
        expect(room.page.locator(".log > li")).to_have_count(ply)
    # The board lies still while the turn goes round, unless it is told to turn.
    assert corner(room) == corners
    room.press(room.button("Menu"))
    room.page.get_by_label("Turn the board to the player whose turn it is").check()
    room.page.keyboard.press("Escape")
    expect(room.page.locator('[data-zone="board"] [data-touch]').first).to_have_attribute("data-touch", "g1")
    room.press(room.button("Menu"))
    room.page.get_by_label("Turn the board to the player whose turn it is").uncheck()
    room.page.keyboard.press("Escape")

    # Red touches Red's own things.
    room.touch("b9")
    room.touch("a9")
    expect(room.page.locator(".log > li")).to_have_count(5)
    room.page.reload()
    spoken(room, "You are Red")
    room.press(room.button("Undo"))
    expect(room.page.locator(".log > li")).to_have_count(4)

    offers = [room.button(name).bounding_box() for name in ("Agree to a draw", "Resign")]
    assert len({box["y"] for box in offers if box}) == 1  # in one row
    room.press(room.button("Agree to a draw"))
    expect(room.dialog("The end")).to_contain_text("A draw.")
    tokens, before = key(room), room.page.url
    room.press(room.button("Rematch"))
    seats(room, "Blue here to move", "Red here")
    assert room.page.url != before
    assert key(room) == tokens
    assert corner(room)[0] == "a9"
    room.goto("/")
    expect(room.page.get_by_text("on this device").first).to_be_visible()


def corner(room: Room) -> list[str]:
    squares = '[data-zone="board"] .square'
    expect(room.page.locator(squares).first).to_be_visible()  # the board is drawn
    found: list[str] = room.spoken_names(squares)
    return [name.split(",")[0].lower() for name in found[:1]]


def type_move(room: Room, text: str) -> None:
    field = room.command_line()
    expect(field).to_have_value("")  # what was typed before has been played
    field.fill(text)
    field.press("Enter")


def test_the_screen_is_covered_where_hands_are_hidden(duels: House, rooms: Rooms) -> None:
    told = duels.ask("/api/tables", {"game": "duel", "seats": 3, "players": ["person", "person", "greedy"]})
    one, two = told["seats"][:2]
    room = rooms.open(house=duels)
    room.goto(f"/t/{told['table']}#{one}.{two}")
    cover = room.page.locator(".cover")
    expect(cover).to_contain_text("Pass the device to Seat 1")
    expect(room.page.locator("[data-item]")).to_have_count(0)
    for name in ("Undo", "Hint", "Menu"):
        expect(room.button(name)).to_be_disabled()
    room.page.keyboard.press("n")
    expect(room.page.locator("dialog[open]")).to_have_count(0)
    room.page.keyboard.press("Enter")  # the cover's button has the focus
    hand = room.page.locator('[data-zone="hand1"] [data-item^="c"]')
    expect(hand).to_have_count(3)
    expect(room.page.locator('[data-zone="hand2"] [data-item^="c"]')).to_have_count(0)
    cards = [one.get_attribute("data-item") or "" for one in hand.all()]
    type_move(room, f"bury {cards[0][1:]}")
    expect(hand).to_have_count(2)
    type_move(room, "end")

    # The next one sees nothing before having the screen, and hears nothing of what was buried.
    expect(cover).to_contain_text("Pass the device to Seat 2")
    spoken(room, "^Pass the device to Seat 2")
    expect(room.page.locator("[data-item], .log")).to_have_count(0)
    room.page.reload()
    expect(cover).to_contain_text("Pass the device to Seat 2")
    room.press(room.button("I am Seat 2: show the table"))
    expect(room.page.locator('[data-zone="hand2"] [data-item^="c"]')).to_have_count(3)
    expect(room.page.locator('[data-zone="hand1"] [data-item^="c"]')).to_have_count(0)
    expect(room.page.locator(".log")).to_contain_text("Bury a card")
    assert not re.search(rf"bury {cards[0][1:]}\b", room.page.content())


def test_both_pages_go_on_after_the_server_was_killed(frail: House, rooms: Rooms) -> None:
    table, tokens, spectator = links(frail)
    blue, red = rooms.open(house=frail), rooms.open(house=frail, phone=True)
    for room, token in ((blue, tokens[0]), (red, tokens[1])):
        room.excused += [SOCKET_LOST, FILE_LOST]  # the server is killed, perhaps while a sound is fetched
        room.sit(f"{table}#{token}")
    seats(blue, "Blue you to move", "Red at the table")
    move(blue, "b1-a1")
    red.laid(1)
    frail.kill()
    gone = "Connection lost. Reconnecting …"
    for room in (blue, red):
        expect(room.page.get_by_text(gone)).to_be_visible()
    frail.start()
    for room in (blue, red):
        expect(room.page.get_by_text("Connection: open")).to_be_attached()
    seats(blue, "Blue you to move", "Red at the table")
    # Still within the turn: it is taken back, played anew and ended; Red goes on.
    blue.press(blue.button("Undo"))
    blue.laid(0)
    red.laid(0)
    move(blue, "b1-c1")
    move(blue, "end")
    red.laid(2)
    move(red, "end")
    blue.laid(3)
    told = frail.ask(f"/api/tables/{table.rsplit('/', 1)[1]}/record", key=spectator)
    assert [line.split(". ", 1)[1] for line in told.splitlines() if line.split(".")[0].isdigit()] == [
        "b1-c1",
        "end",
        "end",
    ]


@pytest.mark.parametrize("damaged", ["the only one", "one of two"])
def test_a_wrong_key_opens_nothing(rooms: Rooms, house: House, damaged: str) -> None:
    table, tokens, _ = links(house)
    wrong = tokens[1][:-4] + "AAAA"
    room = rooms.open()
    room.goto(f"{table}#{wrong if damaged == 'the only one' else f'{tokens[0]}.{wrong}'}")
    expect(room.page.locator(".notice")).to_contain_text("This link isn't valid")
    expect(room.page.locator("[data-item]")).to_have_count(0)
    expect(strip(room)).to_have_count(0)


def test_seats_are_chosen_in_the_lobby(rooms: Rooms) -> None:
    asked: list[Any] = []
    room = rooms.open(phone=True, width=360)
    room.page.on("request", lambda one: asked.append(one.post_data_json) if one.method == "POST" else None)
    room.goto("/")
    expect(card(room).get_by_role("button", name="Play against the computer (easy)")).to_be_visible()
    sheet = room.sheet(TITLE)
    second = sheet.get_by_role("combobox").nth(1)
    second.select_option("me")
    expect(sheet.get_by_role("combobox").nth(0)).to_have_value("squire")
    group = sheet.get_by_role("group", name="Setup")
    group.get_by_label("King file").select_option("a")
    room.press(sheet.get_by_role("button", name="Play against the computer (easy)"))
    room.laid()
    expect(strip(room).get_by_role("listitem").nth(0)).to_contain_text("Blue Easy")
    expect(strip(room).get_by_role("listitem").nth(1)).to_contain_text("Red you")
    assert asked == [
        {
            "game": GAME,
            "options": {"setup.king_file": "a"},
            "deal": "new",
            "seats": 2,
            "players": ["squire", "person"],
            "here": [2],
        }
    ]
    # The lobby remembers it, and knows now what the seats are called.
    room.goto("/")
    expect(room.page.get_by_text("as Red")).to_be_visible()
    expect(room.sheet(TITLE).get_by_label("Red", exact=True)).to_have_value("me")


def test_a_table_of_several_by_keyboard_alone(rooms: Rooms, house: House) -> None:
    table, tokens, _ = links(house)
    room, other = rooms.open(), rooms.open()
    room.sit(f"{table}#{tokens[0]}")
    other.sit(f"{table}#{tokens[1]}")
    press_by_keys(other, "Offer a draw")
    spoken(room, "Red offered a draw")
    press_by_keys(room, "Decline")
    spoken(other, "declined")
    type_move(room, "end")
    spoken(other, "You are Red")
    press_by_keys(other, "Resign")
    expect(other.button("Play on")).to_be_focused()
    other.page.keyboard.press("Shift+Tab")
    other.page.keyboard.press("Enter")
    spoken(room, "Red resigns. Blue wins.")
    expect(room.button("Rematch")).to_be_focused()
    room.page.keyboard.press("Enter")
    spoken(other, "Blue asked for another game")
    other.page.keyboard.press("Enter")
    spoken(room, "You play Red")
    spoken(other, "You play Blue")


def press_by_keys(room: Room, name: str) -> None:
    """Go to a button with Tab and press Enter."""
    for _ in range(60):
        room.page.keyboard.press("Tab")
        if room.page.evaluate("document.activeElement.textContent.trim()") == name:
            room.page.keyboard.press("Enter")
            return
    raise AssertionError(f"Tab does not reach {name!r}.")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_axe_finds_nothing_at_a_table_of_several(
    duels: House, rooms: Rooms, house: House, phone: bool
) -> None:
    faults: list[str] = []
    room = rooms.open(phone=phone, width=360)

    def check(place: str, seen: Room, part: str | None = None) -> None:
        faults.extend(faults_of(seen.page, place, part, schemes_of(phone=phone)))

    room.goto("/")
    check("lobby", room)
    sheet = room.sheet(TITLE)
    check("options", room)
    room.press(sheet.get_by_role("button", name="Invite a friend"))
    room.laid(0)
    check("waiting", room)
    room.press(room.button("Menu"))
    check("menu", room)
    room.press(room.dialog(TITLE).get_by_role("button", name="Resign"))
    expect(room.dialog("Resign?")).to_be_visible()
    check("resign", room)
    room.press(room.dialog("Resign?").get_by_role("button", name="Resign", exact=True))
    expect(room.button("Rematch")).to_be_visible()
    check("the end", room)

    table, tokens, _ = links(house)
    other = rooms.open()
    other.sit(f"{table}#{tokens[0]}")
    other.press(other.button("Offer a draw"))
    room.sit(f"{table}#{tokens[1]}")
    expect(room.button("Accept")).to_be_visible()
    check("an offer", room)

    told = duels.ask("/api/tables", {"game": "duel", "seats": 3})
    covered = rooms.open(house=duels, phone=phone, width=360)
    covered.goto(f"/t/{told['table']}#{'.'.join(told['seats'])}")
    expect(covered.page.locator(".cover")).to_be_visible()
    check("covered", covered)
    covered.press(covered.button("I am Seat 1: show the table"))
    covered.laid(0)
    check("three seats", covered, ".company")  # the test game's own zones have no names of their own
    assert faults == []

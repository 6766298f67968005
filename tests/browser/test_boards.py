"""Measure the boards of all games in four windows: they take most of the window, and a map all of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.room import Room, Rooms
from tests.browser.test_felt import DESK, LAPTOP, PHONE, SIDE, midway, seated
from tests.browser.test_throwing import sit

GAMES = {"alcazar": 3, "tower": 24, "castle-danger": 3, "card-cassonne": 8, "card-barrage": 9}
# The share of the window that one of these has: a map, a table at which cards are thrown, or else the felt.
SHARE = """() => {
  const areas = (all) => [...all].reduce((sum, one) => {
    const box = one.getBoundingClientRect();
    return sum + box.width * box.height;
  }, 0);
  const map = document.querySelectorAll(".felt [data-pan]");
  const board = map.length ? map : document.querySelectorAll(".felt, main .view:has(.space)");
  return areas(board) / (innerWidth * innerHeight);
}"""


def share(room: Room) -> float:
    return float(room.page.evaluate(SHARE))


@pytest.mark.parametrize("game", GAMES)
def test_a_board_takes_most_of_the_window(rooms: Rooms, house: House, game: str) -> None:
    match = midway(game, 1 if game == "alcazar" else 2, GAMES[game])
    shares = {}
    for window in (DESK, LAPTOP, PHONE, SIDE):
        room = seated(rooms, house, match, window)
        shares[window] = round(share(room), 3)
        rooms.leave(room)
    assert min(shares.values()) >= 0.6, shares


@pytest.mark.parametrize("window", [DESK, LAPTOP, PHONE, SIDE])
def test_a_table_for_throwing_takes_most_of_the_window(
    rooms: Rooms, house: House, window: tuple[int, int, bool]
) -> None:
    width, height, phone = window
    room, _ = sit(rooms, house, width=width, height=height, phone=phone)
    assert share(room) >= 0.6


@pytest.mark.parametrize(("seats", "plies"), [(2, 2), (2, 24), (3, 24), (4, 24)])
def test_your_tower_is_never_smaller_than_another(rooms: Rooms, house: House, seats: int, plies: int) -> None:
    match = midway("tower", seats, plies)
    for window in (DESK, LAPTOP, PHONE, SIDE):
        room = seated(rooms, house, match, window)
        width = "(all) => all.map((one) => one.getBoundingClientRect().width)"
        own = f"tower:{match.seat_to_move}"
        mine = room.page.locator(f'[data-zone="{own}"] .levels').evaluate_all(width)
        others = room.page.locator(f'.kind-levels:not([data-zone="{own}"]) .levels').evaluate_all(width)
        assert len(others) == seats - 1
        assert mine[0] >= max(others) - 1, window
        rooms.leave(room)


@pytest.mark.parametrize("game", ["castle-danger", "alcazar"])
def test_hints_leave_the_button_in_the_window(rooms: Rooms, house: House, game: str) -> None:
    match = midway(game, 1 if game == "alcazar" else 2, GAMES[game])
    room = seated(rooms, house, match, LAPTOP)
    room.press(room.button("Hint"))
    button = room.button("Play it")
    expect(button).to_be_in_viewport(ratio=1)
    shares = room.page.locator(".hints .share")
    assert all(re.search(r"% to win$", text) for text in shares.all_inner_texts())
    names = room.page.locator(".hints .name")
    assert names.evaluate_all("(all) => all.every((one) => one.scrollHeight <= one.clientHeight + 1)")

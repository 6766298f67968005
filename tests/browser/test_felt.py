"""Look at the tables of all games in four windows: what is held is in sight, and nothing lies on anything."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from bartizan.match import Match
from tests.browser.house import House, Plan, make, version_of
from tests.browser.room import OVERFLOW, Room, Rooms

# Width, height and whether it is a phone.
DESK, LAPTOP, PHONE, SIDE = (1440, 900, False), (1366, 768, False), (390, 844, True), (844, 390, True)
# What of a thing is seen in the felt's frame without scrolling: for each that has an id, its share.
IN_SIGHT = """(zone) => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  return [...document.querySelectorAll(`[data-zone="${zone}"] .thing`)].map((one) => {
    const box = one.getBoundingClientRect();
    const high = Math.min(box.bottom, felt.bottom, innerHeight) - Math.max(box.top, felt.top);
    return Math.max(0, high) / box.height;
  });
}"""
SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
  const unasked = list.getEntries().filter((one) => !one.hadRecentInput);
  for (const one of unasked) window.shifts.push([one.startTime, one.value]);
}).observe({ type: "layout-shift", buffered: true });"""


def midway(game: str, seats: int, plies: int, seed: str = "9", phase: str = "") -> Match:
    """Return a game after so many plies as the advice has it, or once it is in a phase."""
    match = Match(game, seats=seats, seed=seed)
    while not match.is_over and (match.ply < plies or (phase and match.position()["phase"] != phase)):
        match.play(match.views.hints(1, player="greedy")[0].action)
    assert not match.is_over
    return match


def play(house: House, links: dict[str, Any], match: Match, first: int = 0, until: int | None = None) -> None:
    """Play the moves of a match at a table, each through its own seat's key."""
    moves = list(zip(match.movers, match.moves, strict=True))
    with ExitStack() as stack:
        keys = links["seats"]
        wires = [stack.enter_context(house.wire(links["table"], key)) for key in keys]
        version = version_of(wires[0])
        for seat, move in moves[first:until]:
            version = make(wires[seat - 1], move, version)


def deal(house: House, match: Match) -> dict[str, Any]:
    asked = {"game": match.game.name, "seats": match.seats, "seed": match.seed, "open_seed": True}
    links: dict[str, Any] = house.ask("/api/tables", {**asked, "players": ["person"] * match.seats})
    return links


def seated(rooms: Rooms, house: House, match: Match, window: tuple[int, int, bool], **options: Any) -> Room:
    """Open a window at the seat that is to move."""
    links = deal(house, match)
    play(house, links, match)
    width, height, phone = window
    room = rooms.open(width=width, height=height, phone=phone, **options)
    room.sit(f"{house.address}/t/{links['table']}#{links['seats'][match.seat_to_move - 1]}")
    room.page.wait_for_timeout(150)  # the cards find their size
    return room


def hand_of(room: Room) -> str:
    return str(next(zone["id"] for zone in room.scene["zones"] if zone["kind"] == "fan"))


@pytest.mark.parametrize("seats", [2, 6])
def test_a_third_card_leaves_the_hand_in_sight(rooms: Rooms, house: House, seats: int) -> None:
    match = midway("card-barrage", seats, 1, "1", "effect")
    for window in (DESK, LAPTOP):
        room = seated(rooms, house, match, window)
        assert min(room.page.evaluate(IN_SIGHT, hand_of(room))) == 1
        wide = room.page.locator(".kind-slots .thing").first.bounding_box()
        assert wide is not None
        assert wide["width"] >= 50


def test_short_hints_leave_the_button_free(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway("tower", 2, 20), PHONE)
    room.press(room.button("Hint"))
    expect(room.button("Play it")).to_be_visible()
    # The shortest there is: what stands beside it may not be pushed under the button.
    room.page.evaluate(
        "() => { for (const p of document.querySelectorAll('.hints p')) p.textContent = 'Draw.'; }"
    )
    assert room.page.evaluate(OVERFLOW) == []
    for candidate in room.page.locator(".hints li").all():
        box = candidate.bounding_box()
        assert box is not None
        assert box["width"] >= 44


def test_red_and_black_are_red_and_black(rooms: Rooms, house: House) -> None:
    match = midway("alcazar", 1, 3)
    room = seated(rooms, house, match, DESK)
    colours = "(all) => [...new Set(all.map((one) => one.dataset.colour).filter(Boolean))].sort()"
    cards = room.page.locator(".felt svg.card")
    assert cards.evaluate_all(colours) == ["black", "red"]
    room.page.keyboard.press("n")
    room.dialog("Alcazar").get_by_label("Suits").select_option("four")
    assert set(cards.evaluate_all(colours)) & {"orange", "green"}


def test_a_win_is_seen_before_it_is_told(rooms: Rooms, house: House) -> None:
    match = midway("castle-danger", 2, 24)
    room = seated(rooms, house, match, LAPTOP, calm=False)
    expect(room.page.locator("[data-item]").first).to_be_visible()
    room.page.wait_for_timeout(400)  # what shows events is sent for once the table is laid
    room.page.evaluate(
        """() => {
          window.seen = [];
          const note = (what) => window.seen.includes(what) || window.seen.push(what);
          new MutationObserver(() => {
            if (document.querySelector(".stage .ball")) note("ball");
            if (document.querySelector(".stage .ring")) note("ring");
            if (document.querySelector("dialog[open]")) note("result");
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
        }"""
    )
    typed = room.command_line()
    typed.fill("fire a6 a1")
    typed.press("Enter")
    expect(room.dialog("The end")).to_contain_text("You win.")
    assert room.page.evaluate("window.seen") == ["ball", "ring", "result"]


def test_a_table_cannot_be_scrolled_before_it_is_laid(rooms: Rooms, plan: Plan) -> None:
    room = rooms.open(phone=True)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    room.page.route("**/assets/Contest-*.js", hold)
    room.goto("/replay")
    room.page.get_by_label("Record").fill(plan.record)
    room.press(room.button("Show game"))
    room.until(lambda: bool(held))
    felt = room.page.locator(".felt")
    assert felt.evaluate("(felt) => felt.scrollHeight - felt.clientHeight") == 0
    held[0].continue_()
    expect(felt.locator(".laid")).to_be_visible()


def test_badges_and_labels_cover_nothing(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway("alcazar", 1, 3), PHONE)
    over = room.page.evaluate(
        """() => [...document.querySelectorAll(".badge")].flatMap((badge) => {
          const own = badge.closest(".thing").getBoundingClientRect();
          const box = badge.getBoundingClientRect();
          return box.top < own.top + own.height / 2 || box.right > own.right + 3 ? [badge.textContent] : [];
        })"""
    )
    assert over == []

    room = seated(rooms, house, midway("card-cassonne", 2, 24), PHONE)
    assert room.page.locator(".vacant span").first.evaluate("(one) => getComputedStyle(one).opacity") == "0"
    tokens = room.page.locator(".place .thing:is(.disc, .drawn)")
    widths = tokens.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert widths
    assert min(widths) >= 24

    room = seated(rooms, house, midway("tower", 3, 2), PHONE)
    said = room.page.get_by_text("Still building.").first.bounding_box()
    assert said is not None
    for level in room.page.locator(".levels.bare").first.locator(".gap").all():
        box = level.bounding_box()
        assert box is not None
        assert said["y"] >= box["y"] + box["height"] - 1 or said["y"] + said["height"] <= box["y"] + 1


def test_a_map_has_cards_that_can_be_read(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway("card-cassonne", 4, 60), LAPTOP)
    card = room.page.locator(".land .thing").first.bounding_box()
    assert card is not None
    assert card["width"] >= 56


@pytest.mark.parametrize(("game", "window"), [("castle-danger", LAPTOP), ("alcazar", PHONE)])
def test_a_table_stays_where_it_is(
    rooms: Rooms, house: House, game: str, window: tuple[int, int, bool]
) -> None:
    match = midway(game, 1 if game == "alcazar" else 2, 12)
    links = deal(house, match)
    width, height, phone = window
    room = rooms.open(width=width, height=height, phone=phone)
    room.page.add_init_script(SHIFTS)
    room.sit(f"{house.address}/t/{links['table']}#{links['seats'][0]}")
    for ply in range(match.ply):
        play(house, links, match, ply, ply + 1)
        room.laid(ply + 1)
    room.page.wait_for_timeout(300)
    assert sum(value for _, value in room.page.evaluate("window.shifts")) < 0.05


def test_an_open_analysis_leaves_the_hand_on_the_screen(rooms: Rooms, house: House) -> None:
    match = Match("alcazar", seed="9")
    while not match.is_over:
        match.play(match.views.hints(1, player="greedy")[0].action)
    links = deal(house, match)
    play(house, links, match)
    room = rooms.open(width=390, height=844, phone=True)
    room.sit(f"{house.address}/t/{links['table']}#{links['seats'][0]}")
    room.press(room.button("Result"))
    room.press(room.dialog("The end").get_by_role("button", name="Analysis"))
    slider = room.page.get_by_role("slider", name="Chance to win, with mistakes marked")
    expect(slider).to_be_visible()
    slider.fill("3")
    expect(room.page.locator(".prompt")).to_contain_text("Reviewing")
    room.page.wait_for_timeout(200)
    assert min(room.page.evaluate(IN_SIGHT, "hand")) > 0.9

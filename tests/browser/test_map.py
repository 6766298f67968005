"""Play on a map: areas, a card's ghost, legal and illegal places, the edge, pan, zoom and fit."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from bartizan.engine.scene import Choice
from bartizan.match import Match
from tests.browser.house import PATIENCE, House
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import OVERFLOW, Room, Rooms
from tests.browser.test_access import PHONE_WIDTH

GAME = "card-cassonne"
EDGE: dict[str, object] = {"board": "9x7"}


def midway(plies: int, seats: int = 2, options: Mapping[str, object] | None = None, seed: str = "9") -> Match:
    """Return a table at which so many moves were made and a card is asked for; over, if they are many."""
    match = Match(GAME, options or {}, seats, seed)
    dice = random.Random(seed)
    while not match.is_over and (match.ply < plies or match.position()["phase"] != "play"):
        best = match.views.hints(1, player="greedy")[0].action
        match.play(best if dice.random() < 0.5 else dice.choice(match.legal()))
    return match


def dealt(house: House, match: Match) -> list[str]:
    """Bring a table of the server's to where a match stands; return the links of its seats."""
    wanted = {"game": GAME, "seats": match.seats, "seed": match.seed, "options": match.options}
    wanted["open_seed"] = True
    links = house.ask("/api/tables", wanted)
    with ExitStack() as stack:
        wires = [stack.enter_context(house.wire(links["table"], key)) for key in links["seats"]]
        for version, (seat, move) in enumerate(zip(match.movers, match.moves, strict=True)):
            wire = wires[seat - 1]
            wire.send(json.dumps({"type": "move", "id": f"m{version}", "version": version, "move": move}))
            while (message := json.loads(wire.recv(timeout=PATIENCE)))["type"] != "ack":
                assert message["type"] not in ("error", "refused"), message
    return [f"{house.address}/t/{links['table']}#{key}" for key in links["seats"]]


def seated(rooms: Rooms, house: House, match: Match, **options: Any) -> Room:
    """Open a room at the seat that is to move, or at the first once the game is over."""
    room = rooms.open(**options)
    room.sit(dealt(house, match)[max(match.seat_to_move, 1) - 1])
    expect(room.page.locator(".land .place").first).to_be_visible()
    return room


def plays(room: Room) -> list[Choice]:
    choices = msgspec.convert(room.scene["choices"], list[Choice])
    return [choice for choice in choices if choice.verb == "Play"]


def telling(room: Room) -> Choice:
    """Return the play that has most to tell: that joins and completes the most areas."""
    return max(plays(room), key=lambda choice: (len(choice.marks), len(choice.note)))


def cell(room: Room, place: str) -> Locator:
    return room.page.locator(f'.land button[data-touch="{place}"]')


def layout(match: Match) -> Any:
    return next(zone for zone in match.views.scene(0).zones if zone.kind == "map")


def card_width(room: Room) -> float:
    return float(
        room.page.locator(".land").evaluate("(land) => parseFloat(land.style.getPropertyValue('--card'))")
    )


def test_a_ghost_tells_before_the_card_is_dropped(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway(60))
    page = room.page
    choice = telling(room)
    card, place = choice.items
    assert choice.marks
    room.touch(card)
    legal = {one.target for one in plays(room) if card in [*one.items, *one.instead.get(one.items[0], ())]}
    shown = page.locator(".land .place.live.picking button.vacant").evaluate_all(
        "(all) => all.map((one) => one.dataset.touch)"
    )
    assert set(shown) == legal
    assert choice.note in (cell(room, place).get_attribute("aria-label") or "")
    expect(page.locator(".ghostly")).to_have_count(0)
    cell(room, place).hover()
    expect(page.locator(".spot:has(.ghostly) button.vacant")).to_have_attribute("data-touch", place)
    expect(page.locator(".foretold")).to_have_text(f"{choice.label}: {choice.note}")
    for id_, mark in choice.marks.items():
        expect(page.locator(f'[data-touch="{id_}"]').filter(has_text=mark).first).to_be_attached()
    if "joined" in choice.marks.values():
        expect(page.locator("path.joined")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator(".ghostly")).to_have_count(0)
    ply = room.ply
    room.touch(place)
    room.laid(ply + 1)
    expect(page.locator(f'.land [data-item="{card}"]')).to_be_visible()


def test_a_ghost_by_keyboard(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway(40))
    page = room.page
    choice = telling(room)
    card, place = choice.items
    page.locator(f'[data-item="{card}"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(f'[data-item="{card}"].touched')).to_be_visible()
    for _ in range(30):
        if page.evaluate("document.activeElement.closest('.land') !== null"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Home")
    for _ in range(80):  # the places are gone through row by row; the arrows go anywhere
        if page.evaluate("document.activeElement.dataset.touch") == place:
            break
        walk_towards(room, place)
    expect(page.locator(".spot:has(.ghostly) button.vacant")).to_have_attribute("data-touch", place)
    expect(page.locator(".foretold")).to_contain_text(choice.note)
    expect(page.locator(":focus")).to_be_in_viewport()
    ply = room.ply
    page.keyboard.press("Enter")
    room.laid(ply + 1)


def walk_towards(room: Room, place: str) -> None:
    """Press the arrow that leads nearer to a place."""
    key = room.page.evaluate(
        """(place) => {
             const middle = (one) => {
               const box = one.getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2];
             };
             const [x, y] = middle(document.activeElement);
             const [toX, toY] = middle(document.querySelector(`.land button[data-touch="${place}"]`));
             if (Math.abs(toX - x) > Math.abs(toY - y)) return toX > x ? "ArrowRight" : "ArrowLeft";
             return toY > y ? "ArrowDown" : "ArrowUp";
           }""",
        place,
    )
    room.page.keyboard.press(key)


def test_a_finger_sees_the_ghost_first_and_drops_then(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway(30), phone=True, width=PHONE_WIDTH)
    choice = telling(room)
    card, place = choice.items
    ply = room.ply
    room.touch(card)
    room.touch(place)
    expect(room.page.locator(".ghostly")).to_be_visible()
    expect(room.page.locator(".messages .box")).to_contain_text(choice.note)
    room.until(lambda: room.spoken.startswith(choice.label) and choice.note in room.spoken)
    other = next(one for one in plays(room) if one.items[0] == card and one.target != place)
    room.touch(other.target)
    expect(room.page.locator(".spot:has(.ghostly) button.vacant")).to_have_attribute(
        "data-touch", other.target
    )
    assert room.ply == ply
    room.press(room.page.get_by_role("button", name="Cancel"))
    expect(room.page.locator(".ghostly")).to_have_count(0)
    room.touch(card)
    room.touch(place)
    room.touch(place)
    room.laid(ply + 1)


def test_a_place_that_is_not_legal_says_why(rooms: Rooms, house: House) -> None:
    match = midway(60)
    room = seated(rooms, house, match)
    wrong = [
        (card, slot.id)
        for card in sorted({choice.items[0] for choice in plays(room)})
        for slot in layout(match).slots
        if slot.kind == "open" and not any({card, slot.id} == set(choice.items) for choice in plays(room))
    ]
    card, place = wrong[0]
    room.touch(card)
    room.touch(place)
    alarm = room.page.locator(".alarm")
    expect(alarm).to_contain_text(f"A card at {place} touches")
    expect(alarm.get_by_role("button", name="CC-15")).to_be_visible()
    expect(room.page.locator(".land .blocker").first).to_be_visible()
    assert "Clause CC-15. In the way:" in room.spoken
    expect(room.page.locator(".touched")).to_have_attribute("data-item", card)  # it is still picked


def test_areas_are_outlined_in_their_owners_colours(rooms: Rooms, house: House) -> None:
    match = midway(90, 4, seed="3")
    room = seated(rooms, house, match)
    page = room.page
    claimed = [region for region in layout(match).regions if region.owners]
    assert claimed
    expect(page.locator(".figures")).to_have_count(len(layout(match).regions))
    liveries = match.views.setting.theme.liveries
    for region in claimed:
        figures = page.locator(f'.figures[data-touch="{region.id}"]')
        values = [str(region.value * region.owners.count(seat)) for seat in dict.fromkeys(region.owners)]
        expect(figures.locator("b")).to_have_text(values)
        names = " and ".join(liveries[seat - 1].name for seat in dict.fromkeys(region.owners))
        expect(figures).to_have_attribute("aria-label", f"{names}’s {region.label}")
        inside = page.locator(f'.spot [aria-label*="{region.label}"]')
        assert inside.count() >= len(region.cells)
    drawn = page.locator("path.line").evaluate_all("(all) => all.map((one) => one.dataset.colour)")
    wanted = [liveries[seat - 1].colour for region in claimed for seat in dict.fromkeys(region.owners)]
    assert sorted(drawn) == sorted(wanted)
    assert page.locator("g > path.ground").count() == len(layout(match).regions)
    # Each token lies on its card, in its owner's colour and with its number.
    tokens = [item for item in layout(match).items if item.owner]
    for token in tokens:
        expect(page.locator(f'[data-item="{token.id}"] svg')).to_have_text(str(token.owner))


def test_card_and_token_are_taken_back_until_the_turn_is_handed_on(rooms: Rooms, house: House) -> None:
    match = midway(40)
    room = seated(rooms, house, match)
    start = room.ply
    for choice in plays(room):  # one after which a token may go there, and areas may be scored then
        match.play(choice.action)
        if match.position()["phase"] == "token":
            match.play("token")
            good = match.position()["phase"] == "score"
            match.undo()
            if good:
                break
        match.undo()
    room.play(choice)
    room.play(
        next(one for one in msgspec.convert(room.scene["choices"], list[Choice]) if one.text == "token")
    )
    for ply in (start + 1, start):
        room.press(room.button("Undo"))
        room.laid(ply)
    expect(room.page.locator(f'.spot [data-item="{choice.items[0]}"]')).to_have_count(0)
    for ply in (start + 1, start + 2):
        room.press(room.button("Redo"))
        room.laid(ply)
    # An area is scored by touching a token in it; what it brings is shown before.
    score = next(one for one in msgspec.convert(room.scene["choices"], list[Choice]) if one.verb == "Score")
    token = next(id_ for id_ in score.instead[score.items[0]] if id_.startswith("token:"))
    room.page.locator(f'[data-item="{token}"]').hover()
    expect(room.page.locator(".foretold")).to_have_text(f"{score.label}: {score.note}")
    room.touch(token)
    room.laid(start + 3)
    while room.scene.get("choices"):
        room.play(msgspec.convert(room.scene["choices"][-1], Choice))
    expect(room.button("Undo")).to_be_disabled()


def test_the_table_has_an_edge(rooms: Rooms, house: House) -> None:
    match = midway(30, options=EDGE)
    room = seated(rooms, house, match)
    table = room.page.locator(".land .table").bounding_box()
    assert table is not None
    spots = room.page.locator(".land .place").evaluate_all(
        """(all) => all.map((one) => {
             const box = one.getBoundingClientRect();
             return [box.x, box.y, box.right, box.bottom];
           })"""
    )
    assert all(left > table["x"] and top > table["y"] for left, top, _, _ in spots)
    assert all(right < table["x"] + table["width"] for _, _, right, _ in spots)
    assert all(bottom < table["y"] + table["height"] for _, _, _, bottom in spots)
    assert table["width"] / table["height"] == pytest.approx(9 * 118 / (7 * 158), rel=0.01)
    unbounded = seated(rooms, house, midway(4))
    expect(unbounded.page.locator(".land .table")).to_have_count(0)


def test_a_small_bounded_map_opens_whole_on_a_phone(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway(4, options={"board": "6x6"}), phone=True)
    room.until(
        lambda: room.page.locator(".view").evaluate(
            "(view) => view.scrollHeight <= view.clientHeight && view.scrollWidth <= view.clientWidth"
        )
    )
    assert card_width(room) >= 24


@pytest.mark.parametrize("options", [{}, {"board": "9x7"}])
def test_a_token_leaves_the_middle_of_its_card_free(
    rooms: Rooms, house: House, options: dict[str, object]
) -> None:
    room = seated(rooms, house, midway(60, options=options), phone=True, width=PHONE_WIDTH)
    expect(room.page.locator(".land .place:has(.thing + .disc)").first).to_be_attached()
    for smaller in range(3):
        if smaller:
            room.press(room.button("Smaller"))
        covered = room.page.locator(".land .place:has(.thing + .disc)").evaluate_all(
            """(all) => all.filter((one) => {
                 const card = one.querySelector(".thing:not(.disc)").getBoundingClientRect();
                 const token = one.querySelector(".disc").getBoundingClientRect();
                 const [x, y] = [card.x + card.width / 2, card.y + card.height / 2];
                 return x >= token.x && x <= token.right && y >= token.y && y <= token.bottom;
               }).length"""
        )
        assert covered == 0, f"{covered} at {card_width(room)} px"


def middle_of_view(room: Room) -> tuple[float, float]:
    box = room.page.locator(".view").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def scrolled(room: Room) -> tuple[float, float]:
    x, y = room.page.locator(".view").evaluate("(view) => [view.scrollLeft, view.scrollTop]")
    return x, y


def test_pan_zoom_and_fit(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway(120))
    page = room.page
    first = card_width(room)
    for way, larger in (("Larger", True), ("Smaller", False)):
        before = card_width(room)
        room.press(room.button(way))
        room.until(lambda before=before, larger=larger: (card_width(room) > before) == larger)  # type: ignore[misc]

    # The wheel enlarges where the pointer is: what lies under it stays there.
    x, y = middle_of_view(room)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    room.until(lambda: card_width(room) > first * 1.5)
    large = card_width(room)

    # A mouse drags the map, and that is no touch.
    start = scrolled(room)
    page.mouse.down()
    page.mouse.move(x - 90, y - 60, steps=4)
    page.mouse.up()
    room.until(lambda: scrolled(room) == (start[0] + 90, start[1] + 60))
    expect(page.locator(".touched, .alarm")).to_have_count(0)

    # Keys, wherever on the map one stands; 0 shows all of it.
    page.locator(".view").focus()
    page.keyboard.press("-")
    room.until(lambda: card_width(room) < large)
    page.keyboard.press("+")
    room.until(lambda: card_width(room) == pytest.approx(large, rel=0.02))
    page.keyboard.press("0")
    expect(room.button("Fit")).to_have_attribute("aria-pressed", "true")
    view = page.locator(".view")
    room.until(
        lambda: view.evaluate(
            "(one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"
        )
    )


def test_two_fingers_pinch(rooms: Rooms, house: House) -> None:
    room = seated(rooms, house, midway(60), phone=True, width=PHONE_WIDTH)
    before = card_width(room)
    x, y = middle_of_view(room)
    wire = room.context.new_cdp_session(room.page)

    def fingers(kind: str, *apart: float) -> None:
        points = [{"x": x + side * one, "y": y, "id": n} for one in apart for n, side in enumerate((-1, 1))]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 30)
    for apart in (40, 50, 60, 75):
        fingers("touchMove", apart)
    fingers("touchEnd")
    wire.detach()
    room.until(lambda: card_width(room) > before * 1.8)
    room.press(room.button("Fit"))
    room.until(lambda: card_width(room) < before)


def test_the_result_is_told_item_by_item(rooms: Rooms, house: House) -> None:
    match = midway(10_000, 4, {"removed": 59}, seed="a")
    result = match.views.scene(0).result
    assert result is not None
    assert any(line.label.startswith("Token on") for line in result.items)
    room = seated(rooms, house, match, phone=True, width=PHONE_WIDTH)
    room.press(room.button("Result"))
    sheet = room.dialog("The end")
    expect(sheet).to_contain_text(result.headline)
    expect(sheet.locator("tfoot")).to_be_visible()  # the lines are fetched when first needed
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in sheet.locator("tbody tr").all()
    }
    for line in result.items:
        assert rows[line.label][line.seat - 1] == (str(line.points) if line.points else "–")
    assert sheet.locator("tfoot td").all_inner_texts() == [str(points) for points in result.outcome.points]
    for seat, points in enumerate(result.outcome.points):
        assert sum(int(row[seat].replace("–", "0")) for row in rows.values()) == points
    names = match.views.setting.seat_names
    for line in result.items:
        if line.points:
            assert f"{line.label}: {line.points} for {names[line.seat - 1]}." in room.spoken
    assert room.page.evaluate(OVERFLOW) == []


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_axe_finds_nothing_on_a_map(rooms: Rooms, house: House, phone: bool) -> None:
    match = midway(60, 4)
    room = seated(rooms, house, match, phone=phone, width=PHONE_WIDTH if phone else 0)
    choice = telling(room)
    faults: list[str] = []
    for place in ("table", "card picked", "ghost", "all of it"):
        if place == "card picked":
            room.touch(choice.items[0])
        elif place == "ghost":
            room.touch(choice.target) if phone else cell(room, choice.target).hover()
            expect(room.page.locator(".ghostly")).to_be_visible()
        elif place == "all of it":
            room.page.keyboard.press("Escape")
            room.press(room.button("Fit"))
        faults += faults_of(room.page, place, schemes=schemes_of(phone=phone))
    assert faults == []

"""Play with the keyboard alone, and know of the table only what the live region says."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import msgspec
from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.room import PATIENCE_MS, Room, Rooms


class Narration(msgspec.Struct, frozen=True):
    """What one message of the live region says may be done."""

    text: str
    keys: dict[int, str]
    moves: tuple[str, ...]
    more: int


def understand(text: str) -> Narration:
    """Read the offers at the end of a message: ``Keys: 1: …; 2: …. Moves: …; … and 3 more.``"""
    keys = re.search(r"Keys: (.*?)\.(?=$| Moves: )", text)
    moves = re.search(r"Moves: (.*?)(?: and (\d+) more)?\.$", text)
    numbered = re.split(r"(?:^|; )(\d): ", keys.group(1))[1:] if keys else []
    return Narration(
        text,
        {int(number): label for number, label in zip(numbered[::2], numbered[1::2], strict=True)},
        tuple(moves.group(1).split("; ")) if moves else (),
        int(moves.group(2) or 0) if moves else 0,
    )


class Player:
    """Someone who presses keys and listens."""

    def __init__(self, room: Room) -> None:
        self._page = room.page
        self.last = ""
        self.told = self.listen(bool)

    def listen(self, until: Callable[[str], bool]) -> Narration:
        """Return the next message that one waits for."""
        end = time.monotonic() + PATIENCE_MS / 1000
        while True:
            assert time.monotonic() < end, f"Waited for more than: {self.last}"
            heard = self._page.locator("[aria-live]").text_content() or ""
            if heard != self.last:
                self.last = heard
                if until(heard):
                    self.told = understand(heard.replace("\u00a0", ""))
                    return self.told
            self._page.wait_for_timeout(10)

    def press(self, *keys: str, until: Callable[[str], bool] = bool) -> Narration:
        for key in keys:
            self._page.keyboard.press(key)
        return self.listen(until)

    def open_line(self) -> None:
        self._page.keyboard.press("/")
        expect(self._page.get_by_label("Type a move")).to_be_focused()

    def type(self, move: str) -> None:
        """Type a move into the command line, and leave that again."""
        self.open_line()
        self._page.keyboard.type(move)
        self._page.keyboard.press("Enter")
        self.listen(lambda text: not text.startswith("Selected"))
        self._page.keyboard.press("Escape")

    def hint(self) -> str:
        told = self.press("h", until=lambda text: text.startswith("Hint: "))
        found = re.match(r"Hint: (.*?)\. ", told.text)
        assert found is not None, told.text
        return found.group(1)


def test_a_whole_game_by_keyboard_and_ear(rooms: Rooms, house: House, plan: Plan) -> None:
    table = house.deal(seed=plan.seed)
    room = rooms.at(table)
    player = Player(room)
    plies = 0
    used = {"digit": 0, "typed": 0}
    while player.told.keys or player.told.moves:
        told = player.told
        if plies == 3:  # there and back
            back = player.press("u")
            assert back.text.startswith("Taken back.")
            player.press("r", until=lambda text: not text.startswith("Taken back."))
            told = player.told
        if plies == 4:
            player.open_line()
            refused = player.press("x", "Enter")
            assert refused.text.startswith("x ") or "x" in refused.text
            player.press("Escape", "w", until=lambda text: text.startswith("Why not?"))
            player.press("Escape", until=lambda text: text.startswith("Nothing selected."))
        wanted = player.hint()
        offered = [number for number, label in told.keys.items() if wanted == label]
        ending = [number for number, label in told.keys.items() if label.startswith("End the turn")]
        if wanted in ("draw", "stay", "end") or offered:
            number = next(iter(offered or ending or told.keys))
            if wanted == "stay":
                number = next(n for n, label in told.keys.items() if "Keep" in label)
            player.press(str(number), until=lambda text: not text.startswith("Hint"))
            used["digit"] += 1
        else:
            player.type(wanted)
            used["typed"] += 1
        plies += 1
        assert plies < 200
    assert "The tower stands." in player.told.text
    assert min(used.values()) > 0, used
    # Only now is the page looked at.
    expect(room.dialog("The end")).to_be_visible()
    assert house.moves(table) == [choice.text for choice in plan.choices]


def test_the_keyboard_reaches_and_touches_everything(rooms: Rooms, house: House, plan: Plan) -> None:
    room = rooms.at(house.deal(seed=plan.seed))
    page = room.page
    player = Player(room)
    while room.ply < 1:
        room.play(plan.choices[0])

    # Tab goes from zone to zone, and stops once in each.
    zones: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        zone = page.evaluate("document.activeElement.closest('[data-zone]')?.dataset.zone ?? ''")
        if zone:
            zones.append(zone)
        elif zones:
            break
    # An empty row has nothing to stop at.
    filled = [zone["id"] for zone in room.scene["zones"] if zone["kind"] != "row" or zone.get("items")]
    assert len(zones) == len(set(zones))
    assert set(zones) == set(filled)

    # Arrows go from thing to thing inside one.
    page.locator('[data-zone="hand"] [data-stop][tabindex="0"]').focus()
    page.keyboard.press("Home")
    hand = next(zone["items"] for zone in room.scene["zones"] if zone["id"] == "hand")
    seen = []
    for _ in hand:
        seen.append(page.evaluate("document.activeElement.dataset.touch"))
        page.keyboard.press("ArrowRight")
    assert sorted(seen) == sorted(item["id"] for item in hand)

    # Enter and Space touch; what is touched is said with what goes with it; touching again lets go.
    label = page.evaluate("document.activeElement.getAttribute('aria-label')").split(",")[0]
    told = player.press("Space", until=lambda text: text.startswith("Selected"))
    assert told.text.startswith(f"Selected: {label}")
    assert told.keys or told.moves
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    player.press("Space", until=lambda text: text.startswith("Nothing selected"))
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "false")

    # Dialogs: the keys that open them, Escape closes them, the focus is where it was.
    for key, name in (("?", "Keys"), ("l", "Rules"), ("n", "Alcazar")):
        page.keyboard.press(key)
        expect(room.dialog(name)).to_be_visible()
        page.keyboard.press("Escape")
        expect(room.dialog(name)).to_be_hidden()
        assert page.evaluate("document.activeElement.closest('[data-zone]')?.dataset.zone") == "hand"
    expect(page.locator("[aria-live]")).to_have_count(1)
    player.press("m", until=lambda text: text == "Sound off.")
    player.press("m", until=lambda text: text == "Sound on.")


def test_quick_fingers_lose_no_move(rooms: Rooms, house: House, plan: Plan) -> None:
    """Type moves without waiting for an answer, and one that is refused."""
    table = house.deal(seed=plan.seed)
    room = rooms.at(table)
    moves = [choice.text for choice in plan.choices[:3]]
    room.page.keyboard.press("/")
    expect(room.page.get_by_label("Type a move")).to_be_focused()
    for move in moves:
        room.page.keyboard.type(f"{move}\n")
    room.until(lambda: room.ply == 3)
    room.page.keyboard.type("nonsense\n")
    field = room.page.get_by_label("Type a move")
    expect(field).to_have_value("nonsense")
    assert house.moves(table) == moves


def test_a_move_is_played_with_enter(rooms: Rooms, house: House, plan: Plan) -> None:
    """Touch a move's things by keyboard; Enter on the last of them plays it once it is complete."""
    room = rooms.at(house.deal(seed=plan.seed))
    player = Player(room)
    room.play(plan.choices[0])
    choice = plan.choices[1]
    for id_ in choice.items:
        room.thing(id_).first.focus()
        player.press("Enter", until=lambda text: text.startswith("Selected"))
    assert f"Enter plays: {choice.label}" in player.told.text
    player.press("Enter", until=lambda text: not text.startswith("Selected"))
    room.laid(2)


def test_a_dialog_opened_again_at_once_stays_open(rooms: Rooms, house: House) -> None:
    """A browser says that a dialog has closed a moment later: by then it may be open again."""
    room = rooms.at(house.deal())
    room.page.keyboard.press("?")
    keys = room.dialog("Keys")
    expect(keys).to_be_visible()
    keys.evaluate(
        """async (dialog) => {
            const closed = new Promise((done) => dialog.addEventListener("close", done, { once: true }));
            dialog.querySelector("[aria-label=Close]").click();
            while (dialog.open) await Promise.resolve();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
            await closed;
            await new Promise(requestAnimationFrame);
        }"""
    )
    expect(keys).to_be_visible()


def test_keys_work_under_falling_pennants(rooms: Rooms, house: House, plan: Plan) -> None:
    """They fall over everything for seconds, and nothing waits for them."""
    table = house.deal(seed=plan.seed)
    house.play(table, [choice.text for choice in plan.choices[:-1]])
    room = rooms.at(table, calm=False)
    pennants = room.page.locator("body > canvas:popover-open")
    room.page.evaluate(
        """() => new MutationObserver(() => {
            if (document.querySelector("body > canvas")) window.requestAnimationFrame = () => 0;
        }).observe(document.body, { childList: true })"""
    )  # they stay as long as this test needs
    room.play(plan.choices[-1])
    expect(pennants).to_be_attached()
    expect(room.dialog("The end")).to_be_visible()
    room.page.keyboard.press("Escape")
    expect(room.dialog("The end")).to_be_hidden()
    room.page.keyboard.press("?")
    expect(room.dialog("Keys")).to_be_visible()
    expect(pennants).to_be_attached()

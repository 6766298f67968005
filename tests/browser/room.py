"""Open pages in rooms of several kinds, and play on them with mouse or finger."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, Route, WebSocket, expect

from bartizan.engine.scene import Choice
from tests.browser.house import House, Table
from tests.patched import patched

PATIENCE_MS = 40_000.0
DOUBLE_TAP_MS = 400  # two taps that are farther apart are two
expect.set_options(timeout=PATIENCE_MS)

Scheme = Literal["light", "dark"]
# Finds what runs out of the window or of its box, is cut off, or lies under something.
OVERFLOW = Path(__file__).with_name("overflow.js").read_text(encoding="utf-8")


# What the browser says of the test rather than of the page.
OURS = ("GL Driver Message", "Service Worker registration blocked by Playwright")


class Room:
    """One page in a browser context of its own."""

    def __init__(
        self,
        browser: Browser,
        house: House,
        *,
        phone: bool,
        scheme: Scheme,
        calm: bool,
        width: int,
        height: int,
        kept: bool = False,
    ) -> None:
        self.house = house
        self.phone = phone
        self.excused: list[str] = []  # patterns of console messages that a test brings about itself
        self.setting: dict[str, Any] = {}  # what stays the same at the table
        self.scene: dict[str, Any] = {}  # what the server showed last
        self.sights: dict[int, dict[str, Any]] = {}  # by seat: what it showed to each that sits at this page
        self._said: list[str] = []
        self._strays: list[str] = []
        self.context = browser.new_context(
            viewport={
                "width": width or (390 if phone else 1280),
                "height": height or (760 if phone else 860),
            },
            has_touch=phone,
            is_mobile=phone,
            color_scheme=scheme,
            reduced_motion="reduce" if calm else "no-preference",
            base_url=house.address,
            service_workers="allow" if kept else "block",  # it would answer for the server
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("request", lambda request: self._check(request.url))
        self.context.on("console", self._hear)
        self.context.on("weberror", lambda error: self._said.append(f"page error: {error.error}"))
        self.page = self.context.new_page()
        self.page.on("websocket", self._connected)

    def _check(self, url: str) -> None:
        own = (self.house.address, self.house.address.replace("http", "ws", 1))
        if not url.startswith((*(f"{one}/" for one in own), "blob:", "data:")):
            self._strays.append(url)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(words in message.text for words in OURS):
            self._said.append(f"{message.type}: {message.text}")

    def _connected(self, wire: WebSocket) -> None:
        self._check(wire.url)
        last: dict[str, Any] = {}  # the table as this wire showed it

        def received(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["type"] == "opened":
                self.setting = message["setting"]
            elif message["type"] == "tick":
                last["version"] = message["version"]
            elif message["type"] in ("sync", "patch"):
                last.update(patched(last, message) if message["type"] == "patch" else message)
                self.scene = self.sights[last["scene"]["seat"]] = last["scene"]

        wire.on("framereceived", received)

    def close(self) -> list[str]:
        """Leave; return all that should not have happened."""
        said = [one for one in self._said if not any(re.search(pattern, one) for pattern in self.excused)]
        self.context.close()
        return said + [f"asked for {url}" for url in self._strays]

    # --- Looking -----------------------------------------------------------------

    def goto(self, path: str) -> None:
        self.page.goto(path)

    def sit(self, link: str) -> None:
        """Go to a table and wait until it is laid."""
        self.scene = {}
        self.page.goto(link)
        self.laid()

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, as by turning a phone, and wait until the page has settled."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_timeout(200)

    def laid(self, ply: int | None = None) -> None:
        """Wait for the table, or for a ply of it."""
        self.until(lambda: bool(self.scene) and ply in (None, self.ply))
        expect(self.page.locator("[data-zone]").first).to_be_visible()
        # What is touched while an earlier ply is still shown only lets it end.
        expect(self.page.locator(".felt > .stage")).to_have_count(0)

    @property
    def ply(self) -> int:
        return int(self.scene["status"]["ply"])

    @property
    def spoken(self) -> str:
        return self.page.locator("[aria-live]").inner_text()

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that no locator tells."""
        end = time.monotonic() + PATIENCE_MS / 1000
        while not holds():
            assert time.monotonic() < end, "It did not happen."
            self.page.wait_for_timeout(25)

    def spoken_names(self, selector: str) -> list[str]:
        """Return the accessible names of all that a selector finds."""
        names: list[str] = self.page.locator(selector).evaluate_all(
            "(all) => all.map((one) => one.getAttribute('aria-label'))"
        )
        return names

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def game(self, title: str = "Alcazar") -> Locator:
        """Find a game in the lobby."""
        return self.page.get_by_role("article", name=title, exact=True)

    def offer(self, name: str) -> Locator:
        """Find a button of Alcazar's in the lobby."""
        return self.game().get_by_role("button", name=name, exact=True)

    def sheet(self, title: str = "Alcazar") -> Locator:
        """Open the seats and options of a game in the lobby."""
        self.press(self.game(title).get_by_role("button", name=re.compile(rf"ptions of {title}$")))
        return self.dialog(title)

    def dialog(self, name: str) -> Locator:
        return self.page.get_by_role("dialog", name=name, exact=True)

    def command_line(self) -> Locator:
        """Open the line in which moves are typed, beside the table."""
        line = self.page.get_by_label("Type a move")
        if not line.count():
            self.press(self.page.get_by_role("button", name="Type a move"))
        return line

    def thing(self, id_: str) -> Locator:
        """Find what has an id: a card, a place, a pile."""
        things = self.page.locator(f'.felt [data-item="{id_}"]')
        return things.or_(self.page.locator(f'[data-pile="{id_}"]')).or_(
            self.page.locator(f'.place[data-touch="{id_}"], button.empty[data-touch="{id_}"]')
        )

    def fix_deal(self, seed: str) -> None:
        """Let the page ask for a certain deal, and otherwise for what it asks."""

        def fix(route: Route, request: Request) -> None:
            wanted = json.loads(request.post_data or "{}")
            several = wanted.get("players", []).count("person") > 1
            route.continue_(post_data=json.dumps({**wanted, "seed": seed, "open_seed": several}))

        self.page.route("**/api/tables", fix)

    def middle(self, id_: str) -> tuple[float, float]:
        """Return the middle of a thing, once it lies still."""
        thing = self.thing(id_).first
        thing.tap(trial=True) if self.phone else thing.click(trial=True)
        box = thing.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    # --- Playing -----------------------------------------------------------------

    def press(self, what: Locator) -> None:
        if self.phone:
            what.tap()
        else:
            what.click()

    def press_again(self, what: Locator) -> None:
        """Press where one has just pressed, but not as the second half of a double tap."""
        if self.phone:
            self.page.wait_for_timeout(DOUBLE_TAP_MS)
        self.press(what)

    def touch(self, id_: str) -> None:
        """Touch a thing; what lies inside a pile is found by opening it."""
        thing = self.thing(id_)
        zones = [
            zone for zone in self.scene["zones"] if any(item["id"] == id_ for item in zone.get("items", ()))
        ]
        pile = self.page.locator(
            ", ".join(f'[data-pile="{zone["id"]}"]' for zone in zones) or "[data-no-pile]"
        )
        expect(thing.or_(pile).first).to_be_attached()  # parts of the page are fetched when first needed
        if not thing.count():
            self.press(pile)
            thing = self.page.locator(f'[data-spread] [data-item="{id_}"]')
        self.press(thing.first)

    def ready(self, choice: Choice) -> Locator:
        """Find the button that plays a choice."""
        name = ", ".join(filter(None, [choice.label or choice.text, choice.note]))
        return self.page.get_by_role("list", name="Available moves").get_by_role(
            "button", name=name, exact=True
        )

    def confirm(self, choice: Choice, touched: Sequence[str]) -> None:
        """Press a touched choice's button, unless it was the only one left and has played itself."""
        fitting = [one for one in self.scene["choices"] if set(touched) <= set(one.get("items", ()))]
        if not touched or len(fitting) > 1:
            self.press(self.ready(choice))
            if choice.confirm:
                self.press_again(self.page.get_by_role("button", name=re.compile("Press again")))

    def play(self, choice: Choice) -> None:
        """Play a choice by touching its things one by one."""
        ply = self.ply
        for id_ in choice.items:
            self.touch(id_)
        self.confirm(choice, choice.items)
        self.laid(ply + 1)

    def drag(self, choice: Choice) -> None:
        """Play a choice by dragging its first thing onto its target, then touching the others."""
        ply = self.ply
        first, *others = [id_ for id_ in choice.items if id_ != choice.target]
        source, target = self.middle(first), self.middle(choice.target)
        mouse = self.page.mouse
        mouse.move(*source)
        mouse.down()
        mouse.move(*target, steps=6)
        mouse.up()
        for id_ in others:
            self.touch(id_)
        self.confirm(choice, choice.items)
        self.laid(ply + 1)


class Rooms:
    """All rooms of one test."""

    def __init__(self, browser: Browser, house: House) -> None:
        self._browser = browser
        self._house = house
        self._open: list[Room] = []
        self._faults: list[str] = []  # of pages that are closed

    def open(
        self,
        *,
        house: House | None = None,
        phone: bool = False,
        scheme: Scheme = "light",
        calm: bool = True,
        width: int = 0,
        height: int = 0,
        kept: bool = False,
    ) -> Room:
        """Open a page; width and height in pixels, 0 for what is usual; `kept` to outlive the server."""
        room = Room(
            self._browser,
            house or self._house,
            phone=phone,
            scheme=scheme,
            calm=calm,
            width=width,
            height=height,
            kept=kept,
        )
        self._open.append(room)
        return room

    def at(self, table: Table, *, watching: bool = False, **options: Any) -> Room:
        """Open a room at a table."""
        room = self.open(**options)
        room.sit(room.house.watch(table) if watching else room.house.link(table))
        return room

    def leave(self, room: Room) -> None:
        """Close a page before the test's end: one that is open draws whatever happens at its table."""
        self._open.remove(room)
        self._faults += room.close()

    def close(self) -> None:
        faults = self._faults + [fault for room in self._open for fault in room.close()]
        assert faults == [], faults

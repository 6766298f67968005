"""The client lies in a folder of its host: nothing that it asks for lies outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.house import House
from tests.browser.room import Rooms


@pytest.fixture
def castle(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", base="/games/castle")
    yield house
    house.stop()


def test_the_client_lies_in_a_folder(browser: Browser, castle: House) -> None:
    rooms = Rooms(browser, castle)
    room = rooms.open(kept=True)
    room.goto(castle.address + "/")
    expect(room.page.get_by_role("heading", name="Alcazar").first).to_be_visible()
    room.until(lambda: bool(room.page.evaluate("[...document.images].every((one) => one.naturalWidth)")))
    room.until(lambda: bool(room.page.evaluate("!!navigator.serviceWorker.controller")))
    scope = room.page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)")
    assert scope == castle.address + "/"
    kept = room.page.evaluate("caches.keys()")
    assert kept
    assert all(name.startswith("/games/castle/ ") for name in kept)
    manifest = room.page.evaluate(
        "fetch(document.querySelector('link[rel=manifest]').href).then((one) => one.json())"
    )
    assert (manifest["start_url"], manifest["scope"]) == (".", ".")

    room.press(room.offer("Play"))
    room.laid(0)
    assert room.page.url.startswith(castle.address + "/t/")
    room.page.reload()
    room.laid(0)
    room.press(room.page.get_by_role("link", name="Bartizan, all games"))
    expect(room.page.get_by_text("Continue Alcazar")).to_be_visible()
    assert room.page.url == castle.address + "/"
    room.page.goto(castle.address + "/rules/alcazar")
    expect(room.page.get_by_role("heading", name="Alcazar").first).to_be_visible()
    rooms.close()

"""Give the browser tests a server, Chromium, and rooms whose pages may do nothing untoward."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from scripts.chromium import FLAGS as QUIET
from tests.browser.house import House, Plan, winning
from tests.browser.room import Rooms

# WebGL alone goes through SwiftShader: pages are drawn ten times faster.
FLAGS = [*QUIET, "--disable-gpu-compositing"]


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house") / "data")
    yield house
    house.stop()


@pytest.fixture(scope="session")
def plan() -> Plan:
    return winning()


@pytest.fixture
def duels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server of a card game with hidden hands, for two or three."""
    house = House(tmp_path_factory.mktemp("duels") / "data", "tests.server.duel")
    yield house
    house.stop()


@pytest.fixture
def frail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that may be killed without harm to the other tests."""
    house = House(tmp_path_factory.mktemp("frail") / "data")
    yield house
    house.stop()


@pytest.fixture
def rooms(browser: Browser, house: House) -> Iterator[Rooms]:
    """Open pages; afterwards none may have had an error or asked anybody but our server.

    A test with a server of its own names that first: then its pages are closed before the server stops.
    """
    rooms = Rooms(browser, house)
    yield rooms
    rooms.close()

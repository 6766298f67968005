"""Play against programs that think, and open a table before its game has been compiled."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from bartizan.engine.rule import cache_root
from bartizan.engine.scene import Choice
from tests.browser.house import House
from tests.browser.looks import faults_of
from tests.browser.room import Room, Rooms

GAME, TITLE = "castle-danger", "Castle Danger"
LEFT = re.compile(r"^\d+%, about \d+ s left$")
TITLES = {"page": "Beginner", "squire": "Easy", "knight": "Medium", "greedy": "Greedy", "random": "Random"}


def card(room: Room) -> Locator:
    return room.page.get_by_role("article").filter(has=room.page.get_by_role("heading", name=TITLE))


def strip(room: Room) -> Locator:
    return room.page.get_by_role("list", name="Players")


def sit(room: Room, opponent: str) -> None:
    """Open a table against a program, from the lobby."""
    room.goto("/")
    sheet = room.sheet(TITLE)
    choice = sheet.get_by_role("combobox").nth(1)
    choice.select_option(opponent)
    chosen = choice.locator(f"option[value='{opponent}']")
    expect(chosen).to_have_text(re.compile(rf"^{TITLES[opponent]}: \w+"))
    room.press(sheet.get_by_role("button", name=f"Play against the computer ({TITLES[opponent].lower()})"))


def turn(room: Room) -> None:
    """Play the turn that one has, a move or two, and wait for the next."""
    while room.scene["status"]["seat"] == 1:
        ply = room.ply
        choices = [msgspec.convert(one, Choice) for one in room.scene["choices"]]
        room.play(next((one for one in choices if one.text == "end"), choices[0]))
        room.until(lambda ply=ply: room.ply > ply)  # type: ignore[misc]
    room.until(lambda: room.scene["status"]["seat"] in (0, 1))


def test_a_few_turns_against_one_that_looks_ahead(rooms: Rooms) -> None:
    room = rooms.open()
    sit(room, "knight")
    room.laid()
    for _ in range(2):  # whoever plays like this has lost by the third turn, now and then
        expect(strip(room).get_by_role("listitem").nth(0)).to_have_text(re.compile("you to move"))
        turn(room)
    assert room.ply >= 4
    expect(strip(room).get_by_role("listitem").nth(1)).to_have_text(re.compile(r"Medium\s*$"))


def test_one_that_takes_its_time_is_seen_to_think(duels: House, rooms: Rooms) -> None:
    links = duels.ask("/api/tables", {"game": "duel", "players": ["person", "sage"]})
    room = rooms.open(phone=True, width=360, house=duels)
    room.sit(f"{duels.address}/t/{links['table']}#{links['seats'][0]}")
    sage = strip(room).get_by_role("listitem").nth(1)
    expect(sage).to_have_text(re.compile(r"Sage\s*$"))
    room.play(msgspec.convert(room.scene["choices"][0], Choice))
    room.press(room.page.get_by_role("button", name="end", exact=True))
    expect(sage).to_have_text(re.compile(r"Sage thinking\s*$"))
    room.until(lambda: room.scene["status"]["seat"] == 1)
    expect(sage).to_have_text(re.compile(r"Sage\s*$"))


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server on a machine that has yet to compile a game."""
    folder = tmp_path_factory.mktemp("fresh")
    kept = cache_root()
    shutil.copytree(
        kept, folder / "cache" / kept.relative_to(kept.parents[1]), ignore=shutil.ignore_patterns(GAME)
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    house = House(folder / "data")
    yield house
    house.stop()


def compiling(house: House) -> list[int]:
    """Return the processes that compile games for a server."""
    assert house._process is not None
    server = house._process.pid
    return [
        int(stat.parent.name)
        for stat in Path("/proc").glob("[0-9]*/stat")
        if int(stat.read_text().rpartition(")")[2].split()[1]) == server
    ]


@contextmanager
def paused(processes: Sequence[int]) -> Iterator[None]:
    """Let processes do nothing, however long it takes to look at a page."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def test_a_table_opened_too_early_is_laid_when_its_game_is_ready(fresh: House, rooms: Rooms) -> None:
    room = rooms.open(phone=True, width=360, house=fresh)
    room.goto("/")
    expect(card(room).get_by_role("progressbar")).to_be_visible()
    expect(card(room).get_by_text(LEFT)).to_be_visible()
    with paused(compiling(fresh)):
        sit(room, "page")
        bar = room.page.locator(".cover").get_by_role("progressbar", name="Getting ready")
        expect(bar).to_be_visible()
        assert "Compiling the rules" in room.spoken
        expect(room.page.get_by_text(LEFT)).to_be_visible()
        assert faults_of(room.page, "getting ready") == []
    expect(bar).to_have_count(0, timeout=300_000)
    room.laid(0)
    room.play(msgspec.convert(room.scene["choices"][0], Choice))
    room.laid(1)


def test_ctrl_c_ends_what_compiles_too(fresh: House) -> None:
    """The processes beside end with the server, at once and without a word."""
    beside = compiling(fresh)
    assert beside
    assert fresh._process is not None
    os.kill(fresh._process.pid, signal.SIGINT)
    assert fresh._process.wait(60) == 0
    assert not any(Path(f"/proc/{process}").exists() for process in beside)
    fresh.start()

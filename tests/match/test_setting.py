"""What stays the same through a game is said once, and no Scene repeats it."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.engine.scene import COLOURS, Scene, Setting
from bartizan.match import Match

WEB = Path(__file__).resolve().parents[2] / "web" / "src"
TABLES = [
    (name, seats)
    for name in registry.names()
    for seats in range(registry.get(name).min_seats, registry.get(name).max_seats + 1)
]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_setting_names_the_game_and_its_seats(name: str, seats: int) -> None:
    match = Match(name, seats=seats, seed="5e77")
    setting = match.views.setting
    assert (setting.game, setting.title, setting.seats) == (name, match.game.title, seats)
    assert len(set(setting.seat_names)) == len(setting.seat_names) == seats
    assert setting.options == {}
    assert setting.areas["wide"]
    assert setting.areas["narrow"]
    for rows in setting.areas.values():
        assert len({len(row.split()) for row in rows}) == 1, rows
    assert msgspec.json.decode(msgspec.json.encode(setting), type=Setting) == setting


def test_a_setting_names_the_options_that_are_not_as_usual() -> None:
    given = {"add_cost": 1, "setup": {"king_file": "c"}, "friendly_fire": "none"}
    changed = Match("castle-danger", given, seed="5e77").views.setting.options
    assert changed == {"add_cost": 1, "setup.king_file": "c", "friendly_fire": "none"}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_zone_has_an_area_of_the_setting(name: str, seats: int) -> None:
    match = Match(name, seats=seats, seed="5e77")
    for seat in range(seats + 1):
        scene = match.views.scene(seat)
        for rows in (scene.areas or match.views.setting.areas).values():
            named = set(" ".join(rows).split())
            assert {zone.layout.area for zone in scene.zones} <= named


@pytest.mark.parametrize("name", registry.names())
def test_a_theme_uses_colours_and_faces_that_there_are(name: str) -> None:
    theme = Match(name, seed="5e77").views.setting.theme
    said = [*theme.grounds.values(), *theme.colours.values(), *(livery.colour for livery in theme.liveries)]
    assert set(said) <= set(COLOURS)
    assert {*theme.bare, *theme.heaped, *theme.colours} <= set(theme.art)


def test_the_client_has_the_same_colours() -> None:
    source = (WEB / "things" / "colours.ts").read_text(encoding="utf-8")
    (listed,) = re.findall(r'"([a-z ]+)"\.split', source)
    assert tuple(listed.split()) == COLOURS


def test_no_scene_repeats_what_the_setting_says() -> None:
    assert not {"game", "title", "theme", "aids", "seats"} & set(Scene.__struct_fields__)
    for name, seats in TABLES:
        if (name, seats) != ("card-barrage", 5):
            assert not Match(name, seats=seats, seed="5e77").views.scene(seats).areas


def test_areas_are_named_from_who_looks() -> None:
    match = Match("tower", seats=3, seed="5e77")
    for seat in (1, 2, 3):
        areas = {
            zone.owner: zone.layout.area for zone in match.views.scene(seat).zones if zone.kind == "levels"
        }
        assert areas[seat] == "own"
        assert areas[seat % 3 + 1] == "other1"
    barrage = Match("card-barrage", seats=4, seed="5e77")
    for seat in (1, 2, 3, 4):
        forts = {
            zone.id: zone.layout.area for zone in barrage.views.scene(seat).zones if zone.kind == "slots"
        }
        own = sorted(name for fort, name in forts.items() if (int(fort[5:]) - seat) % 2 == 0)
        assert own == ["own1", "own2"]
        assert sorted(forts.values()) == ["foe1", "foe2", "own1", "own2"]


def test_a_card_asked_for_at_a_real_table_comes_first() -> None:
    match = Match("card-barrage", {"companion": "on_table"}, 2, "4")
    scene = match.views.scene(match.seat_to_move)
    asked, names = scene.areas["narrow"][:2]
    fort = next(zone for zone in scene.zones if zone.id == f"fort:{match.seat_to_move}")
    assert asked.split()[0] == fort.layout.area
    assert names.split()[0] == "names"
    assert match.views.setting.real_table

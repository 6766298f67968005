"""The terminal draws Scenes of games it has never heard of."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from rich.text import Text

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
    Choice,
    Contender,
    Contest,
    Course,
    Extra,
    Extras,
    Item,
    Layout,
    Livery,
    Race,
    Racer,
    Refusal,
    Region,
    Result,
    ResultLine,
    Scene,
    Segment,
    Setting,
    Slot,
    Status,
    Theme,
    Zone,
)
from bartizan.match import Match
from bartizan.terminal.draw import choice_lines, draw_scene, extras_lines, look_lines, refusal_lines
from bartizan.terminal.glyphs import face_style, glyph
from bartizan.terminal.layout import Drawer, compose
from bartizan.terminal.zones import zone_lines

from .scenes import BOARD, BOARD_SETTING, POKER, SIEGE, SIEGE_SETTING, cards

GOLDEN = Path(__file__).parent / "golden"
TABLES = pytest.mark.parametrize(
    ("scene", "setting"), [(SIEGE, SIEGE_SETTING), (BOARD, BOARD_SETTING)], ids=["siege", "board"]
)


def drawn(scene: Scene, setting: Setting, width: int) -> str:
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as capture:
        console.print(draw_scene(scene, setting, width), highlight=False)
    return "".join(line.rstrip() + "\n" for line in capture.get().splitlines())


@pytest.mark.parametrize("width", [60, 100])
@TABLES
def test_golden_drawings(scene: Scene, setting: Setting, width: int) -> None:
    path = GOLDEN / f"{setting.game}_{width}.txt"
    assert drawn(scene, setting, width) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [20, 40, 60, 89, 90, 100, 200])
@TABLES
def test_no_line_is_wider_than_the_console(scene: Scene, setting: Setting, width: int) -> None:
    assert max(Text(line).cell_len for line in drawn(scene, setting, width).splitlines()) <= width


def test_wide_areas_from_ninety_columns_on() -> None:
    def first_with_west(width: int) -> str:
        return next(line for line in drawn(SIEGE, SIEGE_SETTING, width).splitlines() if "West side" in line)

    assert "East side" in first_with_west(90)
    assert "East side" not in first_with_west(89)


def test_a_moment_may_ask_for_areas_of_its_own() -> None:
    moment = msgspec.structs.replace(SIEGE, areas={"wide": ("hand",), "narrow": ("hand", "north")})
    lines = drawn(moment, SIEGE_SETTING, 60).splitlines()
    heads = [line.split()[0] for line in lines if line.startswith(("Hand", "North", "West", "Keep"))]
    assert heads[:2] == ["Hand", "North"]


def test_suits_have_letters_as_well_as_colours() -> None:
    styles = {face_style(f"7{suit}", POKER) for suit in "cdhs"}
    assert len(styles) == 4
    for suit in "cdhs":
        assert glyph(cards(f"T{suit}")[0], POKER).plain == f"T{suit}"


def test_the_colour_of_a_card_ends_with_it() -> None:
    console = Console(width=60, force_terminal=True, color_system="standard", no_color=False)
    zone = Zone(id="z", kind="row", label="Row", items=cards("Th", "9s", "?"))
    with console.capture() as capture:
        console.print(zone_lines(zone, POKER, 60)[1], highlight=False, end="")
    assert capture.get() == "\x1b[1;31mTh\x1b[0m \x1b[1m9s\x1b[0m \x1b[90m▒▒\x1b[0m"


def test_several_things_in_a_square_are_drawn_once_with_their_number() -> None:
    seeds = tuple(Item(id=f"seed-{n}", face="o", at="a1") for n in range(4))
    stone = Item(id="stone", face="x", at="a1", badge="x")  # a badge that says what the face says is left out
    board = Zone(
        id="board",
        kind="grid",
        label="Board",
        layout=Layout(columns=2),
        slots=(Slot(id="a1", label="a1"), Slot(id="b1", label="b1")),
        items=(*seeds, stone, Item(id="y", face="y", at="b1", badge="2")),
    )
    assert [line.plain for line in zone_lines(board, Theme(), 40)][1:] == ["1 4×o x y(2)", "  a     b"]


def test_a_hidden_card_shows_nothing_but_a_back() -> None:
    (hidden,) = cards("?")
    (known,) = cards("~9d")
    assert glyph(hidden, POKER).plain == "▒▒"
    assert glyph(known, POKER).plain == "~9d"
    assert glyph(Item(id="x", face="8p", flags=("damaged",)), POKER).plain == "8p!"
    assert glyph(Item(id="x", face="8p!", flags=("damaged",)), POKER).plain == "8p!"


def test_colour_is_left_out_where_the_environment_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed() -> str:
        console = Console(width=60, force_terminal=True, color_system="standard")
        with console.capture() as capture:
            console.print(draw_scene(SIEGE, SIEGE_SETTING, 60), highlight=False)
        return capture.get()

    red = "31m"
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert red in printed()
    monkeypatch.setenv("NO_COLOR", "1")
    assert red not in printed()


def test_a_zone_without_an_area_is_still_drawn() -> None:
    setting = Setting(title="G", seats=1, areas={"wide": ("left right",)})
    scene = Scene(
        seat=1,
        status=Status(ply=0, seat=1, phase="", prompt="Move."),
        zones=(
            Zone(id="a", kind="row", label="Alpha", items=cards("2c"), layout=Layout(area="left")),
            Zone(id="b", kind="row", label="Beta", items=cards("3c"), layout=Layout(area="nowhere")),
            Zone(id="c", kind="row", label="Gamma", items=cards("4c")),
        ),
    )
    for width in (60, 100):
        text = drawn(scene, setting, width)
        assert all(word in text for word in ("Alpha", "2c", "Beta", "3c", "Gamma", "4c"))


def test_a_slot_shows_all_that_lies_in_it_and_strays_are_not_lost() -> None:
    zone = Zone(
        id="z",
        kind="slots",
        label="Walls",
        slots=(Slot(id="1", label="1"), Slot(id="2", label="2")),
        items=(*cards("7t", at="1"), *cards("8t", at="1"), *cards("W", at="gone")),
    )
    assert [line.plain for line in zone_lines(zone, POKER)] == ["Walls", "1 7t 8t  2 --  W"]


def test_levels_say_what_they_give_and_whether_they_do() -> None:
    zone = Zone(
        id="z",
        kind="levels",
        label="Keep",
        slots=(
            Slot(id="2", label="Roof", bonus="shelter"),
            Slot(id="1", label="Cellar", bonus="supplies", works=True),
        ),
        items=cards("7c", at="1", flags=("damaged",)),
    )
    assert [line.plain for line in zone_lines(zone, POKER)] == [
        "Keep",
        "Roof   --  shelter (lost)",
        "Cellar 7c! supplies",
        "! damaged",
    ]
    assert [line.plain for line in zone_lines(zone, POKER, 17)][1:3] == ["Roof   --  (lost)", "Cellar 7c!"]
    assert [line.plain for line in zone_lines(zone, POKER, 11)][1:3] == ["Roof   --", "Cellar 7c!"]
    ruin = Zone(id="z", kind="levels", label="Keep", slots=zone.slots, note="It has fallen.")
    assert [line.plain for line in zone_lines(ruin, POKER)] == ["Keep", "It has fallen."]


def test_lanes_say_from_whom_to_whom_and_when() -> None:
    theme = Theme(
        suits=POKER.suits, liveries=(Livery(name="Red", colour="red"), Livery(name="Blue", colour="blue"))
    )
    courses = {
        "7c": Course(goal=1, turns=2, answers=("8h", "8h:2", "9h")),
        "2d": Course(goal=2, turns=1),
        "3s": Course(goal=3),
    }
    items = tuple(Item(id=face, face=face, owner=2, course=course) for face, course in courses.items())
    zone = Zone(id="z", kind="lanes", label="Sky", items=items)
    assert [line.plain for line in zone_lines(zone, theme)][1:] == [
        "Blue ─ 7c ─▶ Red in 2 turns stopped by 8h, 9h",
        "Blue ─ 2d ─▶ Blue next turn",
        "Blue ─ 3s ─▶ seat 3 now",
    ]
    assert max(line.cell_len for line in zone_lines(zone, theme, 24)) <= 24
    assert zone_lines(Zone(id="z", kind="lanes", label="Sky"), theme)[-1].plain == "--"


def test_areas_that_reach_over_rows_and_columns() -> None:
    blocks = {name: _block(name, lines) for name, lines in {"a": 3, "b": 1, "c": 1, "d": 1}.items()}
    lines = [line.plain for line in compose(("a b", "a c", "d d"), blocks, 80)]
    assert lines == ["a1   b1", "a2", "a3   c1", "", "d1"]


def _block(name: str, count: int) -> Drawer:
    return lambda width: [Text(f"{name}{number + 1}") for number in range(count)]


def test_a_map_that_is_too_wide_is_drawn_in_parts() -> None:
    items = tuple(Item(id=str(x), face="7h", at=f"{x},{-(x % 2)}") for x in range(-4, 9))
    zone = Zone(id="land", kind="map", label="Land", items=items)
    assert len(zone_lines(zone, POKER, 60)) == 1 + 3
    lines = [line.plain for line in zone_lines(zone, POKER, 24)]
    assert max(map(len, lines)) <= 24
    feet = " ".join(line for line in lines if re.fullmatch(r"[ \d-]+", line) and "7h" not in line)
    assert feet.split() == [str(x) for x in range(-4, 9)]
    assert sum(line.count("7h") for line in lines) == len(items)


def test_a_grid_explains_the_signs_of_its_squares() -> None:
    board = next(zone for zone in BOARD.zones if zone.kind == "grid")
    assert zone_lines(board, BOARD_SETTING.theme)[-1].plain == "~ river"


def test_a_board_says_whose_which_sign_is_without_colours() -> None:
    """Only the grounds were named, so that in black and white nothing told K from k."""
    views = Match("castle-danger", seed="4", seats=2).views
    told = [line.plain for line in zone_lines(views.scene(1).zones[0], views.setting.theme)[-3:]]
    assert told == [
        "Blue: K King, W Wizard",
        "Red: w Wizard, k King",
        "# wall, o portal, : sand, ~ river",
    ]


def test_a_single_word_comes_with_what_it_does() -> None:
    take = Choice(action=1, text="take", verb="Take", label="Take the 4p from the discard pile")
    stop = Choice(action=2, text="stop", verb="Stop drawing", label="Stop drawing")
    lines = [line.plain for line in choice_lines((take, stop), 80)]
    assert lines == ["Take: take (Take the 4p from the discard pile)", "Stop drawing: stop"]


def test_a_map_names_the_regions_that_somebody_claims() -> None:
    theme = Theme(liveries=(Livery(name="Red", colour="red"), Livery(name="Blue", colour="blue")))
    regions = (
        Region(id="a", cells=("0,0",), owners=(2, 2, 1), label="the hill: worth 3"),
        Region(id="b", cells=("1,0",), label="the dale"),
    )
    items = (Item(id="i", face="7h", at="0,0"),)
    zone = Zone(id="land", kind="map", label="Land", items=items, regions=regions)
    lines = zone_lines(zone, theme, 40)
    assert [line.plain for line in lines[-1:]] == ["Blue, Red: the hill: worth 3"]
    assert {str(span.style) for span in lines[-1].spans} >= {"bold blue", "bold red"}
    board = Scene(seat=0, status=Status(ply=0, seat=1, phase="", prompt=""), zones=(zone,))
    assert "the dale" in look_lines(board, Setting(theme=theme)).plain


def test_a_result_is_told_line_by_line() -> None:
    items = tuple(
        ResultLine(label=label, seat=seat, points=2) for seat in (1, 2) for label in ("Hills", "Dales")
    )
    outcome = Outcome(winners=(1, 2), returns=(0.0, 0.0), points=(4, 4))
    result = Result(outcome=outcome, headline="Even.", text="Both.", items=items)
    text = drawn(msgspec.structs.replace(BOARD, result=result), BOARD_SETTING, 80)
    assert "seat 1 4: Hills: 2, Dales: 2" in text
    assert "seat 2 4: Hills: 2, Dales: 2" in text


def test_the_table_in_words() -> None:
    text = look_lines(SIEGE, SIEGE_SETTING).plain
    assert "When they come\n  moon   new\n  night  third" in text
    assert "front 5h" in text
    assert "rear face down" in text
    assert "rear ~2c" in text


def test_a_refusal_names_its_clause_once() -> None:
    told = refusal_lines(Refusal(clause="X-1", sentence="The ten is red.", rule="Only black cards do."))
    assert told.plain == "The ten is red. (X-1)\nX-1: Only black cards do."
    told = refusal_lines(Refusal(clause="X-1", sentence="X-1 forbids it."))
    assert told.plain == "X-1 forbids it."


def test_figures_of_one_seat_share_a_line() -> None:
    theme = Theme(liveries=(Livery(name="Red", colour="red"), Livery(name="Blue", colour="blue")))
    zones = tuple(
        Zone(
            id=f"{name}{owner}", kind="counter", label=name, brief=name, layout=Layout(area="seats"),
            owner=owner, count=owner, limit=limit,
        )
        for owner in (1, 2)
        for name, limit in (("points", 0), ("tokens", 7))
    )  # fmt: skip
    setting = msgspec.structs.replace(BOARD_SETTING, theme=theme, areas={"wide": ("seats",)})
    text = drawn(msgspec.structs.replace(BOARD, zones=zones), setting, 60)
    assert "Red  1 points  1/7 tokens\n" in text
    assert "Blue  2 points  2/7 tokens\n" in text


def test_a_map_reaches_to_its_edge() -> None:
    items = (Item(id="i", face="7h", at="0,0"),)
    zone = Zone(id="land", kind="map", label="Land", items=items, edge=("-1,0", "2,1"), note="To 2,1.")
    lines = [line.plain for line in zone_lines(zone, POKER, 40)]
    assert lines == ["Land", "1 ·  ·  ·  ·", "0 ·  7h ·  ·", "  -1 0  1  2", "To 2,1."]


def test_what_may_be_added_to_a_report_is_told_as_it_is_typed() -> None:
    thrown = Choice(action=1, text="report hit", verb="Hit", extras=("also", "moved"))
    also = Extras(id="also", title="It also hit", entries=(Extra(text="2.1", label="Wall 1"),), one=True)
    moved = Extras(id="moved", title="It moved", before="moved", entries=(Extra(text="1.3", label="Wall 3"),))
    status = Status(ply=0, seat=1, phase="turn", prompt="What did it do?")
    scene = Scene(seat=1, status=status, zones=(), choices=(thrown,), extras=(also, moved))
    assert [line.plain for line in extras_lines(scene, 80)] == [
        "It also hit: add '2.1' behind a report.",
        "It moved: add 'moved 1.3' behind a report.",
    ]


def test_stakes_are_a_line_each() -> None:
    scene = msgspec.structs.replace(
        SIEGE,
        contests=(
            Contest(
                id="storm",
                zone="keep",
                label="Storm",
                sides=(
                    Contender(
                        label="Attack",
                        value=11,
                        segments=(
                            Segment(label="West", value=4),
                            Segment(label="North", hidden=True),
                            Segment(label="East", value=7),
                        ),
                        outcome="the keep falls",
                    ),
                    Contender(label="Keep", value=12, outcome="the keep holds"),
                ),
            ),
        ),
        races=(
            Race(
                id="gold",
                label="Gold",
                goal=9,
                racers=(Racer(label="Red", value=3), Racer(label="Blue", value=5)),
            ),
        ),
    )
    said = drawn(scene, SIEGE_SETTING, 100)
    assert "Attack 11 (west 4, east 7) against keep 12: the keep holds\n" in said
    assert "Gold to 9: Red 3 · Blue 5\n" in said

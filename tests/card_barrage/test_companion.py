"""Play beside a real table: reports by touch, and hands and decks that nobody tells."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bartizan.cli.main import main
from bartizan.engine import registry
from bartizan.engine.errors import UnknownOption
from bartizan.engine.scene import Choice, Layout, Scene
from bartizan.lab.ladder import LadderGame
from bartizan.lab.simulate import simulate
from bartizan.match import Match
from tests.card_barrage.tables import choice, duel, refused, table, zone

WALLS = [["3t", "-", "9s", "1s", "12v"], ["7t", "4v", "-", "6s", "10t"]]


def real(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> Match:
    """Return a duel with real cards."""
    entries = [{"hand": ["?", "?"], "walls": walls, "deck": []} for walls in WALLS]
    given = [{**entry, **(more or {})} for entry, more in zip(entries, (one, two), strict=True)]
    options = {"companion": "on_table", **position.pop("options", {})}
    return duel(*given, options=options, **position)


def touching(scene: Scene, *ids: str) -> set[str]:
    """Return the moves that touching these things leaves."""
    return {each.text for each in scene.choices if each.items and set(ids) <= set(each.items)}


def with_extras(scene: Scene, made: Choice, **added: list[str]) -> str:
    """Return the text of a choice with what is added to it, as a client writes it."""
    words = [made.text]
    for group in scene.extras:
        texts = added.get(group.id, [])
        assert not texts or group.id in made.extras
        assert set(texts) <= {entry.text for entry in group.entries}
        words += [group.before] * bool(texts and group.before) + texts
    return " ".join(words)


def test_what_is_touched_is_drawn_large_beside_a_real_table() -> None:
    for companion, standing in (("off", False), ("on_screen", True), ("on_table", True)):
        match = Match("card-barrage", {"companion": companion}, 2, "4")
        scene = match.views.scene(1)
        assert match.views.setting.real_table == standing
        assert bool(scene.extras) == (companion == "on_screen" and scene.status.seat == 1)


def test_no_hand_and_no_deck_lies_on_the_screen_where_they_are_real() -> None:
    scene = real().views.scene(1)
    assert {each.id for each in scene.zones} == {"fort:1", "fort:2", "pile:1", "pile:2", "names"}
    assert all(item.face != "?" for each in scene.zones for item in each.items)


def test_all_see_the_same_of_a_table_with_real_cards() -> None:
    match = real()
    shown = [match.views.scene(seat) for seat in (0, 1, 2)]
    assert len({tuple(sorted(each.id for each in scene.zones)) for scene in shown}) == 1
    laid = [[msgspec.structs.replace(each, layout=Layout()) for each in scene.zones] for scene in shown]
    assert len({repr(sorted(zones, key=lambda each: each.id)) for zones in laid}) == 1


def test_a_real_card_is_reported_without_naming_it() -> None:
    scene = real().views.scene(1)
    assert choice(real(), "report ? miss").items == ()
    assert {each.text for each in scene.choices if each.items == ("7t",)} == {
        "report ? hit 2.1",
        "report ? hit 2.1 perfect",
    }
    assert touching(scene, "7t", "2.castle") == {"report ? hit 2.1 2.castle"}


def test_a_real_card_that_is_laid_is_named_by_value_and_domain() -> None:
    scene = real().views.scene(1)
    assert touching(scene, "value:8", "domain:k", "1.2") == {"build 8k at 2"}
    assert touching(scene, "value:8", "domain:k", "9s") == {"upgrade 3 with 8k"}
    assert touching(scene, "value:7", "domain:t") == set()  # it lies in sight
    assert zone(real(), "names").kind == "pile"


def test_one_slot_that_awaits_a_card_needs_no_touch() -> None:
    match = real()
    match.play("report ? hit 2.1")
    scene = match.views.scene(2)
    assert {each.id for each in scene.zones} >= {"values", "domains"}
    assert choice(match, "replace 1 with 7k").items == ("value:7", "domain:k")
    assert choice(match, "decline").verb == "Nothing fits"
    match = real()
    match.play("report ? hit 2.1 2.2")
    assert choice(match, "replace 1 with 3k").items == ("value:3", "domain:k", "2.1")


def test_a_named_card_that_is_too_high_is_refused_by_touch() -> None:
    match = real()
    match.play("report ? hit 2.1")
    refusal = match.views.why_not_items(["value:8"])
    assert refusal.clause == "CB-42"
    assert "Use a card of value 7 or less" in refusal.sentence
    assert "is already on the table" in match.views.why_not_items(["value:3", "domain:t"]).sentence


def test_walls_are_told_one_after_the_other() -> None:
    match = Match("card-barrage", {"companion": "on_table"}, 1, "4")
    assert "Which card is Red's wall 1?" in match.views.scene(1).status.prompt
    assert choice(match, "build 3t at 1").items == ("value:3", "domain:t")
    for seat in ("1", "2"):
        for slot, card in enumerate(("3", "6", "9", "1", "12"), 1):
            match.play(f"build {card}{'t' if seat == '1' else 'k'} at {slot}")
    assert match.position()["phase"] in ("turn", "reveal")
    assert len(match.position()["players"][1]["deck"]) == 21


def test_moved_walls_and_second_targets_are_added_to_a_report() -> None:
    match = real()
    scene = match.views.scene(1)
    assert [group.id for group in scene.extras] == ["also", "moved"]
    made = choice(match, "report ? hit 2.1 perfect")
    text = with_extras(scene, made, also=["2.2 perfect"], moved=["2.4", "1.3"])
    assert text == "report ? hit 2.1 perfect 2.2 perfect moved 2.4 1.3"
    assert match.play(text) == "report ? hit 2.1 perfect 2.2 perfect moved 1.3 2.4"
    assert match.views.log(1)[-1].label == (
        "The card hit Blue's wall 1 perfectly and Blue's wall 2 perfectly"
        " and moved Red's wall 3 and Blue's wall 4"
    )
    assert [player["moved"] for player in match.position()["players"]] == [[3], [4]]
    assert match.views.scene(1).extras == ()
    miss = choice(real(), "report ? miss")
    assert miss.extras == ("moved",)
    assert choice(real(), "report ? hit 2.1 2.castle").extras == ("moved",)


def test_a_second_seat_is_added_to_a_report() -> None:
    match = table(4, options={"companion": "on_screen"}, active=1)
    made = choice(match, "report 6v hit 2.1")
    match.play(with_extras(match.views.scene(1), made, also=["4.1"]))
    assert match.position()["players"][0]["points"] == 2


def test_a_wrong_report_of_a_real_card_is_taken_back() -> None:
    match = real()
    before = match.position()
    match.play("report ? hit 2.1")
    match.play("replace 1 with 7k")
    match.undo()
    match.undo()
    assert match.position() == before
    match.play("report ? miss")
    assert match.position()["players"][1]["walls"] == WALLS[1]


def test_real_and_known_cards_are_not_mixed_up() -> None:
    assert refused(real(), "report 8k miss") == "CB-21"
    assert refused(duel(), "report ? miss") == "CB-21"
    assert refused(real(), "build 7t at 2") == "CB-18"
    match = duel()
    match.play("report 6v hit 2.1")
    assert refused(match, "decline") == "CB-42"
    assert match.why_not("decline").blockers == ("2s",)  # type: ignore[union-attr]


def test_any_card_takes_the_place_of_the_simulacrums_wall() -> None:
    """Other moves were refused by the rule for people's walls: equal or lower."""
    players = [{"hand": ["?"], "walls": WALLS[0]}, {"hand": [], "walls": WALLS[1]}]
    match = Match("card-barrage", {"companion": "on_table"}, 1, "1", {"players": players})
    match.play("report ? hit 2.1")
    assert match.position()["to_move"] == 2
    for move in (
        "end",
        "decline",
        "report ? miss",
        "build 2k at 2",
        "replace 2 with 2k",
        "replace 1 with 4v",
    ):
        assert refused(match, move) == "CB-47", move
    refusal = match.why_not("end")
    assert refusal is not None
    assert refusal.sentence.endswith("the top card of its deck, whatever its value.")
    assert refused(match, "replace 1 with 13k") == ""


def test_no_program_plays_with_real_cards() -> None:
    """It made walls and hits up for itself."""
    game = registry.get("card-barrage")
    real_cards = {"companion": "on_table"}
    with pytest.raises(UnknownOption, match="can't see real cards"):
        game.check_programs(real_cards, 2)
    with pytest.raises(UnknownOption, match="A program can't play"):
        simulate(game, 1, ["random", "random"], options=real_cards)
    with pytest.raises(UnknownOption, match="A program can't play"):
        LadderGame(game, 2, real_cards)
    game.check_programs({"companion": "on_screen"}, 2)


def test_no_program_is_seated_with_real_cards(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["play", "card-barrage", "--set", "companion=on_table", "--seats"]
    assert main([*given, "person,greedy"]) != 0
    assert "A program can't play with companion = on_table" in capsys.readouterr().err


def test_the_simulacrums_real_card_hits_or_misses() -> None:
    players = [{"hand": ["?"], "walls": WALLS[0]}, {"hand": [], "walls": WALLS[1]}]
    match = Match(
        "card-barrage",
        {"companion": "on_table"},
        1,
        "1",
        {"players": players, "phase": "reveal", "to_move": 1, "active": 2},
    )
    assert {each.verb for each in match.views.scene(1).choices} == {"It hits", "It misses"}
    assert match.views.scene(1).status.prompt.endswith("report what it does.")
    assert refused(match, "reveal") == "CB-46"
    match.play("reveal hit")
    assert match.position()["open"] == {"1.4": "1s"}
